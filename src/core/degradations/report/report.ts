import { hiddenByNoise, smallestSeen } from './smallestSeen';
import { at } from '../../at';
import { present } from '../../present';
import {
  computingMetric,
  contextKey,
  type SeriesContext,
  type SwitchedIterations,
} from '../../series/series';
import type { SeriesAnalysis } from '../../signal/signal';
import type { Evaluation } from '../../rules/evaluateRule';
import type { RecordedDynamics } from '../bursts/impactRecord';
import { areTimes } from '../bursts/possible';
import type { Gaps } from '../places/gaps';
import { inEvents, withParts } from './events';
import { inputProblems } from './inputProblems';
import { findLateRanks, slowRanks } from './lateRanks';
import { makeRows, placeKey, type Found } from './makeRows';
import { preemptedNote, recordingNote } from './phaseNotes';
import { rankSeries, type RankAnalysis, type RankSeries } from './rankSeries';
import { withSharedRises } from './shared';
import { splitByEvents } from './splitByEvents';
import type { Moments } from '../bursts/moments';
import type { DynamicsOptions } from '../model/options';
import { allRanks, type PhaseTimes } from '../places/phaseTimes';
import { findRelations } from './relations';
import type { AnalysedSeries, DynamicsResult } from '../model/result';
import type { Rule, StaticRuleDefinition } from '../../rules/rule';
import { shareOf } from '../../rules/share';
import type { MovingImbalance } from '../places/slowestRanks';
import type { Subject, SumsOfPlace } from '../places/subject';
import { toProperties } from './toProperties';
import { Traces } from './traces';
import { withoutSwitches } from './withoutSwitches';
import { tryDynamics, type DynamicFinding } from './tryDynamics';

/** A place with all its data. */
export interface PlaceOfRun {
  readonly context: SeriesContext;
  readonly metrics: ReadonlyMap<string, Moments>;
  readonly sums: SumsOfPlace;
  readonly subjects: readonly Subject[];
  readonly moving?: MovingImbalance;
}

export interface ReportInput {
  readonly options: DynamicsOptions;
  readonly rules: readonly Rule[];
  readonly iterations: number;
  readonly unit: string;
  readonly phases: PhaseTimes;
  readonly gaps: Gaps;
  readonly ranks: readonly number[];
  readonly places: readonly PlaceOfRun[];
  readonly switches: SwitchedIterations;
  /** What single repetitions show. */
  readonly machineNoise: readonly Found[];
  /** @param series that are looked at together @param ranges whether those of places and deviations of costs are looked for */
  readonly analyse: (values: Float64Array, series?: number, ranges?: boolean) => SeriesAnalysis;
}

/** Maximum number of evaluations stored for the explanation. */
const mostTraces = 20_000;

/** Fewer iterations say nothing of what changes. */
const fewestIterations = 5;

/** The iteration as a whole, if none of its parts is a problem. */
const phaseRule: StaticRuleDefinition = {
  id: 'phase',
  level: 'static',
  title: 'Time of the iteration',
  kind: 'hot-spot',
  condition: '1',
  severity: '1',
  next: ['significant-variability'],
};

interface Candidate {
  readonly subject: Subject;
  readonly place: PlaceOfRun;
  /** The static property, if there is one. */
  readonly found:
    | (Pick<Evaluation, 'confidence' | 'severity'> & { readonly rule: StaticRuleDefinition })
    | undefined;
}

