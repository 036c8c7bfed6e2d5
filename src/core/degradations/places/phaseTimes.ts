import { addTo, sumOf } from '../../sums';
import { remembered } from '../../remembered';
import { atFloat } from '../../at';
import { computingMetric, isPhaseTime, type Burst } from '../../series/series';
import { fillMissing, type MissingMethod } from '../../series/missing';

/** The rank that stands for all of them. */
export const allRanks = -1;

/** Origin of the phase time of a process. */
export type PhaseKnowledge = 'measured' | 'of other ranks' | 'sum of its regions';

/**
 * Time of the phase per process, and of what its other threads did meanwhile: per iteration of the burst that is being read, and summed over the run.
 * Shares of a place are of these times.
 */
export class PhaseTimes {
  private readonly sums = new Map<string, number>();
  private readonly measured = new Map<string, Float64Array>();
  private readonly derived = new Map<string, Float64Array>();
  private readonly threads = new Map<string, Float64Array>();
  /** Processes and threads with a phase of their own in some burst. */
  private readonly own = new Set<string>();
  private burst: Burst | undefined;
  private mean: Float64Array | undefined;
  /** The least reliable origin that was used. */
  knowledge: PhaseKnowledge = 'measured';
  /** Name of the phase. */
  name: string | undefined;

  constructor(private readonly missing: MissingMethod) {}

  begin(burst: Burst): void {
    this.end();
    this.burst = burst;
    for (const { context, values } of burst.series) {
      if (!isPhaseTime(context)) continue;
      this.name ??= context.region.name;
      const key = keyOf(context.rank, context.thread);
      this.own.add(key);
      if (!this.measured.has(key)) this.measured.set(key, this.fitted(values, burst.length));
    }
  }

  /** Forgets the burst. */
  end(): void {
    this.burst = undefined;
    for (const times of [this.measured, this.derived, this.threads]) times.clear();
    this.mean = undefined;
  }

  /** Counts this burst for a process or thread, once per burst and process. */
  count(rank: number, thread: number): void {
    const key = keyOf(rank, thread);
    this.sums.set(key, (this.sums.get(key) ?? 0) + sumOf(this.values(rank, thread)));
  }

  /**
   * That of the process. Another thread may have spent more time: what it waited for between the iterations counts in the one in which the waiting
   * ended. No part of a thread's time is more than its whole.
   */
  values(rank: number, thread: number): Float64Array {
    const phase = this.phaseOf(rank, thread);
    if (thread === 0 || this.measured.size === 0 || this.measured.has(keyOf(rank, thread))) return phase;
    return remembered(this.threads, keyOf(rank, thread), () => {
      const own = this.sumOfRegions(rank, thread);
      return phase.map((time, iteration) => Math.max(time, atFloat(own, iteration)));
    });
  }

  private phaseOf(rank: number, thread: number): Float64Array {
    const own = this.measured.get(keyOf(rank, thread)) ?? this.measured.get(keyOf(rank, 0));
    if (own !== undefined) return own;
    if (this.measured.size === 0) {
      this.knowledge = 'sum of its regions';
      return rank === allRanks ? this.average() : this.sumOfRegions(rank, thread);
    }
    if (rank !== allRanks && this.knowledge === 'measured') this.knowledge = 'of other ranks';
    return this.average();
  }

  /** Whether its shares are of a phase that was measured on itself; those of other threads are of their own time where that is longer. */
  isMeasured(rank: number, thread: number): boolean {
    return this.own.has(keyOf(rank, thread));
  }

  /** Over the run. */
  sum(rank: number, thread: number): number {
    return Math.min(Number.MAX_VALUE, this.sums.get(keyOf(rank, thread)) ?? 0);
  }

  /** Mean over the processes. */
  private average(): Float64Array {
    if (this.measured.size === 0) this.sumOfRegions(allRanks, 0);
    const times = this.measured.size > 0 ? this.measured : this.derived;
    this.mean ??= meanOf(
      [...times].filter(([key]) => key !== keyOf(allRanks, 0)).map(([, values]) => values),
      this.burst?.length ?? 0,
    );
    return this.mean;
  }

  private sumOfRegions(rank: number, thread: number): Float64Array {
    // All processes at once: with 100,000 of them, a search for each would never end.
    if (this.derived.size === 0) this.sumAllRegions();
    return remembered(this.derived, keyOf(rank, thread), () => new Float64Array(this.burst?.length ?? 0));
  }

  private sumAllRegions(): void {
    const { series, length } = this.burst ?? { series: [], length: 0 };
    // Inclusive times contain each other: the longest is that of all.
    const isInclusive = series.some(({ context }) => context.metric === computingMetric);
    for (const { context, values } of series) {
      if (context.metric !== 'time' || isPhaseTime(context)) continue;
      const sum = remembered(
        this.derived,
        keyOf(context.rank, context.thread),
        () => new Float64Array(length),
      );
      const own = this.fitted(values, length);
      if (!isInclusive) addTo(sum, own);
      else for (let at = 0; at < length; at++) sum[at] = Math.max(atFloat(sum, at), atFloat(own, at));
    }
  }

  private fitted(values: Float64Array, length: number): Float64Array {
    return wholeValues(withLength(values, length), this.missing);
  }
}

/** Larger magnitudes are no measurements; sums of them would not be numbers. */
const largestValue = 1e300;

/** Values without gaps, with sums over any range; the given ones where they are so already. */
export function wholeValues(values: Float64Array, method: MissingMethod): Float64Array {
  if (areWhole(values)) return values;
  const filled = fillMissing(values, method);
  filled.forEach((value, index) => {
    if (Math.abs(value) > largestValue) filled[index] = Math.sign(value) * largestValue;
  });
  return filled;
}

function areWhole(values: Float64Array): boolean {
  for (const value of values) if (!(Math.abs(value) <= largestValue)) return false;
  return true;
}

/** Extends values to a length; the added ones are missing. */
export function withLength(values: Float64Array, length: number): Float64Array {
  if (values.length === length) return values;
  const result = new Float64Array(length).fill(NaN);
  result.set(values.subarray(0, length));
  return result;
}

function keyOf(rank: number, thread: number): string {
  return `${rank}/${thread}`;
}

function meanOf(all: readonly Float64Array[], length: number): Float64Array {
  const mean = new Float64Array(length);
  for (const values of all)
    for (let iteration = 0; iteration < length; iteration++)
      mean[iteration] = atFloat(mean, iteration) + atFloat(values, iteration) / all.length;
  return mean;
}
