import { element, freshId, setAttribute } from '../base/dom';
import type { GridColumn } from './columns';

/** The state of a shown row. */
export interface RowFacts {
  readonly index: number;
  readonly row: number;
  readonly selected: boolean;
  readonly level?: number;
  readonly state?: 'leaf' | 'open' | 'closed';
}

interface Cell {
  readonly element: HTMLElement;
  readonly content: HTMLElement;
  readonly bar: HTMLElement | undefined;
  readonly twistie: HTMLElement | undefined;
}

interface Slot {
  readonly element: HTMLElement;
  readonly cells: readonly Cell[];
  index: number;
  shown: number;
}

/**
 * The few row elements that show the visible part of any number of rows. Scrolling does not touch a row that remains visible; the others are
 * moved by a transform and filled again.
 */
export class RowPool {
  private slots: Slot[] = [];
  private version = 0;
  private readonly idPrefix = freshId('row');

  constructor(
    private readonly body: HTMLElement,
    private readonly isTree: boolean,
    private columns: readonly GridColumn[],
  ) {}

  setColumns(columns: readonly GridColumn[]): void {
    this.columns = columns;
    this.slots = [];
    this.body.replaceChildren();
  }

  /** Makes the next `show` fill every row again. */
  invalidate(): void {
    this.version++;
  }

  /** The element of a row; undefined if the row is not in the page. */
  elementOf(index: number): HTMLElement | undefined {
    return this.slots.find((slot) => slot.index === index)?.element;
  }

  /** The elements of the shown rows. */
  get elements(): readonly HTMLElement[] {
    return this.slots.filter(({ index }) => index >= 0).map(({ element: row }) => row);
  }

  show(first: number, end: number, rowHeight: number, facts: (index: number) => RowFacts): void {
    this.grow(end - first);
    const capacity = this.slots.length;
    for (const slot of this.slots) if (slot.index < first || slot.index >= end) hide(slot);
    for (let index = first; index < end; index++) {
      const slot = this.slots[index % capacity];
      if (slot === undefined || (slot.index === index && slot.shown === this.version)) continue;
      slot.element.hidden = false;
      slot.element.style.transform = `translateY(${(index * rowHeight).toFixed(0)}px)`;
      slot.index = index;
      slot.shown = this.version;
      this.fill(slot, facts(index));
    }
  }

  private grow(wanted: number): void {
    if (wanted <= this.slots.length) return;
    // A row uses the element at its index modulo their number, so a new number moves all rows.
    for (const slot of this.slots) hide(slot);
    while (this.slots.length < wanted) {
      const slot = this.makeSlot(this.slots.length);
      this.slots.push(slot);
      this.body.append(slot.element);
    }
  }

  private makeSlot(number: number): Slot {
    const cells = this.columns.map((column, index) => this.makeCell(column, index));
    const row = element('div', { class: 'grid-row', role: 'row' }, ...cells.map((cell) => cell.element));
    row.id = `${this.idPrefix}-${number}`;
    row.hidden = true;
    return { element: row, cells, index: -1, shown: -1 };
  }

  private makeCell(column: GridColumn, index: number): Cell {
    const cell = element('div', { class: 'grid-cell', role: 'gridcell' });
    cell.setAttribute('aria-colindex', (index + 1).toString());
    const content = element('span', { class: 'grid-text' });
    const bar = column.bar === undefined ? undefined : element('span', { class: 'grid-bar' });
    const twistie = this.isTree && index === 0 ? element('span', { class: 'twistie' }) : undefined;
    twistie?.setAttribute('aria-hidden', 'true');
    if (bar !== undefined) cell.append(bar);
    if (twistie !== undefined) cell.append(twistie);
    cell.append(content);
    return { element: cell, content, bar, twistie };
  }

  private fill(slot: Slot, facts: RowFacts): void {
    const { element: row, cells } = slot;
    row.setAttribute('aria-rowindex', (facts.index + 2).toString());
    row.dataset.index = facts.index.toString();
    row.classList.toggle('selected', facts.selected);
    row.setAttribute('aria-selected', String(facts.selected));
    if (facts.level !== undefined) row.setAttribute('aria-level', facts.level.toString());
    const expandable = facts.state !== undefined && facts.state !== 'leaf';
    setAttribute(row, 'aria-expanded', expandable ? String(facts.state === 'open') : undefined);
    for (const [index, column] of this.columns.entries()) {
      const cell = cells[index];
      if (cell !== undefined) fillCell(cell, column, facts);
    }
  }
}

function fillCell(cell: Cell, column: GridColumn, { row, level, state }: RowFacts): void {
  fillContent(cell.content, column, row);
  const own = column.cellClass?.(row) ?? '';
  cell.element.className = `grid-cell${column.align === 'end' ? ' end' : ''}${own === '' ? '' : ` ${own}`}`;
  setAttribute(cell.element, 'title', column.cellTooltip?.(row));
  if (cell.bar !== undefined) {
    const share = column.bar?.(row) ?? 0;
    cell.bar.style.transform = `scaleX(${(Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0).toFixed(4)})`;
  }
  if (cell.twistie !== undefined) {
    cell.twistie.dataset.state = state ?? 'leaf';
    // Deep call paths must leave room for their names.
    cell.twistie.style.marginInlineStart = `${Math.min((level ?? 1) - 1, 40) * 12}px`;
  }
}

function fillContent(content: HTMLElement, column: GridColumn, row: number): void {
  content.classList.toggle('grid-link', column.isLink?.(row) === true);
  if (column.render !== undefined) {
    column.render(row, content);
    return;
  }
  const text = column.text(row);
  if (content.textContent !== text) content.textContent = text;
}

function hide(slot: Slot): void {
  if (slot.index === -1) return;
  slot.index = -1;
  slot.element.hidden = true;
}
