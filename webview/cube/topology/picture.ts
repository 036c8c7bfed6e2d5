import { element, type Control } from '../../ui/base/dom';
import { announce } from '../../ui/base/liveRegion';
import { onThemeChange } from '../../ui/base/theme';
import { TopologyBrush, type DrawnCell } from './brush';
import {
  cellAtPoint,
  cellBox,
  cellInLine,
  cellsBox,
  columnLabels,
  geometryOf,
  moved,
  planeBox,
  planeTitle,
  type Box,
  type Geometry,
} from './geometry';
import type { Cell, TopologyGrid } from './grid';

export interface PictureSource {
  readonly grid: TopologyGrid;
  readonly drawn: (cell: Cell) => DrawnCell | undefined;
  /** Title of a plane, where there are several. */
  readonly planeName: (plane: number) => string;
  readonly isPeriodic: (dimension: number) => boolean;
  /** Name, value and place of a cell. */
  readonly describe: (cell: Cell) => readonly [name: string, value: string, place: string];
}

/**
 * The cells of a topology. Keys: arrows walk, Page Up and Page Down change the plane, Enter selects. The canvas is only as large as the
 * visible part, so that many cells need no additional memory.
 */
export class TopologyPicture implements Control {
  readonly element: HTMLElement;
  private readonly canvas = element('canvas', {
    class: 'topology-canvas',
    role: 'application',
    label:
      'Topology. Arrow keys walk over the cells, Page Up and Page Down over planes, Enter selects what is there in the system tree. The button “Show as Table” shows the same as a table.',
  });
  private readonly space = element('div', { class: 'topology-space' }, this.canvas);
  private readonly tip = element('div', { class: 'flame-tip', attributes: { 'aria-hidden': 'true' } });
  private source: PictureSource | undefined;
  private geometry: Geometry | undefined;
  private cursor: Cell | undefined;
  private due = false;

  constructor(private readonly onSelect: (cell: Cell) => void) {
    this.canvas.tabIndex = 0;
    this.tip.hidden = true;
    this.element = element('div', { class: 'topology-scroller' }, this.space, this.tip);
    this.listen();
  }

  show(source: PictureSource | undefined): void {
    if (source?.grid !== this.source?.grid) {
      this.geometry = undefined;
      this.cursor = undefined;
      this.hideTip();
    }
    this.source = source;
    this.draw();
  }

  focus(): void {
    this.canvas.focus({ preventScroll: true });
  }

