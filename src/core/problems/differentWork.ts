import { at, atFloat, atInt, atUint } from '../at';
import { formatPercent } from '../format';
import { countsOf } from '../functions/programTime';
import { shareOf } from '../functions/share';
import {
  addMember,
  emptySet,
  isPartOf,
  isSameSet,
  membersOf,
  sizeOf,
  type BitSet,
} from '../groups/sets/bitSet';
import { placeOf } from '../profile/place';
import { workGroups } from '../profile/workGroups';
import type { Property } from '../properties/property';
import { rankSet } from '../properties/rankSet';
import type { PropertyContext } from './context/propertyContext';

/**
 * Functions that only some ranks call: where their work differs from that of the others (process-similarity §4.3). Of functions that call each
 * other only the first one is named, which ranks call that have more in common. The severity is its share of the run with its callees.
 */
export function findDifferentWork(context: PropertyContext): readonly Property[] {
  const { profile, keys, names, times, base, whole, thresholds } = context;
  const { ranks } = workGroups(profile.locations);
  if (ranks.length < 2) return [];
  const callers = ranksOfRegions(
    context,
    ranks.map(({ locations }) => locations),
  );
  const everyone = ranks.length;
  return [...firstOfFew(context, callers, everyone)].flatMap(([region, caller]): Property[] => {
    const severity = shareOf(at(times.regions, region).inclusiveSeconds, base);
    if (severity < thresholds.differentWorkShare) return [];
    const members = membersOf(at(callers, region)).map((member) => at(ranks, member).rank);
    const own = placeOf(at(profile.regions, region));
    const place = own.file === undefined && caller !== undefined ? placeOf(at(profile.regions, caller)) : own;
    const name = at(names, region);
    const inCaller = place === own || caller === undefined ? '' : ` in ${at(names, caller)}`;
    return [
      {
        id: `different-work:${at(keys, region)}`,
        kind: 'different-work',
        title: `${whoText(
          members,
          ranks.map(({ rank }) => rank),
        )} ${name}${inCaller}, which takes ${formatPercent(severity)} of ${whole.words}`,
        severity,
        confidence: 1,
        region: place,
        ranks: rankSet(members),
        evidence: { ranks: everyone, callingRanks: members.length, inclusiveShare: severity },
        base,
      },
    ];
  });
}

/** `Only rank 0 calls`, `All ranks but 7 call` */
function whoText(members: readonly number[], all: readonly number[]): string {
  const calling = new Set(members);
  const others = all.filter((rank) => !calling.has(rank));
  if (members.length > others.length) return `All ranks but ${rankSet(others)} call`;
  return members.length === 1 ? `Only rank ${rankSet(members)} calls` : `Only ranks ${rankSet(members)} call`;
}

/** By region, the processes that visit it, by their positions. @param locations of each process */
function ranksOfRegions(
  { profile: { callPaths, regions, locations }, profile }: PropertyContext,
  processes: readonly (readonly number[])[],
): readonly BitSet[] {
  const { visits } = countsOf(profile);
  const sets = regions.map(() => emptySet(processes.length));
  const width = locations.length;
  for (let path = 0; path < callPaths.count; path++) {
    const set = at(sets, atUint(callPaths.region, path));
    processes.forEach((own, process) => {
      if (own.some((location) => atFloat(visits, path * width + location) > 0)) addMember(set, process);
    });
  }
  return sets;
}

/** Regions that few call and some caller, if it is one, that more call. */
function firstOfFew(
  { profile: { callPaths }, activities }: PropertyContext,
  callers: readonly BitSet[],
  everyone: number,
): ReadonlyMap<number, number | undefined> {
  const found = new Map<number, number | undefined>();
  for (let path = 0; path < callPaths.count; path++) {
    const region = atUint(callPaths.region, path);
    const own = at(callers, region);
    const size = sizeOf(own);
    if (found.has(region) || size === 0 || size === everyone || activities[region] === 'artificial') continue;
    const above = atInt(callPaths.parent, path);
    const caller = above < 0 ? undefined : atUint(callPaths.region, above);
    const theirs = caller === undefined ? undefined : at(callers, caller);
    if (theirs === undefined || (isPartOf(own, theirs) && !isSameSet(own, theirs))) found.set(region, caller);
  }
  return found;
}
