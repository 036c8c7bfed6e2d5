import { at, atByte, atInt, atUint } from '../../at';
import { getOrMake } from '../../getOrMake';
import { finished, type Steps } from '../../steps';
import type { RegionPlace } from '../../profile/place';
import { alignTraces, type Alignment } from '../align/alignTraces';
import type {
  ComparisonOverview,
  ComparisonRow,
  ComparisonSettings,
  ComparisonSummary,
} from '../comparisonPieces';
import {
  comparePair,
  prepareViews,
  viewNotes,
  type ComparedTracePair,
  type PreparedViews,
  type TraceView,
} from './compareTraces';
import type { CallTrace } from '../callTrace';
import { entryName } from '../entryName';
import type { KeyTable } from '../keyTable';
import { oneAfterTheOther } from '../oneAfterTheOther';
import { reading } from '../traceSource';
import { nodesOf, type PairTree } from '../pair/pairTree';
import { classifyPaths, RowClassifier } from './classify';
import type { Tolerance } from './classes';
import { comparisonRow } from './comparisonRow';
import { LastUsed } from './lastUsed';
import { ModeRows } from './modeRows';
import { overview } from './overview';
import { lowerBound, shownRows } from './shownRows';

/** What rows are asked for. */
export interface Asked {
  readonly settings: ComparisonSettings;
  /** Position of a view whose rows are shown alone. */
  readonly view?: number;
}

/** Characteristics of a pair that are listed. */
const mostCharacteristics = 100;
/** Settings whose comparisons are kept. */
const mostTolerances = 4;
/** Rows of call chains that are shown of a view, where it has more than one thread. */
const mostChainRows = 5e5;
/** Lists of shown rows that are kept: those of the linked views, and of each view alone. */
const mostShown = 5;

/** Two to four views of one table, each of the traces of one or several processes, and what viewers ask of their comparison. A mode is aligned when it is first asked for; settings only classify and filter. */
export class ComparedTraces {
  private readonly modes = new Map<string, ModeRows>();
  private readonly prepared = new Map<boolean, PreparedViews>();
  private readonly compared = new LastUsed<readonly ComparedTracePair[]>(mostTolerances);
  private readonly nodes = new Map<string, Int32Array>();
  private readonly shownLists = new LastUsed<Uint32Array>(mostShown);

  constructor(
    readonly views: readonly TraceView[],
    private readonly table: KeyTable,
    private readonly chainRows = mostChainRows,
  ) {}

  /** Reads the traces, a step each time; what is asked before that reads them at once. */
  *reading(isRelative: boolean): Steps<void> {
    this.prepared.set(isRelative, yield* prepareViews(this.views, this.table, isRelative));
  }

  /** The aligned rows of a mode. */
  mode({ mode, isRelative }: Pick<ComparisonSettings, 'mode' | 'isRelative'>): ModeRows {
    return getOrMake(this.modes, `${mode} ${isRelative}`, () => {
      const prepared = this.prepare(isRelative);
      const { views } = prepared;
      if (mode === 'frequency') {
        const { frequencies, pairs } = prepared;
        return new ModeRows(
          frequencies,
          pairs.map(({ tree }) => pathAlignment(tree)),
          (pair, tolerance) => {
            const { words, comparison } = at(this.comparisons({ ...tolerance, isRelative }), pair);
            return classifyPaths(words.tree, comparison);
          },
        );
      }
      const shown = chainThreads(prepared, this.chainRows);
      const traces = views.map((sources) => oneAfterTheOther([...reading(sources.slice(0, shown))]));
      const alignments = views.every(({ length }) => Math.min(length, shown) === 1)
        ? prepared.alignments
        : traces.slice(1).map((trace, pair) => alignTraces(at(traces, pair), trace));
      const classifiers = alignments.map(
        (alignment, pair) => new RowClassifier(at(traces, pair), at(traces, pair + 1), alignment),
      );
      return new ModeRows(traces, alignments, (pair, tolerance) => {
        const { words, comparison } = at(this.comparisons({ ...tolerance, isRelative }), pair);
        const named = new Set(
          comparison.differences.flatMap(({ kind, node }) =>
            kind === 'slower' || kind === 'faster' ? [node] : [],
          ),
        );
        const nodes = this.nodesOf(isRelative, pair, 0, at(traces, pair), words.tree);
        return at(classifiers, pair).classes(tolerance, (row) => named.has(atInt(nodes, row)));
      });
    });
  }

