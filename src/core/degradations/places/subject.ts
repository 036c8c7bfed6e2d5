import { atFloat } from '../../at';
import type { SeriesContext } from '../../series/series';
import type { SeriesAnalysis } from '../../signal/signal';
import { evaluate, type Quantities } from '../../rules/expression/evaluate';
import { evaluateRule, holds, withLets, type Evaluation } from '../../rules/evaluateRule';
import { ImpactRecord } from '../bursts/impactRecord';
import type { Moments } from '../bursts/moments';
import type { DynamicsOptions } from '../model/options';
import type { StaticRule } from '../../rules/rule';
import { shareOf } from '../../rules/share';

/** The data of a burst that a subject needs. */
export interface BurstOfPlace {
  /** First iteration. */
  readonly first: number;
  readonly phase: Float64Array;
  /** Without gaps. */
  readonly metrics: ReadonlyMap<string, Float64Array>;
  /** Sums over this burst, and over all bursts so far including this one. */
  readonly burst: SumsOfPlace;
  readonly run: SumsOfPlace;
}

export interface SumsOfPlace {
  readonly metrics: ReadonlyMap<string, Moments>;
  readonly phaseTime: number;
  readonly iterations: number;
}

/** A problem that a place may have. The analysis uses the series of its impact, impact_i = severity_i · phaseTime_i (§9). */
export class Subject {
  readonly record: ImpactRecord;
  impact = 0;
  private heldInABurst = false;

  /** @param rule absent for a plain metric, which is no problem */
  constructor(
    readonly rule: StaticRule | undefined,
    readonly metric: string,
    readonly context: SeriesContext,
    private readonly options: DynamicsOptions,
  ) {
    this.record = new ImpactRecord(options);
  }

  add(burst: BurstOfPlace, analyse: (values: Float64Array) => SeriesAnalysis): void {
    const isWorth = (): boolean =>
      this.rule === undefined || this.holdsFor(burst.burst) || this.holdsFor(burst.run);
    if (this.rule?.definition.group === 'any' && !this.heldInABurst)
      this.heldInABurst = this.holdsFor(burst.burst);
    this.record.skip(burst.first - this.record.iterations, () => false, analyse);
    const impact = this.impactOf(burst);
    for (const value of impact) this.impact += value;
    this.record.push(impact, isWorth, analyse);
  }

  evaluate(run: SumsOfPlace): Evaluation | undefined {
    if (this.rule === undefined) return undefined;
    const evaluation = evaluateRule(this.rule, this.quantities(run));
    return this.heldInABurst && !evaluation.holds
      ? { ...evaluation, ...this.foundInABurst(run) }
      : evaluation;
  }

  /** What shares are of: time of the phase, or what the rule names in its place. */
  timeOf({ metrics, phaseTime }: SumsOfPlace): number {
    const { base } = this.rule?.definition ?? {};
    return (base === undefined ? undefined : metrics.get(base)?.sum) ?? phaseTime;
  }

  /** The quantities that a static rule can use. */
  quantities(sums: SumsOfPlace): Quantities {
    const { metrics, iterations } = sums;
    const phaseTime = this.timeOf(sums);
    const { rank, thread } = this.context;
    return {
      name: (name) => namedSetting(this.options, name) ?? { phaseTime, iterations, rank, thread }[name] ?? 0,
      figure: (figure, of) => metrics.get(of)?.figure(figure) ?? 0,
    };
  }

  private holdsFor(sums: SumsOfPlace): boolean {
    return this.rule !== undefined && holds(this.rule, this.quantities(sums));
  }

  /** A rule that held in one burst has the share of the whole run as its severity. */
  private foundInABurst(run: SumsOfPlace): Pick<Evaluation, 'holds' | 'confidence' | 'severity'> {
    return { holds: true, confidence: 1, severity: shareOf(this.impact, this.timeOf(run)) };
  }

  private impactOf(burst: BurstOfPlace): Float64Array {
    const { rule } = this;
    const none = new Float64Array(burst.phase.length);
    if (rule === undefined) return burst.metrics.get(this.metric) ?? none;
    const { impact } = rule;
    // Most impacts are a metric as it is.
    if (impact?.kind === 'figure' && impact.figure === 'sum') return burst.metrics.get(impact.of) ?? none;
    return none.map((_, iteration) => this.impactAt(rule, burst, iteration));
  }

  /** The rule with the values of one iteration in the place of sums. */
  private impactAt(rule: StaticRule, burst: BurstOfPlace, iteration: number): number {
    const { base = '' } = rule.definition;
    const phaseTime = atFloat(burst.metrics.get(base) ?? burst.phase, iteration);
    const { rank, thread } = this.context;
    const values: Readonly<Record<string, number>> = { phaseTime, iterations: 1, rank, thread };
    const quantities = withLets(rule, {
      name: (name) => namedSetting(this.options, name) ?? values[name] ?? 0,
      figure: (figure, of) => (figure === 'stddev' ? 0 : (burst.metrics.get(of)?.[iteration] ?? 0)),
    });
    const { impact, severity } = rule;
    const value =
      impact === undefined ? evaluate(severity, quantities) * phaseTime : evaluate(impact, quantities);
    return Number.isFinite(value) ? value : 0;
  }
}

/** Thresholds by the names that rules use. */
export function namedSetting(options: DynamicsOptions, name: string): number | undefined {
  switch (name) {
    case 'reportThreshold':
    case 'overheadThreshold':
    case 'thresholdEnergy':
    case 'thresholdTime':
    case 'shortGate':
    case 'wideGate':
      return options[name];
    default:
      return undefined;
  }
}
