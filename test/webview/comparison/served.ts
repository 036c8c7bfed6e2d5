import {
  entryClasses,
  type Characteristic,
  type ComparedPairFacts,
  type ComparisonCell,
  type ComparisonFilter,
  type ComparisonHeader,
  type ComparisonOverview,
  type ComparisonRow,
  type ComparisonSettings,
  type EntryClass,
} from '../../../src/core/trace/comparisonPieces';
import { comparisonGuards } from '../../../src/editor/surfaces/panels/comparison/requests';
import type { ComparedTraces } from '../../../src/core/trace/views/comparedTraces';
import { present } from '../../../src/core/present';
import type { Answers } from '../../../src/editor/surfaces/panels/panelChannel';
import type { ComparisonRequests, ComparisonShown } from '../../../src/protocol/comparison';

export type Asked = readonly [name: keyof ComparisonRequests, parameters: unknown];

/** Compared traces in memory: what the engine keeps, as far as the panel can tell. */
export interface TestComparison {
  readonly header: ComparisonHeader;
  /** All rows, the same ones in both modes. */
  readonly rows: readonly ComparisonRow[];
  readonly pairs: readonly ComparedPairFacts[];
  readonly characteristics: readonly Characteristic[];
}

/** What a test changes while the view is open. */
export interface Served {
  comparison: TestComparison;
  shown: ComparisonShown;
  isUnknown?: boolean;
  /** Answers instead of `comparison`: what the engine keeps. */
  readonly engine?: ComparedTraces;
}

export const common = { panel: '{}', title: 'sweep3d: rank 1 and rank 2', parts: [{}, {}] };

export function done(comparison: TestComparison): ComparisonShown {
  const parts = comparison.header.views.map(() => ({}));
  return { ...common, parts, kind: 'done', header: comparison.header };
}

export function answersOf(served: Served, asked: Asked[]): Answers<ComparisonRequests> {
  const note = <Name extends keyof ComparisonRequests, Result>(
    name: Name,
    answer: (given: ComparisonRequests[Name]['parameters']) => Result,
  ) => ({
    guard: comparisonGuards[name],
    answer: (given: ComparisonRequests[Name]['parameters']) => {
      asked.push([name, given]);
      return answer(given);
    },
  });
  const rows = (given: { readonly settings: ComparisonSettings; readonly view?: number }) =>
    shownRows(served.comparison, given.settings, given.view);
  return {
    open: note('open', () => served.shown),
    summary: note('summary', (given) => {
      if (served.engine !== undefined) return served.engine.summary(given);
      const { pairs, characteristics } = served.comparison;
      return { pairs, characteristics, rows: rows(given).length };
    }),
    rows: note('rows', (given) => {
      if (served.engine !== undefined)
        return {
          rows: sent(served.engine.rows(given, given.first, given.count)),
          total: served.engine.total(given),
        };
      const all = rows(given);
      return { rows: sent(all.slice(given.first, given.first + given.count)), total: all.length };
    }),
    overview: note(
      'overview',
      (given) =>
        served.engine?.overview(given, given.pixels) ??
        overviewOf(rows(given), served.comparison, given.pixels),
    ),
    find: note('find', ({ row, isBackwards, text, ...given }) => {
      if (served.engine !== undefined)
        return present({
          row: served.engine.find(given, { row, isBackwards, ...(text !== undefined && { text }) }),
        });
      const fits = ({ name, classes }: ComparisonRow): boolean =>
        text === undefined ? isDifferent(classes) : name.toLowerCase().includes(text.toLowerCase());
      const all = rows(given);
      const found = isBackwards
        ? all.findLastIndex((one, position) => position < row && fits(one))
        : all.findIndex((one, position) => position > row && fits(one));
      return found < 0 ? {} : { row: found };
    }),
    openSource: note('openSource', () => ({ opened: served.isUnknown !== true })),
    choose: note('choose', () => ({ started: true })),
    cancel: note('cancel', () => ({ cancelled: true })),
    save: note('save', () => ({ saved: true })),
    act: note('act', () => ({})),
  };
}

/** As VS Code sends it to a webview. */
function sent<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

function isDifferent(classes: ComparisonRow['classes']): boolean {
  return classes.some((one) => one !== undefined && one !== 'equal');
}

function shownRows(
  comparison: TestComparison,
  { shows }: ComparisonSettings,
  view: number | undefined,
): readonly ComparisonRow[] {
  const all = comparison.rows.map((row, entry) => ({ ...row, entry }));
  return all
    .filter(
      (row, position) =>
        isShown(row, shows) &&
        (view === undefined || row.cells[view] !== undefined) &&
        (!shows.onlyDifferent || subtree(all, position).some(({ classes }) => isDifferent(classes))),
    )
    .map((row) => ({
      ...row,
      isHotSpot: row.cells.some((cell) => cell !== undefined && cell.share >= shows.hotSpotShare),
    }));
}