  private listen(): void {
    const { canvas, element: scroller } = this;
    scroller.addEventListener('scroll', () => this.draw(), { passive: true });
    new ResizeObserver(() => {
      this.geometry = undefined;
      this.draw();
    }).observe(scroller);
    onThemeChange(() => this.draw());
    canvas.addEventListener('focus', () => this.draw());
    canvas.addEventListener('blur', () => {
      this.hideTip();
      this.draw();
    });
    canvas.addEventListener('pointermove', (event) => {
      const cell = this.cellUnder(event);
      const { left, top } = scroller.getBoundingClientRect();
      if (cell === undefined) this.hideTip();
      else this.placeTip(cell, event.clientX - left + 12, event.clientY - top + 16);
    });
    canvas.addEventListener('pointerleave', () => this.hideTip());
    canvas.addEventListener('click', (event) => {
      const cell = this.cellUnder(event);
      if (cell === undefined) return;
      this.cursor = cell;
      this.onSelect(cell);
      this.draw();
    });
    canvas.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !this.onKey(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  private onKey(key: string): boolean {
    const { source, cursor } = this;
    const geometry = this.laidOut();
    if (source === undefined || geometry === undefined) return false;
    if ((key === 'Enter' || key === ' ') && cursor !== undefined) {
      this.onSelect(cursor);
      return true;
    }
    const first: Cell = { plane: 0, row: 0, column: 0 };
    const to = moved(geometry, cursor ?? first, key, source.isPeriodic);
    if (to === undefined) return false;
    this.cursor = cursor === undefined && key.startsWith('Arrow') ? first : to;
    this.walkedTo(geometry, source, this.cursor);
    return true;
  }

  private walkedTo(geometry: Geometry, { describe }: PictureSource, cell: Cell): void {
    const { element: scroller } = this;
    const box = cellBox(geometry, cell);
    const into = (at: number, size: number, from: number, seen: number): number =>
      at < from ? at : Math.max(from, at + size - seen);
    scroller.scrollLeft = into(box.x - 4, box.width + 8, scroller.scrollLeft, scroller.clientWidth);
    scroller.scrollTop = into(box.y - 4, box.height + 8, scroller.scrollTop, scroller.clientHeight);
    announce(describe(cell).toReversed().join(', '));
    this.placeTip(
      cell,
      box.x - scroller.scrollLeft + box.width + 6,
      box.y - scroller.scrollTop + box.height + 6,
    );
    this.draw();
  }

  private cellUnder(event: MouseEvent): Cell | undefined {
    const geometry = this.laidOut();
    if (geometry === undefined) return undefined;
    const { left, top } = this.canvas.getBoundingClientRect();
    const { scrollLeft, scrollTop } = this.element;
    return cellAtPoint(geometry, event.clientX - left + scrollLeft, event.clientY - top + scrollTop);
  }

  private placeTip(cell: Cell, x: number, y: number): void {
    const [name = '', ...rest] = this.source?.describe(cell) ?? [];
    const { tip, element: scroller } = this;
    tip.replaceChildren(
      element('strong', { text: name }),
      ...rest.filter((text) => text !== '').map((text) => element('span', { text })),
    );
    tip.hidden = false;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = scroller;
    const within = (at: number, size: number, seen: number): number =>
      Math.max(0, Math.min(at, seen - size - 4));
    tip.style.left = `${(scrollLeft + within(x, tip.offsetWidth, clientWidth)).toFixed(0)}px`;
    tip.style.top = `${(scrollTop + within(y, tip.offsetHeight, clientHeight)).toFixed(0)}px`;
  }

  private hideTip(): void {
    this.tip.hidden = true;
  }

  private laidOut(): Geometry | undefined {
    const { clientWidth, clientHeight } = this.element;
    if (this.source === undefined || clientWidth === 0 || clientHeight === 0) return undefined;
    this.geometry ??= geometryOf(this.source.grid, clientWidth, clientHeight);
    return this.geometry;
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
    const { canvas, space, element: scroller, source } = this;
    const geometry = this.laidOut();
    const context = canvas.getContext('2d');
    if (context === null || source === undefined || geometry === undefined) return;
    // What fits does not scroll: `clientWidth` is rounded, and the page may be a part of a pixel narrower.
    space.style.width = geometry.width <= scroller.clientWidth ? '' : `${geometry.width}px`;
    space.style.height = `${geometry.height}px`;
    const { clientWidth: width, clientHeight: height, scrollLeft, scrollTop } = scroller;
    const scale = window.devicePixelRatio;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    context.setTransform(scale, 0, 0, scale, -scrollLeft * scale, -scrollTop * scale);
    context.font = `11px ${getComputedStyle(scroller).fontFamily}`;
    context.textBaseline = 'middle';
    const seen = { x: scrollLeft, y: scrollTop, width, height };
    paintPlanes(new TopologyBrush(context), geometry, source, seen);
    if (this.cursor !== undefined && document.activeElement === canvas)
      new TopologyBrush(context).cursor(cellBox(geometry, this.cursor));
  }
}

function paintPlanes(brush: TopologyBrush, geometry: Geometry, source: PictureSource, seen: Box): void {
  const { grid, across } = geometry;
  for (let first = 0; first < grid.planes; first += across) {
    const { y, height } = planeBox(geometry, first);
    if (y + height < seen.y) continue;
    if (y > seen.y + seen.height) break;
    for (let plane = first; plane < Math.min(grid.planes, first + across); plane++)
      paintPlane(brush, geometry, source, plane, seen);
  }
}

/** Paints the visible cells, and then outlines, which reach over the neighbours. */
function paintPlane(
  brush: TopologyBrush,
  geometry: Geometry,
  source: PictureSource,
  plane: number,
  seen: Box,
): void {
  const { side, perLine, lines, grid } = geometry;
  const box = planeBox(geometry, plane);
  const cells = cellsBox(geometry, plane);
  const range = (from: number, start: number, size: number, count: number): readonly [number, number] => [
    Math.max(0, Math.floor((start - from) / side)),
    Math.min(count - 1, Math.floor((start + size - from) / side)),
  ];
  const [firstLine, lastLine] = range(cells.y, seen.y, seen.height, lines);
  const [first, last] = range(cells.x, seen.x, seen.width, perLine);
  if (grid.planes > 1) brush.text(source.planeName(plane), cells.x, box.y + planeTitle / 2, 'left', true);
  const every = (room: number): number =>
    [1, 2, 5, 10, 20, 50, 100].find((step) => step * side >= room) ?? 200;
  const [columnStep, lineStep] = [every(9 * String(perLine).length + 6), every(13)];
  for (let position = first; position <= last; position++)
    if (position % columnStep === 0 && grid.choice.columns !== undefined)
      brush.text(String(position), cells.x + (position + 0.5) * side, cells.y - columnLabels / 2, 'center');
  const outlined: Box[] = [];
  for (let line = firstLine; line <= lastLine; line++) {
    const start = cellInLine(geometry, plane, line, 0);
    if (line % lineStep === 0 && start !== undefined)
      brush.text(String(start.row), cells.x - 5, cells.y + (line + 0.5) * side, 'right');
    for (let position = first; position <= last; position++) {
      const cell = cellInLine(geometry, plane, line, position);
      if (cell === undefined) continue;
      const drawn = source.drawn(cell);
      brush.cell(cellBox(geometry, cell), drawn);
      if (drawn?.isMarked === true) outlined.push(cellBox(geometry, cell));
    }
  }
  for (const outline of outlined) brush.marked(outline);
}