/** Static properties, their dynamics, rows and properties; one step per series. */
export function* report(
  input: ReportInput,
): Generator<[done: number, all: number], DynamicsResult, undefined> {
  const { options, iterations } = input;
  const traces = new Traces(mostTraces);
  const candidates = chooseSubjects(input, traces);
  const rules = new Map(input.rules.map((rule) => [rule.definition.id, rule]));
  const series: AnalysedSeries[] = [];
  const problems: Found[] = [];
  const alone: RankSeries[] = [];
  const places = candidates.map(({ subject, found: problem }) =>
    JSON.stringify([problem?.rule.id, placeKey(subject.context)]),
  );
  const ofPlace = new Map<string, number>();
  for (const place of places) ofPlace.set(place, (ofPlace.get(place) ?? 0) + 1);
  // By the published method, there are none.
  const hasRanges = options.method === 'likelihood';
  const mayShare = (position: number): boolean => hasRanges && (ofPlace.get(at(places, position)) ?? 0) > 1;
  const analysed = (values: Float64Array, ranges: boolean): SeriesAnalysis =>
    input.analyse(values, input.ranks.length, ranges);
  for (const [position, { subject }] of candidates.entries()) {
    yield [position, candidates.length];
    const { values } = subject.record.kept();
    const analysis = analysed(values, !mayShare(position));
    // Of the values so far: more iterations may follow before somebody looks at the model.
    alone.push(rankSeries(at(places, position), values, analysis, () => analysed(values, false)));
  }
  const analyses = yield* withSharedRises(alone, input.analyse, options.falseAlarm);
  for (const [position, { subject, place, found: problem }] of candidates.entries()) {
    const context = contextOf(subject, input);
    const analysis = at(analyses, position);
    const { values } = at(alone, position);
    // The range of a rise that ranks share is that of their mean; of those that no other rank has, it is looked for now.
    const isOwn = mayShare(position) && analysis === at(alone, position).analysis && hasChange(analysis);
    const dynamics = withoutSwitches(
      subject.record.dynamics(() => (isOwn ? analysed(values, true) : analysis)),
      { switches: input.switches, iterations, valueLength: subject.record.kept().valueLength },
    );
    const phaseTime = subject.timeOf(place.sums);
    const { rank, thread } = context;
    const { impact } = subject;
    const outcome =
      problem === undefined
        ? { tried: [], found: [] }
        : tryDynamics(problem.rule.next ?? [], rules, {
            dynamics,
            options,
            rank,
            thread,
            iterations,
            impact,
            phaseTime,
            explains: !traces.isFull,
          });
    for (const evaluation of outcome.tried) traces.add(evaluation, context, iterations, position);
    if (problem !== undefined) {
      const { period } = dynamics;
      const { peaksGrow } = dynamics.analysis;
      const found = foundIn(subject, place, problem, outcome.found, input, position);
      const mostCost = areTimes(values) ? impact : Infinity;
      problems.push({ ...found, mostCost, ...present({ period, peaksGrow }) });
    }
    series.push({
      ...seriesOf(subject, place, problem?.rule, context, dynamics),
      values,
      ...present({ model: analysis.model }),
    });
  }
  const impactOn = impacts(input, candidates);
  const rows = splitByEvents(
    makeRows([...problems, ...input.machineNoise], iterations, options),
    iterations,
    options,
    ({ members }, interval) => slowRanks(at(members, 0).found.context, interval, input.ranks, impactOn),
  );
  const events = inEvents(rows, iterations);
  const listed = toProperties(withParts(events, findLateRanks(events, input.ranks, impactOn)), input.unit);
  const isDynamic = rows.some((row) => !row.static);
  return {
    iterations,
    unit: input.unit,
    ...present({ phase: input.phases.name }),
    settings: options,
    series,
    rows: listed.rows,
    properties: [...listed.properties, ...findRelations(listed.rows, series, iterations)],
    trace: traces.kept,
    noDynamics: !isDynamic,
    notes: [
      ...notesOf(input, {
        hasRows: rows.length > 0,
        isDynamic,
        // The published method knows nothing of noise.
        hidden:
          options.method === 'likelihood'
            ? hiddenByNoise(listed.rows, smallestSeen(series, iterations))
            : undefined,
      }),
      ...traces.notes(),
    ],
  };
}

