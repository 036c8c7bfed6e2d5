import { at } from '../../at';
import { pushTo } from '../../remembered';
import { present } from '../../present';
import { seriesRegionKey, type SeriesContext, type SeriesRegion } from '../../series/series';
import { kindRecord, type PropertyKind } from '../../properties/kinds';
import { rankSet } from '../../properties/rankSet';
import { clusterMembers, medianIntervals, type Member } from './clusters';
import { clusterPeaks } from './peakClusters';
import { periodicOf } from './periodic';
import { chanceOfCount } from './shared';
import { lengthOf } from '../bursts/extent';
import type { AllIterations } from '../../properties/property';
import type { DynamicsOptions } from '../model/options';
import type { Periodic, ReportRow } from '../model/result';
import { quantityOf, type StaticRuleDefinition } from '../../rules/rule';
import { shareOf } from '../../rules/share';
import type { Pattern } from '../../signal/signal';
import type { DynamicFinding } from './tryDynamics';

/** A static property in one place, and its dynamics. */
export interface Found {
  readonly rule: StaticRuleDefinition;
  readonly context: SeriesContext;
  /** The late ranks of an imbalance. */
  readonly ranks?: readonly number[];
  /** Undefined for series that are analysed without a static property. */
  readonly severity: number | undefined;
  readonly confidence: number;
  readonly phaseTime: number;
  /** Most that a degradation may cost: the time of the place itself. */
  readonly mostCost: number;
  readonly dynamics: readonly DynamicFinding[];
  /** Position among the analysed series; of the noise of the machine there is none. */
  readonly series?: number;
  /** Iterations between peaks. */
  readonly period?: number;
  /** What repeats costs more and more, which is a degradation. */
  readonly peaksGrow?: true;
  /** Of an imbalance whose slow rank changes: iterations until another one is slow. */
  readonly movesEach?: number;
}

/** A row, and the members that it stands for. */
export interface RowOfMembers {
  readonly row: Omit<ReportRow, 'property'>;
  readonly members: readonly RowMember[];
  readonly static: boolean;
  /** Of a part of an event, the row that it begins with. */
  readonly event?: RowOfMembers;
  /** Of peaks without a period, their event: the same for all rows of one. */
  readonly moments?: number;
  /** Quantities of the rule, for the first member. */
  readonly quantities: Readonly<Record<string, number>>;
}

export interface RowMember extends Member {
  readonly found: Found;
  /** The late ranks of an imbalance in these intervals, where they are others than in the whole run. */
  readonly lateRanks?: readonly number[];
  readonly finding: DynamicFinding | undefined;
  readonly severity: number;
  /** Shares of the phase time: in the intervals above the level before, and after them. */
  readonly excess: number;
  readonly aftermath: number;
  readonly confidence: number;
}

/** Static and dynamic rows of all findings, ordered by cost (§12; the time of a whole interval is less informative, §10.1). */
export function makeRows(
  problems: readonly Found[],
  iterations: number,
  options: DynamicsOptions,
): readonly RowOfMembers[] {
  const ranks = new Map<string, number>();
  for (const { rule, context } of problems) {
    const place = JSON.stringify([rule.id, placeKey(context)]);
    ranks.set(place, (ranks.get(place) ?? 0) + 1);
  }
  const groups = new Map<string, RowMember[]>();
  const add = (key: readonly string[], member: RowMember): void => {
    pushTo(groups, JSON.stringify(key), member);
  };
  for (const problem of problems) {
    const place = [problem.rule.id, placeKey(problem.context)];
    if (problem.severity !== undefined) add(place, memberOf(problem, undefined));
    for (const finding of problem.dynamics)
      add([...place, finding.rule.definition.id], memberOf(problem, finding));
  }
  return [...groups.values()]
    .flatMap((members) => {
      const { rule, context } = at(members, 0).found;
      const all = ranks.get(JSON.stringify([rule.id, placeKey(context)])) ?? 1;
      const certain = withoutChance(members, all, options);
      return clustersOf(certain, iterations, options)
        .filter((cluster) => areWorthARow(cluster.members, options))
        .map((cluster) => rowOf(cluster, iterations, options));
    })
    .sort(byImportance);
}

interface Cluster {
  readonly members: readonly RowMember[];
  readonly periodic?: Periodic;
}