  /** The comparison of each pair as the command line has it. */
  comparisons({
    metric,
    sensitivity,
    isRelative,
  }: Tolerance & Pick<ComparisonSettings, 'isRelative'>): readonly ComparedTracePair[] {
    return this.compared.get(`${isRelative} ${sensitivity} ${metric}`, () => {
      const prepared = this.prepare(isRelative);
      return prepared.pairs.map((_, pair) => comparePair(prepared, pair, metric, sensitivity));
    });
  }

  /** Sentences: what makes the views hard to compare. */
  notes(settings: Tolerance & Pick<ComparisonSettings, 'isRelative'>): readonly string[] {
    const prepared = this.prepare(settings.isRelative);
    const all = Math.max(...prepared.views.map(({ length }) => length));
    const shown = chainThreads(prepared, this.chainRows);
    return [
      ...viewNotes(prepared, this.comparisons(settings)),
      ...(shown >= all
        ? []
        : [
            `The call chains are those of the first ${shown} of ${all} threads: all of them have too many rows. Choose other ranks or fewer iterations to see their chains; the summary and the call paths are of all.`,
          ]),
    ];
  }

  /** Of each view: the call paths of all its traces. */
  frequencies(isRelative: boolean): readonly CallTrace[] {
    return this.prepare(isRelative).frequencies;
  }

  /** The number of shown rows. */
  total(asked: Asked): number {
    return this.shown(asked).length;
  }

  /** Shown rows [first, first + count). */
  rows(asked: Asked, first: number, count: number): readonly ComparisonRow[] {
    const rows = this.mode(asked.settings);
    const shown = this.shown(asked);
    return Array.from(shown.subarray(first, first + count), (row) =>
      comparisonRow({ rows, shown, settings: asked.settings, ...viewOf(asked) }, row),
    );
  }

  overview(asked: Asked, pixels: number): ComparisonOverview {
    const rows = this.mode(asked.settings);
    const { traces, merged } = rows;
    const classes = rows.classes(asked.settings).views;
    return overview({ traces, merged, classes, shown: this.shown(asked), ...viewOf(asked) }, pixels);
  }

  /** The next shown row after `row`, or before it, that differs or whose name has the text; undefined: there is none. */
  find(
    asked: Asked,
    {
      row,
      isBackwards,
      text,
    }: { readonly row: number; readonly isBackwards: boolean; readonly text?: string },
  ): number | undefined {
    const rows = this.mode(asked.settings);
    const shown = this.shown(asked);
    const strongest = rows.strongest(asked.settings, asked.view);
    const wanted = text?.toLowerCase() ?? '';
    const isFound = (one: number): boolean =>
      wanted === '' ? atByte(strongest, one) > 0 : entryName(rows.keyOf(one)).toLowerCase().includes(wanted);
    const step = isBackwards ? -1 : 1;
    for (let next = row + step; next >= 0 && next < shown.length; next += step)
      if (isFound(atUint(shown, next))) return next;
    return undefined;
  }

  /** Where the function of a shown row is, or the one that sends a message; undefined: unknown, or there is no such row. */
  place(asked: Asked, row: number): RegionPlace | undefined {
    const rows = this.mode(asked.settings);
    const shown = this.shown(asked)[row];
    if (shown === undefined) return undefined;
    const { depth } = rows.merged;
    let above = shown;
    while (rows.keyOf(above).kind !== 'context') {
      const own = atUint(depth, above);
      do above--;
      while (above >= 0 && atUint(depth, above) >= own);
      if (above < 0) return undefined;
    }
    const key = rows.keyOf(above);
    return key.kind === 'context' ? key.place : undefined;
  }

