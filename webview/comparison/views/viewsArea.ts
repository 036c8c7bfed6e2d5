import type { ComparisonHeader, ComparisonOverview } from '../../../src/core/trace/comparisonPieces';
import { type Control, element } from '../../ui/base/dom';
import { onThemeChange } from '../../ui/base/theme';
import type { MenuPlace } from '../../ui/controls/menu';
import { isLinked, settingsOf, targetOf, type Options, type Target } from '../options';
import type { RowSource } from '../rowSource';
import { connectors, type Connector, type PlacedRow } from './connectors';
import { gutter, type Gutter } from './gutter';
import { Pane } from './pane';

export interface ViewsEvents {
  readonly onSelect: (target: Target, row: number | undefined) => void;
  readonly onOpen: (target: Target, row: number) => void;
  readonly onMenu: (target: Target, row: number, place: MenuPlace) => void;
  readonly onKey: (event: KeyboardEvent) => boolean;
  /** The view that the user looks at. */
  readonly onFocus: (view: number) => void;
  readonly onLink: (view: number, isLinked: boolean) => void;
  readonly onLayout: (view: number, layout: unknown) => void;
  /** First visible row of the linked views. */
  readonly onTop: (row: number) => void;
  /** The strips have other heights. */
  readonly onResize: () => void;
}

/** Each view needs this width; views of narrower panels are below each other. */
const leastWidth = 300;
const leastWidthOfMany = 220;

/** Two to four views side by side. Linked ones show the same rows, with gaps, and scroll together. */
export class ViewsArea implements Control {
  readonly element = element('div', { class: 'comparison-views' });
  private panes: readonly Pane[] = [];
  private gutters: readonly Gutter[] = [];
  private options: Options | undefined;
  /** Where views were scrolled to with the others: their events are not the user's. */
  private readonly scrolled = new Map<Pane, number>();
  private isDrawing = false;

  constructor(private readonly events: ViewsEvents) {
    new ResizeObserver(() => {
      this.layOut();
      this.draw();
      events.onResize();
    }).observe(this.element);
    onThemeChange(() => {
      for (const { strip } of this.panes) strip.redraw();
      this.draw();
    });
  }

  /** Makes the views of other traces. */
  show(header: ComparisonHeader, options: Options, layouts: readonly unknown[]): void {
    this.options = options;
    this.scrolled.clear();
    this.panes = header.views.map((_, view) => this.makePane(view, header, layouts[view]));
    this.gutters = this.panes.slice(1).map((_, pair) => gutter((connector) => this.choose(pair, connector)));
    this.element.replaceChildren(
      ...this.panes.flatMap((pane, view) => {
        const before = this.gutters[view - 1];
        return before === undefined ? [pane.element] : [before.element, pane.element];
      }),
    );
    this.element.classList.toggle('is-many', header.views.length > 2);
    this.setOptions(options);
    this.layOut();
  }

  /** Shows which views are linked. */
  setOptions(options: Options): void {
    this.options = options;
    for (const [view, pane] of this.panes.entries()) pane.setLinked(isLinked(options, view));
    this.draw();
  }

  /** Shows the rows of a source in the views that it is for. */
  setSource(target: Target, source: RowSource): void {
    const panes = this.of(target);
    // A view that is linked again goes to where the others are.
    const lead = panes.find((pane) => pane.source === source) ?? panes[0];
    for (const pane of panes) {
      pane.setSource(source);
      if (lead === undefined || pane === lead || target !== undefined) continue;
      pane.grid.element.scrollTop = lead.grid.element.scrollTop;
      pane.grid.select(lead.grid.selected, { reveal: false });
    }
    this.draw();
  }

  refresh(target: Target): void {
    for (const pane of this.of(target)) pane.refresh();
    this.draw();
  }

  /** Heights of the strips in device pixels; all linked ones have the same. */
  pixels(target: Target): number {
    return Math.max(0, ...this.of(target).map(({ strip }) => strip.pixels));
  }

  setOverview(target: Target, overview: ComparisonOverview | undefined): void {
    for (const [view, pane] of this.panes.entries()) {
      if (this.targetOf(view) !== target) continue;
      pane.strip.show(overview?.strips[view] ?? overview?.strips[0], overview?.rows ?? new Uint32Array(0));
    }
  }

  /** Selects a row, and scrolls to it: to the middle, if it is not visible. */
  go(target: Target, row: number): void {
    for (const pane of this.of(target)) {
      const { first, end } = pane.visible;
      if (row <= first || row >= end - 1) pane.scrollTo(row);
      pane.grid.select(row, { reveal: false });
    }
    this.draw();
  }

  scrollTo(target: Target, row: number): void {
    for (const { grid } of this.of(target)) grid.scrollTo(row);
  }

