import { addTo, sumOf } from '../sums';
import { clockOf } from '../profile/computingTime';
import { waitingTimeMetric } from '../profile/metrics';
import type { Profile } from '../profile/profile';
import { exclusiveCells } from '../profile/values';
import { activityOf } from './activities';
import type { Base } from './base';

/** Share of the run from which starting and ending MPI is not counted, because it would hide the program's work. */
const disturbingStart = 0.05;

/** Call paths of MPI's start and end. */
export function startPaths({ regions, callPaths }: Profile): readonly number[] {
  const isStart = regions.map((region) => activityOf(region) === 'start-up');
  if (!isStart.includes(true)) return [];
  const paths: number[] = [];
  callPaths.region.forEach((region, path) => {
    if (isStart[region] === true) paths.push(path);
  });
  return paths;
}

/**
 * Whether MPI's start and end are left out of the base, by what was measured: of the time with waiting or of the computing time they are a part that
 * matters. Both clocks leave the same out, because parts of one run would otherwise not add up to it.
 */
export function disturbs(profile: Profile, paths: readonly number[]): boolean {
  if (paths.length === 0) return false;
  const width = profile.locations.length;
  const shareIn = (cells: Float64Array): readonly [start: number, all: number] => [
    paths.reduce((sum, path) => sum + sumOf(cells, path * width, (path + 1) * width - 1), 0),
    sumOf(cells),
  ];
  const [start, all] = shareIn(exclusiveCells(profile, 'time'));
  if (start >= disturbingStart * all) return true;
  if (clockOf(profile) === 'wall') return false;
  const [waited, waiting] = shareIn(exclusiveCells(profile, waitingTimeMetric.name));
  return start - waited >= disturbingStart * (all - waiting);
}

/** What each location waited while it started and ended MPI. */
export function waitedInStart(profile: Profile, paths: readonly number[]): Float64Array {
  const width = profile.locations.length;
  const seconds = new Float64Array(width);
  if (clockOf(profile) === 'wall') return seconds;
  const cells = exclusiveCells(profile, waitingTimeMetric.name);
  for (const path of paths) addTo(seconds, cells.subarray(path * width, (path + 1) * width));
  return seconds;
}

/**
 * The profile with the waiting that the base names: what a process waits while it starts and ends MPI is a part of that start and end where these are
 * left out, and not waiting for others.
 */
export function withWaitingOfBase(profile: Profile, { clock, leftOut }: Base): Profile {
  if (clock !== 'cpu' || leftOut.every(({ what }) => what !== 'MPI start and end')) return profile;
  const width = profile.locations.length;
  const cells = exclusiveCells(profile, waitingTimeMetric.name).slice();
  for (const path of startPaths(profile)) cells.fill(0, path * width, (path + 1) * width);
  return {
    ...profile,
    metrics: profile.metrics.map((metric) =>
      metric.name === waitingTimeMetric.name ? { ...metric, stored: 'exclusive' as const } : metric,
    ),
    stored: new Map([...profile.stored, [waitingTimeMetric.name, cells]]),
  };
}
