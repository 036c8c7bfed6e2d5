import type { ChildLinks } from '../../../src/core/profile/tree';
import { icicle, rectangleAt, type Icicle } from '../../../src/core/views/icicle';
import { canvasPng } from '../base/canvas';
import { element } from '../base/dom';
import { announce } from '../base/liveRegion';
import type { MenuPlace } from '../controls/menu';
import { onThemeChange } from '../base/theme';
import { colourScale } from './colourScale';
import { FlameBrush, levelHeight } from './flameBrush';
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

/** Narrower rectangles are invisible and not drawn. */
const minimumPixels = 1;

export interface FlameEvents {
  readonly onSelect: (callPath: number) => void;
  readonly onActivate: (callPath: number) => void;
  readonly onZoom: (callPath: number | undefined) => void;
  readonly onMenu: (callPath: number, place: MenuPlace) => void;
  /** Numbers of a call path, in one line. */
  readonly describe: (callPath: number) => string;
  /** `file:line` of the function in a call path, if that is known. */
  readonly placeOf: (callPath: number) => string | undefined;
}

/** The rest of a wheel's turn until the next step of the zoom, in pixels. */
const wheelStep = 60;
/** A step of the wheel skips call paths that have almost all of the value of what is shown. */
const noticeableShare = 0.95;

/**
 * Call paths from the top down, as wide as their inclusive values. Keys: arrows walk, Enter opens the source as in all views, + zooms in,
 * Backspace and − zoom out, Home and Escape show everything. The wheel zooms with Ctrl, and where nothing scrolls also without. The canvas is only as large as the visible part, so that the deepest tree needs no additional memory.
 */
export class FlameGraph {
  readonly element: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly space: HTMLElement;
  private readonly tip: HTMLElement;
  private layout: Icicle | undefined;
  private colors: FlameColors | undefined;
  private selected: number | undefined;
  private root = -1;
  private due = false;
  private wheelRest = 0;

  constructor(
    private source: FlameSource,
    private readonly events: FlameEvents,
  ) {
    this.canvas = element('canvas', {
      class: 'flame-canvas',
      role: 'application',
      label:
        'Flame graph. Arrow keys walk over the call paths, Enter opens the source, + zooms in, Backspace zooms out. The call tree shows the same as a table.',
    });
    this.canvas.tabIndex = 0;
    this.space = element('div', { class: 'flame-space' }, this.canvas);
    this.tip = element('div', { class: 'flame-tip', attributes: { 'aria-hidden': 'true' } });
    this.tip.hidden = true;
    this.scroller = element('div', { class: 'flame' }, this.space, this.tip);
    this.element = element('div', { class: 'flame-view' }, this.scroller, legend());
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
    this.scroller.scrollTop = 0;
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
    this.scroller.addEventListener('scroll', () => this.draw(), { passive: true });
    new ResizeObserver(() => {
      this.layout = undefined;
      this.draw();
    }).observe(this.scroller);
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
    this.scroller.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
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
    if (key === '+') this.zoomTo(selected);
    else if (key === ' ' || key === 'Enter') this.events.onActivate(selected);
    else return false;
    return true;
  }

  private onWheel(event: WheelEvent): void {
    const scrolls = this.scroller.scrollHeight > this.scroller.clientHeight;
    if (event.deltaY === 0 || (scrolls && !event.ctrlKey)) return;
    event.preventDefault();
    this.wheelRest +=
      event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * wheelStep;
    if (Math.abs(this.wheelRest) < wheelStep) return;
    const hit = this.rectangleAt(event);
    if (this.wheelRest > 0 && this.root >= 0) this.zoomOut();
    else if (this.wheelRest < 0 && hit !== undefined) this.zoomTo(this.towards(hit));
    this.wheelRest = 0;
  }

  /** The first call path on the way to `target` that shows noticeably less than now. */
  private towards(target: number): number {
    const { parent, inclusive, total } = this.source;
    const most = noticeableShare * (this.root < 0 ? total : (inclusive[this.root] ?? 0));
    let step = target;
    for (let above = target; above >= 0 && above !== this.root; above = parent[above] ?? -1)
      if ((inclusive[above] ?? 0) <= most) step = above;
    return step;
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
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top;
    else if (top + levelHeight > scrollTop + clientHeight)
      this.scroller.scrollTop = top + levelHeight - clientHeight;
    const region = this.source.region[node] ?? 0;
    announce(`${this.source.name(region)}, ${this.events.describe(node)}`);
    const box = this.boxOf(node);
    // By keys it stands at an edge, where it does not hide the callees to walk to.
    if (box !== undefined) this.placeTip(node, 8, box.y > this.scroller.clientHeight / 2 ? 4 : Infinity);
  }

  private choose(callPath: number): void {
    this.selected = callPath;
    this.draw();
    this.events.onSelect(callPath);
  }

  private rectangleAt(event: MouseEvent): number | undefined {
    const layout = this.laidOut();
    const { left, top } = this.canvas.getBoundingClientRect();
    const level = Math.floor((event.clientY - top + this.scroller.scrollTop) / levelHeight);
    const hit = rectangleAt(layout, level, event.clientX - left);
    return hit < 0 ? undefined : layout.node[hit];
  }

  private boxOf(callPath: number): { readonly x: number; readonly y: number } | undefined {
    const layout = this.laidOut();
    const index = layout.node.indexOf(callPath);
    if (index < 0) return undefined;
    return { x: layout.x[index] ?? 0, y: (layout.level[index] ?? 0) * levelHeight - this.scroller.scrollTop };
  }

  private showTip(callPath: number | undefined, event: MouseEvent): void {
    const { left, top } = this.scroller.getBoundingClientRect();
    if (callPath === undefined) this.hideTip();
    else this.placeTip(callPath, event.clientX - left + 12, event.clientY - top + 16);
  }

  private placeTip(callPath: number, x: number, y: number): void {
    const region = this.source.region[callPath] ?? 0;
    const place = this.events.placeOf(callPath);
    this.tip.replaceChildren(
      element('strong', { text: this.source.name(region) }),
      element('span', { text: this.events.describe(callPath) }),
      ...(place === undefined ? [] : [element('span', { text: place })]),
      element('span', {
        class: 'muted',
        text: `${place === undefined ? '' : 'Enter opens the source. '}Double-click or + zooms in, Backspace out.`,
      }),
    );
    this.tip.hidden = false;
    const { offsetWidth, offsetHeight } = this.tip;
    const { clientWidth, clientHeight, scrollTop } = this.scroller;
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
      width: Math.max(1, this.scroller.clientWidth),
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
    const { clientWidth: width, clientHeight: height } = this.scroller;
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
    const style = getComputedStyle(this.scroller);
    context.font = `12px ${style.fontFamily}`;
    context.textBaseline = 'middle';
    const brush = new FlameBrush(context, this.source, (this.colors ??= flameColors()));
    const first = Math.floor(this.scroller.scrollTop / levelHeight);
    const last = Math.min(
      layout.levels.length - 1,
      Math.ceil((this.scroller.scrollTop + height) / levelHeight),
    );
    for (let level = first; level <= last; level++)
      for (const index of layout.levels[level] ?? [])
        brush.rectangle(layout, index, level * levelHeight - this.scroller.scrollTop, this.selected);
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

/** What width, line and colour mean. */
function legend(): HTMLElement {
  return element(
    'div',
    { class: 'flame-legend muted' },
    element('span', { text: 'Width: inclusive' }),
    element('span', { text: 'Line at the bottom: exclusive part of it' }),
    colourScale('Colour: exclusive share of the whole run', '0 %', '100 %').element,
  );
}
