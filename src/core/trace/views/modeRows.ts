import { at, atByte, atFloat, atInt, atUint } from '../../at';
import type { Alignment } from '../align/alignTraces';
import { mergeViews, type MergedRows } from '../align/mergeViews';
import type { CallTrace, EntryKey } from '../callTrace';
import { inclusiveValues, metricValues } from '../values';
import type { PairClasses, Tolerance } from './classes';
import { LastUsed } from './lastUsed';

/** The classes of a chain of views with a tolerance. */
export interface ChainClasses {
  readonly pairs: readonly PairClasses[];
  /** By view and row of its trace: the strongest class in the pairs that it is in. */
  readonly views: readonly Uint8Array[];
}

/** Inclusive values of a view, and the sum of all of them. */
export interface InclusiveValues {
  readonly values: Float64Array;
  readonly total: number;
}

/** Tolerances whose classes are kept: those between which a user goes back and forth. */
const mostTolerances = 4;

/** A chain of views in one mode: aligned once, and classified for each tolerance. */
export class ModeRows {
  readonly merged: MergedRows;
  private readonly chainClasses = new LastUsed<ChainClasses>(mostTolerances);
  private readonly inclusive = new LastUsed<readonly (InclusiveValues | undefined)[]>(2);
  private readonly strongestOf = new LastUsed<Uint8Array>(mostTolerances);
  private readonly loopsByRow: readonly ReadonlyMap<
    number,
    { readonly end: number; readonly repeats: number }
  >[];
  private readonly positionsOfView: (Uint32Array | undefined)[] = [];

  /**
   * @param alignments of each view with the next one
   * @param classify gives the classes of a pair
   */
  constructor(
    readonly traces: readonly CallTrace[],
    readonly alignments: readonly Alignment[],
    private readonly classify: (pair: number, tolerance: Tolerance) => PairClasses,
  ) {
    this.merged = mergeViews(traces, alignments);
    this.loopsByRow = traces.map(({ loops }) => {
      const outermost = new Map<number, { readonly end: number; readonly repeats: number }>();
      for (const loop of loops) if (!outermost.has(loop.first)) outermost.set(loop.first, loop);
      return outermost;
    });
  }

  keyOf(row: number): EntryKey {
    for (const [view, { key, table }] of this.traces.entries()) {
      const own = atInt(at(this.merged.rows, view), row);
      if (own >= 0) return at(table.keys, atUint(key, own));
    }
    throw new RangeError(`No view has row ${row}.`);
  }

  classes(tolerance: Tolerance): ChainClasses {
    return this.chainClasses.get(nameOfTolerance(tolerance), () => {
      const pairs = this.alignments.map((_, pair) => this.classify(pair, tolerance));
      const views = this.traces.map(({ size }, view) =>
        strongerOf(pairs[view]?.left ?? new Uint8Array(size), pairs[view - 1]?.right),
      );
      return { pairs, views };
    });
  }

  /** By row: the strongest class that one of its cells has, or that of a view. */
  strongest(tolerance: Tolerance, view?: number): Uint8Array {
    return this.strongestOf.get(`${nameOfTolerance(tolerance)} ${view ?? ''}`, () => {
      const { views } = this.classes(tolerance);
      const strongest = new Uint8Array(this.merged.size);
      for (const [position, own] of views.entries()) {
        if (view !== undefined && position !== view) continue;
        const rows = at(this.merged.rows, position);
        for (let row = 0; row < rows.length; row++) {
          const inView = atInt(rows, row);
          if (inView >= 0) strongest[row] = Math.max(atByte(strongest, row), atByte(own, inView));
        }
      }
      return strongest;
    });
  }

  /** By view; undefined: it does not have the metric. */
  inclusiveOf(metric: string): readonly (InclusiveValues | undefined)[] {
    return this.inclusive.get(metric, () =>
      this.traces.map((trace) => {
        const exclusive = metricValues(trace, metric);
        if (exclusive === undefined) return undefined;
        const values = inclusiveValues(trace, exclusive);
        let total = 0;
        for (let root = 0; root < trace.size; root = atUint(trace.end, root)) total += atFloat(values, root);
        return { values, total };
      }),
    );
  }

  /** The outermost loop of a view that begins at a row of its trace. */
  loopAt(view: number, own: number): { readonly end: number; readonly repeats: number } | undefined {
    return this.loopsByRow[view]?.get(own);
  }

  /** By row of a view's trace: its row among those of all. */
  positions(view: number): Uint32Array {
    return (this.positionsOfView[view] ??= inverse(at(this.merged.rows, view), at(this.traces, view).size));
  }
}

function nameOfTolerance({ metric, sensitivity }: Tolerance): string {
  return `${sensitivity} ${metric}`;
}

function strongerOf(one: Uint8Array, other: Uint8Array | undefined): Uint8Array {
  return other === undefined ? one : one.map((own, row) => Math.max(own, atByte(other, row)));
}

function inverse(rows: Int32Array, size: number): Uint32Array {
  const positions = new Uint32Array(size);
  for (const [position, row] of rows.entries()) if (row >= 0) positions[row] = position;
  return positions;
}
