/** Peaks of many ranks, by when they are: what happens on several ranks at the same time is one thing, however many peaks each of them has. */
import { at } from '../../at';
import { pushTo } from '../../remembered';
import type { Pattern } from '../../signal/signal';

/** What has peaks on a rank. */
export interface PeakMember {
  readonly rank: number;
  readonly thread: number;
  readonly peaks: readonly Pattern[];
  /** Iterations between them. */
  readonly period?: number;
}

export interface PeakCluster<M, P> {
  /** What repeats; undefined: nothing. */
  readonly periodic: P | undefined;
  readonly members: readonly { readonly member: M; readonly peaks: readonly Pattern[] }[];
}

/** Periods that differ by so much are the same, relative, and in iterations: that of peaks that come a bit early or late is a mean. */
const samePeriod = 0.02;
const leastPeriods = 0.5;
/** Part of the ranks of two moments that they must have in common to be told together. */
const sameRanks = 2 / 3;
/** Moments that are told one by one at most; the others of the same place together. */
export const mostMoments = 8;

interface Moment<M> {
  from: number;
  to: number;
  readonly peaks: Map<M, Pattern[]>;
}

/**
 * Each peak of each member is in exactly one cluster.
 * @param periodicOf what repeats in members of one period; where nothing does, their moments are looked at instead
 */
export function clusterPeaks<M extends PeakMember, P>(
  members: readonly M[],
  periodicOf: (members: readonly M[]) => P | undefined,
): readonly PeakCluster<M, P>[] {
  const groups = byPeriod(members.filter(({ period }) => period !== undefined));
  const regular = groups.flatMap((group) => {
    const periodic = periodicOf(group);
    return periodic === undefined ? [] : [{ group, periodic }];
  });
  const periodicMembers = new Set(regular.flatMap(({ group }) => group));
  return [
    ...regular.map(({ group, periodic }) => ({
      periodic,
      members: group.map((member) => ({ member, peaks: member.peaks })),
    })),
    ...byMoment(members.filter((member) => !periodicMembers.has(member))).map((own) => ({
      periodic: undefined,
      members: own,
    })),
  ];
}

function byPeriod<M extends PeakMember>(members: readonly M[]): readonly (readonly M[])[] {
  const sorted = [...members].sort((a, b) => (a.period ?? 0) - (b.period ?? 0));
  const groups: M[][] = [];
  let least = 0;
  for (const member of sorted) {
    const { period = 0 } = member;
    const last = groups.at(-1);
    if (last !== undefined && period - least <= Math.max(leastPeriods, samePeriod * least)) last.push(member);
    else {
      groups.push([member]);
      least = period;
    }
  }
  return groups;
}

function byMoment<M extends PeakMember>(members: readonly M[]): readonly PeakCluster<M, never>['members'][] {
  const groups: Map<M, Pattern[]>[] = [];
  const moments = momentsOf(members);
  for (const { peaks } of [...moments].sort((a, b) => costOf(b.peaks) - costOf(a.peaks))) {
    const alike =
      groups.find((group) => areAlike(group, peaks)) ??
      (groups.length >= mostMoments ? at(groups, mostMoments - 1) : undefined);
    if (alike === undefined) groups.push(new Map(peaks));
    else for (const [member, own] of peaks) for (const peak of own) pushTo(alike, member, peak);
  }
  return groups.map((group) =>
    [...group].map(([member, peaks]) => ({ member, peaks: peaks.sort((a, b) => a.from - b.from) })),
  );
}

/** Peaks that overlap, or follow each other at once. */
function momentsOf<M extends PeakMember>(members: readonly M[]): readonly Moment<M>[] {
  const all = members
    .flatMap((member) => member.peaks.map((peak) => ({ member, peak })))
    .sort((a, b) => a.peak.from - b.peak.from || a.peak.to - b.peak.to);
  const moments: Moment<M>[] = [];
  for (const { member, peak } of all) {
    const last = moments.at(-1);
    // Not one after the other without end: where these peaks are is told.
    const isSame =
      last !== undefined && peak.from <= last.to && peak.to - last.from <= 2 * (last.to - last.from) + 2;
    if (last === undefined || !isSame) {
      moments.push({ from: peak.from, to: peak.to, peaks: new Map([[member, [peak]]]) });
      continue;
    }
    last.to = Math.max(last.to, peak.to);
    pushTo(last.peaks, member, peak);
  }
  return moments;
}

function costOf<M>(peaks: ReadonlyMap<M, readonly Pattern[]>): number {
  let sum = 0;
  for (const own of peaks.values()) for (const { excess } of own) sum += excess;
  return sum;
}

function areAlike<M>(a: ReadonlyMap<M, unknown>, b: ReadonlyMap<M, unknown>): boolean {
  let common = 0;
  for (const member of b.keys()) if (a.has(member)) common++;
  return common >= sameRanks * (a.size + b.size - common);
}
