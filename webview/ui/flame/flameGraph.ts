import type { ChildLinks } from '../../../src/core/profile/tree';
import { icicle, rectangleAt, type Icicle } from '../../../src/core/views/icicle';
import { canvasPng } from '../base/canvas';
import { element } from '../base/dom';
import { announce } from '../base/liveRegion';
import type { MenuPlace } from '../controls/menu';
import { onThemeChange } from '../base/theme';
import { flameColors, type FlameColors } from './flameColors';

/** The data of a flame graph: call paths of a metric. */
export interface FlameSource {
  readonly parent: Int32Array;
  readonly region: Uint32Array;
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
  readonly total: number;
  /** Siblings in display order, the heaviest first. */
  readonly links: () => ChildLinks;
  readonly name: (region: number) => string;
  /** Name without scope and parameters, for narrow rectangles. */
  readonly shortName: (region: number) => string;
  /** Whether the region matches the search. */
  readonly isMatch: (region: number) => boolean;
}

const levelHeight = 22;
/** Narrower rectangles are invisible and not drawn. */
const minimumPixels = 1;
/** Narrower rectangles have no name. */
const namePixels = 34;

export interface FlameEvents {
  readonly onSelect: (callPath: number) => void;
  readonly onActivate: (callPath: number) => void;
  readonly onZoom: (callPath: number | undefined) => void;
  readonly onMenu: (callPath: number, place: MenuPlace) => void;
  /** Numbers of a call path, in one line. */
  readonly describe: (callPath: number) => string;
}

/**
 * Call paths from the top down, as wide as their inclusive values. Keys: arrows walk, Enter zooms in, Backspace, Escape and − zoom out, +
 * zooms in, Home shows everything. The canvas is only as large as the visible part, so that the deepest tree needs no additional memory.
 */
export class FlameGraph {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly space: HTMLElement;
  private readonly tip: HTMLElement;
  private layout: Icicle | undefined;
  private colors: FlameColors | undefined;
  private selected: number | undefined;
  private root = -1;
  private due = false;

  constructor(
    private source: FlameSource,
    private readonly events: FlameEvents,
  ) {
    this.canvas = element('canvas', {
      class: 'flame-canvas',
      role: 'application',
      label:
        'Flame graph. Arrow keys walk over the call paths, Enter zooms in, Backspace zooms out. The call tree shows the same as a table.',
    });
    this.canvas.tabIndex = 0;
    this.space = element('div', { class: 'flame-space' }, this.canvas);
    this.tip = element('div', { class: 'flame-tip', attributes: { 'aria-hidden': 'true' } });
    this.tip.hidden = true;
    this.element = element('div', { class: 'flame' }, this.space, this.tip);
    this.listen();
  }

  update(source: FlameSource): void {
    if (source.parent !== this.source.parent || source.inclusive !== this.source.inclusive)
      this.layout = undefined;
    this.source = source;
    this.draw();
  }

  get zoom(): number | undefined {
    return this.root < 0 ? undefined : this.root;
  }

  select(callPath: number | undefined): void {
    this.selected = callPath;
    this.draw();
  }

  /** Shows a call path with everything below it; undefined: the whole tree. */
  zoomTo(callPath: number | undefined): void {
    this.root = callPath !== undefined && callPath < this.source.parent.length ? callPath : -1;
    this.layout = undefined;
    this.element.scrollTop = 0;
    this.draw();
    this.events.onZoom(this.zoom);
  }

  zoomOut(): void {
    const above = this.root < 0 ? -1 : (this.source.parent[this.root] ?? -1);
    this.zoomTo(above < 0 ? undefined : above);
  }

  focus(): void {
    this.canvas.focus({ preventScroll: true });
  }

  png(): Promise<Uint8Array | undefined> {
    this.paint();
    return canvasPng(this.canvas);
  }