  /** What differs, with the rows that show it. Counts are of call paths, whatever the mode. */
  summary(asked: Asked): ComparisonSummary {
    const pairs = this.comparisons(asked.settings);
    return {
      pairs: pairs.map(({ comparison: { matched, added, deleted, changed, unchanged } }) => ({
        ...{ matched, added, deleted, changed, unchanged },
      })),
      characteristics: pairs.flatMap(({ characteristics }, pair) =>
        characteristics.slice(0, mostCharacteristics).map(({ kind, sentence, share, node, place }) => ({
          ...{ kind, sentence, pair, share, row: this.rowOfPath(asked, pair, node) },
          ...(place === undefined ? {} : { place }),
        })),
      ),
      rows: this.total(asked),
    };
  }

  /** The shown row of a row of a view's trace in the mode, or the shown one that is the nearest before it. */
  private shownRow(asked: Asked, view: number, own: number): number {
    const row = atUint(this.mode(asked.settings).positions(view), own);
    const shown = this.shown(asked);
    const next = lowerBound(shown, row);
    return shown[next] === row ? next : Math.max(0, next - 1);
  }

  /** The first shown row of a call path: in the second view of the pair, or in the first one where it is gone. */
  private rowOfPath(asked: Asked, pair: number, node: number): number {
    if (node < 0) return 0;
    const { mode, isRelative } = asked.settings;
    const { tree } = at(this.prepare(isRelative).pairs, pair);
    const side = atInt(tree.rows[1], node) >= 0 ? 1 : 0;
    if (mode === 'frequency') return this.shownRow(asked, pair + side, atInt(tree.rows[side], node));
    const trace = at(this.mode(asked.settings).traces, pair + side);
    const nodes = this.nodesOf(isRelative, pair, side, trace, tree);
    return this.shownRow(asked, pair + side, Math.max(0, nodes.indexOf(node)));
  }

  /** Nodes of the rows of call chains, by view. */
  private nodesOf(
    isRelative: boolean,
    pair: number,
    side: 0 | 1,
    trace: CallTrace,
    tree: PairTree,
  ): Int32Array {
    return getOrMake(this.nodes, `${isRelative} ${pair} ${side}`, () => nodesOf(trace, tree));
  }

  private prepare(isRelative: boolean): PreparedViews {
    return getOrMake(this.prepared, isRelative, () =>
      finished(prepareViews(this.views, this.table, isRelative)),
    );
  }

  private shown(asked: Asked): Uint32Array {
    const { settings, view } = asked;
    const { mode, isRelative, metric, sensitivity, shows } = settings;
    const filter = { ...shows, hotSpotShare: 0 };
    const classes = filter.onlyDifferent ? [metric, sensitivity] : [];
    return this.shownLists.get(JSON.stringify([mode, isRelative, view, filter, classes]), () => {
      const rows = this.mode(settings);
      const { merged } = rows;
      const strongest = filter.onlyDifferent ? rows.strongest(settings, view) : new Uint8Array(0);
      return shownRows({ merged, keyOf: (row) => rows.keyOf(row), strongest, ...viewOf(asked) }, shows);
    });
  }
}

/** How many threads of each view have their call chains shown: as many as there is room for, and at least one. */
function chainThreads({ views }: PreparedViews, most: number): number {
  const threads = Math.max(...views.map(({ length }) => length));
  const rows = views.map(() => 0);
  for (let thread = 0; thread < threads; thread++)
    for (const [view, own] of views.entries()) {
      rows[view] = (rows[view] ?? 0) + (own[thread]?.size ?? 0);
      if (thread > 0 && at(rows, view) > most) return thread;
    }
  return threads;
}

function pathAlignment({ traces, rows: [left, right], size }: PairTree): Alignment {
  const alignment = {
    right: new Int32Array(traces[0].size).fill(-1),
    left: new Int32Array(traces[1].size).fill(-1),
  };
  for (let node = 0; node < size; node++) {
    const [row, other] = [atInt(left, node), atInt(right, node)];
    if (row < 0 || other < 0) continue;
    alignment.right[row] = other;
    alignment.left[other] = row;
  }
  return alignment;
}

function viewOf({ view }: Asked): { readonly view?: number } {
  return view === undefined ? {} : { view };
}
