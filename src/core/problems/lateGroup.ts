import { at, atFloat, atInt } from '../at';
import { formatSeconds, formatPercent } from '../format';
import { shareOf } from '../functions/share';
import { exclusiveComputing } from '../profile/computingTime';
import { placeOf } from '../profile/place';
import type { workGroups } from '../profile/workGroups';
import type { Property } from '../properties/property';
import { rankSet } from '../properties/rankSet';
import { largestOf } from '../sums';
import { slowestOf } from './imbalance';
import type { PropertyContext } from './context/propertyContext';

type Ranks = ReturnType<typeof workGroups>['ranks'];

/** Part of what its ranks compute more than the others that a function must explain. */
const leastExplained = 0.5;

interface Lateness {
  /** Computing time without MPI, `[callPath * locations + location]`. */
  readonly cells: Float64Array;
  /** Of each rank, in its busiest thread. */
  readonly seconds: readonly number[];
}

/** How long the ranks compute. */
export function lateness({ profile, activities }: PropertyContext, ranks: Ranks): Lateness {
  const width = profile.locations.length;
  const cells = exclusiveComputing(profile);
  profile.callPaths.region.forEach((region, path) => {
    if (activities[region] !== 'computation') cells.fill(0, path * width, (path + 1) * width);
  });
  return {
    cells,
    seconds: busiest(
      sums(cells, width, () => true),
      ranks,
    ),
  };
}

/**
 * Whether ranks compute longer than any other one because of a function that only they call: its time on them is at least half of the difference
 * between both means.
 * The severity is what is lost by it, as for an imbalance: (their mean − the mean of all) as a share of the longest rank.
 */
export function lateGroup(
  { profile, keys, names, thresholds, elapsed, whole, hidesMpi }: PropertyContext,
  ranks: Ranks,
  { region, members }: { readonly region: number; readonly members: readonly number[] },
  { cells, seconds }: Lateness,
): readonly Property[] {
  if (hidesMpi(region)) return [];
  const among = new Set(members);
  const mine = mean(members.map((member) => at(seconds, member)));
  const others = seconds.filter((_, rank) => !among.has(rank));
  const theirs = mean(others);
  const inside = within(profile.callPaths, region);
  const own = busiest(
    sums(cells, profile.locations.length, (path) => inside[path] === 1),
    ranks,
  );
  const explained = mean(members.map((member) => at(own, member)));
  const longest = largestOf(seconds);
  const lost = shareOf(mine - mean(seconds), { seconds: longest });
  const isLate = mine > largestOf(others) && lost >= thresholds.imbalanceShare;
  if (!isLate || explained < leastExplained * (mine - theirs)) return [];
  const who = rankSet(members.map((member) => at(ranks, member).rank));
  const one = members.length === 1;
  return [
    {
      id: `late-group:${at(keys, region)}`,
      kind: 'late-group',
      title: `${one ? 'Rank' : 'Ranks'} ${who} ${one ? 'computes' : 'compute'} ${formatSeconds(mine - theirs)} longer than the others${one ? '' : ' on average'}, because only ${one ? 'it calls' : 'they call'} ${at(names, region)} (costs ${formatPercent(lost)} of ${whole.words} of ${slowestOf(true)})`,
      severity: lost,
      confidence: 1,
      region: placeOf(at(profile.regions, region)),
      ranks: who,
      evidence: {
        meanSeconds: mine,
        othersSeconds: theirs,
        explainedSeconds: explained,
        lostShare: lost,
        thresholdShare: thresholds.imbalanceShare,
      },
      base: { ...elapsed.base, processes: slowestOf(true), seconds: longest },
    },
  ];
}

/** Of each location, the sum over call paths. */
function sums(cells: Float64Array, width: number, isCounted: (path: number) => boolean): Float64Array {
  const all = new Float64Array(width);
  for (let path = 0; path * width < cells.length; path++)
    if (isCounted(path))
      for (let i = 0; i < width; i++)
        all[i] = atFloat(all, i) + Math.max(0, atFloat(cells, path * width + i));
  return all;
}

/** 1 for call paths of the function and below it. */
function within(
  { count, parent, region }: PropertyContext['profile']['callPaths'],
  wanted: number,
): Uint8Array {
  const inside = new Uint8Array(count);
  for (let path = 0; path < count; path++) {
    const above = atInt(parent, path);
    inside[path] = region[path] === wanted || (above >= 0 && inside[above] === 1) ? 1 : 0;
  }
  return inside;
}

function busiest(seconds: Float64Array, ranks: Ranks): readonly number[] {
  return ranks.map(({ locations }) =>
    locations.reduce((most, location) => Math.max(most, atFloat(seconds, location)), 0),
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