function hasChange({ patterns }: RankAnalysis): boolean {
  return patterns.some(({ type }) => type !== 'peak');
}

/** Chooses the series to analyse over time, by impact: problems; all series on request; the iteration itself if there is no problem. */
function chooseSubjects(input: ReportInput, traces: Traces): readonly Candidate[] {
  const candidates: Candidate[] = [];
  const plain: Candidate[] = [];
  for (const place of input.places)
    for (const subject of place.subjects) {
      if (subject.rule === undefined) {
        plain.push({ subject, place, found: undefined });
        continue;
      }
      const evaluation = subject.evaluate(place.sums);
      if (evaluation === undefined) continue;
      traces.add(evaluation, subject.context, input.iterations);
      const { holds, confidence, severity } = evaluation;
      const problem = {
        rule: subject.rule.definition,
        confidence,
        ...present({ severity }),
      };
      if (holds) candidates.push({ subject, place, found: problem });
    }
  const { all } = input.options;
  const shown = new Set(candidates.map(({ subject }) => contextKey(subject.context)));
  let hasProblem = candidates.length > 0;
  for (const candidate of plain) {
    const isPhase = candidate.place.context.region.kind === 'phase' && candidate.subject.metric === 'time';
    if (isPhase && !hasProblem) {
      candidates.push({ ...candidate, found: { rule: phaseRule, confidence: 1 } });
      hasProblem = true;
    } else if (all && !shown.has(contextKey(candidate.subject.context))) candidates.push(candidate);
  }
  return candidates.sort(
    (a, b) =>
      Number(a.found === undefined) - Number(b.found === undefined) || b.subject.impact - a.subject.impact,
  );
}

/** Context of a subject; for an imbalance, that of the slowest rank. */
function contextOf(subject: Subject, input: ReportInput): SeriesContext {
  const { context } = subject;
  return context.rank === allRanks ? { ...context, rank: lateRanksOf(context, input)[0] ?? 0 } : context;
}

/** Ranks whose time is nearer to the longest than to the mean, the slowest first. */
function lateRanksOf(context: SeriesContext, { places, ranks }: ReportInput): readonly number[] {
  const key = contextKey({ ...context, metric: '', rank: 0, thread: 0 });
  const times = new Map<number, number>();
  for (const place of places) {
    const own = place.context;
    if (own.rank === allRanks || own.region.name !== context.region.name) continue;
    if (contextKey({ ...own, metric: '', rank: 0, thread: 0 }) !== key) continue;
    times.set(
      own.rank,
      Math.max(
        times.get(own.rank) ?? 0,
        (place.metrics.get(computingMetric) ?? place.metrics.get('time'))?.sum ?? 0,
      ),
    );
  }
  const sorted = [...times].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const mean = sorted.reduce((sum, [, time]) => sum + time, 0) / Math.max(1, ranks.length);
  const longest = sorted[0]?.[1] ?? 0;
  return sorted.filter(([, time]) => time >= (mean + longest) / 2).map(([rank]) => rank);
}

function foundIn(
  subject: Subject,
  { sums, moving }: PlaceOfRun,
  problem: NonNullable<Candidate['found']>,
  dynamics: readonly DynamicFinding[],
  input: ReportInput,
  series: number,
): Omit<Found, 'mostCost'> {
  const { rule, confidence } = problem;
  const { context } = subject;
  return {
    rule,
    context,
    ...(context.rank === allRanks ? { ranks: moving?.ranks ?? lateRanksOf(context, input) } : {}),
    ...present({ movesEach: moving?.each }),
    severity: rule === phaseRule ? undefined : problem.severity,
    confidence,
    phaseTime: subject.timeOf(sums),
    dynamics,
    series,
  };
}

/** Metrics in the unit of the phase time. */
const timeMetrics: ReadonlySet<string> = new Set(['time', 'wait', 'overhead', computingMetric]);