function clustersOf(
  members: readonly RowMember[],
  iterations: number,
  options: DynamicsOptions,
): readonly Cluster[] {
  if (members.length === 0) return [];
  if (at(members, 0).finding?.patterns[0]?.type !== 'peak')
    return clusterMembers(members, iterations, options).map((cluster) => ({
      members: cluster,
      ...present({ periodic: periodicPeaks(cluster) }),
    }));
  const peaks = members.map((member) => ({
    ...{ member, rank: member.rank, thread: member.thread, peaks: member.finding?.patterns ?? [] },
    // Peaks that grow on some ranks are no periodic work there, and do not hide that of the others.
    ...present({ period: member.found.peaksGrow === true ? undefined : member.found.period }),
  }));
  const clusters = clusterPeaks(peaks, (group) => periodicPeaks(group.map(({ member }) => member)));
  // Peaks that were only counted are in one row of their rank: the one with most of its time.
  const most = new Map<RowMember, readonly Pattern[]>();
  for (const { member, peaks: own } of clusters.flatMap((cluster) => cluster.members)) {
    const before = most.get(member.member);
    if (before === undefined || timeOf(own) > timeOf(before)) most.set(member.member, own);
  }
  return clusters.map((cluster) => ({
    members: cluster.members
      .map((own) => withPatterns(own.member.member, own.peaks, most.get(own.member.member) === own.peaks))
      .sort((a, b) => a.rank - b.rank || a.thread - b.thread),
    ...present({ periodic: cluster.periodic }),
  }));
}

function timeOf(all: readonly Pick<Pattern, 'sum'>[]): number {
  return all.reduce((time, { sum }) => time + sum, 0);
}

/**
 * The member with some of its patterns only, and their parts of its figures: those of all parts add up to those of the member.
 * @param withOthers also with those that were only counted
 */
export function withPatterns(
  member: RowMember,
  patterns: readonly Pattern[],
  withOthers: boolean,
): RowMember {
  const { finding, found } = member;
  if (finding === undefined || patterns.length === finding.patterns.length) return member;
  const others = withOthers ? finding.others : [];
  const partOf = (figure: 'sum' | 'excess' | 'aftermath'): number => {
    const sum = (list: readonly Readonly<Record<typeof figure, number>>[]): number =>
      list.reduce((before, own) => before + own[figure], 0);
    const all = sum([...finding.patterns, ...finding.others]);
    return all === 0 ? 0 : sum([...patterns, ...others]) / all;
  };
  const severity = finding.severity === undefined ? undefined : finding.severity * partOf('sum');
  const excess = member.excess * partOf('excess');
  const aftermath = member.aftermath * partOf('aftermath');
  return {
    ...memberOf(found, { ...finding, patterns, others, severity }),
    ...{ size: Math.max(excess, aftermath), excess, aftermath },
  };
}

/** Peaks cost enough with others on their rank, but may not alone. */
function areWorthARow(cluster: readonly RowMember[], options: DynamicsOptions): boolean {
  if (!cluster.some(({ finding }) => finding?.patterns[0]?.type === 'peak')) return true;
  const cost = cluster.reduce((sum, { excess, aftermath }) => sum + excess + aftermath, 0);
  return isWorthARow(cost / cluster.length, options);
}

/**
 * The members without the patterns that one of all ranks shows by chance, and those that have others. Rises that ranks have in common have the chance of all of them together; peaks at the same time
 * are on more ranks than by chance.
 * @param ranks on which the same was analysed
 */
function withoutChance(
  members: readonly RowMember[],
  ranks: number,
  { falseAlarm }: DynamicsOptions,
): readonly RowMember[] {
  const peaks = members.flatMap(
    ({ finding }) =>
      finding?.patterns.filter(({ type, chance }) => type === 'peak' && chance !== undefined) ?? [],
  );
  const isCertain = (pattern: Pattern): boolean => {
    const { type, chance = 0 } = pattern;
    if (chance <= falseAlarm / ranks) return true;
    const alike = type === 'peak' ? peaks.filter((peak) => areAtOnce(peak, pattern)).length : 1;
    return alike > 1 && chanceOfCount(alike, ranks * falseAlarm) <= falseAlarm;
  };
  return members.flatMap((member) => {
    const patterns = member.finding?.patterns ?? [];
    const certain = patterns.filter(isCertain);
    return patterns.length > 0 && certain.length === 0 ? [] : [withPatterns(member, certain, true)];
  });
}

/** At the same time, and of similar length. */
function areAtOnce(a: Pattern, b: Pattern): boolean {
  const common = Math.min(a.to, b.to) - Math.max(a.from, b.from) + 1;
  return 2 * common >= Math.max(lengthOf(a), lengthOf(b));
}

/** Of the threshold of time, as in the rule of single peaks. */
const leastCost = 1 / 4;

