import { at } from '../../at';
import { largestOf } from '../../sums';

/** Times of several runs, in seconds. */
export interface Spread {
  readonly mean: number;
  readonly best: number;
  readonly worst: number;
}

/** When searches had found a share of the known bottlenecks. */
export interface ProfilePoint {
  /** 0…1, of the known bottlenecks. */
  readonly share: number;
  readonly time: Spread;
  /** Runs that found as much; the times are theirs. */
  readonly runs: number;
}

/**
 * The discovery profile of some runs ([D 6.2], specification 8.4): a point for each number of bottlenecks, up to the most that a run found.
 * @param times by run: when each of its bottlenecks was found
 * @param known number of bottlenecks that are all
 */
export function discoveryProfile(
  times: readonly (readonly number[])[],
  known: number,
): readonly ProfilePoint[] {
  const ordered = times.map((run) => [...run].sort((a, b) => a - b));
  const most = largestOf(
    ordered.map(({ length }) => length),
    0,
  );
  return Array.from({ length: most }, (_, index) => {
    const reached = ordered.filter(({ length }) => length > index).map((run) => at(run, index));
    return { share: (index + 1) / known, time: spreadOf(reached), runs: reached.length };
  });
}

/** Of one time or more. */
export function spreadOf(times: readonly number[]): Spread {
  return {
    mean: meanOf(times),
    best: -largestOf(times.map((time) => -time)),
    worst: largestOf(times),
  };
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
