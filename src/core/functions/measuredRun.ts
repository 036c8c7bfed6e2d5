import { clockOf, type Clock } from '../profile/computingTime';
import type { Profile } from '../profile/profile';
import { activityOf } from './activities';
import { at } from '../at';
import { perRegion, type RunTimes } from './regionTimes';
import type { Base, LeftOut } from './base';
import { programTime, type CostOfRegion, type ProgramTime } from './programTime';

/** Times of one run, and the base of their shares. */
export interface MeasuredTimes {
  readonly base: Base;
  readonly times: RunTimes;
  /** Per call path and location: the addends of `times`. */
  readonly cells: Float64Array;
}

/** Share of the run from which starting and ending MPI is not counted, because it would hide the program's work. */
const disturbingStart = 0.05;

/**
 * The one way from a profile to shares: of all locations together, without the cost of recording, without waiting (clock `cpu`), and
 * without MPI's start and end where these are a part of it that matters, as in short trial runs. Exclusive times add up to the base.
 */
export function measuredTimes(
  profile: Profile,
  run: string,
  costOf: CostOfRegion,
  clock: Clock = clockOf(profile),
): MeasuredTimes {
  const whole = programTime(profile, costOf, clock);
  const { time, startSeconds } = withoutStart(profile, whole);
  const times = perRegion(profile, time);
  const leftOut: readonly (readonly [LeftOut, number])[] = [
    ['waiting', whole.waitingSeconds],
    ['recording', whole.recordingSeconds],
    ['MPI start and end', startSeconds],
  ];
  return {
    base: {
      run,
      clock,
      seconds: times.totalSeconds,
      leftOut: leftOut.flatMap(([what, seconds]) => (seconds > 0 ? [{ what, seconds }] : [])),
    },
    times,
    cells: time.exclusive,
  };
}

function withoutStart(
  profile: Profile,
  time: ProgramTime,
): { readonly time: ProgramTime; readonly startSeconds: number } {
  const isStart = profile.regions.map((region) => activityOf(region) === 'start-up');
  if (!isStart.includes(true)) return { time, startSeconds: 0 };
  const width = profile.locations.length;
  const { region, parent, count } = profile.callPaths;
  const exclusive = time.exclusive.map((seconds, cell) =>
    isStart[at(region, Math.floor(cell / width))] === true ? 0 : seconds,
  );
  const total = time.exclusive.reduce((sum, seconds) => sum + seconds, 0);
  const startSeconds = total - exclusive.reduce((sum, seconds) => sum + seconds, 0);
  if (startSeconds < disturbingStart * total) return { time, startSeconds: 0 };
  const inclusive = exclusive.slice();
  for (let path = count - 1; path >= 0; path--) {
    const above = at(parent, path);
    if (above < 0) continue;
    for (let l = 0; l < width; l++)
      inclusive[above * width + l] = at(inclusive, above * width + l) + at(inclusive, path * width + l);
  }
  return { time: { ...time, exclusive, inclusive }, startSeconds };
}
