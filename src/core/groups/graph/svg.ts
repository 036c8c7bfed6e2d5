import { escapeMarkup } from '../../names/escapeMarkup';
import { lineHeight, nodeBox, type DrawnNode, type GraphDrawing } from './export';

/** Of usual width, these fit into a box. */
const lineCharacters = 40;

/** Each node a box, the top node above; in the colour of the text around it. */
export function graphSvg({
  width,
  height,
  nodes,
  edges,
}: Exclude<GraphDrawing, { readonly reason: string }>): string {
  const lines = edges.map(({ points }) => {
    const places = points.map(({ x, y }) => `${rounded(x)},${rounded(y)}`).join(' ');
    return `<polyline points="${places}" fill="none" stroke="currentColor"/>`;
  });
  const size = `${rounded(width)} ${rounded(height)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" width="${rounded(width)}" height="${rounded(height)}" role="img" font-family="sans-serif" font-size="12" fill="currentColor">`,
    '<title>Graph of groups of processes</title>',
    ...lines,
    ...nodes.map(boxOf),
    '</svg>',
    '',
  ].join('\n');
}

function rounded(pixels: number): string {
  return String(Math.round(10 * pixels) / 10);
}

function boxOf({ lines, centre }: DrawnNode): string {
  const place = `x="${rounded(centre.x - nodeBox.width / 2)}" y="${rounded(centre.y - nodeBox.height / 2)}" width="${nodeBox.width}" height="${nodeBox.height}"`;
  const texts = lines.map(
    (line, index) => `<text x="8" y="${lineHeight * (index + 1)}">${escapeMarkup(shortened(line))}</text>`,
  );
  return [
    `<g><title>${escapeMarkup(lines.join('\n'))}</title>`,
    `<rect ${place} fill="none" stroke="currentColor"/>`,
    // Wide characters end at the border.
    `<svg ${place}>`,
    ...texts,
    '</svg></g>',
  ].join('');
}

function shortened(line: string): string {
  const characters = Array.from(line);
  return characters.length <= lineCharacters ? line : `${characters.slice(0, lineCharacters - 1).join('')}…`;
}
