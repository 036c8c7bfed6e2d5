/** Peaks without a period, by what happens at the same time: each moment is in the event of what is late then. */
import { at } from '../../at';
import { pushTo } from '../../remembered';
import type { DynamicsOptions } from '../model/options';
import type { ReportRow } from '../model/result';
import type { Pattern } from '../../signal/signal';
import { shareOf } from '../../rules/share';
import { consequenceOf, isMoving, isOverlap, isSamePlace } from './events';
import {
  byImportance,
  isWorthARow,
  rowOf,
  withPatterns,
  type RowMember,
  type RowOfMembers,
} from './makeRows';
import { mostMoments } from './peakClusters';

type Interval = ReportRow['iterations'][number];

/** Peaks of one row in one of its intervals. */
interface Moment {
  readonly interval: Interval;
  readonly peaks: ReadonlyMap<RowMember, readonly Pattern[]>;
  /** Share of the phase time, mean of the row's members. */
  readonly cost: number;
}

interface MomentsOfRow {
  readonly row: RowOfMembers;
  readonly moments: readonly Moment[];
}

/** Ranks that are slow in an interval of an imbalance. */
export type SlowIn = (row: RowOfMembers, interval: Interval) => readonly number[];

/**
 * Rows of which each is a part of one event at most: one with peaks at several moments becomes several where others are late at them. What costs too little for a row of its own stays
 * with the costliest of them, so that nothing is lost and costs add up.
 */
export function splitByEvents(
  all: readonly RowOfMembers[],
  iterations: number,
  options: DynamicsOptions,
  slowIn: SlowIn,
): readonly RowOfMembers[] {
  const rows = all.filter((row) => !isImbalanceOfSeveral(row, all));
  const moving = rows.filter(isMoving);
  const isWhole = (own: RowOfMembers): boolean =>
    !hasIrregularPeaks(own) || moving.some((one) => isSamePlace(one, own));
  const pieces = rows
    .filter((own) => !isWhole(own))
    .flatMap((own) => byLateRanks(own, iterations, options, slowIn));
  const moments = pieces.map((row): MomentsOfRow => ({ row, moments: momentsOf(row) }));
  const events = eventsOf(moments, options);
  const split = moments.flatMap((own) =>
    splitBy(own, (moment) => events.get(moment), iterations, options).map(({ row, key }): RowOfMembers =>
      key === undefined ? row : { ...row, moments: key },
    ),
  );
  return [...rows.filter(isWhole), ...split].sort(byImportance);
}

/** Part of the moments of an imbalance that are those of periodic work. */
const mostMomentsOfWork = 0.9;

/**
 * Peaks of an imbalance at the moments of several kinds of periodic work in the same place, each on other ranks: the rows of that work have its ranks and what it costs, and this one, which is a
 * part of none of them, has nothing else.
 */
function isImbalanceOfSeveral(row: RowOfMembers, all: readonly RowOfMembers[]): boolean {
  if (consequenceOf(row) !== 1 || !hasPeaks(row)) return false;
  const moments = row.row.iterations;
  const areMost = (own: readonly Interval[]): boolean => own.length >= mostMomentsOfWork * moments.length;
  const works = all.filter((other) => other !== row && isSamePlace(other, row) && consequenceOf(other) === 0);
  const during = works.map((work) => moments.filter((moment) => isDuring(moment, work)));
  return areMost([...new Set(during.flat())]) && !during.some(areMost);
}

/** Whether periodic work is due then: only some of its peaks are stored. */
function isDuring([from, to]: Interval, { row: { periodic, iterations } }: RowOfMembers): boolean {
  if (periodic === undefined) return false;
  const { period, jitter } = periodic;
  const [first] = at(iterations, 0);
  const due = first + Math.round((from - first) / period) * period;
  return due >= from - 1 - jitter && due <= to + 1 + jitter;
}

function hasPeaks({ static: isStatic, members }: RowOfMembers): boolean {
  return !isStatic && members.some(({ finding }) => finding?.patterns[0]?.type === 'peak');
}

function hasIrregularPeaks({ row: { kind }, members, static: isStatic }: RowOfMembers): boolean {
  const arePeaks = kind === 'degradation-peak' || kind === 'degradation-peaks';
  return !isStatic && arePeaks && members.some(({ finding }) => (finding?.patterns.length ?? 0) > 0);
}