function isShown({ kind, depth }: ComparisonRow, shows: ComparisonFilter): boolean {
  const wanted =
    kind === 'context' ? shows.contexts : kind === 'collective' ? shows.collectives : shows.pointToPoint;
  return wanted && depth <= shows.depth;
}

function subtree(rows: readonly ComparisonRow[], position: number): readonly ComparisonRow[] {
  const depth = rows[position]?.depth ?? 0;
  const end = rows.findIndex((row, other) => other > position && row.depth <= depth);
  return rows.slice(position, end < 0 ? undefined : end);
}

function overviewOf(
  rows: readonly ComparisonRow[],
  { header }: TestComparison,
  pixels: number,
): ComparisonOverview {
  const strips = header.views.map(() => new Uint8Array(pixels).fill(0xff));
  const first = new Uint32Array(pixels);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const from = Math.floor((pixel * rows.length) / pixels);
    const end = Math.max(from + 1, Math.floor(((pixel + 1) * rows.length) / pixels));
    first[pixel] = from;
    for (const [view, strip] of strips.entries()) {
      for (const { cells, classes } of rows.slice(from, end)) {
        if (cells[view] === undefined) continue;
        const found = [classes[view - 1], classes[view]].map((one) => entryClasses.indexOf(one ?? 'equal'));
        const before = strip[pixel] === 0xff ? 0 : (strip[pixel] ?? 0);
        strip[pixel] = Math.max(before, ...found);
      }
    }
  }
  return { strips, rows: first };
}

type Side = readonly [count: number, seconds: number, percent: number, size?: number] | undefined;

function cell(side: Side): ComparisonCell | undefined {
  if (side === undefined) return undefined;
  const [count, seconds, percent, size] = side;
  return {
    count,
    seconds,
    share: percent / 100,
    instructions: Math.round(percent * 1e6),
    ...(size !== undefined && { size: { mean: size, least: size, most: size } }),
  };
}

function row(
  depth: number,
  name: string,
  kind: ComparisonRow['kind'],
  sides: readonly Side[],
  classes: readonly (EntryClass | undefined)[],
  lines?: readonly [number, number],
  more: Partial<ComparisonRow> = {},
): ComparisonRow {
  return {
    entry: 0,
    depth,
    name,
    kind,
    cells: sides.map(cell),
    classes,
    isHotSpot: false,
    ...(lines !== undefined && { place: { name, file: `/src/${name}`, line: lines[0] }, lastLine: lines[1] }),
    ...more,
  };
}

const none = undefined;

const kinds = { MPI_RECV: 'receive', MPI_SEND: 'send', MPI_ALLREDUCE: 'collective' } as const;
const classOf = { '=': 'equal', '≠': 'changed', '+': 'added' } as const;

/** Fig. 4 of the specification: two ranks of Sweep3D, call paths with counts, seconds, percents and elements. */
const figure4: readonly ComparisonRow[] = `
1 = source.f [2-47]      | 1 0.01528 0.889   | 1 0.01527 0.89
1 = sweep.f [2-625]      | 1 1.50463 98.828  | 1 1.55163 98.825
2 = octant.f [1-114]     | 8 0.00012 0       | 8 0.0001 0
2 ≠ mpi_stuff.f [85-102] | 80 0.67697 0.024  | 120 0.64003 0.037
3 ≠ MPI_RECV from 3      | 40 0 0 750        | 40 0 0 510
3 + MPI_RECV from 4      |                   | 40 0 0 750
3 ≠ MPI_RECV from 0      | 40 0 0 510        | 40 0 0 750
2 ≠ mpi_stuff.f [73-83]  | 80 0.21291 0.01   | 120 0.29338 0.015
3 ≠ MPI_SEND to 0        | 40 0 0 510        | 40 0 0 750
3 ≠ MPI_SEND to 3        | 40 0 0 750        | 40 0 0 510
3 + MPI_SEND to 4        |                   | 40 0 0 750
1 = mpi_stuff.f [187-200]| 1 0.18991 0.001   | 1 0.09949 0.001
2 = MPI_ALLREDUCE        | 1 0 0 1           | 1 0 0 1
1 = flux_err.f [2-36]    | 1 0.00405 0.283   | 1 0.00826 0.284
2 = mpi_stuff.f [161-172]| 1 0.02339 0       | 1 0.00944 0.001
3 = MPI_ALLREDUCE        | 1 0 0 1           | 1 0 0 1`
  .split('\n')
  .slice(1)
  .map((line, position) => {
    const [what = '', ...sides] = line.split('|');
    const [, depth, sign, name = '', first, end] = /^(\d) (.) (.*?)(?: \[(\d+)-(\d+)\])? *$/.exec(what) ?? [];
    const kind = Object.entries(kinds).find(([call]) => name.startsWith(call))?.[1] ?? 'context';
    const numbers = sides.map((side) => (side.trim() === '' ? none : side.trim().split(/ +/).map(Number)));
    const lines = first === undefined ? undefined : ([Number(first), Number(end)] as const);
    const more = position === 3 ? { loop: { rows: 3, repeats: [40, 40] } } : {};
    const classes = [classOf[sign as keyof typeof classOf]];
    return row(Number(depth), name, kind, numbers as unknown as readonly Side[], classes, lines, more);
  });

