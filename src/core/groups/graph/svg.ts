import { visibleControls } from '../../names/visibleControls';
import type { DrawnNode, GraphDrawing } from './export';

/** Pixels. */
const box = { width: 300, height: 64, gapAcross: 24, gapDown: 48, line: 18 };
/** Of usual width, these fit into a box. */
const lineCharacters = 40;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Each node a box in its layer, the top node above; in the colour of the text around it. */
export function graphSvg({ nodes, edges }: Exclude<GraphDrawing, { readonly reason: string }>): string {
  const sizes = new Map<number, number>();
  for (const { layer } of nodes) sizes.set(layer, (sizes.get(layer) ?? 0) + 1);
  const step = box.width + box.gapAcross;
  const width = Math.max(1, ...sizes.values()) * step - box.gapAcross + 2;
  const height = Math.max(1, sizes.size) * (box.height + box.gapDown) - box.gapDown + 2;
  const cornerOf = ({ layer, place }: DrawnNode): { readonly x: number; readonly y: number } => ({
    x: (width - (sizes.get(layer) ?? 1) * step + box.gapAcross) / 2 + place * step,
    y: 1 + layer * (box.height + box.gapDown),
  });
  const corners = new Map(nodes.map((node) => [node.node, cornerOf(node)]));
  const lines = edges.flatMap(({ lower, upper }) => {
    const [from, to] = [corners.get(lower), corners.get(upper)];
    if (from === undefined || to === undefined) return [];
    const middle = box.width / 2;
    return [
      `<line x1="${from.x + middle}" y1="${from.y}" x2="${to.x + middle}" y2="${to.y + box.height}" stroke="currentColor"/>`,
    ];
  });
  const boxes = nodes.map((node) => boxOf(node, cornerOf(node)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="sans-serif" font-size="12" fill="currentColor">`,
    '<title>Graph of groups of processes</title>',
    ...lines,
    ...boxes,
    '</svg>',
    '',
  ].join('\n');
}

function boxOf({ lines }: DrawnNode, { x, y }: { readonly x: number; readonly y: number }): string {
  const texts = lines.map(
    (line, index) => `<text x="8" y="${box.line * (index + 1)}">${escaped(shortened(line))}</text>`,
  );
  return [
    `<g><title>${escaped(lines.join('\n'))}</title>`,
    `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" fill="none" stroke="currentColor"/>`,
    // Wide characters end at the border.
    `<svg x="${x}" y="${y}" width="${box.width}" height="${box.height}">`,
    ...texts,
    '</svg></g>',
  ].join('');
}

function shortened(line: string): string {
  const characters = Array.from(line);
  return characters.length <= lineCharacters ? line : `${characters.slice(0, lineCharacters - 1).join('')}…`;
}

/** Lone halves of characters and what is no character are nothing that XML can hold. */
function escaped(text: string): string {
  return text
    .split('\n')
    .map(visibleControls)
    .join('\n')
    .replace(/[&<>"]/g, (character) => entities[character] ?? character)
    .replace(/\p{Cs}|[\ufffe\uffff]/gu, '\ufffd');
}
