import { formatCount, formatPercent, formatRoundPercent, formatSecondsUpTo } from '../../../src/core/format';
import { largestOf } from '../../../src/core/views/columnUnit';
import type { ChangeRow, ChangeTable } from '../../../src/core/views/changeRows';
import { element, type Control } from '../../ui/base/dom';
import type { GridColumn, SortOrder } from '../../ui/grid/columns';
import { Grid } from '../../ui/grid/grid';
import { messageArea } from '../../ui/page/messageArea';
import { errorText } from '../../ui/page/shell';
import type { HotSpotsChannel } from '../data/load';

/** What the view of changes needs of the panel. */
export interface ChangesHost {
  readonly channel: HotSpotsChannel;
  /** @param name of the function in its profile */
  readonly onSelect: (name: string) => void;
  readonly onActivate: (name: string) => void;
}

/** Reading all repetitions of two large runs takes long on a busy machine. */
const patience = { patienceMilliseconds: 300_000 };

/** What changed from the compared run to this one, of all their repetitions: functions and calls, the most seconds at stake first. */
export class ChangesView implements Control {
  readonly element: HTMLElement;
  private readonly message = messageArea();
  private readonly notes = element('ul', { class: 'change-notes', role: 'status' });
  private readonly grid: Grid;
  private rows: readonly ChangeRow[] = [];
  /** Largest seconds, of which columns have the unit: before and after are compared with each other. */
  private largest = { times: 0, stake: 0 };
  private isAsked = false;

  constructor(private readonly host: ChangesHost) {
    const name = (row: number): string => this.rows[row]?.region ?? '';
    this.grid = new Grid({
      label: 'Changes of functions and calls',
      columns: this.columns(),
      sort: { column: 'stake', direction: 'descending' },
      onSort: (sort) => this.sort(sort),
      onSelect: (row) => {
        if (row !== undefined) host.onSelect(name(row));
      },
      onActivate: (row) => host.onActivate(name(row)),
    });
    this.element = element(
      'div',
      { class: 'changes fill' },
      this.message.element,
      this.notes,
      this.grid.element,
    );
  }

  /** Asks for the changes when they are looked at for the first time. */
  async open(): Promise<void> {
    if (this.isAsked) return;
    this.isAsked = true;
    this.message.show({ kind: 'loading', text: 'Comparing all runs of both…' });
    try {
      this.show(await this.host.channel.request('changes', {}, patience));
      this.message.show(undefined);
    } catch (error) {
      this.isAsked = false;
      this.message.show({
        kind: 'error',
        text: errorText(error),
        action: { label: 'Try Again', run: () => void this.open() },
      });
    }
  }

  focus(): void {
    this.grid.focus();
  }

  private show({ notes, rows, runs: [before, after] }: ChangeTable): void {
    this.rows = rows;
    this.largest = {
      times: largestOf(rows.flatMap(({ before = 0, after = 0 }) => [before, after])),
      stake: largestOf(rows.map(({ stake }) => stake)),
    };
    const means = `Means of ${before} and ${after} ${after === 1 ? 'run' : 'runs'}, without the cost of recording.`;
    this.notes.replaceChildren(...[...notes, means].map((text) => element('li', { text })));
    this.grid.setRows(rows.map((_, row) => row));
  }

  private sort({ column, direction }: SortOrder): void {
    const sign = direction === 'descending' ? -1 : 1;
    const key = keys[column] ?? (({ stake }) => stake);
    const order = [...this.rows.keys()];
    const of = (row: number): number | string => {
      const own = this.rows[row];
      return own === undefined ? 0 : key(own);
    };
    this.grid.setRows(order.sort((a, b) => sign * compare(of(a), of(b)) || a - b));
  }

