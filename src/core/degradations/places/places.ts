import { remembered } from '../../remembered';
import { atFloat } from '../../at';
import {
  computingMetric,
  contextKey,
  isPhaseTime,
  type Burst,
  type SeriesContext,
} from '../../series/series';
import { allRanks, withLength } from './phaseTimes';

/** A region or call path on one thread of one process, with its values in a burst. */
export interface PlaceInBurst {
  readonly key: string;
  /** Region, rank and thread, without a metric. */
  readonly context: SeriesContext;
  /** Values by metric, of the burst's length, with gaps. */
  readonly metrics: ReadonlyMap<string, Float64Array>;
  /** Across ranks, per iteration: the slowest rank, and the time of the second. */
  readonly slowest?: { readonly rank: Float64Array; readonly second: Float64Array; readonly ranks: number };
}

/** Series of one burst by place, without the time of the phase. */
export function placesOf({ series, length }: Burst): readonly PlaceInBurst[] {
  const places = new Map<
    string,
    { readonly key: string; readonly context: SeriesContext; readonly metrics: Map<string, Float64Array> }
  >();
  for (const { context, values } of series) {
    if (isPhaseTime(context)) continue;
    const plain = { ...context, metric: '' };
    const key = contextKey(plain);
    const { metrics } = remembered(places, key, () => ({
      key,
      context: plain,
      metrics: new Map<string, Float64Array>(),
    }));
    remembered(metrics, context.metric, () => withLength(values, length));
  }
  return [...places.values()];
}

/**
 * Time of the slowest rank and mean over the ranks, per iteration, of what at least two ranks do: metrics `slowest` and `average` of a place that is
 * all ranks together. A rank that does not do it takes no time for it. Of inclusive times, waiting in MPI is no part: a rank that waits below a function is
 * not slow.
 */
export function placesAcrossRanks(places: readonly PlaceInBurst[], length: number): readonly PlaceInBurst[] {
  const ranks = new Set(places.map(({ context }) => context.rank));
  if (ranks.size < 2) return [];
  const groups = new Map<
    string,
    {
      context: SeriesContext;
      slowest: Float64Array;
      second: Float64Array;
      rank: Float64Array;
      sum: Float64Array;
      ranks: Set<number>;
      members: number;
    }
  >();
  for (const { context, metrics } of places) {
    const time = metrics.get(computingMetric) ?? metrics.get('time');
    if (time === undefined || context.region.kind === 'phase') continue;
    const shared = { ...context, rank: allRanks, thread: 0 };
    const key = contextKey(shared);
    const group = remembered(groups, key, () => ({
      context: shared,
      slowest: new Float64Array(length),
      second: new Float64Array(length),
      rank: new Float64Array(length),
      sum: new Float64Array(length),
      ranks: new Set<number>(),
      members: 0,
    }));
    group.ranks.add(context.rank);
    group.members++;
    for (let iteration = 0; iteration < length; iteration++) {
      const value = Number.isFinite(time[iteration]) ? atFloat(time, iteration) : 0;
      const most = atFloat(group.slowest, iteration);
      if (value > most) {
        group.second[iteration] = most;
        group.slowest[iteration] = value;
        group.rank[iteration] = context.rank;
      } else group.second[iteration] = Math.max(atFloat(group.second, iteration), value);
      group.sum[iteration] = atFloat(group.sum, iteration) + value;
    }
  }
  return [...groups].flatMap(([key, { context, slowest, second, rank, sum, ranks: own, members }]) =>
    own.size < 2
      ? []
      : [
          {
            key,
            context,
            metrics: new Map([
              ['slowest', slowest],
              ['average', sum.map((value) => value / Math.max(ranks.size, members))],
            ]),
            slowest: { rank, second, ranks: own.size },
          },
        ],
  );
}