/** Of an imbalance one row for each set of ranks that is late, unless there are too many of them. */
function byLateRanks(
  row: RowOfMembers,
  iterations: number,
  options: DynamicsOptions,
  slowIn: SlowIn,
): readonly RowOfMembers[] {
  if (consequenceOf(row) !== 1) return [row];
  const sets = new Map<string, readonly number[]>();
  const moments = momentsOf(row);
  const keys = new Map<Moment, string>();
  for (const moment of moments) {
    if (!isWorthARow(moment.cost, options)) continue;
    const slow = slowIn(row, moment.interval);
    if (slow.length === 0) continue;
    const key = slow.join();
    sets.set(key, slow);
    keys.set(moment, key);
  }
  if (sets.size > mostMoments) return [row];
  return splitBy({ row, moments }, (moment) => keys.get(moment), iterations, options).map((own) => {
    const lateRanks = own.key === undefined ? undefined : sets.get(own.key);
    if (lateRanks === undefined) return own.row;
    const members = own.row.members.map((member) => ({ ...member, lateRanks }));
    return rowOf({ members }, iterations, options);
  });
}

/** Of each moment that costs enough, the event: the number of the row that is the costliest of those that nothing else explains at this time. */
function eventsOf(all: readonly MomentsOfRow[], options: DynamicsOptions): ReadonlyMap<Moment, number> {
  const events = new Map<Moment, number>();
  const begun: { readonly interval: Interval; readonly event: number }[] = [];
  const ordered = all
    .flatMap(({ row, moments }, event) => {
      const consequence = consequenceOf(row);
      return moments.map((moment) => ({ moment, event, consequence }));
    })
    .filter(({ moment }) => isWorthARow(moment.cost, options))
    .sort((a, b) => a.consequence - b.consequence || b.moment.cost - a.moment.cost);
  for (const { moment, event } of ordered) {
    const first = begun.find(({ interval }) => isSameMoment(interval, moment.interval));
    events.set(moment, first?.event ?? event);
    if (first === undefined) begun.push({ interval: moment.interval, event });
  }
  return events;
}

/** At the same time, and of similar length: what lasts much longer is something else. */
function isSameMoment(a: Interval, b: Interval): boolean {
  const [shorter = 0, longer = 0] = [a, b].map(([from, to]) => to - from + 1).sort((x, y) => x - y);
  return isOverlap(a, b) && longer <= 2 * shorter + 1;
}

/** Peaks of all members, each in the interval of the row that is the nearest. */
function momentsOf({ row, members }: RowOfMembers): readonly Moment[] {
  const peaks = row.iterations.map(() => new Map<RowMember, Pattern[]>());
  const costs = row.iterations.map(() => 0);
  for (const member of members)
    for (const pattern of member.finding?.patterns ?? []) {
      const nearest = nearestOf(row.iterations, pattern);
      pushTo(at(peaks, nearest), member, pattern);
      costs[nearest] = at(costs, nearest) + shareOf(pattern.excess, member.found.phaseTime) / members.length;
    }
  return row.iterations.map((interval, i) => ({ interval, peaks: at(peaks, i), cost: at(costs, i) }));
}

function nearestOf(intervals: readonly Interval[], { from, to }: Pattern): number {
  const distances = intervals.map(([first, last]) => Math.abs(first - 1 - from) + Math.abs(last - 1 - to));
  return distances.indexOf(Math.min(...distances));
}

/** The row in parts of one key each; moments without one are in the costliest. */
function splitBy<K>(
  { row, moments }: MomentsOfRow,
  keyOf: (moment: Moment) => K | undefined,
  iterations: number,
  options: DynamicsOptions,
): readonly { readonly row: RowOfMembers; readonly key: K | undefined }[] {
  const parts = new Map<K, Moment[]>();
  for (const moment of moments) {
    const key = keyOf(moment);
    if (key !== undefined) pushTo(parts, key, moment);
  }
  const byCost = [...parts].sort(([, a], [, b]) => costOf(b) - costOf(a));
  const [first] = byCost;
  if (first === undefined || byCost.length === 1) return [{ row, key: first?.[0] }];
  first[1].push(...moments.filter((moment) => keyOf(moment) === undefined));
  // Peaks that were only counted are in one part of their member: the costliest that it has peaks in.
  const withOthers = new Set<RowMember>();
  return byCost.map(([key, own]) => {
    const members = row.members.flatMap((member) => {
      const peaks = own.flatMap((moment) => moment.peaks.get(member) ?? []).sort((a, b) => a.from - b.from);
      if (peaks.length === 0) return [];
      const isFirst = !withOthers.has(member);
      withOthers.add(member);
      const { lateRanks } = member;
      return [{ ...withPatterns(member, peaks, isFirst), ...(lateRanks && { lateRanks }) }];
    });
    return { row: rowOf({ members }, iterations, options), key };
  });
}

function costOf(moments: readonly Moment[]): number {
  return moments.reduce((sum, { cost }) => sum + cost, 0);
}