  private columns(): readonly GridColumn[] {
    const column = (
      id: string,
      title: string,
      width: number,
      tooltip: string,
      text: (row: ChangeRow) => string,
      more: Partial<GridColumn> = {},
    ): GridColumn => ({
      ...{ id, title, width, tooltip, align: 'end', sort: 'descending' },
      text: (row) => cell(this.rows[row], text),
      cellClass: (row) => (this.rows[row]?.kind === 'noise' ? 'muted' : ''),
      cellTooltip: (row) => this.rows[row]?.sentence,
      ...more,
    });
    return [
      column('name', 'Function or Call', 320, 'A function itself, or a caller and what it calls', nameText, {
        align: 'start',
        sort: 'ascending',
        cellTooltip: (row) => cell(this.rows[row], (own) => `${nameText(own)}\n${own.sentence}`),
      }),
      column('before', 'Before', 90, 'Seconds in the compared runs', ({ before }) =>
        seconds(before, this.largest.times),
      ),
      column('after', 'After', 90, 'Seconds in these runs', ({ after }) =>
        seconds(after, this.largest.times),
      ),
      column(
        'change',
        'Change',
        210,
        'How it changed, beside what all functions have in common',
        changeText,
        {
          cellClass: (row) => {
            const own = this.rows[row];
            return own?.kind === 'noise' ? 'muted' : isWorse(own) ? 'worse' : '';
          },
        },
      ),
      column(
        'chance',
        'By Chance',
        90,
        'How probable such a change is where nothing changed',
        ({ significance }) =>
          significance === undefined ? '–' : significance < 0.001 ? '< 0.1 %' : formatPercent(significance),
      ),
      column('stake', 'At Stake', 90, 'Seconds by which it changed', ({ stake }) =>
        seconds(stake, this.largest.stake),
      ),
      column('visits', 'Visits', 130, 'Visits in the compared runs and in these', visitsText),
    ];
  }
}

const keys: Readonly<Record<string, (row: ChangeRow) => number | string>> = {
  name: ({ name }) => name,
  before: ({ before = 0 }) => before,
  after: ({ after = 0 }) => after,
  change: ({ kind, ratio = 1 }) => (kind === 'added-work' ? Infinity : kind === 'removed-work' ? 0 : ratio),
  chance: ({ significance = 0 }) => significance,
  stake: ({ stake }) => stake,
  visits: ({ visitsAfter = 0 }) => visitsAfter,
};

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function cell(row: ChangeRow | undefined, text: (row: ChangeRow) => string): string {
  return row === undefined ? '' : text(row);
}

function nameText({ name, isConsequence }: ChangeRow): string {
  return `${isConsequence ? '↳ ' : ''}${name}`;
}

function seconds(value: number | undefined, largest: number): string {
  return value === undefined ? '–' : formatSecondsUpTo(value, largest);
}

function changeText({ kind, ratio = 1, visitsBefore = 0, visitsAfter = 0 }: ChangeRow): string {
  switch (kind) {
    case 'noise':
      return `${percent(ratio)}, within the noise`;
    case 'added-work':
      return '+ new';
    case 'removed-work':
      return '− gone';
    case 'changed-count':
      return `≠ ${percent(visitsBefore === 0 ? 1 : visitsAfter / visitsBefore)} visits`;
    case 'renamed':
      return 'renamed';
    case 'slower':
    case 'faster':
    case 'increased':
    case 'decreased':
      return `${ratio > 1 ? '▲' : '▼'} ${percent(ratio)}`;
  }
}

function percent(ratio: number): string {
  return `${ratio < 1 ? '−' : '+'}${formatRoundPercent(Math.abs(ratio - 1))}`;
}

function isWorse(row: ChangeRow | undefined): boolean {
  return row?.kind === 'slower' || row?.kind === 'added-work';
}

function visitsText({ visitsBefore, visitsAfter }: ChangeRow): string {
  const text = (count: number | undefined): string => (count === undefined ? '–' : formatCount(count));
  return visitsBefore === visitsAfter ? text(visitsAfter) : `${text(visitsBefore)} → ${text(visitsAfter)}`;
}
