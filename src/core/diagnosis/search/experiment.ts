import { present } from '../../present';
import type { Focus, ResourceTree } from '../resources/focus';
import { Conclusion, type ConclusionRule } from './conclusion';
import type { Family } from './family';
import type { LiveHypothesis } from './liveHypothesis';
import type { Activity, ParentEdge, Priority, SearchNode, Truth } from './searchRecord';
import type { Way } from './way';

interface Sample {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

export interface ObservationRule extends ConclusionRule {
  /** Seconds after the begin of a measurement that do not count, because inserting it disturbs the program. */
  readonly minObservation: number;
}

/** A hypothesis at a focus, while the search runs. */
export class Experiment {
  readonly parents: ParentEdge[] = [];
  truth: Truth = 'unknown';
  activity: Activity = 'inactive';
  problem: string | undefined;
  isStale = false;
  /** Stays instrumented when it is false. */
  isPersistent = false;
  /** Is tested whether or not a true experiment leads to it: a root, a deep starter or a connection to one. */
  isWantedAnyway = false;
  /** Another process tests it, and knows that it should. */
  isDelegated = false;
  /** Whether it counts as one to which nothing can be refined: see `Family.open`. */
  isSettled = false;
  readonly ways = new Set<Way>();
  /** Its parts, by the tree in which its focus was refined. */
  readonly parts = new Map<ResourceTree, Family>();
  /** The more precise hypotheses at its focus, once it was refined. */
  readonly reasons = new Set<Experiment>();
  /** The families that it is a part in. */
  readonly families: Family[] = [];
  /** Experiments without a measurement whose truth depends on it. */
  readonly virtualParents: Experiment[] = [];
  private readonly conclusions: SearchNode['conclusions'][number][] = [];
  private readonly conclusion = new Conclusion();
  private comparedWith: number;
  private accepted: number | undefined;
  private data: readonly [number, number] | undefined;
  private weighted = 0;
  private observed = 0;

  constructor(
    readonly id: number,
    readonly hypothesis: LiveHypothesis,
    readonly focus: Focus,
    public priority: Priority,
    public predictedCost: number,
  ) {
    this.comparedWith = hypothesis.threshold;
  }

  /** Whether it leads to others. */
  get isOpen(): boolean {
    return this.hypothesis.isVirtual || (this.truth === 'true' && !this.isStale);
  }

  /** Its measurement begins. @param time from when what is measured would contain the disturbance by inserting it */
  begin(time: number): void {
    this.accepted = time;
    this.conclusion.restart();
    this.data = undefined;
    this.weighted = 0;
    this.observed = 0;
  }

  get hasData(): boolean {
    return this.data !== undefined;
  }

  /** @returns what the data say; undefined while they have not agreed for long enough */
  observe({ value, start, end }: Sample, rule: ObservationRule): boolean | undefined {
    const begin = Math.max(start, this.data?.[1] ?? start);
    const accepted = this.accepted ?? begin;
    const disturbed = Math.max(0, Math.min(end, accepted + rule.minObservation) - Math.max(begin, accepted));
    const seconds = end - begin - disturbed;
    if (!(seconds > 0)) return undefined;
    this.data = [this.data?.[0] ?? (begin < accepted ? begin : begin + disturbed), end];
    this.weighted += value * seconds;
    this.observed += seconds;
    const { threshold, record } = this.hypothesis;
    this.comparedWith = threshold;
    return this.conclusion.take(value, seconds, { holds: record.holds, threshold }, rule);
  }

  /** It is false, and has been true. */
  get wasTrue(): boolean {
    return this.truth === 'false' && this.conclusions.some(({ truth }) => truth === 'true');
  }

  /** How often it has been concluded. */
  get concluded(): number {
    return this.conclusions.length;
  }

  conclude(truth: Truth, time: number): void {
    this.truth = truth;
    if (this.mean !== undefined) this.conclusions.push({ time, truth, value: this.mean });
  }

  get node(): SearchNode {
    return {
      id: this.id,
      hypothesis: this.hypothesis.record.id,
      focus: this.focus,
      parents: [...this.parents],
      truth: this.truth,
      activity: this.activity,
      priority: this.priority,
      threshold: this.comparedWith,
      conclusions: [...this.conclusions],
      predictedCost: this.predictedCost,
      ...present({ value: this.mean, data: this.data, problem: this.problem }),
      ...(this.isStale ? { stale: true } : {}),
    };
  }

  private get mean(): number | undefined {
    return this.observed > 0 ? this.weighted / this.observed : undefined;
  }
}
