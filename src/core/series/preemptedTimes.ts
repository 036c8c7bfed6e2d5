import { at, atFloat } from '../at';
import { medianReach, runningMedian } from '../detect/robust';

/** How long a thread was pre-empted in each iteration: more than the least, where it may have had no processor while it seems to have waited. */
export interface Preempted {
  readonly least: Float64Array;
  readonly most: Float64Array;
}

/** The first tells what is usual around an iteration, by equal shares; the others use what the one before told. */
const passes = 3;

/**
 * Times of regions that exclude each other, without what their thread was pre-empted in the iteration. Which of the regions were interrupted, no clock has told: each
 * keeps at most the same multiple of what it usually takes around the iteration, and never more than it took, so that all together lose what the thread was pre-empted
 * at least. Where other programs interrupt often, and more than is usual may be an interruption that looks like waiting, the time is not known (NaN).
 *
 * @param times by region; zero or not finite: not executed
 */
export function withoutPreempted(
  times: readonly Float64Array[],
  { least, most }: Preempted,
): readonly Float64Array[] {
  const all = least.map((_, i) => times.reduce((sum, values) => sum + (atFloat(values, i) || 0), 0));
  const isSure = all.map((time, i) => Number(atFloat(most, i) - atFloat(least, i) < sure * time));
  let usual: readonly Float64Array[] = times.map((values) => values.map(() => 1));
  let left = times;
  for (let pass = 0; pass < passes; pass++) {
    left = limited(times, least, usual);
    usual = left.map((values) => usualAround(values, isSure));
  }
  const interrupted = isSure.filter((flag, i) => flag === 1 && atFloat(least, i) > sure * atFloat(all, i));
  if (interrupted.length < often * isSure.reduce((sum, flag) => sum + flag, 0)) return left;
  return left.map((values, region) =>
    values.map((time, i) => {
      const more = time - atFloat(at(usual, region), i);
      const mayBe = atFloat(most, i) - atFloat(least, i);
      return atFloat(isSure, i) === 0 && more > unusual * time && 2 * mayBe > more ? NaN : time;
    }),
  );
}

/** Parts of the times of an iteration: what cannot be told is less; more than is usual; and part of the iterations in which a thread that is often interrupted is. */
const sure = 0.1;
const unusual = 0.2;
const often = 0.05;

function limited(
  times: readonly Float64Array[],
  least: Float64Array,
  usual: readonly Float64Array[],
): readonly Float64Array[] {
  const left = times.map((values) => values.slice());
  for (let i = 0; i < least.length; i++) {
    const lost = atFloat(least, i);
    if (!(lost > 0)) continue;
    const parts = times.flatMap((values, region) => {
      const time = atFloat(values, i);
      if (!(time > 0)) return [];
      const expected = atFloat(at(usual, region), i) || time;
      return [{ region, time, expected, multiple: time / expected }];
    });
    const most = largestMultiple(parts, lost);
    for (const { region, time, expected } of parts) at(left, region)[i] = Math.min(time, most * expected);
  }
  return left;
}

interface Part {
  readonly time: number;
  readonly expected: number;
  readonly multiple: number;
}

/** Of what is expected, which no part may exceed, so that all together lose so much. */
function largestMultiple(parts: readonly Part[], lost: number): number {
  const sorted = [...parts].sort((a, b) => a.multiple - b.multiple);
  // Of each part and those that exceed what is expected by more.
  let sum = 0;
  const expected = Float64Array.from(sorted.toReversed(), (part) => (sum += part.expected)).reverse();
  let time = parts.reduce((all, part) => all + part.time, -lost);
  for (const [i, part] of sorted.entries()) {
    if (time <= part.multiple * atFloat(expected, i)) return Math.max(0, time) / atFloat(expected, i);
    time -= part.time;
  }
  return Infinity;
}

/** By the iterations that are sure; zero where none is. Near the ends, as many iterations say it as elsewhere: a few may all be wrong. */
function usualAround(values: Float64Array, isSure: Float64Array): Float64Array {
  const executed = Array.from(values.keys()).filter(
    (i) => atFloat(values, i) > 0 && atFloat(isSure, i) === 1,
  );
  const reach = medianReach(executed.length);
  const medians = runningMedian(
    Float64Array.from(executed, (i) => atFloat(values, i)),
    reach,
  );
  const last = medians.length - 1;
  let next = 0;
  return values.map((_, i) => {
    if (last < 0) return 0;
    const own = atFloat(
      medians,
      last < 2 * reach ? last >> 1 : Math.min(Math.max(next, reach), last - reach),
    );
    if (executed[next] === i) next++;
    return own;
  });
}
