import { finished } from '../steps';
import { present } from '../present';
import { sumOf } from '../sums';
import { remembered } from '../remembered';
import { analyseByLikelihood } from '../detect/detectedSeries';
import { analyseSeries } from '../signal/analyseSeries';
import {
  computingMetric,
  contextKey,
  elapsedMetric,
  isPhaseTime,
  preemptedMetric,
  processorMetric,
  type Burst,
  type SeriesContext,
  type SwitchedIterations,
} from '../series/series';
import type { SeriesAnalysis } from '../signal/signal';
import { catalogue } from '../rules/catalogue';
import { withReportedExtent } from './bursts/extent';
import { Moments } from './bursts/moments';
import { defaultDynamicsOptions, defaultsOf, type DynamicsOptions } from './model/options';
import { Gaps } from './places/gaps';
import { allRanks, PhaseTimes, wholeValues } from './places/phaseTimes';
import { placesAcrossRanks, placesOf, type PlaceInBurst } from './places/places';
import { MachineNoise } from './report/machineNoise';
import { report, type PlaceOfRun } from './report/report';
import type { DynamicsResult } from './model/result';
import { checkTogether, isStatic, type Rule, type StaticRule } from '../rules/rule';
import { SlowestRanks } from './places/slowestRanks';
import { Subject, type SumsOfPlace } from './places/subject';
import { matchesWildcard } from '../rules/wildcard';

/** What the analysis uses; tests replace it. */
export interface AnalysisTools {
  readonly analyseSeries?: typeof analyseSeries;
  /** Maximum number of values stored for all places together; beyond it, short runs become coarse series as well. */
  readonly mostNumbers: number;
}

/** Receives the number of finished series and of all; may wait, and may throw to stop the analysis. */
export type AnalysisPause = (done: number, all: number) => Promise<void> | void;

const usualTools: AnalysisTools = { mostNumbers: 2 ** 25 };

/** They say which ranks are slow, and how long phases had no processor: a rule is about that, and other changes are those of `time`. */
const hidden: ReadonlySet<string> = new Set([
  computingMetric,
  elapsedMetric,
  preemptedMetric,
  processorMetric,
]);

interface Place {
  readonly context: SeriesContext;
  readonly metrics: Map<string, Moments>;
  readonly subjects: Map<string, Subject>;
  /** Of a place across ranks. */
  readonly slowest: SlowestRanks;
  ranks: number;
}

/**
 * The strategy of §9 for a run that arrives burst by burst: static properties first, then how the impact of each found one changes over the
 * iterations. Memory depends on the number of places and not on the number of iterations.
 */
export class DynamicsAnalysis {
  private readonly options: DynamicsOptions;
  private readonly rules: readonly Rule[];
  private readonly phases: PhaseTimes;
  private readonly places = new Map<string, Place>();
  private readonly ranks = new Set<number>();
  private readonly gaps = new Gaps();
  private readonly machineNoise = new MachineNoise();
  private readonly tools: AnalysisTools;
  private shownPhase: string | undefined;
  private iterations = 0;

  /**
   * @param switches iterations in which somebody switched what is recorded, both ends inclusive
   * @throws RuleError when the rules do not fit together
   */
  constructor(
    options: Partial<DynamicsOptions> = {},
    rules: readonly Rule[] = catalogue,
    tools: Partial<AnalysisTools> = {},
    private readonly switches: SwitchedIterations = [],
  ) {
    this.tools = { ...usualTools, ...tools };
    this.options = { ...defaultsOf(options.method ?? defaultDynamicsOptions.method), ...options };
    this.rules = checkTogether(rules);
    this.phases = new PhaseTimes(this.options.missing);
  }

  /** Bursts in order. A place that is not in a burst took no time in it. */
  addBurst(given: Burst): void {
    const burst = this.withinDuration(given);
    if (burst.length <= 0) return;
    this.iterations = burst.first + burst.length;
    this.phases.begin(burst);
    this.gaps.add(burst);
    this.machineNoise.add(burst);
    const places = placesOf(burst);
    const across = placesAcrossRanks(places, burst.length);
    const phases = burst.series.filter(({ context }) => context.region.kind === 'phase');
    this.countPhases(
      [...places, ...phases].map(({ context }) => context),
      across.length > 0,
    );
    for (const place of places) this.addPlace(place, burst);
    for (const place of across) this.addPlace(place, burst);
    for (const { context, values } of phases)
      if (context.metric === 'time')
        this.addPlace({ key: contextKey(context), context, metrics: new Map([['time', values]]) }, burst);
    this.phases.end();
    this.bound();
  }

  /** Result for all bursts so far; more may follow. */
  finish(unit = 's'): DynamicsResult {
    return finished(this.report(unit));
  }

