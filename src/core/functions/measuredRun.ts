import { clockOf, type Clock } from '../profile/computingTime';
import type { Profile } from '../profile/profile';
import { recordedPartOf } from '../profile/recordedPart';
import { atFloat, atInt } from '../at';
import { addTo, columnSums, sumOf } from '../sums';
import { perRegion, type RunTimes } from './regionTimes';
import type { Base, LeftOut } from './base';
import { disturbs, startPaths, waitedInStart } from './mpiStart';
import { programTime, type CostOfRegion, type ProgramTime } from './programTime';

/** Times of one run, and the base of their shares. */
export interface MeasuredTimes {
  readonly base: Base;
  readonly times: RunTimes;
  /** Per call path and location: the addends of `times`. */
  readonly cells: Float64Array;
  /** Per location: what is in the base, and what is left out of it. */
  readonly parts: {
    readonly own: Float64Array;
    readonly leftOut: readonly { readonly what: LeftOut; readonly seconds: Float64Array }[];
  };
}

/** Rests below this share are rounding. */
const rounding = 1e-9;

/**
 * The one way from a profile to shares: of all locations together, without the cost of recording, without waiting (clock `cpu`), and
 * without MPI's start and end, with what a process waits there, where these are a part of it that matters, as in short trial runs. Exclusive times add
 * up to the base, and the base and what it leaves out to the measured time.
 */
export function measuredTimes(
  profile: Profile,
  run: string,
  costOf: CostOfRegion,
  clock: Clock = clockOf(profile),
): MeasuredTimes {
  const time = programTime(profile, costOf, clock);
  const starts = startPaths(profile);
  const isLeftOut = disturbs(profile, starts);
  const waited = waitedInStart(profile, isLeftOut ? starts : []);
  const start = takeOffStart(profile, time, isLeftOut ? starts : []);
  const times = perRegion(profile, time);
  const parts: MeasuredTimes['parts'] = {
    own: columnSums(time.exclusive, profile.locations.length),
    leftOut: [
      { what: 'waiting', seconds: clock === 'cpu' ? minus(time.waiting, waited) : time.waiting },
      { what: 'recording', seconds: time.recording },
      { what: 'MPI start and end', seconds: clock === 'cpu' ? plus(start, waited) : start },
    ],
  };
  const partly = profile.regions.filter((region) => recordedPartOf(region) !== undefined).length;
  const base: Base = {
    run,
    clock,
    seconds: times.totalSeconds,
    leftOut: leftOutOf(parts, sumOf),
    ...(partly === 0 ? {} : { partlyRecorded: partly }),
  };
  return { base, times, cells: time.exclusive, parts };
}

/** The base of shares of what some locations did. @param locations their positions */
export function baseOf({ base, parts }: Pick<MeasuredTimes, 'base' | 'parts'>, locations: Uint32Array): Base {
  const sum = (values: Float64Array): number =>
    locations.reduce((seconds, location) => seconds + atFloat(values, location), 0);
  return { ...base, seconds: sum(parts.own), leftOut: leftOutOf(parts, sum) };
}

function leftOutOf(
  { leftOut }: MeasuredTimes['parts'],
  sum: (seconds: Float64Array) => number,
): Base['leftOut'] {
  return leftOut
    .map(({ what, seconds }) => ({ what, seconds: sum(seconds) }))
    .filter(({ seconds }) => seconds > 0);
}

function plus(values: Float64Array, more: Float64Array): Float64Array {
  return values.map((value, position) => value + atFloat(more, position));
}

/** Not below 0, where only the sums' rounding is left. */
function minus(values: Float64Array, less: Float64Array): Float64Array {
  return values.map((value, position) => {
    const rest = value - atFloat(less, position);
    return rest > rounding * value ? rest : 0;
  });
}

/** In place. Returns what was taken off, by location. */
function takeOffStart(profile: Profile, time: ProgramTime, starts: readonly number[]): Float64Array {
  const width = profile.locations.length;
  const start = new Float64Array(width);
  if (starts.length === 0) return start;
  const { parent, count } = profile.callPaths;
  const { exclusive, inclusive } = time;
  const row = (cells: Float64Array, path: number): Float64Array =>
    cells.subarray(path * width, (path + 1) * width);
  for (const path of starts) {
    addTo(start, row(exclusive, path));
    row(exclusive, path).fill(0);
  }
  inclusive.set(exclusive);
  for (let path = count - 1; path >= 0; path--) {
    const above = atInt(parent, path);
    if (above >= 0) addTo(row(inclusive, above), row(inclusive, path));
  }
  return start;
}
