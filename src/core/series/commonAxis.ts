import { present } from '../present';
import { at, atFloat } from '../at';
import { firstPosition } from '../firstPosition';
import { analyseSeries } from '../signal/analyseSeries';
import { smooth } from '../transforms/scaleSpace';
import type { Pattern } from '../signal/signal';

/** A run whose iterations advance along an axis shared with another run, such as simulated time. */
export interface AxisRun {
  /** Cost of each iteration. */
  readonly cost: Float64Array;
  /** Step of each iteration, as many as costs. Steps of 0 and below do not advance. */
  readonly widths: Float64Array;
}

/** A part of a run. Iterations count from 0, both ends included. */
export interface AxisPhase {
  readonly from: number;
  readonly to: number;
  /** Where it begins and ends on the axis: after the iteration before it, after its last one. */
  readonly axis: readonly [number, number];
  readonly cost: number;
  /** Advance per cost; 0 for a phase without cost. */
  readonly speed: number;
}

/** A degradation with its place on the axis. */
export interface AxisPattern extends Pick<Pattern, 'type' | 'from' | 'to' | 'sum' | 'excess'> {
  readonly axis: readonly [number, number];
}

export interface AxisRunPhases {
  readonly phases: readonly AxisPhase[];
  readonly patterns: readonly AxisPattern[];
  readonly cost: number;
}

/** The cheaper run of each phase, combined. */
export interface Hybrid {
  /** By phase: 0 is the first run, 1 the second. */
  readonly runs: readonly (0 | 1)[];
  readonly cost: number;
  /** Share (0…1) of the cost of the better one of both runs. */
  readonly gain: number;
}

export interface AxisComparison {
  /** Equal numbers of phases, which correspond in order. */
  readonly runs: readonly [AxisRunPhases, AxisRunPhases];
  /** Whether each run has phases of its own; otherwise those of the first run were carried over to the second by the axis. */
  readonly ownPhases: boolean;
  /** Absent where one run is the better one in all phases. */
  readonly hybrid?: Hybrid;
}

/** Two phases correspond if their intersection is at least this part of their union. */
const leastOverlap = 0.5;

/**
 * Two runs of the same problem, phase by phase (specification of performance dynamics, §16.6): slow phases are the humps of the cost, their
 * borders the troughs between them, and the axis decides which phases correspond, because iterations cannot.
 */
export function compareOnAxis(first: AxisRun, second: AxisRun): AxisComparison {
  const a = new Advance(first);
  const b = new Advance(second);
  const own = [phasesAt(a, borders(a.cost)), phasesAt(b, borders(b.cost))] as const;
  const ownPhases = haveSamePhases(...own);
  const phasesB = ownPhases
    ? own[1]
    : phasesAt(
        b,
        own[0].slice(0, -1).map(({ axis }) => b.iterationAt(axis[1])),
      );
  const [phasesA] = own;
  const runs = [runOf(a, phasesA), runOf(b, phasesB)] as const;
  const hybrid = phasesA.length === phasesB.length ? hybridOf(runs) : undefined;
  return { runs, ownPhases, ...present({ hybrid }) };
}

function runOf(run: Advance, phases: readonly AxisPhase[]): AxisRunPhases {
  const patterns = analyseSeries(run.cost).patterns.map(({ type, from, to, sum, excess }): AxisPattern => ({
    type,
    from,
    to,
    sum,
    excess,
    axis: run.axisOf(from, to),
  }));
  return { phases, patterns, cost: run.costOf(0, run.length - 1) };
}

function haveSamePhases(a: readonly AxisPhase[], b: readonly AxisPhase[]): boolean {
  return (
    a.length === b.length &&
    a.every((phase, index) => {
      const { axis: otherAxis } = at(b, index);
      const shared = Math.min(phase.axis[1], otherAxis[1]) - Math.max(phase.axis[0], otherAxis[0]);
      const together = Math.max(phase.axis[1], otherAxis[1]) - Math.min(phase.axis[0], otherAxis[0]);
      return shared >= leastOverlap * together;
    })
  );
}

function hybridOf([a, b]: readonly [AxisRunPhases, AxisRunPhases]): Hybrid | undefined {
  const runs = a.phases.map(({ cost }, index): 0 | 1 => (cost <= at(b.phases, index).cost ? 0 : 1));
  if (new Set(runs).size < 2) return undefined;
  const cost = runs.reduce<number>((sum, run, index) => sum + at((run === 0 ? a : b).phases, index).cost, 0);
  const better = Math.min(a.cost, b.cost);
  return { runs, cost, gain: better > 0 ? 1 - cost / better : 0 };
}

