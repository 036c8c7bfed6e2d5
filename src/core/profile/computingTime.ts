import { atFloat } from '../at';
import { waitingTimeMetric } from './metrics';
import type { Profile } from './profile';
import { exclusivePerLocation, inclusivePerLocation } from './values';

/**
 * Computing time is what a thread had a processor for: `time` without `waiting_time`. Profiles without that metric (Score-P's, Cube files of
 * other tools) know only how long something took; their computing time is all of their time, and their clock is `wall`.
 */
export type Clock = 'cpu' | 'wall';

export function clockOf(profile: Profile): Clock {
  return profile.metrics.some(({ name }) => name === waitingTimeMetric.name) ? 'cpu' : 'wall';
}

/** Seconds with callees, `[callPath * locations + location]`. */
export function inclusiveComputing(profile: Profile): Float64Array {
  return without(profile, inclusivePerLocation);
}

/** Seconds without callees, `[callPath * locations + location]`. */
export function exclusiveComputing(profile: Profile): Float64Array {
  return without(profile, exclusivePerLocation);
}

function without(profile: Profile, values: typeof inclusivePerLocation): Float64Array {
  const time = values(profile, 'time');
  if (clockOf(profile) === 'wall') return time;
  const waiting = values(profile, waitingTimeMetric.name);
  for (let cell = 0; cell < time.length; cell++) time[cell] = atFloat(time, cell) - atFloat(waiting, cell);
  return time;
}
