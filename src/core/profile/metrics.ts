import { KymoError } from '../errors';
import type { Combine, Metric, Profile, Region } from './profile';

/** The metrics that every Score-P profile starts with, with its names, types and conventions (docs/formats/cube4.md). */
export const standardMetrics = {
  visits: {
    name: 'visits',
    displayName: 'Visits',
    unit: 'occ',
    dtype: 'UINT64',
    stored: 'exclusive',
    combine: 'sum',
    description: 'Number of visits',
  },
  time: {
    name: 'time',
    displayName: 'Time',
    unit: 'sec',
    dtype: 'DOUBLE',
    stored: 'inclusive',
    combine: 'sum',
    description: 'Total CPU allocation time',
  },
  /** Extremes of the inclusive times of single visits. */
  minimumTime: {
    name: 'min_time',
    displayName: 'Minimum Inclusive Time',
    unit: 'sec',
    dtype: 'MINDOUBLE',
    stored: 'exclusive',
    combine: 'minimum',
    description: 'Minimum inclusive CPU allocation time',
  },
  maximumTime: {
    name: 'max_time',
    displayName: 'Maximum Inclusive Time',
    unit: 'sec',
    dtype: 'MAXDOUBLE',
    stored: 'exclusive',
    combine: 'maximum',
    description: 'Maximum inclusive CPU allocation time',
  },
} as const satisfies Record<string, Metric>;

/**
 * Visits that were timed, in profiles where that is not all of them: the time of a call path is then estimated from these. Such a
 * region has the attribute `samplingAttribute`.
 */
export const timedVisitsMetric: Metric = {
  name: 'kymo_timed_visits',
  displayName: 'Timed Visits',
  unit: 'occ',
  dtype: 'UINT64',
  stored: 'exclusive',
  combine: 'sum',
  description: 'Number of visits that were timed; the time of the others is estimated from them',
};

/**
 * The part of `time` in which a thread was blocked (locks, joins, sleep, I/O), on the call path where it was. A profile with this metric has
 * times of a clock that stands still while a thread is pre-empted, so time without it is CPU time (`computingTime.ts`).
 */
export const waitingTimeMetric: Metric = {
  name: 'waiting_time',
  displayName: 'Waiting Time',
  unit: 'sec',
  dtype: 'DOUBLE',
  stored: 'exclusive',
  combine: 'sum',
  description: 'Part of the time in which the thread was blocked; time that it was pre-empted is in neither',
};

/** Attribute of a region with timed visits: the number of visits per timed one. */
export const samplingAttribute = 'kymo::timedOneIn';

/** The approximate number of visits per timed visit of the region; undefined: all visits were timed. */
export function timedOneIn(region: Region | undefined): number | undefined {
  const interval = Number(region?.attributes?.get(samplingAttribute));
  return Number.isFinite(interval) && interval > 1 ? interval : undefined;
}

/** The metric of that unique name; throws `KymoError` (`unknown-metric`) with the names there are. */
export function metricNamed(profile: Profile, name: string): Metric {
  const metric = profile.metrics.find((candidate) => candidate.name === name);
  if (metric === undefined)
    throw new KymoError(
      'unknown-metric',
      `The profile has no metric “${name}”. It has: ${profile.metrics.map((one) => one.name).join(', ') || 'none'}.`,
    );
  return metric;
}

/** Whether a metric has values that can be shown as numbers. */
export function hasNumbers({ stored, unsupported }: Metric): boolean {
  return stored !== 'derived' && unsupported !== true;
}

/** How values of a Cube data type combine. */
export function combineOfDtype(dtype: string): Combine {
  if (dtype === 'MINDOUBLE') return 'minimum';
  return dtype === 'MAXDOUBLE' ? 'maximum' : 'sum';
}

/** Whether it has the time of each call path, which most analyses need. */
export function hasTime({ metrics }: Pick<Profile, 'metrics'>): boolean {
  return metrics.some(({ name, stored }) => name === standardMetrics.time.name && stored !== 'derived');
}

/** Whether a metric is about how a program was recorded, and not about the program. */
export function isOfRecording(metric: string): boolean {
  return metric.startsWith('kymo_');
}