/** Whether peaks cost enough for a row of their own. @param cost share of the phase time, mean of the ranks */
export function isWorthARow(cost: number, { thresholdTime }: DynamicsOptions): boolean {
  return cost >= leastCost * thresholdTime;
}

/** The same for rows about the same metric of the same region or call path. */
export function placeKey({
  region,
  callPath,
  metric,
}: Pick<SeriesContext, 'region' | 'callPath' | 'metric'>): string {
  return JSON.stringify([metric, seriesRegionKey(region), (callPath ?? []).map(seriesRegionKey)]);
}

function memberOf(problem: Found, finding: DynamicFinding | undefined): RowMember {
  const patterns = finding?.patterns ?? [];
  const { phaseTime, mostCost } = problem;
  const share = (figure: 'excess' | 'aftermath'): number =>
    shareOf(
      [...patterns, ...(finding?.others ?? [])].reduce((sum, pattern) => sum + pattern[figure], 0),
      phaseTime,
    );
  const severity = (finding === undefined ? problem.severity : finding.severity) ?? 0;
  const improves = patterns.some(({ improvement }) => improvement === true);
  const most = improves ? Infinity : shareOf(mostCost, phaseTime);
  const excess = Math.min(share('excess'), most);
  const aftermath = Math.min(share('aftermath'), most - excess);
  return {
    rank: problem.context.rank,
    thread: problem.context.thread,
    // The cost of a degradation is comparable between ranks; the time in its interval may differ for other reasons. All that a step costs comes after it.
    size: patterns.length > 0 ? Math.max(excess, aftermath) : severity,
    severity,
    intervals: patterns.map(({ from, to }) => [from, to] as const),
    found: problem,
    finding,
    excess,
    aftermath,
    confidence: finding?.confidence ?? problem.confidence,
  };
}

export function rowOf(
  { members, periodic }: Cluster,
  iterations: number,
  options: DynamicsOptions,
): RowOfMembers {
  const { found, finding } = at(members, 0);
  const intervals = medianIntervals(members).map(([from, to]) => [from + 1, to + 1] as const);
  const kind = finding === undefined ? found.rule.kind : kindOf(finding, members, periodic);
  const mean = (value: (member: RowMember) => number): number =>
    members.reduce((sum, member) => sum + value(member), 0) / members.length;
  const { region, callPath, metric } = found.context;
  const severity = mean((member) => member.severity);
  const hasPatterns = finding !== undefined && finding.patterns.length > 0;
  const cost = mean(({ excess, aftermath }) => excess + aftermath);
  return {
    row: {
      kind,
      title: titleOf(found, finding, kind),
      region,
      ...present({ callPath }),
      metric,
      ranks: rankSet(members.flatMap(ranksOf)),
      iterations: intervals.length > 0 ? intervals : [[1, iterations]],
      ...present({ all: allOf(members) }),
      ...(finding !== undefined && finding.severity === undefined ? {} : { severity }),
      ...(hasPatterns ? { excess: cost, ...certaintyOf(members), ...present({ periodic }) } : {}),
      confidence: mean(({ confidence }) => confidence),
      belowThreshold: finding !== undefined && (hasPatterns ? cost : severity) < options.reportThreshold,
      rule: ruleOf(found, finding),
      series: members.flatMap(({ found: problem }) => problem.series ?? []),
    },
    members,
    static: finding === undefined,
    quantities: finding?.quantities ?? {},
  };
}

/** The rank of a member; of an imbalance the late ones. */
export function ranksOf({ rank, lateRanks, found }: RowMember): readonly number[] {
  return lateRanks ?? found.ranks ?? [rank];
}

/** Where more was found than is listed; of several ranks the numbers of the one with most. */
function allOf(members: readonly RowMember[]): AllIterations | undefined {
  const sums = members.flatMap(({ finding }) => {
    if (finding?.others.some(({ count }) => count > 0) !== true) return [];
    const { patterns, others } = finding;
    return {
      count: others.reduce((sum, { count }) => sum + count, patterns.length),
      iterations: others.reduce(
        (sum, own) => sum + own.iterations,
        patterns.reduce((sum, own) => sum + lengthOf(own), 0),
      ),
      first: Math.min(...[...others.map((own) => own.first), ...patterns.map(({ from }) => from)]),
      last: Math.max(...[...others.map((own) => own.last), ...patterns.map(({ to }) => to)]),
    };
  });
  if (sums.length === 0) return undefined;
  const most = (of: (one: (typeof sums)[number]) => number): number => Math.max(...sums.map(of));
  return {
    count: most(({ count }) => count),
    iterations: most((one) => one.iterations),
    range: [1 - most(({ first }) => -first), 1 + most(({ last }) => last)],
  };
}