  select(target: Target, row: number | undefined): void {
    for (const { grid } of this.of(target)) if (grid.selected !== row) grid.select(row, { reveal: false });
  }

  selected(target: Target): number | undefined {
    return this.of(target)[0]?.grid.selected;
  }

  source(target: Target): RowSource | undefined {
    return this.of(target)[0]?.source;
  }

  focus(view: number): void {
    this.panes[view]?.grid.focus();
  }

  private of(target: Target): readonly Pane[] {
    return this.panes.filter((_, view) => this.targetOf(view) === target);
  }

  private targetOf(view: number): Target {
    return this.options === undefined ? undefined : targetOf(this.options, view);
  }

  private makePane(view: number, header: ComparisonHeader, layout: unknown): Pane {
    const { events } = this;
    const pane: Pane = new Pane(
      view,
      header,
      {
        onSelect: (row) => {
          const target = this.targetOf(view);
          this.select(target, row);
          events.onSelect(target, row);
        },
        onScroll: () => this.follow(pane, view),
        onOpen: (row) => events.onOpen(this.targetOf(view), row),
        onMenu: (row, place) => events.onMenu(this.targetOf(view), row, place),
        onKey: events.onKey,
        onFocus: () => events.onFocus(view),
        onLink: () => events.onLink(view, this.targetOf(view) !== undefined),
        onLayout: (given) => events.onLayout(view, given),
      },
      layout,
    );
    return pane;
  }

  /** Scrolls the other linked views with one that the user scrolls. */
  private follow(pane: Pane, view: number): void {
    this.draw();
    const { scrollTop } = pane.grid.element;
    const isOwn = this.scrolled.get(pane) === scrollTop;
    this.scrolled.delete(pane);
    if (isOwn || this.targetOf(view) !== undefined) return;
    for (const other of this.of(undefined)) {
      const { element: grid } = other.grid;
      if (other === pane || grid.scrollTop === scrollTop) continue;
      grid.scrollTop = scrollTop;
      // The end of its rows may be earlier, because of a scrollbar.
      this.scrolled.set(other, grid.scrollTop);
    }
    this.events.onTop(pane.grid.top);
  }

  private choose(pair: number, { leftRow, rightRow }: Connector): void {
    const [left, right] = [this.targetOf(pair), this.targetOf(pair + 1)];
    // Both show the same rows: what is missing in one is a gap there.
    const source = this.source(left);
    const isOnlyRight = source?.peek(rightRow)?.cells[pair] === undefined;
    const row = left === right && isOnlyRight ? rightRow : leftRow;
    this.go(left, row);
    if (left !== right) this.go(right, rightRow);
    this.events.onSelect(left, row);
  }

  private layOut(): void {
    const { clientWidth } = this.element;
    if (clientWidth === 0) return;
    const count = this.panes.length;
    this.element.classList.toggle(
      'is-stacked',
      clientWidth < count * (count > 2 ? leastWidthOfMany : leastWidth),
    );
  }

  private draw(): void {
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      for (const [pair, one] of this.gutters.entries()) this.drawGutter(one, pair);
    });
  }

  /** Whether the rows of two views are in the same order: those that are linked are, and those whose rows have the same entries. */
  private canJoin(pair: number): boolean {
    const { options } = this;
    if (options === undefined) return false;
    const targets = [targetOf(options, pair), targetOf(options, pair + 1)];
    if (targets.every((target) => target === undefined)) return true;
    const [left, right] = targets.map((target) => settingsOf(options, target));
    return left?.mode === right?.mode && left?.isRelative === right?.isRelative;
  }

  private drawGutter(one: Gutter, pair: number): void {
    const [left, right] = [this.panes[pair], this.panes[pair + 1]];
    if (left === undefined || right === undefined) return;
    const top = left.rowsTop - one.element.getBoundingClientRect().top;
    one.element.style.setProperty('--gutter-top', `${top.toFixed(1)}px`);
    one.show(
      this.canJoin(pair)
        ? connectors(placedRows(left, pair, pair), placedRows(right, pair, pair + 1))
        : undefined,
    );
  }
}

/** The rows of a side of a pair that are near the visible part. */
function placedRows({ source, visible, grid }: Pane, pair: number, view: number): readonly PlacedRow[] {
  const { top, rowHeight } = grid.viewport();
  const rows: PlacedRow[] = [];
  for (let row = Math.max(0, visible.first - 3); row < visible.end + 3; row++) {
    const given = source?.peek(row);
    const kind = given?.classes[pair];
    if (kind === undefined || given?.cells[view] === undefined) continue;
    rows.push({
      entry: given.entry,
      row,
      kind,
      top: row * rowHeight - top,
      bottom: (row + 1) * rowHeight - top,
    });
  }
  return rows;
}
