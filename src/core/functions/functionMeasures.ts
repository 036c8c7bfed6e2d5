import { waitingTimeMetric } from '../profile/metrics';
import type { Profile } from '../profile/profile';
import { flatProfile } from '../profile/regions';
import type { RunTimes } from '../selection/regionTimes';
import type { Base } from './base';
import { shareOf, type Share } from './share';

/** What one run showed of a function, over all locations. */
export interface FunctionMeasure {
  readonly inclusive: Share;
  readonly exclusive: Share;
  readonly visits: number;
  /** Waiting in it and in what it calls, which no share contains; absent: none, or the profile does not know. */
  readonly waitingSeconds?: number;
  /** What the shares are of. */
  readonly base: Base;
}

/** By function key. */
export type FunctionMeasures = ReadonlyMap<string, FunctionMeasure>;

/** A run with one region per function, and its times. */
export interface RunOfFunctions {
  readonly profile: Profile;
  readonly keys: readonly string[];
  readonly times: RunTimes;
  readonly base: Base;
}

/** The functions that the run executed. */
export function functionMeasures({ profile, keys, times, base }: RunOfFunctions): FunctionMeasures {
  const waiting = base.clock === 'cpu' ? flatProfile(profile, waitingTimeMetric.name).inclusive : undefined;
  const measures = new Map<string, FunctionMeasure>();
  times.regions.forEach(({ inclusiveSeconds, exclusiveSeconds, visits }, index) => {
    if (visits <= 0) return;
    const waitingSeconds = waiting?.[index] ?? 0;
    measures.set(keys[index] ?? '', {
      inclusive: shareOf(inclusiveSeconds, base),
      exclusive: shareOf(exclusiveSeconds, base),
      visits,
      ...(waitingSeconds > 0 ? { waitingSeconds } : {}),
      base,
    });
  });
  return measures;
}

/** A function that the last run did not record keeps what an earlier one showed, with that one's base. */
export function latestMeasures(
  earlier: FunctionMeasures | undefined,
  last: FunctionMeasures,
): FunctionMeasures {
  return new Map([...(earlier ?? []), ...last]);
}