const view = (name: string, entries: number, seconds: number) => ({
  name,
  entries,
  seconds,
  iterations: 12,
  ranks: 12,
});

/** Ranks 1 and 2 of Sweep3D. */
export function sweep(more: Partial<ComparisonHeader> = {}): TestComparison {
  return {
    header: {
      id: 'first',
      views: [view('sweep3d, rank 1', 376, 2.63), view('sweep3d, rank 2', 536, 2.63)],
      metrics: ['time', 'instructions'],
      sizeUnit: 'elements',
      depth: 3,
      notes: [],
      ...more,
    },
    rows: figure4,
    pairs: [{ matched: 14, added: 2, deleted: 0, changed: 6, unchanged: 8 }],
    characteristics: [
      {
        kind: 'counts',
        sentence: 'mpi_stuff.f [85-102] is called 120 times instead of 80 (+50 %).',
        pair: 0,
        row: 3,
        share: 0.00037,
        place: { name: 'mpi_stuff.f', file: '/src/mpi_stuff.f', line: 85 },
      },
      {
        kind: 'partners',
        sentence: 'Partner 4 is new: MPI_RECV from 4, MPI_SEND to 4.',
        pair: 0,
        row: 5,
        share: 0.0001,
      },
      {
        kind: 'message sizes',
        sentence: 'MPI_RECV from 3 receives 510 elements instead of 750.',
        pair: 0,
        row: 4,
        share: 0.0001,
      },
    ],
  };
}

const turned: Readonly<Record<EntryClass, EntryClass>> = {
  equal: 'equal',
  changed: 'changed',
  added: 'deleted',
  deleted: 'added',
};

/** The same traces in the opposite order. */
export function swapped(of: TestComparison): TestComparison {
  return {
    ...of,
    header: { ...of.header, id: 'swapped', views: of.header.views.toReversed() },
    rows: of.rows.map((one) => ({
      ...one,
      cells: one.cells.toReversed(),
      classes: one.classes.toReversed().map((given) => (given === undefined ? undefined : turned[given])),
    })),
    pairs: of.pairs.toReversed().map((facts) => ({ ...facts, added: facts.deleted, deleted: facts.added })),
  };
}

/** Three iterations: `refine` is only in the second one, `exchange` is left out in the third. */
export function threeIterations(): TestComparison {
  const all = (name: string, depth: number, percent: number, lines: readonly [number, number]) =>
    row(
      depth,
      name,
      'context',
      [1, 2, 3].map(() => [1, percent / 100, percent]),
      ['equal', 'equal'],
      lines,
    );
  const rows = [
    all('step.c', 1, 100, [10, 90]),
    row(2, 'refine.c', 'context', [none, [1, 0.3, 30], none], ['added', 'deleted'], [5, 20]),
    row(2, 'exchange.c', 'context', [[4, 0.1, 10], [8, 0.2, 20], none], ['changed', 'deleted'], [30, 44]),
    row(3, 'MPI_SEND to 1', 'send', [[4, 0, 0, 64], [8, 0, 0, 64], none], ['changed', 'deleted']),
    all('norm.c', 2, 5, [7, 12]),
  ];
  return {
    header: {
      ...sweep().header,
      id: 'three',
      views: [1, 2, 3].map((iteration) => view(`run, iteration ${iteration}`, 20, 1)),
      metrics: ['time'],
      sizeUnit: 'bytes',
    },
    rows,
    pairs: [
      { matched: 4, added: 1, deleted: 0, changed: 2, unchanged: 2 },
      { matched: 2, added: 0, deleted: 3, changed: 0, unchanged: 2 },
    ],
    characteristics: [
      { kind: 'calls', sentence: 'refine.c is new.', pair: 0, row: 1, share: 0.3 },
      { kind: 'calls', sentence: 'exchange.c is not called any more.', pair: 1, row: 2, share: 0.2 },
    ],
  };
}

/** Many rows; one in 1,000 is deleted, another one added. */
export function manyRows(count: number): TestComparison {
  const rows = Array.from({ length: count }, (_, position) => {
    const name = position % 7 === 0 ? `<img src=x onerror=alert(1)>_${position}` : `work_${position}`;
    const sides: readonly Side[] = [
      position % 1000 === 999 ? none : [1, 0.001, 0],
      position % 1000 === 500 ? none : [1, 0.001, 0],
    ];
    const found: EntryClass = sides[0] === none ? 'added' : sides[1] === none ? 'deleted' : 'equal';
    return row(1 + (position % 4), name, 'context', sides, [found], [position + 1, position + 9]);
  });
  return {
    ...sweep({ id: 'many', depth: 4, metrics: ['time'] }),
    rows,
    pairs: [{ matched: 0, added: 0, deleted: 0, changed: 0, unchanged: 0 }],
    characteristics: [],
  };
}
