import { at, atByte, atFloat, atInt, atUint } from '../../at';
import type { MergedRows } from '../align/mergeViews';
import type { CallTrace } from '../callTrace';
import type { ComparisonOverview } from '../comparisonPieces';

/** A pixel without any entry. */
const noEntry = 0xff;

/** What the strips are of. */
interface Strips {
  readonly traces: readonly CallTrace[];
  readonly merged: MergedRows;
  readonly shown: Uint32Array;
  /** By view and row of its trace. */
  readonly classes: readonly Uint8Array[];
  /** The only view whose entries count. */
  readonly view?: number;
}

/**
 * Whole views as strips. A row is as long as it has entries, in the view that has most of them, but at least a pixel; the strongest class in a pixel wins.
 */
export function overview(
  { traces, merged, shown, classes, view }: Strips,
  pixels: number,
): ComparisonOverview {
  const { rows } = merged;
  const strips = traces.map(() => new Uint8Array(pixels).fill(noEntry));
  const firsts = new Uint32Array(pixels);
  const ends = entriesUpTo(traces, rows, shown, view);
  const total = ends.at(-1) ?? 0;
  let next = 0;
  for (let position = 0; position < shown.length && total > 0; position++) {
    const row = atUint(shown, position);
    const [from, to] = [atFloat(ends, position), atFloat(ends, position + 1)];
    const first = Math.min(pixels - 1, Math.floor((from / total) * pixels));
    const end = Math.max(first + 1, Math.min(pixels, Math.ceil((to / total) * pixels)));
    for (; next < end; next++) firsts[next] = position;
    for (const [view, strip] of strips.entries()) {
      const own = atInt(at(rows, view), row);
      if (own < 0) continue;
      const strength = atByte(at(classes, view), own);
      for (let pixel = first; pixel < end; pixel++) {
        const before = atByte(strip, pixel);
        if (before === noEntry || before < strength) strip[pixel] = strength;
      }
    }
  }
  return { strips, rows: firsts };
}

/** The number of entries before each shown row, and of all. */
function entriesUpTo(
  traces: readonly CallTrace[],
  rows: readonly Int32Array[],
  shown: Uint32Array,
  only: number | undefined,
): Float64Array {
  const ends = new Float64Array(shown.length + 1);
  for (let position = 0; position < shown.length; position++) {
    const row = atUint(shown, position);
    let most = 0;
    for (const [view, { count }] of traces.entries()) {
      if (only !== undefined && view !== only) continue;
      const own = atInt(at(rows, view), row);
      if (own >= 0) most = Math.max(most, atFloat(count, own));
    }
    ends[position + 1] = atFloat(ends, position) + most;
  }
  return ends;
}