function seriesOf(
  subject: Subject,
  { sums, metrics }: PlaceOfRun,
  rule: StaticRuleDefinition | undefined,
  context: SeriesContext,
  { energies, analysis, patterns, others, period }: RecordedDynamics,
): Omit<AnalysedSeries, 'values' | 'model'> {
  const { valueLength } = subject.record.kept();
  const phaseTime = subject.timeOf(sums);
  const own = metrics.get(subject.metric);
  const isTime = rule !== undefined || timeMetrics.has(subject.metric);
  return {
    rule: rule?.id ?? '',
    ...present({ kind: rule?.kind }),
    context,
    impactShare: isTime ? shareOf(subject.impact, phaseTime) : 0,
    impact: subject.impact,
    phaseTime,
    energies,
    noise: analysis.noise,
    episodes: analysis.episodes,
    patterns,
    others: { count: others.peaks.count + others.trends.count, sum: others.peaks.sum + others.trends.sum },
    sentence: analysis.sentence,
    ...present({ period }),
    valueLength,
    missing: own === undefined || sums.iterations === 0 ? 0 : 1 - (own.count - own.missing) / sums.iterations,
  };
}

/** The same problem on another rank, found there or not. */
function impacts(
  { places }: ReportInput,
  candidates: readonly Candidate[],
): Parameters<typeof findLateRanks>[2] {
  let subjects: ReadonlyMap<string, Subject> | undefined;
  const positions = new Map(candidates.map(({ subject }, index) => [subject, index]));
  return (rule, context) => {
    subjects ??= subjectsByKey(places);
    const subject = subjects.get(keyOf(rule, context));
    if (subject === undefined) return undefined;
    const series = positions.get(subject);
    return { ...subject.record.kept(), ...present({ series }) };
  };
}

function subjectsByKey(places: readonly PlaceOfRun[]): ReadonlyMap<string, Subject> {
  const subjects = new Map<string, Subject>();
  for (const place of places)
    for (const subject of place.subjects)
      if (subject.rule !== undefined)
        subjects.set(keyOf(subject.rule.definition.id, subject.context), subject);
  return subjects;
}

function keyOf(rule: string, context: SeriesContext): string {
  return `${rule} ${contextKey(context)}`;
}

function notesOf(
  { phases, gaps, iterations, options, places }: ReportInput,
  {
    hasRows,
    isDynamic,
    hidden,
  }: { readonly hasRows: boolean; readonly isDynamic: boolean; readonly hidden: string | undefined },
): readonly string[] {
  const notes: string[] = [];
  if (iterations === 0) notes.push('The phase never ran: there are no iterations to analyse.');
  else if (places.length > 0 && !places.some(({ sums }) => sums.phaseTime > 0))
    notes.push('No time was measured in the phase: shares cannot be listed.');
  else if (iterations < fewestIterations && options.method === 'likelihood')
    notes.push(
      `Too short to tell: with ${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}, no change differs from noise. From ${fewestIterations} on, large ones do.`,
    );
  else if (!isDynamic)
    notes.push(
      hidden ??
        (hasRows
          ? 'No dynamics: the findings do not become worse over the iterations, so the time dimension does not matter here.'
          : 'No dynamics: nothing reaches the report threshold, and the time of the iteration does not become worse.'),
    );
  notes.push(...gaps.notes(iterations, options.missing));
  if (phases.knowledge === 'of other ranks')
    notes.push('Some ranks have no phase time: the mean of the others stands for it.');
  if (phases.knowledge === 'sum of its regions' && iterations > 0)
    notes.push('The time of the phase was not measured: the sum of the times of its regions stands for it.');
  notes.push(...preemptedNote(places), ...recordingNote(places), ...inputProblems(places, phases));
  if (options.wholeRun > 0 && iterations > options.wholeRun)
    notes.push(
      `The run has more than ${options.wholeRun} iterations: short degradations are looked for burst by burst, long ones in means of several iterations.`,
    );
  return notes;
}
