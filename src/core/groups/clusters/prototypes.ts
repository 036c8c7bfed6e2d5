import { at } from '../../at';
import { measureMatrix } from '../measures';
import type { BitSet } from '../sets/bitSet';
import { majorityOf, weightOf, type WeightedSets } from '../sets/weightedSets';
import { cutLinkage, completeLinkage } from './linkage';
import { isNearer, splitCluster, usualThreshold, type Part } from './splitCluster';

export interface Prototypes {
  readonly parts: readonly Part[];
  /** Whether there were more than the limit, so that the parts are not what they would be. */
  readonly isCutOff: boolean;
}

/**
 * Parts of the sets such that each is what a prototype and chance explain. One part is divided as long as chance does not explain it. All sets are then
 * with the nearest prototype, because early divisions were without knowledge of later ones, and parts with alike prototypes are one.
 * Time is that of sets × parts.
 * @param limit largest number of parts
 * @param threshold smallest similarity of alike prototypes
 */
export function findPrototypes(
  weighted: WeightedSets,
  limit: number,
  threshold = usualThreshold,
): Prototypes {
  const all = weighted.sets.map((_, number) => number);
  if (all.length === 0) return { parts: [], isCutOff: false };
  const open: Part[] = [{ members: all, prototype: majorityOf(weighted, all) }];
  const found: Part[] = [];
  while (open.length > 0 && open.length + found.length < limit) {
    const part = takeLargest(weighted, open);
    const parts = splitCluster(weighted, part);
    if (parts === undefined) found.push(part);
    else open.push(...parts);
  }
  const isCutOff = open.length > 0;
  const assigned = nearestParts(weighted, nearestParts(weighted, [...found, ...open]));
  return { parts: mergeAlike(weighted, assigned, threshold), isCutOff };
}

function takeLargest(weighted: WeightedSets, open: Part[]): Part {
  let largest = 0;
  open.forEach(({ members }, place) => {
    if (weightOf(weighted, members) > weightOf(weighted, at(open, largest).members)) largest = place;
  });
  return at(open.splice(largest, 1), 0);
}

function nearestParts(weighted: WeightedSets, parts: readonly Part[]): readonly Part[] {
  const members: number[][] = parts.map(() => []);
  weighted.sets.forEach((set, number) => {
    let best = 0;
    for (let other = 1; other < parts.length; other++)
      if (isNearer(set, at(parts, other).prototype, at(parts, best).prototype)) best = other;
    at(members, best).push(number);
  });
  return members.filter((list) => list.length > 0).map((list) => partOf(weighted, list));
}

function partOf(weighted: WeightedSets, members: readonly number[]): Part {
  return { members, prototype: majorityOf(weighted, members) };
}

function mergeAlike(weighted: WeightedSets, parts: readonly Part[], threshold: number): readonly Part[] {
  const prototypes: readonly BitSet[] = parts.map(({ prototype }) => prototype);
  const merges = completeLinkage(
    measureMatrix(prototypes),
    parts.map(({ members }) => at(members, 0)),
  );
  const clusterOf = cutLinkage(merges, parts.length, threshold);
  const merged = new Map<number, number[]>();
  parts.forEach(({ members }, place) => {
    const cluster = at(clusterOf, place);
    merged.set(cluster, [...(merged.get(cluster) ?? []), ...members]);
  });
  return [...merged.values()].map((members) =>
    partOf(
      weighted,
      members.sort((a, b) => a - b),
    ),
  );
}
