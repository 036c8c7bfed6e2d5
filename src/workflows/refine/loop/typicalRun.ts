import { shareOf } from '../../../core/functions/share';
import { regionTimes } from '../../../core/functions/regionTimes';
import { secondsBy, type DecisionClock } from '../../../core/cost/runTime';
import type { MeasuredRun } from './loop.types';

type Shares = ReadonlyMap<string, number>;

/**
 * The typical run of a round: the one whose functions' shares are nearest to those of all others (the sum of the absolute differences). A
 * machine that is a third slower for part of a run, as virtual ones are, shifts shares by several points without making the run slow. Of
 * equally near runs, as two always are, it is the shortest, because other work on the machine only makes runs longer.
 * @throws RangeError when there is no run.
 */
export function typicalRun(runs: readonly MeasuredRun[], clock: DecisionClock): MeasuredRun {
  const shares = runs.length > 2 ? runs.map(ownShares) : [];
  const distances = shares.map((own) => shares.reduce((sum, other) => sum + distance(own, other), 0));
  const [first] = runs
    .map((run, index) => ({ run, distance: distances[index] ?? 0, seconds: secondsBy(clock, run) }))
    .sort((a, b) => a.distance - b.distance || a.seconds - b.seconds);
  if (first === undefined) throw new RangeError('a round without a run');
  return first.run;
}

/** By mangled name: the part of the run's computing time that each function spends in itself. */
function ownShares({ profile }: MeasuredRun): Shares {
  const { regions, totalSeconds } = regionTimes(profile, () => undefined);
  const shares = new Map<string, number>();
  profile.regions.forEach(({ mangledName, name }, index) => {
    const key = mangledName ?? name;
    const own = shareOf(regions[index]?.exclusiveSeconds ?? 0, { seconds: totalSeconds });
    shares.set(key, (shares.get(key) ?? 0) + own);
  });
  return shares;
}

function distance(a: Shares, b: Shares): number {
  const keys = new Set([...a.keys(), ...b.keys()]);
  return [...keys].reduce((sum, key) => sum + Math.abs((a.get(key) ?? 0) - (b.get(key) ?? 0)), 0);
}
