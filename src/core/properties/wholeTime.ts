import type { Profile } from '../profile/profile';
import { exclusivePerLocation } from '../profile/values';
import type { RunTimes } from '../selection/regionTimes';
import type { Activity } from './activities';
import type { WholeTime } from './propertyContext';

/** From this share of the run on, starting and ending MPI would hide what the program does: it is not counted. */
const disturbingStart = 0.05;

/** The run time; without MPI's start and end where these are a part of it that matters, as in short trial runs. */
export function wholeTime(profile: Profile, times: RunTimes, activities: readonly Activity[]): WholeTime {
  const longestSeconds = Math.max(0, times.runSeconds);
  const whole: WholeTime = { seconds: times.totalSeconds, longestSeconds, words: 'the run time' };
  if (!activities.includes('start-up')) return whole;
  const width = profile.locations.length;
  const cells = exclusivePerLocation(profile, 'time');
  const start = new Float64Array(width);
  profile.callPaths.region.forEach((region, path) => {
    if (activities[region] !== 'start-up') return;
    for (let at = 0; at < width; at++) start[at] = (start[at] ?? 0) + (cells[path * width + at] ?? 0);
  });
  const total = start.reduce((sum, value) => sum + value, 0);
  if (total < disturbingStart * times.totalSeconds) return whole;
  return {
    seconds: Math.max(0, times.totalSeconds - total),
    longestSeconds: Math.max(0, longestSeconds - Math.max(...start)),
    words: 'the time without MPI’s start and end',
  };
}
