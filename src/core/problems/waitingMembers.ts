import { largestOf } from '../sums';
import { at, atFloat } from '../at';
import { remembered } from '../remembered';
import { present } from '../present';
import type { PropertyContext } from './context/propertyContext';

/** Ranks, or threads of a rank, with their seconds of some work. */
export interface Members {
  /** Their numbers. */
  readonly members: readonly number[];
  readonly seconds: readonly number[];
  /** Locations of each. */
  readonly locations: readonly (readonly number[])[];
}

/** Those that wait for the late ones, in regions of MPI or at barriers. */
export interface Waiting {
  readonly members: readonly number[];
  /** How much longer they are there than the late ones, all together. */
  readonly seconds: number;
  /** Name of the region where most of that is. */
  readonly where?: string;
}

/** Part of what a member works less than the slowest one that it must spend more in waiting, to count as waiting for it. */
const leastPart = 0.25;

/**
 * Who waits for the late ones: members that work less, and are in MPI (of threads: at barriers and locks) longer than each late one. A profile does not
 * know when anything happened, so this is what the sums allow to say.
 */
export function waitingMembers(
  context: PropertyContext,
  activity: 'communication' | 'synchronisation',
  all: Members,
  late: readonly number[],
): Waiting | undefined {
  const { members, seconds } = all;
  const byRegion = secondsIn(context, activity, all);
  const waits = members.map((_, i) => [...byRegion.values()].reduce((sum, own) => sum + at(own, i), 0));
  const isLate = members.map((member) => late.includes(member));
  const ofLate = largestOf(
    waits.filter((_, i) => isLate[i]),
    0,
  );
  const slowest = largestOf(seconds);
  const positions = members.flatMap((_, i) => {
    const [more, less] = [at(waits, i) - ofLate, slowest - at(seconds, i)];
    return !at(isLate, i) && more > 0 && more >= leastPart * less ? [i] : [];
  });
  if (positions.length === 0) return undefined;
  const where = mostWaited(byRegion, isLate, positions);
  return {
    members: positions.map((i) => at(members, i)),
    seconds: positions.reduce((sum, i) => sum + at(waits, i) - ofLate, 0),
    ...present({ where: where === undefined ? undefined : at(context.names, where) }),
  };
}

/** By region: seconds of each member there; of the threads of a rank, those of the one that is there longest. */
function secondsIn(
  { profile, activities, elapsed }: PropertyContext,
  activity: 'communication' | 'synchronisation',
  { locations }: Members,
): ReadonlyMap<number, readonly number[]> {
  const width = profile.locations.length;
  const columns = new Map<number, Float64Array>();
  profile.callPaths.region.forEach((region, path) => {
    if (activities[region] !== activity) return;
    const column = remembered(columns, region, () => new Float64Array(width));
    for (let l = 0; l < width; l++) column[l] = atFloat(column, l) + atFloat(elapsed.cells, path * width + l);
  });
  return new Map(
    [...columns].map(([region, column]) => [
      region,
      locations.map((own) =>
        largestOf(
          own.map((location) => atFloat(column, location)),
          0,
        ),
      ),
    ]),
  );
}

function mostWaited(
  byRegion: ReadonlyMap<number, readonly number[]>,
  isLate: readonly boolean[],
  positions: readonly number[],
): number | undefined {
  const more = ([, own]: readonly [number, readonly number[]]): number => {
    const ofLate = largestOf(
      own.filter((_, i) => isLate[i]),
      0,
    );
    return positions.reduce((sum, i) => sum + at(own, i) - ofLate, 0);
  };
  return [...byRegion].sort((a, b) => more(b) - more(a) || a[0] - b[0])[0]?.[0];
}
