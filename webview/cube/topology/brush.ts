import { isHighContrast, themeToken } from '../../ui/base/theme';
import { flameColors, type FlameColors } from '../../ui/flame/flameColors';
import type { Box } from './geometry';

/** How a cell is drawn; undefined: it has no location. */
export interface DrawnCell {
  /** −1…1; undefined: there is no whole to compare with. */
  readonly share: number | undefined;
  readonly isMarked: boolean;
}

/** Paints one picture, in the colours that the boxes of the trees have. */
export class TopologyBrush {
  private readonly colors: FlameColors = flameColors();
  private readonly contrast = isHighContrast();
  private readonly foreground = themeToken('--vscode-foreground', '#cccccc');
  private readonly muted = themeToken('--vscode-descriptionForeground', '#999999');

  constructor(private readonly context: CanvasRenderingContext2D) {}

  /** Colour is never the only sign: empty cells have a diagonal, negative values a dashed border, and in high contrast the filling grows from the bottom. */
  cell({ x, y, width, height }: Box, cell: DrawnCell | undefined): void {
    const { context } = this;
    const inner = { x: x + 0.5, y: y + 0.5, width: width - 2, height: height - 2 };
    context.lineWidth = 1;
    context.globalAlpha = cell === undefined ? 0.35 : 1;
    context.strokeStyle = cell === undefined || !this.contrast ? this.muted : this.colors.border;
    if (cell === undefined) {
      context.beginPath();
      context.moveTo(inner.x, inner.y + inner.height);
      context.lineTo(inner.x + inner.width, inner.y);
      context.stroke();
    } else this.fill(inner, cell.share ?? 0);
    if ((cell?.share ?? 0) < 0) context.setLineDash([2, 2]);
    context.strokeRect(inner.x, inner.y, inner.width, inner.height);
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  private fill({ x, y, width, height }: Box, share: number): void {
    const { context, colors, contrast } = this;
    const size = Math.min(1, Math.abs(share));
    if (size === 0) return;
    context.fillStyle = contrast ? this.foreground : colors.fill(Math.sqrt(size)).fill;
    const filled = contrast ? Math.max(1, size * height) : height;
    context.fillRect(x, y + height - filled, width, filled);
  }

  /** Outlines are visible on any colour. */
  marked(box: Box): void {
    this.outline(box, this.colors.background, 4);
    this.outline(box, this.foreground, 2);
  }

  cursor(box: Box): void {
    this.outline(box, this.colors.background, 5);
    this.outline(box, this.colors.focus, 3);
  }

  text(text: string, x: number, y: number, align: CanvasTextAlign, isTitle = false): void {
    const { context } = this;
    context.fillStyle = isTitle ? this.foreground : this.muted;
    context.textAlign = align;
    context.fillText(text, x, y);
  }

  private outline({ x, y, width, height }: Box, color: string, line: number): void {
    this.context.strokeStyle = color;
    this.context.lineWidth = line;
    this.context.strokeRect(x + 0.5, y + 0.5, width - 2, height - 2);
  }
}