  /** As `finish`, but yields between two series. */
  async finishInSteps(pause: AnalysisPause, unit = 's'): Promise<DynamicsResult> {
    const steps = this.report(unit);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await pause(...step.value);
    }
  }

  private report(unit: string): ReturnType<typeof report> {
    return report({
      options: this.options,
      rules: this.rules,
      iterations: this.iterations,
      unit,
      phases: this.phases,
      gaps: this.gaps,
      ranks: [...this.ranks].sort((a, b) => a - b),
      places: [...this.places.values()].map((place): PlaceOfRun => ({
        ...place,
        sums: this.sumsOf(place),
        ...present({ moving: place.slowest.moving(place.ranks) }),
        subjects: [...place.subjects.values()],
      })),
      machineNoise: this.machineNoise.found(this.phases.name ?? '', this.options),
      switches: this.switches,
      analyse: this.analyse,
    });
  }

  private readonly analyse = (values: Float64Array, series = 1, ranges = true): SeriesAnalysis => {
    const { method, signal, falseAlarm: alarm } = this.options;
    const settings = { ...signal, improvements: this.options.improvements || signal.improvements };
    const { analyseSeries: given } = this.tools;
    if (method === 'likelihood' && given === undefined)
      return analyseByLikelihood(values, { improvements: settings.improvements, alarm, series, ranges });
    const analysis = (given ?? analyseSeries)(values, settings);
    return {
      ...analysis,
      patterns: analysis.patterns.map((pattern) => withReportedExtent(pattern, values)),
    };
  };

  private withinDuration(burst: Burst): Burst {
    const { duration } = this.options;
    if (duration === 0 || burst.first + burst.length <= duration) return burst;
    const length = Math.max(0, duration - burst.first);
    const series = burst.series.map(({ context, values }) => ({ context, values: values.slice(0, length) }));
    const repetitions = burst.repetitions?.map((times) => times.slice(0, length));
    return { first: burst.first, length, series, ...present({ repetitions }) };
  }

  private countPhases(contexts: readonly SeriesContext[], withAll: boolean): void {
    const seen = new Set<string>();
    for (const { rank, thread } of contexts) {
      const key = `${rank}/${thread}`;
      if (seen.has(key)) continue;
      seen.add(key);
      this.ranks.add(rank);
      this.phases.count(rank, thread);
    }
    if (withAll) this.phases.count(allRanks, 0);
  }

  private addPlace({ key, context, metrics: raw, slowest }: PlaceInBurst, burst: Burst): void {
    const place = remembered(this.places, key, (): Place => ({
      context,
      metrics: new Map(),
      subjects: new Map(),
      slowest: new SlowestRanks(),
      ranks: 0,
    }));
    if (slowest !== undefined) {
      const valuesOf = (metric: string): Float64Array => raw.get(metric) ?? new Float64Array(burst.length);
      place.slowest.add(slowest.rank, valuesOf('slowest'), slowest.second, valuesOf('average'));
      place.ranks = Math.max(place.ranks, slowest.ranks);
    }
    const metrics = new Map<string, Float64Array>();
    const sums = new Map<string, Moments>();
    for (const [metric, values] of raw) {
      const filled = wholeValues(values, this.options.missing);
      const own = new Moments();
      own.add(values, filled);
      metrics.set(metric, filled);
      sums.set(metric, own);
      remembered(place.metrics, metric, () => new Moments()).merge(own);
    }
    this.makeSubjects(place, raw);
    const { rank, thread } = context;
    const phase = this.phases.values(rank, thread);
    const ofBurst = { metrics: sums, phaseTime: sumOf(phase), iterations: burst.length };
    for (const subject of place.subjects.values())
      subject.add(
        { first: burst.first, phase, metrics, burst: ofBurst, run: this.sumsOf(place) },
        this.analyse,
      );
  }

  private makeSubjects({ context, metrics, subjects }: Place, seen: ReadonlyMap<string, unknown>): void {
    for (const rule of this.rules) {
      if (!isStatic(rule) || subjects.has(rule.definition.id)) continue;
      if (!appliesTo(rule, context) || !rule.metrics.every((metric) => metrics.has(metric))) continue;
      const metric = rule.metrics.length === 1 ? (rule.metrics[0] ?? '') : '';
      const shown = { ...context, metric: context.rank === allRanks ? 'time' : metric };
      subjects.set(rule.definition.id, new Subject(rule, metric, shown, this.options));
    }
    if (context.rank === allRanks) return;
    for (const metric of seen.keys()) {
      const key = `\n${metric}`;
      if (hidden.has(metric) || subjects.has(key) || !this.isShown({ ...context, metric })) continue;
      subjects.set(key, new Subject(undefined, metric, { ...context, metric }, this.options));
    }
  }

  /** Of what is no problem, only the time of the first phase is reported, where there is no problem at all: the others take no memory. */
  private isShown(context: SeriesContext): boolean {
    if (this.options.all) return true;
    if (!isPhaseTime(context)) return false;
    this.shownPhase ??= contextKey(context);
    return this.shownPhase === contextKey(context);
  }

  private sumsOf({ context, metrics }: Place): SumsOfPlace {
    const phaseTime = this.phases.sum(context.rank, context.thread);
    return { metrics, phaseTime, iterations: this.iterations };
  }

  /** With very many places, each may store less. */
  private bound(): void {
    const { mostNumbers } = this.tools;
    let count = 0;
    let size = 0;
    for (const { subjects } of this.places.values())
      for (const { record } of subjects.values()) {
        count++;
        size += record.size;
      }
    if (size <= mostNumbers) return;
    const capacity = Math.max(16, Math.min(this.options.coarseValues, Math.floor(mostNumbers / count)));
    for (const { subjects } of this.places.values())
      for (const { record } of subjects.values()) {
        record.becomeLong(() => false, this.analyse);
        record.shrink(capacity);
      }
  }
}

function appliesTo({ definition }: StaticRule, { region, rank }: SeriesContext): boolean {
  const { regions, names, across } = definition;
  if ((across === 'ranks') !== (rank === allRanks)) return false;
  if (regions === undefined ? region.kind === 'phase' : !regions.includes(region.kind)) return false;
  return names === undefined || matchesWildcard(region.name, names);
}
