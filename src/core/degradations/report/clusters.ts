import { at } from '../../at';
import { pushTo } from '../../remembered';
/** One process or thread with a finding. */
export interface Member {
  readonly rank: number;
  readonly thread: number;
  /** Share of the phase time by which members are ordered, and put apart at gaps. */
  readonly size: number;
  /** Where it extends, iterations from 0, both ends inclusive; empty: the whole run. */
  readonly intervals: readonly (readonly [number, number])[];
}

export interface ClusterOptions {
  readonly clusterGapRelative: number;
  readonly clusterGapAbsolute: number;
}

/** Maximum number of static rows of one problem. */
const mostClusters = 5;
/** Share of the domain, and number of iterations, by which borders may differ from one rank to the next. */
const borderShare = 0.02;
const borderIterations = 2;

/** Iterations within which borders are the same. */
export function borderTolerance(iterations: number): number {
  return Math.max(borderIterations, borderShare * iterations);
}

/**
 * Members that behave alike (§12). Static ones are put apart where their sorted severities have a gap; ones with intervals have as many of
 * them, and are put apart at gaps between borders, too, and where borders are further apart than twice the tolerance. Depends on the
 * members only, not on their order, and none is lost.
 */
export function clusterMembers<M extends Member>(
  members: readonly M[],
  iterations: number,
  options: ClusterOptions,
): readonly (readonly M[])[] {
  const sorted = [...members].sort(byPlace);
  const byCount = new Map<number, M[]>();
  for (const member of sorted) pushTo(byCount, member.intervals.length, member);
  return [...byCount.values()]
    .flatMap((group) => splitUntilStable(group, iterations, options))
    .map((group) => [...group].sort(byPlace))
    .sort((a, b) => meanOf(b) - meanOf(a) || byPlace(at(a, 0), at(b, 0)));
}

/** Median borders of members, at least one. With different numbers of intervals, of those that overlap. */
export function medianIntervals(members: readonly Member[]): readonly (readonly [number, number])[] {
  const counts = new Set(members.map(({ intervals }) => intervals.length));
  if (counts.size > 1) return mediansOfOverlaps(members.flatMap(({ intervals }) => intervals));
  return at(members, 0).intervals.map((_, index) => [
    median(members.map(({ intervals }) => at(intervals, index)[0])),
    median(members.map(({ intervals }) => at(intervals, index)[1])),
  ]);
}

function mediansOfOverlaps(
  intervals: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const groups: (readonly [number, number])[][] = [];
  let end = -1;
  for (const interval of [...intervals].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    if (interval[0] > end) groups.push([]);
    at(groups, groups.length - 1).push(interval);
    end = Math.max(end, interval[1]);
  }
  return groups.map((group) => [median(group.map(([from]) => from)), median(group.map(([, to]) => to))]);
}

function meanOf(members: readonly Member[]): number {
  return members.reduce((sum, { size }) => sum + size, 0) / members.length;
}

type Coordinate = (member: Member) => number;

function splitUntilStable<M extends Member>(
  members: readonly M[],
  iterations: number,
  options: ClusterOptions,
): readonly (readonly M[])[] {
  const tolerance = borderTolerance(iterations);
  const borders: Coordinate[] = at(members, 0).intervals.flatMap((_, index) => [
    (member: Member) => at(member.intervals, index)[0],
    (member: Member) => at(member.intervals, index)[1],
  ]);
  let groups: readonly (readonly M[])[] = [members];
  for (;;) {
    let next = groups;
    for (const border of borders)
      next = next
        .flatMap((group) => splitAtGaps(group, border, tolerance, Infinity))
        .flatMap((group) => splitWide(group, border, 2 * tolerance));
    next = next.flatMap((group) => {
      const gap = Math.max(options.clusterGapRelative * meanOf(group), options.clusterGapAbsolute);
      return splitAtGaps(group, ({ size }) => size, gap, mostClusters);
    });
    if (next.length === groups.length || borders.length === 0) return next;
    groups = next;
  }
}

/**
 * Apart so that no values of a group are further apart than `widest`: a problem that travels from rank to rank has small gaps everywhere,
 * and the median interval would be that of next to nobody.
 */
function splitWide<M extends Member>(
  members: readonly M[],
  coordinate: Coordinate,
  widest: number,
): readonly (readonly M[])[] {
  const groups: M[][] = [];
  let from = -Infinity;
  for (const member of inOrder(members, coordinate)) {
    const point = coordinate(member);
    if (point - from > widest) {
      groups.push([member]);
      from = point;
    } else at(groups, groups.length - 1).push(member);
  }
  return groups;
}

function inOrder<M extends Member>(members: readonly M[], coordinate: Coordinate): readonly M[] {
  return [...members].sort((a, b) => coordinate(a) - coordinate(b) || byPlace(a, b));
}

/** Apart wherever sorted values are further apart than `gap`; the widest gaps where there are too many. */
function splitAtGaps<M extends Member>(
  members: readonly M[],
  coordinate: Coordinate,
  gap: number,
  most: number,
): readonly (readonly M[])[] {
  const sorted = inOrder(members, coordinate);
  const gaps = sorted.flatMap((member, index) => {
    const before = sorted[index - 1];
    const width = before === undefined ? 0 : coordinate(member) - coordinate(before);
    return width > gap ? [{ from: index, width }] : [];
  });
  const chosen = [...gaps]
    .sort((a, b) => b.width - a.width || a.from - b.from)
    .slice(0, most - 1)
    .map(({ from }) => from)
    .sort((a, b) => a - b);
  return [0, ...chosen].map((from, index) => sorted.slice(from, chosen[index]));
}

function byPlace(a: Member, b: Member): number {
  return a.rank - b.rank || a.thread - b.thread;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return at(sorted, (sorted.length - 1) >> 1);
}