/** Parts of a run between borders; a border is the last iteration of a part. */
function phasesAt(run: Advance, ends: readonly number[]): readonly AxisPhase[] {
  const rising = ends.filter((end, index) => end > (ends[index - 1] ?? -1) && end < run.length - 1);
  const starts = [0, ...rising.map((end) => end + 1)];
  return starts.flatMap((from, index) => {
    const to = rising[index] ?? run.length - 1;
    if (to < from) return [];
    const axis = run.axisOf(from, to);
    const cost = run.costOf(from, to);
    return [{ from, to, axis, cost, speed: cost > 0 ? (axis[1] - axis[0]) / cost : 0 }];
  });
}

/** Two humps are one when the trough between them is higher than this share of the lower top. */
const highestTrough = 0.5;
/** Or when it is less deep than this share of the signal's range. */
const leastDepth = 0.05;
/** Humps are looked for in the signal smoothed by this share of its length: a hump is longer than that. */
const smoothing = 1 / 64;

interface Turn {
  readonly position: number;
  readonly value: number;
}

/**
 * Last iterations of the humps of a signal of costs, but for the last hump: where it is least between the tops of two neighbouring humps.
 * Humps that are hardly apart are one, beginning with the shallowest trough.
 */
export function borders(values: Float64Array): readonly number[] {
  if (values.length < 3) return [];
  const smoothed = smooth(values, Math.max(0.5, values.length * smoothing) ** 2);
  const { tops, troughs } = turns(smoothed);
  const range = smoothed.reduce((a, b) => Math.max(a, b)) - smoothed.reduce((a, b) => Math.min(a, b));
  for (;;) {
    const lower = (trough: number): number => Math.min(at(tops, trough).value, at(tops, trough + 1).value);
    const depths = troughs.map(({ value }, trough) =>
      value > highestTrough * lower(trough) || lower(trough) - value < leastDepth * range
        ? lower(trough) - value
        : Infinity,
    );
    const least = Math.min(...depths);
    if (least === Infinity) break;
    const shallowest = depths.indexOf(least);
    const isLeftHigher = at(tops, shallowest).value >= at(tops, shallowest + 1).value;
    tops.splice(isLeftHigher ? shallowest + 1 : shallowest, 1);
    troughs.splice(shallowest, 1);
  }
  return tops
    .slice(1)
    .map(({ position }, before) =>
      lastOfHump(values, leastBetween(values, at(tops, before).position, position)),
    );
}

/** Tops and the troughs between them, alternating: one top more. */
function turns(values: Float64Array): { readonly tops: Turn[]; readonly troughs: Turn[] } {
  const tops: Turn[] = [];
  const troughs: Turn[] = [];
  let isRising = true;
  for (let index = 1; index <= values.length; index++) {
    const value = atFloat(values, index - 1);
    const next = values[index] ?? -Infinity;
    if (isRising && next < value) {
      tops.push({ position: index - 1, value });
      isRising = false;
    } else if (!isRising && next > value) {
      troughs.push({ position: index - 1, value });
      isRising = true;
    }
  }
  return { tops, troughs };
}

/** The trough is the last of one hump or the first of the next: it belongs to the flank that, drawn on straight, comes nearer to it. */
function lastOfHump(values: Float64Array, trough: number): number {
  const off = (step: 1 | -1): number => {
    const next = values[trough + step] ?? Infinity;
    const afterNext = values[trough + 2 * step] ?? next;
    return Math.abs(2 * next - afterNext - atFloat(values, trough));
  };
  return off(-1) <= off(1) ? trough : trough - 1;
}

function leastBetween(values: Float64Array, from: number, to: number): number {
  let least = from;
  for (let i = from; i <= to; i++) if (atFloat(values, i) < atFloat(values, least)) least = i;
  return least;
}

/** Sums of widths and costs up to each iteration; missing and negative values count as 0. */
class Advance {
  readonly length: number;
  readonly cost: Float64Array;
  private readonly axis: Float64Array;
  private readonly costs: Float64Array;

  constructor({ cost, widths }: AxisRun) {
    this.length = Math.min(cost.length, widths.length);
    this.cost = positive(cost.subarray(0, this.length));
    this.costs = sums(this.cost);
    this.axis = sums(positive(widths.subarray(0, this.length)));
  }

  axisOf(from: number, to: number): readonly [number, number] {
    return [atFloat(this.axis, from), atFloat(this.axis, to + 1)];
  }

  costOf(from: number, to: number): number {
    return atFloat(this.costs, to + 1) - atFloat(this.costs, from);
  }

  /** The iteration whose end is nearest to that place. */
  iterationAt(place: number): number {
    const behind = firstPosition(this.length, (position) => atFloat(this.axis, position) >= place);
    const after = atFloat(this.axis, behind) - place;
    const before = place - (this.axis[behind - 1] ?? -Infinity);
    return (before < after ? behind - 1 : behind) - 1;
  }
}

function positive(values: Float64Array): Float64Array {
  return values.map((value) => (value > 0 && Number.isFinite(value) ? value : 0));
}

/** `sums[i]` is the sum of what is before i. */
function sums(values: Float64Array): Float64Array {
  const result = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) result[i + 1] = atFloat(result, i) + atFloat(values, i);
  return result;
}
