import type { ComparisonHeader, ComparisonRow } from '../../../src/core/trace/comparisonPieces';
import { type Control, element } from '../../ui/base/dom';
import { icon } from '../../ui/base/icons';
import { type Button, iconButton } from '../../ui/controls/button';
import type { MenuPlace } from '../../ui/controls/menu';
import type { GridColumn } from '../../ui/grid/columns';
import { Grid } from '../../ui/grid/grid';
import { rowColumns } from '../../ui/grid/rowColumns';
import type { RowSource } from '../rowSource';
import {
  cellTexts,
  differences,
  differencesOf,
  entryText,
  entryTooltip,
  linesText,
  loopText,
  sizeTooltip,
  viewFacts,
} from '../words';
import { strip, type Strip } from './strip';

export interface PaneEvents {
  readonly onSelect: (row: number | undefined) => void;
  readonly onScroll: () => void;
  readonly onOpen: (row: number) => void;
  readonly onMenu: (row: number, place: MenuPlace) => void;
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly onFocus: () => void;
  readonly onLink: () => void;
  readonly onLayout: (layout: unknown) => void;
}

/** Deeper entries are indented no further: their names need the room. */
const mostIndent = 24;

/** A trace as a column: its rows, and all of it as a strip. */
export class Pane implements Control {
  readonly element: HTMLElement;
  readonly grid: Grid;
  readonly strip: Strip;
  private readonly link: Button;
  private from: RowSource | undefined;

  constructor(
    private readonly view: number,
    private readonly header: ComparisonHeader,
    events: PaneEvents,
    layout: unknown,
  ) {
    const facts = header.views[view];
    const title = `View ${view + 1}: ${facts?.name ?? ''}`;
    this.grid = new Grid({
      label: title,
      columns: this.columns(),
      layout,
      onSelect: events.onSelect,
      onActivate: events.onOpen,
      onMenu: events.onMenu,
      onKey: events.onKey,
      onLayout: events.onLayout,
      onScroll: () => {
        this.showVisible();
        events.onScroll();
      },
    });
    this.strip = strip({
      label: `Overview of view ${view + 1}`,
      onScroll: (row) => this.scrollTo(row),
      onPage: (direction) => {
        this.grid.element.scrollTop += direction * this.grid.viewport().height;
      },
      onOpen: events.onOpen,
    });
    this.link = iconButton('link', '', events.onLink);
    const name = element('h2', { class: 'pane-name ellipsis', text: facts?.name ?? '' });
    name.title = facts?.name ?? '';
    this.element = element(
      'section',
      { class: 'comparison-pane', label: title },
      element(
        'div',
        { class: 'pane-head' },
        element('span', {
          class: 'pane-number',
          text: String(view + 1),
          attributes: { 'aria-hidden': 'true' },
        }),
        name,
        element('span', {
          class: 'pane-facts muted',
          text: facts === undefined ? '' : viewFacts(facts),
        }),
        this.link.element,
      ),
      element('div', { class: 'pane-body' }, this.grid.element, this.strip.element),
    );
    this.element.addEventListener('focusin', events.onFocus);
    this.setLinked(true);
  }

  get source(): RowSource | undefined {
    return this.from;
  }

  setLinked(isLinked: boolean): void {
    this.element.classList.toggle('is-unlinked', !isLinked);
    this.link.setPressed(isLinked);
    this.link.setLabel(
      isLinked ? `Unlink view ${this.view + 1} from the others` : `Link view ${this.view + 1} to the others`,
    );
    this.link.setTooltip(
      isLinked
        ? 'Linked: scrolls and changes options with the other linked views. Click to unlink.'
        : 'Not linked: scrolls alone and has options of its own. Click to link.',
    );
  }

  /** Shows the rows of a source. */
  setSource(source: RowSource): void {
    this.from = source;
    this.grid.setRows(source.rows);
    const { rows, rowHeight } = this.grid.viewport();
    this.strip.setExtent(this.headHeight, rows * rowHeight);
    this.showVisible();
  }

  /** Shows rows that have arrived. */
  refresh(): void {
    this.grid.refresh();
  }

  /** The rows [first, end) that are at least partly visible. */
  get visible(): { readonly first: number; readonly end: number } {
    const { top, height, rowHeight, rows } = this.grid.viewport();
    return {
      first: Math.min(rows, Math.floor(top / rowHeight)),
      end: Math.min(rows, Math.ceil((top + height) / rowHeight)),
    };
  }

  /** Where the rows begin, in pixels of the page. */
  get rowsTop(): number {
    const { element: grid } = this.grid;
    return grid.getBoundingClientRect().top + this.headHeight;
  }

