import { at, atFloat } from '../at';
import { largestColumn, largestOf } from '../sums';
import { remembered } from '../remembered';
import { shareOf } from '../functions/share';
import { clockOf, exclusiveComputing } from '../profile/computingTime';
import { formatPercent } from '../format';
import { problem } from './context/problem';
import type { Property } from '../properties/property';
import type { PropertyContext } from './context/propertyContext';
import { rankSet } from '../properties/rankSet';
import type { WorkGroups } from '../profile/workGroups';

type Team = WorkGroups['teams'][number];

/** Maximum share of other threads in a function's time for it to count as the work of one thread. */
const othersShare = 0.1;

/**
 * Amdahl's part: what one thread of a team computes while the others have nothing to do. A profile does not know what happened at the same
 * time, so this is a lower bound: from what a thread computes alone everything is taken off that the others may have computed meanwhile.
 * Only what a thread executes together with others on one call path, or in one function for about as long, counts as done side by side.
 */
export function onlyOneThread(context: PropertyContext, { teams }: WorkGroups): readonly Property[] {
  const { thresholds, elapsed, profile } = context;
  const computing = exclusiveComputing(profile);
  const unseen = unseenSeconds(context);
  const worst = teams
    .map((team) => ({ team, seconds: aloneSeconds(context, computing, team) - unseen }))
    .sort((a, b) => b.seconds - a.seconds)[0];
  if (worst === undefined) return [];
  const { team, seconds } = worst;
  const threads = team.locations.length;
  const base = { ...elapsed.base, seconds: largestColumn(elapsed.cells, profile.locations.length) };
  const share = shareOf(seconds, base);
  // The others lose this time.
  const time = (seconds * (threads - 1)) / threads;
  const settings = { reportThreshold: thresholds.activityShare };
  const what = clockOf(profile) === 'cpu' ? 'computes' : 'is at work (this profile does not know who waits)';
  return problem({ rule: 'one-thread', sums: { time }, base, settings }, () => ({
    id: 'imbalance:one-thread',
    title: `Only one of ${threads} threads ${what} for at least ${formatPercent(share)} of the run time`,
    ranks: rankSet([team.rank]),
    evidence: {
      oneThreadSeconds: seconds,
      oneThreadShare: share,
      threads,
      thresholdShare: thresholds.activityShare,
    },
  }));
}

/** Seconds of the thread that does the most alone; below 0 when the others may have computed all the time. */
function aloneSeconds(
  { profile, activities }: PropertyContext,
  computing: Float64Array,
  { locations }: Team,
): number {
  const width = profile.locations.length;
  const secondsOf = (path: number, location: number): number =>
    Math.max(0, atFloat(computing, path * width + location));
  const alone = locations.map(() => 0);
  profile.callPaths.region.forEach((region, path) => {
    const seconds = locations.map((location) => secondsOf(path, location));
    if (activities[region] !== 'computation' || seconds.filter((each) => each > 0).length !== 1) return;
    seconds.forEach((each, i) => (alone[i] = at(alone, i) + each));
  });
  const thread = at(locations, alone.indexOf(largestOf(alone)));
  const others = locations.filter((location) => location !== thread);
  const functions = new Map<number, { mine: number; readonly theirs: number[] }>();
  let unknown = 0;
  profile.callPaths.region.forEach((region, path) => {
    const mine = secondsOf(path, thread);
    const theirs = others.map((location) => secondsOf(path, location));
    if (activities[region] === 'artificial') unknown += sumOf(theirs);
    if (activities[region] !== 'computation' || (mine > 0 && theirs.some((seconds) => seconds > 0))) return;
    const sum = remembered(functions, region, () => ({ mine: 0, theirs: others.map(() => 0) }));
    sum.mine += mine;
    theirs.forEach((seconds, i) => (sum.theirs[i] = at(sum.theirs, i) + seconds));
  });
  return sumOf([...functions.values()].map(({ mine, theirs }) => balance(mine, theirs))) - unknown;
}

/** Seconds of a function that the thread computes alone, or (below 0) that the others may compute while it is elsewhere. */
function balance(mine: number, theirs: readonly number[]): number {
  const all = sumOf(theirs);
  if (all <= othersShare * mine) return mine - all;
  const most = largestOf(theirs);
  if (mine >= most / 2) return Math.min(0, mine - most);
  return -sumOf(theirs.map((seconds) => Math.max(0, seconds - mine)));
}

/** CPU time of threads that have no recorded function. */
function unseenSeconds({ profile }: PropertyContext): number {
  const seconds = (name: string): number => Number(profile.attributes.get(`kymo::${name}`) ?? 0);
  return Math.max(0, seconds('cpuSeconds') - seconds('recordedCpuSeconds'));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