/** How sure a change is, and how well its cost and its begin are known, where that is known. */
function certaintyOf(
  members: readonly RowMember[],
): Pick<RowOfMembers['row'], 'chance' | 'excessDeviation' | 'onset'> {
  const patterns = members.flatMap(({ finding }) => finding?.patterns ?? []);
  const chances = patterns.flatMap(({ chance }) => chance ?? []);
  const deviations = members.flatMap(({ finding, found }) => {
    const [own, ...others] = finding?.patterns ?? [];
    const isKnown = own?.costDeviation !== undefined && others.length === 0;
    return isKnown ? shareOf(own.costDeviation, found.phaseTime) : [];
  });
  const [first] = members;
  const onset = first?.finding?.patterns.length === 1 ? first.finding.patterns[0]?.onset : undefined;
  const deviation = deviations.reduce((sum, own) => sum + own / deviations.length, 0);
  return present({
    chance: chances.length === patterns.length ? Math.min(...chances) : undefined,
    excessDeviation: deviations.length === members.length ? deviation : undefined,
    onset: onset === undefined ? undefined : ([onset[0] + 1, onset[1] + 1] as const),
  });
}

/** Kinds of rows that consist of peaks. */
export const peakKinds: ReadonlySet<PropertyKind> = new Set([
  'degradation-peak',
  'degradation-peaks',
  'periodic-peaks',
]);

/** What repeats, where a rule about peaks has found it. */
function periodicPeaks(members: readonly RowMember[]): Periodic | undefined {
  const rule = at(members, 0).finding?.rule.definition;
  if (rule === undefined || !peakKinds.has(rule.kind)) return undefined;
  if (members.some(({ found }) => found.peaksGrow === true)) return undefined;
  return periodicOf(
    members.map(({ finding, found, excess, aftermath }) => {
      const begins = (finding?.patterns ?? []).map(({ from }) => from);
      const others = (finding?.others ?? []).reduce((sum, { count }) => sum + count, 0);
      const cost = (excess + aftermath) * found.phaseTime;
      return { period: found.period, begins, count: begins.length + others, cost };
    }),
  );
}

const several: Readonly<Partial<Record<PropertyKind, PropertyKind>>> = {
  'degradation-peak': 'degradation-peaks',
  'degradation-trend': 'degradation-trends',
  'degradation-step': 'degradation-trends',
};

/** A row with several intervals has the collective kind; a row whose rise takes almost no time is a step; peaks that repeat are work and no degradation. */
function kindOf(
  { rule, patterns }: DynamicFinding,
  members: readonly RowMember[],
  periodic: Periodic | undefined,
): PropertyKind {
  const { kind } = rule.definition;
  if (periodic !== undefined) return 'periodic-peaks';
  if (patterns.length > 1) return several[kind] ?? kind;
  if (kind === 'degradation-peaks' && members.every(hasOnePeak)) return 'degradation-peak';
  if (kind !== 'degradation-trend') return kind;
  const steps = members.filter(({ finding }) => finding?.patterns[0]?.type === 'step').length;
  return 2 * steps > members.length ? 'degradation-step' : kind;
}

function hasOnePeak({ finding }: RowMember): boolean {
  return finding?.patterns.length === 1 && finding.others.every(({ count }) => count === 0);
}

function ruleOf(problem: Found, finding: DynamicFinding | undefined): string {
  return finding?.rule.definition.id ?? problem.rule.id;
}

function titleOf(
  { rule, movesEach }: Found,
  finding: DynamicFinding | undefined,
  kind: PropertyKind,
): string {
  if (finding === undefined) return movesEach === undefined ? rule.title : `${rule.title} that moves`;
  return `${nameOf(finding, kind)} in ${lowerFirst(quantityOf(rule))}`;
}

function nameOf({ rule: { definition } }: DynamicFinding, kind: PropertyKind): string {
  return kind === definition.kind ? definition.title : kindRecord(kind).label;
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A stable order: by descending cost, then by kind and place. */
export function byImportance({ row: a }: RowOfMembers, { row: b }: RowOfMembers): number {
  return (
    (b.excess ?? b.severity ?? 0) - (a.excess ?? a.severity ?? 0) ||
    compare(a.title, b.title) ||
    compare(regionText(a.region), regionText(b.region)) ||
    compare(a.ranks, b.ranks) ||
    compare(a.rule, b.rule)
  );
}

function regionText({ name, file, line }: SeriesRegion): string {
  return `${name} ${file ?? ''}:${line ?? 0}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
