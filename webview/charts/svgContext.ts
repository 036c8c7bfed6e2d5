/** State of a canvas context; `groups`: clip groups that `restore` closes. */
interface State {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly groups: number;
  readonly dash: readonly number[];
  readonly style: Readonly<Record<(typeof styles)[number], string | number>>;
}

const styles = [
  'fillStyle',
  'strokeStyle',
  'lineWidth',
  'font',
  'textAlign',
  'textBaseline',
  'lineJoin',
] as const;

const usualStyle: State['style'] = {
  fillStyle: '#000',
  strokeStyle: '#000',
  lineWidth: 1,
  font: '',
  textAlign: 'start',
  textBaseline: 'alphabetic',
  lineJoin: 'round',
};

/** The part of a canvas context that the charts and chart.js draw with. It writes SVG elements instead of pixels. */
export class SvgContext {
  fillStyle = usualStyle.fillStyle;
  strokeStyle = usualStyle.strokeStyle;
  lineWidth = usualStyle.lineWidth;
  font = usualStyle.font;
  textAlign = usualStyle.textAlign;
  textBaseline = usualStyle.textBaseline;
  lineJoin = usualStyle.lineJoin;
  imageSmoothingEnabled = false;
  /** The canvas, which chart.js reads from its context. */
  canvas: unknown;
  readonly parts: string[] = [];
  private path: string[] = [];
  private outline: string | undefined;
  private clips = 0;
  private dash: readonly number[] = [];
  private groups = 0;
  private transform = { x: 0, y: 0, angle: 0 };
  private readonly saved: State[] = [];

  constructor(private readonly width: (text: string, font: string) => number) {}

  save(): void {
    const style = Object.fromEntries(styles.map((name) => [name, this[name]])) as State['style'];
    this.saved.push({ ...this.transform, groups: this.groups, dash: this.dash, style });
    this.groups = 0;
  }

  restore(): void {
    this.parts.push(...Array.from({ length: this.groups }, () => '</g>'));
    const state = this.saved.pop();
    this.groups = state?.groups ?? 0;
    if (state === undefined) return;
    const { x, y, angle, dash, style } = state;
    this.transform = { x, y, angle };
    this.dash = dash;
    Object.assign(this, style);
  }

  translate(dx: number, dy: number): void {
    const [x, y] = this.place(dx, dy);
    this.transform = { ...this.transform, x, y };
  }

  rotate(angle: number): void {
    this.transform = { ...this.transform, angle: this.transform.angle + angle };
  }

  /** Ignored: SVG has no screen pixels, so `translate` and `rotate` are the only transformations. */
  setTransform(): void {
    this.resetTransform();
  }

  resetTransform(): void {
    this.transform = { x: 0, y: 0, angle: 0 };
  }

  beginPath(): void {
    this.path = [];
  }

  closePath(): void {
    this.path.push('Z');
  }

  moveTo(x: number, y: number): void {
    this.path.push(`M${this.point(x, y)}`);
  }

  lineTo(x: number, y: number): void {
    this.path.push(`${this.path.length === 0 ? 'M' : 'L'}${this.point(x, y)}`);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }

  /** Draws a whole circle, which chart.js uses for points of curves. */
  arc(x: number, y: number, radius: number): void {
    const half = `a${number(radius)} ${number(radius)} 0 1 0`;
    this.moveTo(x - radius, y);
    this.path.push(`${half} ${number(2 * radius)} 0${half} ${number(-2 * radius)} 0Z`);
  }

  clip(): void {
    const id = `clip${++this.clips}`;
    this.groups++;
    this.parts.push(
      `<clipPath id="${id}"><path d="${this.path.join('')}"/></clipPath>`,
      `<g clip-path="url(#${id})">`,
    );
  }

  clearRect(): void {
    // The page below provides the background.
  }

  setLineDash(dash: Iterable<number>): void {
    this.dash = [...dash];
  }

  fill(): void {
    this.parts.push(`<path d="${this.path.join('')}" fill="${escaped(this.fillStyle)}"/>`);
  }

  stroke(): void {
    this.parts.push(`<path d="${this.path.join('')}" fill="none" ${this.line()}/>`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.parts.push(`<rect ${this.box(x, y, width, height)} fill="${escaped(this.fillStyle)}"/>`);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.parts.push(`<rect ${this.box(x, y, width, height)} fill="none" ${this.line()}/>`);
  }

  drawImage(picture: unknown, x: number, y: number, width?: number, height?: number): void {
    if (!(picture instanceof HTMLCanvasElement)) return;
    const box = this.box(x, y, width ?? picture.width, height ?? picture.height);
    this.parts.push(
      `<image ${box} preserveAspectRatio="none" image-rendering="pixelated" href="${picture.toDataURL('image/png')}"/>`,
    );
  }

  measureText(text: string): { readonly width: number } {
    return { width: this.width(text, String(this.font)) };
  }

  /** Ignored: one SVG element draws letters together with their outline. */
  strokeText(): void {
    this.outline = ` ${this.line()} paint-order="stroke"`;
  }

  fillText(text: string, x: number, y: number): void {
    const anchors: Readonly<Record<string, string>> = { center: 'middle', right: 'end', end: 'end' };
    const shifts: Readonly<Record<string, string>> = { top: '0.8em', middle: '0.35em', bottom: '-0.2em' };
    const [left, top] = this.place(x, y);
    const turn = (this.transform.angle * 180) / Math.PI;
    const place =
      turn === 0
        ? `x="${number(left)}" y="${number(top)}"`
        : `transform="translate(${number(left)} ${number(top)}) rotate(${number(turn)})"`;
    const weight = /\b(bold|[6-9]00)\b/.test(String(this.font)) ? ' font-weight="600"' : '';
    this.parts.push(
      `<text ${place} dy="${shifts[this.textBaseline] ?? '0'}" text-anchor="${anchors[this.textAlign] ?? 'start'}" fill="${escaped(this.fillStyle)}"${weight}${this.outline ?? ''}>${escaped(text)}</text>`,
    );
    this.outline = undefined;
  }

  private place(x: number, y: number): readonly [x: number, y: number] {
    const { x: left, y: top, angle } = this.transform;
    const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
    return [left + x * cosine - y * sine, top + x * sine + y * cosine];
  }

  private point(x: number, y: number): string {
    return this.place(x, y).map(number).join(' ');
  }

  private box(x: number, y: number, width: number, height: number): string {
    const [left, top] = this.place(x, y);
    return `x="${number(left)}" y="${number(top)}" width="${number(width)}" height="${number(height)}"`;
  }

  private line(): string {
    const dashes = this.dash.length === 0 ? '' : ` stroke-dasharray="${this.dash.map(number).join(' ')}"`;
    return `stroke="${escaped(this.strokeStyle)}" stroke-width="${number(Number(this.lineWidth))}" stroke-linejoin="round"${dashes}`;
  }
}

export function number(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : '0';
}

/** Escapes a text for XML and removes characters that XML does not allow: names come from programs. */
export function escaped(text: string | number): string {
  return String(text)
    .replaceAll(/[^\t\n\r\P{Cc}]|[\ufffe\uffff]|\p{Cs}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
