import { element } from './dom';
import { themeToken } from './theme';

/** A canvas as PNG bytes, on the background of the theme, because transparent pictures are unreadable elsewhere. */
export async function canvasPng(canvas: HTMLCanvasElement): Promise<Uint8Array | undefined> {
  const copy = element('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext('2d');
  if (context === null || copy.width === 0 || copy.height === 0) return undefined;
  context.fillStyle = themeToken('--vscode-editor-background', '#1f1f1f');
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => copy.toBlob(resolve, 'image/png'));
  return blob === null ? undefined : new Uint8Array(await blob.arrayBuffer());
}
