import type { Icicle } from '../../../src/core/views/icicle';
import type { FlameColors } from './flameColors';
import type { FlameSource } from './flameGraph';

export const levelHeight = 22;
/** Narrower rectangles have no name. */
const namePixels = 34;

/** Paints rectangles of one picture. */
export class FlameBrush {
  private readonly characterWidth: number;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly source: FlameSource,
    private readonly colors: FlameColors,
  ) {
    this.characterWidth = context.measureText('abcdefghijklmnop::_').width / 19;
  }

  rectangle(layout: Icicle, index: number, y: number, selected: number | undefined): void {
    const { context, source, colors } = this;
    const node = layout.node[index] ?? 0;
    const x = layout.x[index] ?? 0;
    const width = layout.width[index] ?? 0;
    const own = source.exclusive[node] ?? 0;
    const { fill, text } = colors.fill(source.total > 0 ? Math.sqrt(Math.max(0, own) / source.total) : 0);
    const inner = Math.max(0.5, width - 1);
    context.fillStyle = colors.border;
    context.fillRect(x, y, width, levelHeight);
    context.fillStyle = fill;
    context.fillRect(x, y + 1, inner, levelHeight - 2);
    this.ownShare(x, y, inner, own, source.inclusive[node] ?? 0, text);
    const region = source.region[node] ?? 0;
    const isMatch = source.isMatch(region);
    if (width >= namePixels) this.name(region, x, y, width, text, isMatch);
    if (isMatch) this.frame(x, y, inner, colors.match, 1.5);
    if (node === selected) this.frame(x, y, inner, colors.focus, 3);
  }

  /** Draws a bar at the bottom: the exclusive share of the value. Colour is never the only sign. */
  private ownShare(x: number, y: number, width: number, own: number, inclusive: number, color: string): void {
    if (!(own > 0) || !(inclusive > 0) || width < 4) return;
    this.context.fillStyle = color;
    this.context.fillRect(x, y + levelHeight - 3, width * Math.min(1, own / inclusive), 2);
  }

  private name(region: number, x: number, y: number, width: number, color: string, bold: boolean): void {
    const room = Math.floor((width - 8) / this.characterWidth);
    if (room < 3) return;
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(x, y, width - 2, levelHeight);
    context.clip();
    context.fillStyle = color;
    if (bold) context.font = `bold ${context.font}`;
    context.fillText(this.fitting(region, room), x + 4, y + levelHeight / 2);
    context.restore();
  }

  /** The whole name if it fits, else the short name, else the beginning of that. */
  private fitting(region: number, room: number): string {
    const name = this.source.name(region);
    if (name.length <= room) return name;
    const short = this.source.shortName(region);
    return short.length > room ? `${short.slice(0, room - 1)}…` : short;
  }

  private frame(x: number, y: number, width: number, color: string, line: number): void {
    const { context } = this;
    context.strokeStyle = color;
    context.lineWidth = line;
    context.strokeRect(x + line / 2, y + 1 + line / 2, Math.max(0.5, width - line), levelHeight - 2 - line);
  }
}
