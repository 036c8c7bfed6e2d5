import { at } from '../../at';
import { pushTo } from '../../remembered';
import type { SeriesContext } from '../../series/series';
import { rankSet } from '../../properties/rankSet';
import { consequenceOf } from './events';
import { lowerFirst, peakKinds, ranksOf, type RowOfMembers } from './makeRows';
import { quantityOf } from '../../rules/rule';

/** Largest share of ranks that may be late; when more ranks lack the peaks, the peaks have another reason. */
const fewLate = 0.25;
/** A rank below this share of the height of the others' peaks has no peaks. */
const noPeak = 0.25;
const fewestRanks = 3;

/** The stored impact of the same problem on another rank; undefined where that rank never executed it. */
export type ImpactOn = (
  rule: string,
  context: SeriesContext,
) => { readonly values: Float64Array; readonly valueLength: number; readonly series?: number } | undefined;

/**
 * Ranks that do not have the peaks that (nearly) all others have in communication or synchronisation: the others wait for them (§16.4, where
 * one rank of 32 is so, and easily missed in a picture). A part of the event of these peaks, one at most: what the event begins with names the ranks that are late, unless it is waiting
 * itself; and a rank that has peaks in any of its waiting is not late.
 * @param rows in events
 */
export function findLateRanks(
  rows: readonly RowOfMembers[],
  ranks: readonly number[],
  impactOn: ImpactOn,
): readonly RowOfMembers[] {
  const events = new Map<RowOfMembers, RowOfMembers[]>();
  for (const row of rows)
    if (isWaiting(row) && peakKinds.has(row.row.kind)) pushTo(events, row.event ?? row, row);
  return [...events].flatMap(([first, waiting]) => {
    const waits = new Set(waiting.flatMap(({ members }) => members.map(({ rank }) => rank)));
    const named = isWaiting(first) ? ranks : first.members.flatMap(ranksOf);
    const possible = named.filter((rank) => !waits.has(rank));
    for (const row of waiting) {
      const late = lateOf(row, ranks, possible, impactOn);
      if (late !== undefined) return [{ ...late, event: first }];
    }
    return [];
  });
}

/** @param possible ranks that may be late */
function lateOf(
  rowOfMembers: RowOfMembers,
  ranks: readonly number[],
  possible: readonly number[],
  impactOn: ImpactOn,
): RowOfMembers | undefined {
  const { row, members } = rowOfMembers;
  const { rule, context } = at(members, 0).found;
  if (ranks.length < fewestRanks) return undefined;
  const ranksWithPeak = new Set(members.map(({ rank }) => rank));
  const without = ranks.filter((rank) => !ranksWithPeak.has(rank));
  if (without.length > fewLate * ranks.length) return undefined;
  const liftOf = (place: SeriesContext): number => lift(impactOn(rule.id, place), row.iterations);
  const heights = members.map(({ found }) => liftOf(found.context)).sort((a, b) => a - b);
  const height = at(heights, heights.length >> 1);
  const late = without.filter(
    (rank) => possible.includes(rank) && liftOf({ ...context, rank }) <= noPeak * height,
  );
  if (height <= 0 || late.length === 0) return undefined;
  const series = late.flatMap((rank) => impactOn(rule.id, { ...context, rank })?.series ?? []);
  return {
    ...rowOfMembers,
    row: {
      ...row,
      kind: 'late-rank' as const,
      title: `Late rank: lacks the peaks in ${lowerFirst(quantityOf(rule))}`,
      ranks: rankSet(late),
      confidence: row.confidence * (ranksWithPeak.size / ranks.length),
      rule: 'late-rank',
      series,
    },
    quantities: { ranksWithPeaks: ranksWithPeak.size, ranksWithout: without.length, peakHeight: height },
  };
}

/** Ranks whose time in these intervals is above its mean outside by at least half of what that of the slowest is; in order. */
export function slowRanks(
  context: SeriesContext,
  interval: readonly [number, number],
  ranks: readonly number[],
  impactOn: ImpactOn,
): readonly number[] {
  const lifts = ranks.map((rank) => lift(impactOn('hot-spot', { ...context, rank }), [interval]));
  const largest = lifts.reduce((most, own) => Math.max(most, own), 0);
  return ranks.filter((_, i) => largest > 0 && 2 * at(lifts, i) >= largest);
}

function isWaiting(row: RowOfMembers): boolean {
  return consequenceOf(row) === 2;
}

/** Mean inside of the intervals minus mean outside. */
function lift(impact: ReturnType<ImpactOn>, iterations: readonly (readonly [number, number])[]): number {
  if (impact === undefined) return 0;
  const { values, valueLength } = impact;
  const inside = { sum: 0, count: 0 };
  const outside = { sum: 0, count: 0 };
  values.forEach((value, index) => {
    const first = index * valueLength + 1;
    const isInside = iterations.some(([from, to]) => from < first + valueLength && first <= to);
    const side = isInside ? inside : outside;
    side.sum += value;
    side.count++;
  });
  return inside.sum / Math.max(1, inside.count) - outside.sum / Math.max(1, outside.count);
}
