import { at, atFloat, atInt, atUint } from '../at';
import { formatPercent } from '../format';
import { countsOf } from '../functions/programTime';
import { shareOf, type Share } from '../functions/share';
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
import { lateGroup, lateness } from './lateGroup';

/**
 * Functions that only some ranks call: where their work differs from that of the others (process-similarity §4.3). Of functions that call each
 * other only the first one is named, which ranks call that have more in common. The severity is its share of the run with its callees. Where
 * this work makes its ranks take longer than the others, that is a finding, too.
 */
export function findDifferentWork(context: PropertyContext): readonly Property[] {
  const { profile, times, base, thresholds } = context;
  const { ranks } = workGroups(profile.locations);
  if (ranks.length < 2) return [];
  const callers = ranksOfRegions(
    context,
    ranks.map(({ locations }) => locations),
  );
  const different = [...firstOfFew(context, callers, ranks.length)]
    .map(([region, caller]): DifferentWork => {
      const severity = shareOf(at(times.regions, region).inclusiveSeconds, base);
      return { region, caller, severity, members: membersOf(at(callers, region)) };
    })
    .filter(({ severity }) => severity >= thresholds.differentWorkShare);
  const late = lateness(context, ranks);
  return different.flatMap((work) => {
    const found = differentWork(context, ranks, work);
    return [
      found,
      ...lateGroup(context, ranks, work, late).map((other) => ({ ...other, refines: found.id })),
    ];
  });
}

type Ranks = ReturnType<typeof workGroups>['ranks'];

interface DifferentWork {
  readonly region: number;
  /** The one that more ranks call; absent: the program begins here. */
  readonly caller: number | undefined;
  /** Positions of ranks. */
  readonly members: readonly number[];
  readonly severity: Share;
}

function differentWork(
  { profile, keys, names, base, whole }: PropertyContext,
  ranks: Ranks,
  { region, caller, members, severity }: DifferentWork,
): Property {
  const own = placeOf(at(profile.regions, region));
  const place = own.file === undefined && caller !== undefined ? placeOf(at(profile.regions, caller)) : own;
  const inCaller = place === own || caller === undefined ? '' : ` in ${at(names, caller)}`;
  const who = whoText(ranks, members);
  return {
    id: `different-work:${at(keys, region)}`,
    kind: 'different-work',
    title: `${who} ${at(names, region)}${inCaller}, which takes ${formatPercent(severity)} of ${whole.words}`,
    severity,
    confidence: 1,
    region: place,
    ranks: rankSet(members.map((member) => at(ranks, member).rank)),
    evidence: { ranks: ranks.length, callingRanks: members.length, inclusiveShare: severity },
    base,
  };
}

/** `Only rank 0 calls`, `All ranks but 7 call` */
function whoText(ranks: Ranks, positions: readonly number[]): string {
  const members = positions.map((position) => at(ranks, position).rank);
  const others = othersThan(ranks, positions).map((position) => at(ranks, position).rank);
  if (members.length > others.length) return `All ranks but ${rankSet(others)} call`;
  return members.length === 1 ? `Only rank ${rankSet(members)} calls` : `Only ranks ${rankSet(members)} call`;
}

function othersThan(ranks: Ranks, positions: readonly number[]): readonly number[] {
  const given = new Set(positions);
  return ranks.flatMap((_, position) => (given.has(position) ? [] : [position]));
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
