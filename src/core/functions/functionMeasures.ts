import { waitingTimeMetric } from '../profile/metrics';
import type { Profile } from '../profile/profile';
import { flatProfile } from '../profile/regions';
import type { RunTimes } from './regionTimes';
import type { Base } from './base';
import { exclusiveDoubt, inclusiveDoubt, isTelling, type CorrectedRun } from './doubt';
import { withWaitingOfBase } from './mpiStart';
import { shareOf, type Share } from './share';

/** What one run showed of a function, over all locations. */
export interface FunctionMeasure {
  readonly inclusive: Share;
  /** Absent: it would not be worth telling. */
  readonly exclusive?: Share;
  /** Uncertainty of each share by the cost of recording (`doubt.ts`), as a part of the base. */
  readonly inclusiveDoubt: number;
  readonly exclusiveDoubt: number;
  readonly visits: number;
  /** Waiting in it and its callees, which no share contains; absent: none, or unknown in the profile. */
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

/** The functions that the run executed. @param corrected uncertainty of the subtracted cost; default: none */
export function functionMeasures(
  { profile, keys, times, base }: RunOfFunctions,
  corrected: Pick<CorrectedRun, 'unexplainedSeconds' | 'costDoubt'> = { unexplainedSeconds: 0 },
): FunctionMeasures {
  const run = { ...times, ...corrected };
  const waiting =
    base.clock === 'cpu'
      ? flatProfile(withWaitingOfBase(profile, base), waitingTimeMetric.name).inclusive
      : undefined;
  const measures = new Map<string, FunctionMeasure>();
  times.regions.forEach((region, index) => {
    const { inclusiveSeconds, exclusiveSeconds, visits } = region;
    if (visits <= 0) return;
    const waitingSeconds = waiting?.[index] ?? 0;
    measures.set(keys[index] ?? '', {
      inclusive: shareOf(inclusiveSeconds, base),
      exclusive: shareOf(exclusiveSeconds, base),
      inclusiveDoubt: shareOf(inclusiveDoubt(region, run), base),
      exclusiveDoubt: shareOf(exclusiveDoubt(region, run), base),
      visits,
      ...(waitingSeconds > 0 ? { waitingSeconds } : {}),
      base,
    });
  });
  return measures;
}

/** For each function, its measures in the run that disturbed it least. */
export function sharpestMeasures(
  before: FunctionMeasures | undefined,
  now: FunctionMeasures,
): FunctionMeasures {
  const sharpest = new Map(before);
  for (const [key, measure] of now) {
    const known = sharpest.get(key);
    if (known === undefined || measure.inclusiveDoubt <= known.inclusiveDoubt) sharpest.set(key, measure);
  }
  return sharpest;
}

/** Safety factor for the doubt, which is a typical one and exceeded at some places: a share of an earlier round must hold then, too. */
const allowance = 5 / 3;

/** What the last run showed; of functions that it did not record, the sharpest of the earlier runs, where that is worth telling. */
export function shownMeasures(sharpest: FunctionMeasures, last: FunctionMeasures): FunctionMeasures {
  const shown = new Map(last);
  for (const [key, measure] of sharpest) {
    const { inclusive, inclusiveDoubt, exclusive = inclusive, exclusiveDoubt, ...others } = measure;
    if (last.has(key) || !isTelling(inclusive, allowance * inclusiveDoubt)) continue;
    const own = isTelling(exclusive, allowance * exclusiveDoubt) ? { exclusive } : {};
    shown.set(key, { ...others, inclusive, inclusiveDoubt, ...own, exclusiveDoubt });
  }
  return shown;
}