  private listen(): void {
    const { canvas } = this;
    this.element.addEventListener('scroll', () => this.draw(), { passive: true });
    new ResizeObserver(() => {
      this.layout = undefined;
      this.draw();
    }).observe(this.element);
    onThemeChange(() => {
      this.colors = undefined;
      this.draw();
    });
    canvas.addEventListener('focus', () => this.draw());
    canvas.addEventListener('blur', () => this.hideTip());
    canvas.addEventListener('pointermove', (event) => this.showTip(this.rectangleAt(event), event));
    canvas.addEventListener('pointerleave', () => this.hideTip());
    canvas.addEventListener('click', (event) => {
      const hit = this.rectangleAt(event);
      if (hit !== undefined) this.choose(hit);
    });
    canvas.addEventListener('dblclick', (event) => {
      const hit = this.rectangleAt(event);
      if (hit !== undefined) this.zoomTo(hit);
    });
    canvas.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      const hit = this.rectangleAt(event);
      if (hit === undefined) return;
      this.choose(hit);
      this.events.onMenu(hit, { x: event.clientX, y: event.clientY });
    });
    canvas.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !this.onKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  private onKey(event: KeyboardEvent): boolean {
    const { key } = event;
    if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) return this.keyMenu();
    if (key === 'ArrowDown' || key === 'ArrowUp' || key === 'ArrowLeft' || key === 'ArrowRight')
      this.walk(key);
    else if (key === '-' || key === 'Backspace') this.zoomOut();
    else if (key === 'Escape' || key === 'Home') this.zoomTo(undefined);
    else return this.actOnSelected(key);
    return true;
  }

  private actOnSelected(key: string): boolean {
    const { selected } = this;
    if (selected === undefined) return false;
    if (key === '+' || key === 'Enter') this.zoomTo(selected);
    else if (key === ' ') this.events.onActivate(selected);
    else return false;
    return true;
  }

  private keyMenu(): boolean {
    const { selected } = this;
    const box = selected === undefined ? undefined : this.boxOf(selected);
    if (selected === undefined || box === undefined) return false;
    const { left, top } = this.canvas.getBoundingClientRect();
    this.events.onMenu(selected, { x: left + box.x + 8, y: top + box.y + levelHeight });
    return true;
  }

  private walk(key: 'ArrowDown' | 'ArrowUp' | 'ArrowLeft' | 'ArrowRight'): void {
    const layout = this.laidOut();
    const from = this.selected === undefined ? -1 : layout.node.indexOf(this.selected);
    const to = from < 0 ? 0 : neighbour(layout, from, key);
    const node = layout.node[to];
    if (node === undefined) return;
    this.choose(node);
    const top = (layout.level[to] ?? 0) * levelHeight;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + levelHeight > scrollTop + clientHeight)
      this.element.scrollTop = top + levelHeight - clientHeight;
    const region = this.source.region[node] ?? 0;
    announce(`${this.source.name(region)}, ${this.events.describe(node)}`);
    const box = this.boxOf(node);
    if (box !== undefined) this.placeTip(node, box.x + 12, box.y + levelHeight + 4);
  }

  private choose(callPath: number): void {
    this.selected = callPath;
    this.draw();
    this.events.onSelect(callPath);
  }

  private rectangleAt(event: MouseEvent): number | undefined {
    const layout = this.laidOut();
    const { left, top } = this.canvas.getBoundingClientRect();
    const level = Math.floor((event.clientY - top + this.element.scrollTop) / levelHeight);
    const hit = rectangleAt(layout, level, event.clientX - left);
    return hit < 0 ? undefined : layout.node[hit];
  }

  private boxOf(callPath: number): { readonly x: number; readonly y: number } | undefined {
    const layout = this.laidOut();
    const index = layout.node.indexOf(callPath);
    if (index < 0) return undefined;
    return { x: layout.x[index] ?? 0, y: (layout.level[index] ?? 0) * levelHeight - this.element.scrollTop };
  }

  private showTip(callPath: number | undefined, event: MouseEvent): void {
    const { left, top } = this.element.getBoundingClientRect();
    if (callPath === undefined) this.hideTip();
    else this.placeTip(callPath, event.clientX - left + 12, event.clientY - top + 16);
  }

  private placeTip(callPath: number, x: number, y: number): void {
    const region = this.source.region[callPath] ?? 0;
    this.tip.replaceChildren(
      element('strong', { text: this.source.name(region) }),
      element('span', { text: this.events.describe(callPath) }),
    );
    this.tip.hidden = false;
    const { offsetWidth, offsetHeight } = this.tip;
    const { clientWidth, clientHeight, scrollTop } = this.element;
    this.tip.style.left = `${Math.max(0, Math.min(x, clientWidth - offsetWidth - 4)).toFixed(0)}px`;
    this.tip.style.top = `${(scrollTop + Math.max(0, Math.min(y, clientHeight - offsetHeight - 4))).toFixed(0)}px`;
  }

  private hideTip(): void {
    this.tip.hidden = true;
  }

  private laidOut(): Icicle {
    const { parent, links, inclusive } = this.source;
    this.layout ??= icicle(parent, links(), inclusive, {
      root: this.root,
      width: Math.max(1, this.element.clientWidth),
      minimum: minimumPixels,
    });
    return this.layout;
  }

  /** Draws at most once per frame. */
  private draw(): void {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.paint();
    });
  }

  private paint(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    const context = this.canvas.getContext('2d');
    if (context === null || width === 0 || height === 0) return;
    const layout = this.laidOut();
    this.space.style.height = `${layout.levels.length * levelHeight}px`;
    const scale = window.devicePixelRatio;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const style = getComputedStyle(this.element);
    context.font = `12px ${style.fontFamily}`;
    context.textBaseline = 'middle';
    const brush = new Brush(context, this.source, (this.colors ??= flameColors()));
    const first = Math.floor(this.element.scrollTop / levelHeight);
    const last = Math.min(
      layout.levels.length - 1,
      Math.ceil((this.element.scrollTop + height) / levelHeight),
    );
    for (let level = first; level <= last; level++)
      for (const index of layout.levels[level] ?? [])
        brush.rectangle(layout, index, level * levelHeight - this.element.scrollTop, this.selected);
  }
}

/** The rectangle beside, above or below a given one; the same if there is none. */
function neighbour(layout: Icicle, from: number, key: string): number {
  const level = layout.level[from] ?? 0;
  const x = layout.x[from] ?? 0;
  const row = layout.levels[level] ?? [];
  const place = row.indexOf(from);
  if (key === 'ArrowLeft') return row[place - 1] ?? from;
  if (key === 'ArrowRight') return row[place + 1] ?? from;
  if (key === 'ArrowUp') {
    const above = rectangleAt(layout, level - 1, x);
    return above < 0 ? from : above;
  }
  const end = x + (layout.width[from] ?? 0);
  return (
    (layout.levels[level + 1] ?? []).find(
      (index) => (layout.x[index] ?? 0) >= x && (layout.x[index] ?? 0) < end,
    ) ?? from
  );
}

/** Paints rectangles of one picture. */
class Brush {
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
