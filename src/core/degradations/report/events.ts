/** What happens at the same time in several places is one event: the function that takes longer, and those that wait for it. */
import { at } from '../../at';
import { pushTo } from '../../remembered';
import type { PropertyKind } from '../../properties/kinds';
import { borderTolerance } from './clusters';
import type { Pattern } from '../../signal/signal';
import { peakKinds, placeKey, ranksOf, type RowOfMembers } from './makeRows';

/** Part of what two rises have together that both must share. */
const sameRise = 0.75;
/** Part of the peaks of the row with fewer of them that are at the same time as one of the other. */
const samePeaks = 0.5;

/** Consequences: ranks that are compared with the slowest, which has a name, and those that wait, which do not know for whom. */
const consequences: readonly PropertyKind[] = ['imbalance', 'synchronisation', 'communication'];

/**
 * For each row the one that its event begins with, which may be itself; undefined for static rows. First is what the others wait for: the costliest that is neither waiting nor
 * an imbalance; else an imbalance, which names the late ranks.
 */
function eventsOf(rows: readonly RowOfMembers[], iterations: number): readonly (number | undefined)[] {
  const order = rows
    .map((_, i) => i)
    .filter((i) => !at(rows, i).static && at(rows, i).row.excess !== undefined)
    .sort((a, b) => consequenceOf(at(rows, a)) - consequenceOf(at(rows, b)) || a - b);
  const firsts: (number | undefined)[] = rows.map(() => undefined);
  const begun: number[] = [];
  const moving = rows.map((_, i) => i).filter((i) => isMoving(at(rows, i)));
  for (const i of order) {
    const own = at(rows, i);
    // A rank that is slow for a while has a peak, or a step.
    const mover = moving.find((one) => isSamePlace(at(rows, one), own));
    if (mover !== undefined) {
      firsts[i] = mover;
      continue;
    }
    const first = begun.find((one) => {
      const other = at(rows, one);
      if (other.moments !== undefined && own.moments !== undefined) return other.moments === own.moments;
      const periods = [other, own].map(({ members }) => at(members, 0).found.period);
      // Regular peaks are at the same time as others now and then.
      if (sortOf(own.row) === 'peaks' && periods[0] !== periods[1]) return false;
      return isSameTime(other.row, own.row, iterations) || isImbalanceOf(other, own);
    });
    firsts[i] = first ?? i;
    if (first === undefined) begun.push(i);
  }
  return firsts;
}

/** Rows in their order, each part of an event behind the row that it begins with, which it names. */
export function inEvents(rows: readonly RowOfMembers[], iterations: number): readonly RowOfMembers[] {
  const firsts = eventsOf(rows, iterations);
  const parts = new Map<number, RowOfMembers[]>();
  rows.forEach((row, i) => {
    const first = firsts[i];
    if (first !== undefined && isPart(firsts, i)) pushTo(parts, first, { ...row, event: at(rows, first) });
  });
  return rows.flatMap((row, i) => (isPart(firsts, i) ? [] : [row, ...(parts.get(i) ?? [])]));
}

/** Rows in events, with others that are parts of them behind the last of their parts. */
export function withParts(
  rows: readonly RowOfMembers[],
  parts: readonly RowOfMembers[],
): readonly RowOfMembers[] {
  return rows.flatMap((row, i) => {
    const first = row.event ?? row;
    const next = rows[i + 1];
    return next?.event === first ? [row] : [row, ...parts.filter(({ event }) => event === first)];
  });
}

function isPart(firsts: readonly (number | undefined)[], i: number): boolean {
  return firsts[i] !== undefined && firsts[i] !== i;
}

/** 0: others wait for it; 1: an imbalance; 2: waiting. */
export function consequenceOf({ members }: RowOfMembers): 0 | 1 | 2 {
  const place = consequences.indexOf(at(members, 0).found.rule.kind);
  return place < 0 ? 0 : place === 0 ? 1 : 2;
}

/** An imbalance that moves. */
export function isMoving({ static: isStatic, members }: RowOfMembers): boolean {
  return isStatic && at(members, 0).found.movesEach !== undefined;
}

/** Part of what an imbalance costs in the iterations of an event of which it is a part. */
const mostCost = 0.75;

/** Of the slowest rank, which is the one of two noisy ranks now and then, a rise shows later. */
function isImbalanceOf(first: RowOfMembers, { row, members }: RowOfMembers): boolean {
  if (at(members, 0).found.rule.kind !== 'imbalance' || sortOf(row) !== sortOf(first.row)) return false;
  const ranks = new Set(first.members.map(({ rank }) => rank));
  const slow = members.flatMap(ranksOf);
  const isInFirst = (one: readonly [number, number]): boolean =>
    first.row.iterations.some((other) => isOverlap(one, other));
  const patterns = members.flatMap(({ finding }) => finding?.patterns ?? []);
  const late = patterns.filter(({ from, to }) => isInFirst([from + 1, to + 1]));
  const isLate = row.iterations.every(isInFirst) || costOfAll(late) >= mostCost * costOfAll(patterns);
  return (
    isSamePlace(first, { row }) && isLate && 2 * slow.filter((rank) => ranks.has(rank)).length > slow.length
  );
}

function costOfAll(patterns: readonly Pattern[]): number {
  return patterns.reduce((sum, { excess, aftermath }) => sum + excess + aftermath, 0);
}

export function isSamePlace(
  { row: a }: Pick<RowOfMembers, 'row'>,
  { row: b }: Pick<RowOfMembers, 'row'>,
): boolean {
  return placeKey({ ...a, metric: '' }) === placeKey({ ...b, metric: '' });
}

type Row = Pick<RowOfMembers['row'], 'kind' | 'iterations'>;

function isSameTime(a: Row, b: Row, iterations: number): boolean {
  if (sortOf(a) !== sortOf(b)) return false;
  const [few, many] = a.iterations.length <= b.iterations.length ? [a, b] : [b, a];
  if (sortOf(a) === 'peaks') {
    const common = few.iterations.filter((one) => many.iterations.some((other) => isOverlap(one, other)));
    return common.length >= samePeaks * many.iterations.length;
  }
  if (few.iterations.length !== many.iterations.length) return false;
  const tolerance = 2 * borderTolerance(iterations);
  return few.iterations.every(([from, to], i) => {
    const [otherFrom, otherTo] = at(many.iterations, i);
    if (Math.abs(from - otherFrom) <= tolerance && Math.abs(to - otherTo) <= tolerance) return true;
    const common = Math.min(to, otherTo) - Math.max(from, otherFrom) + 1;
    return common >= sameRise * (Math.max(to, otherTo) - Math.min(from, otherFrom) + 1);
  });
}

export function isOverlap(a: readonly [number, number], b: readonly [number, number]): boolean {
  return a[0] <= b[1] + 1 && b[0] <= a[1] + 1;
}

/** Kinds that may be one event. */
function sortOf({ kind }: Row): 'peaks' | 'rises' | PropertyKind {
  if (peakKinds.has(kind)) return 'peaks';
  return kind.startsWith('degradation') ? 'rises' : kind;
}
