import { KymoError } from '../errors';
import type { Combine, Metric, Profile } from './profile';

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
  /** Of the inclusive times of single visits. */
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

/** How values of a Cube data type combine. */
export function combineOfDtype(dtype: string): Combine {
  if (dtype === 'MINDOUBLE') return 'minimum';
  return dtype === 'MAXDOUBLE' ? 'maximum' : 'sum';
}