  private get headHeight(): number {
    return this.grid.element.clientHeight - this.grid.viewport().height;
  }

  /** Scrolls so that a row is in the middle. */
  scrollTo(row: number): void {
    const { height, rowHeight } = this.grid.viewport();
    this.grid.element.scrollTop = row * rowHeight - (height - rowHeight) / 2;
  }

  /** Marks the visible rows on the strip, and fetches them. */
  showVisible(): void {
    const { first, end } = this.visible;
    const count = this.from?.rows.length ?? 0;
    this.strip.setVisible(first, end, count);
    this.from?.need(Math.max(0, first - 20), end + 20);
  }

  private columns(): readonly GridColumn[] {
    const { view, header } = this;
    const peek = (position: number): ComparisonRow | undefined => this.from?.peek(position);
    const cellClass = (position: number): string => rowClass(peek(position), view);
    const { number } = rowColumns((position) => peek(position)?.cells[view]);
    const hasInstructions = header.metrics.includes('instructions');
    const unit = header.sizeUnit;
    return [
      {
        id: 'name',
        title: 'Entry',
        tooltip: 'Calls by their depth, with the first and last line; messages with their partner',
        // Three views leave room for the share.
        width: header.views.length > 2 ? 168 : 190,
        text: (position) => {
          const row = peek(position);
          return row?.cells[view] === undefined ? '' : entryText(row);
        },
        render: (position, cell) => renderName(cell, peek(position), view),
        cellClass,
        cellTooltip: (position) => {
          const row = peek(position);
          if (row === undefined) return undefined;
          return row.cells[view] === undefined ? `Not in view ${view + 1}` : entryTooltip(row, view);
        },
      },
      number('count', 'Count', 68, cellTexts.count, {
        tooltip: 'Number of calls or messages',
        cellClass,
      }),
      number('seconds', 'Time', 72, cellTexts.seconds, {
        tooltip: 'Exclusive time of all calls together, in seconds',
        cellClass,
      }),
      number('share', 'Share', 68, cellTexts.share, {
        tooltip: 'Inclusive share of the metric that is compared',
        bar: ({ share }) => share,
        cellClass,
      }),
      ...(hasInstructions
        ? [
            number('instructions', 'Instr.', 72, cellTexts.instructions, {
              tooltip: 'Exclusive number of issued instructions of all calls together',
              cellClass,
            }),
          ]
        : []),
      number('size', 'Size', 78, (cell) => cellTexts.size(cell, unit), {
        tooltip: `Size of one message, in ${unit}`,
        cellTooltip: (cell) => sizeTooltip(cell, unit),
        cellClass,
      }),
    ];
  }
}

/** Classes of the cells of a row; the symbols say the same. */
function rowClass(row: ComparisonRow | undefined, view: number): string {
  if (row === undefined) return 'is-loading';
  if (row.cells[view] === undefined) return 'is-gap';
  const [strongest] = differencesOf(row, view);
  return [...(strongest === undefined ? [] : [`is-${strongest}`]), ...(row.isHotSpot ? ['is-hot'] : [])].join(
    ' ',
  );
}

function renderName(cell: HTMLElement, row: ComparisonRow | undefined, view: number): void {
  if (row === undefined) {
    cell.replaceChildren(element('span', { class: 'muted', text: '…' }));
    return;
  }
  if (row.cells[view] === undefined) {
    cell.replaceChildren(element('span', { class: 'visually-hidden', text: 'not in this view' }));
    return;
  }
  const found = differencesOf(row, view);
  const name = element('span', { class: 'entry-name', text: row.name });
  const indent = element('span', { class: 'entry-indent' });
  indent.style.inlineSize = `${Math.min(row.depth - 1, mostIndent) * 12}px`;
  const symbols = element('span', {
    class: 'entry-symbols',
    attributes: { 'aria-hidden': 'true' },
    text: found.map((one) => differences[one].symbol).join(''),
  });
  const words = [...found.map((one) => differences[one].label), ...(row.isHotSpot ? ['hot spot'] : [])];
  const lines = linesText(row);
  const repeats = row.loop?.repeats[view];
  cell.replaceChildren(
    symbols,
    ...(words.length === 0
      ? []
      : [element('span', { class: 'visually-hidden', text: `${words.join(', ')}: ` })]),
    indent,
    ...(row.isHotSpot ? [icon('flame')] : []),
    name,
    ...(lines === '' ? [] : [element('span', { class: 'entry-lines', text: ` ${lines}` })]),
    ...(repeats === undefined
      ? []
      : [
          element('span', {
            class: 'entry-loop',
            text: `× ${repeats}`,
            tooltip: loopText(row.loop?.rows ?? 1, repeats),
          }),
        ]),
  );
}
