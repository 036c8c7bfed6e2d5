/**
 * Degradations that depend on each other: dynamic time warping between qualitative sequences (specification of performance dynamics, §17:
 * the source's future work). "A rises with B, k iterations later."
 */
import { at, atFloat } from '../../at';
import type { Episode, Letter, Pattern, SeriesAnalysis } from '../../signal/signal';

export interface Alignment {
  /** 0…1: 1 for the same letters with the same durations. */
  readonly similarity: number;
  /** Iterations by which the second is later than the first; negative where it is earlier. */
  readonly lag: number;
  /** Number of common changes; the lag is the median over them. */
  readonly shared: number;
}

/** Two series with related degradations. */
export interface Dependence extends Alignment {
  /** Positions in the list that was searched; `first` changes first. */
  readonly first: number;
  readonly second: number;
}

export interface DependenceOptions {
  /** Least similarity, 0…1. */
  readonly similarity: number;
  /** Largest lag as a share of the length. */
  readonly lag: number;
}

const defaultDependenceOptions: DependenceOptions = { similarity: 0.7, lag: 0.1 };

/** With the values, the lag is that of the best correlation near the one that the patterns say, which noise moves by some iterations. */
export type Shape = Pick<SeriesAnalysis, 'episodes' | 'patterns'> & { readonly values?: Float64Array };

/**
 * Pairs of series of one run that have degradations of the same kinds in the same order, the most similar first. Costs the square of the
 * number of series times that of their patterns: for the series that matter, not for all.
 */
export function dependentDegradations(
  list: readonly Shape[],
  options: Partial<DependenceOptions> = {},
): Dependence[] {
  const { similarity: leastSimilarity, lag: largestLag } = { ...defaultDependenceOptions, ...options };
  const dependences: Dependence[] = [];
  list.forEach((a, first) => {
    for (let second = first + 1; second < list.length; second++) {
      const alignment = align(a, at(list, second));
      if (alignment === undefined || alignment.similarity < leastSimilarity) continue;
      if (Math.abs(alignment.lag) > largestLag * lengthOf(a)) continue;
      const { lag } = alignment;
      dependences.push(
        lag < 0 ? { ...alignment, first: second, second: first, lag: -lag } : { ...alignment, first, second },
      );
    }
  });
  return dependences.sort((a, b) => b.similarity - a.similarity || a.first - b.first || a.second - b.second);
}

/** How well one sequence is the other, moved and stretched; undefined where they have no change in common. */
export function align(a: Shape, b: Shape): Alignment | undefined {
  if (!a.patterns.some(isDegradation) || !b.patterns.some(isDegradation)) return undefined;
  const path = warp(phasesOf(a), phasesOf(b));
  const pairs = oneToOne(a.patterns, b.patterns) ?? path.pairs;
  const lags = pairs.flatMap(([from, to]) => lagsBetween(from, to)).sort((x, y) => x - y);
  if (lags.length === 0) return undefined;
  const lag = Math.round((at(lags, (lags.length - 1) >> 1) + at(lags, lags.length >> 1)) / 2);
  const reach = Math.max(4, Math.ceil(lengthOf(a) / 64));
  const exact =
    a.values === undefined || b.values === undefined ? lag : bestLag(a.values, b.values, lag, reach);
  return { similarity: 1 - path.cost, lag: exact, shared: lags.length };
}

/** Degradations of the same kinds in the same order go together each with its own, which a path that costs nothing need not say. */
function oneToOne(a: readonly Pattern[], b: readonly Pattern[]): (readonly [Phase, Phase])[] | undefined {
  const [left, right] = [a.filter(isDegradation).map(phaseOf), b.filter(isDegradation).map(phaseOf)];
  if (left.length !== right.length) return undefined;
  const pairs = left.map((from, n) => [from, at(right, n)] as const);
  return pairs.every(([from, to]) => from.kind === to.kind) ? pairs : undefined;
}

function isDegradation({ improvement }: Pattern): boolean {
  return improvement === undefined;
}

function lengthOf({ episodes }: Shape): number {
  return at(episodes, episodes.length - 1).to + 1;
}

/** The lag within `reach` of `near` where the correlation of what overlaps is the largest; the values may have gaps. */
function bestLag(a: Float64Array, b: Float64Array, near: number, reach: number): number {
  let best = near;
  let highest = -Infinity;
  for (let lag = near - reach; lag <= near + reach; lag++) {
    const correlation = correlationAt(a, b, lag);
    if (correlation > highest) {
      highest = correlation;
      best = lag;
    }
  }
  return best;
}

/** Pearson's correlation of a[i] and b[i + lag]; 0 where one of them does not change. */
function correlationAt(a: Float64Array, b: Float64Array, lag: number): number {
  let [count, sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0, 0];
  const [firstA = 0, firstB = 0] = [a.find(Number.isFinite), b.find(Number.isFinite)];
  for (let i = Math.max(0, -lag); i < Math.min(a.length, b.length - lag); i++) {
    const x = atFloat(a, i) - firstA;
    const y = atFloat(b, i + lag) - firstB;
    if (!Number.isFinite(x + y)) continue;
    count++;
    sumA += x;
    sumB += y;
    squaresA += x * x;
    squaresB += y * y;
    products += x * y;
  }
  const spread = (squaresA - (sumA * sumA) / count) * (squaresB - (sumB * sumB) / count);
  return spread > 0 ? (products - (sumA * sumB) / count) / Math.sqrt(spread) : 0;
}

/** A unit of comparison: an episode, or a pattern in its place, which is located more exactly. */
interface Phase {
  readonly kind: Letter | Pattern['type'];
  readonly from: number;
  readonly to: number;
  /** Places that say when it happens: top of a peak, start and end of a rise. */
  readonly marks: readonly number[];
}

function phaseOf(pattern: Pattern): Phase {
  const [from, to] = pattern.core ?? [pattern.from, pattern.to];
  return { kind: pattern.type, from, to, marks: pattern.at === undefined ? [from, to] : [pattern.at] };
}

/** Degradations in their order, and the episodes that are between them. */
function phasesOf({ episodes, patterns }: Shape): Phase[] {
  const phases = patterns.filter(isDegradation).map(phaseOf);
  phases.push(...betweenThem(episodes, phases));
  return phases.sort((a, b) => a.from - b.from || a.to - b.to);
}

function betweenThem(episodes: readonly Episode[], taken: readonly Phase[]): Phase[] {
  return episodes
    .filter(
      ({ from, to }) => !taken.some((phase) => phase.from <= (from + to) / 2 && phase.to >= (from + to) / 2),
    )
    .map(({ letter, from, to }) => ({ kind: letter, from, to, marks: [] }));
}

interface WarpPath {
  /** Mean cost per iteration of both, 0…1. */
  readonly cost: number;
  readonly pairs: readonly (readonly [Phase, Phase])[];
}

/**
 * Dynamic time warping: each phase goes with one or more of the other sequence, in order, at costs weighted by duration. Each pair goes on from the
 * cheapest of the pairs before it, where possible from the one before in both.
 */
function warp(a: readonly Phase[], b: readonly Phase[]): WarpPath {
  const columns = b.length + 1;
  const costs = new Float64Array((a.length + 1) * columns).fill(Infinity);
  const steps = new Uint8Array(costs.length);
  costs[0] = 0;
  a.forEach((from, i) => {
    b.forEach((to, j) => {
      const both = atFloat(costs, i * columns + j);
      const onlyA = atFloat(costs, i * columns + j + 1);
      const onlyB = atFloat(costs, (i + 1) * columns + j);
      const least = Math.min(both, onlyA, onlyB);
      const cell = (i + 1) * columns + j + 1;
      // A step in one sequence only costs the duration of that phase only.
      const weight =
        least === both ? durationOf(from) + durationOf(to) : durationOf(least === onlyA ? from : to);
      costs[cell] = least + weight * costOf(from.kind, to.kind);
      steps[cell] = least === both ? 0 : least === onlyA ? 1 : 2;
    });
  });
  const total = [...a, ...b].reduce((sum, phase) => sum + durationOf(phase), 0);
  return {
    cost: atFloat(costs, costs.length - 1) / total,
    pairs: backtrack(a, b, steps, columns),
  };
}

function backtrack(
  a: readonly Phase[],
  b: readonly Phase[],
  steps: Uint8Array,
  columns: number,
): [Phase, Phase][] {
  const pairs: [Phase, Phase][] = [];
  let [i, j] = [a.length, b.length];
  while (i > 0 && j > 0) {
    pairs.push([at(a, i - 1), at(b, j - 1)]);
    const step = steps[i * columns + j];
    if (step !== 2) i--;
    if (step !== 1) j--;
  }
  return pairs;
}

function durationOf({ from, to }: Phase): number {
  return to - from + 1;
}

/** -1, 0 or 1: falling, flat, rising. A peak is a kind of its own. */
const directions: Readonly<Record<Letter | 'trend' | 'step', -1 | 0 | 1>> = {
  A: 1,
  B: -1,
  C: -1,
  D: 1,
  E: 1,
  F: -1,
  G: 0,
  trend: 1,
  step: 1,
};

/** Same 0, same direction 0.3, flat against moving 0.6, opposite 1 (§17); a peak against anything else 1. */
function costOf(a: Phase['kind'], b: Phase['kind']): number {
  if (a === b) return 0;
  if (a === 'peak' || b === 'peak') return 1;
  const [left, right] = [directions[a], directions[b]];
  if (left === right) return 0.3;
  return left === 0 || right === 0 ? 0.6 : 1;
}

function lagsBetween(a: Phase, b: Phase): number[] {
  if (a.kind !== b.kind) return [];
  return a.marks.map((mark, n) => at(b.marks, n) - mark);
}

/** Values by which two marks may differ and still be the same, of a series of 200 values and more. */
const sameMark = 1 / 200;
/** Another lag at which this part of the marks meets as well: which one it is cannot be told. */
const asGood = 0.8;

/**
 * How often marks that are anywhere would meet as well at some lag up to a largest one; 1 where they meet at another lag as well, as those of two periodic series do.
 * @param lag of the second series
 * @param largest lag that was looked for; 0: only this one
 */
export function chanceOfLag(first: Shape, second: Shape, lag: number, largest: number): number {
  const length = lengthOf(first);
  const tolerance = Math.max(1, Math.round(length * sameMark));
  const [a, b] = [marksOf(first, length), marksOf(second, length)];
  const isMark = new Uint8Array(length);
  for (const mark of b) isMark.fill(1, Math.max(0, mark - tolerance), Math.min(length, mark + tolerance + 1));
  const met = (shift: number): number =>
    a.filter((mark) => isMark[(((mark + shift) % length) + length) % length] === 1).length;
  const own = met(lag);
  if (own === 0) return 1;
  for (let shift = 0; shift < length; shift++) {
    const distance = Math.min(Math.abs(shift - lag), length - Math.abs(shift - lag));
    if (distance > 2 * tolerance + 1 && met(shift) >= asGood * own && own > 1) return 1;
  }
  const share = isMark.reduce((sum, one) => sum + one, 0) / length;
  const lags = largest === 0 ? 1 : (2 * largest + 1) / (2 * tolerance + 1);
  return Math.min(1, lags * binomialTail(a.length, own, share));
}

/** Of `count` events with this probability, at least `least`. */
function binomialTail(count: number, least: number, probability: number): number {
  let [sum, term] = [0, (1 - probability) ** count];
  for (let k = 0; k <= count; k++) {
    if (k >= least) sum += term;
    term *= ((count - k) / (k + 1)) * (probability / Math.max(1e-12, 1 - probability));
  }
  return Math.min(1, sum);
}

/** Where something begins or ends, but for the ends of the series. */
function marksOf({ patterns }: Shape, length: number): readonly number[] {
  const near = Math.max(2, 0.02 * length);
  return patterns
    .filter(isDegradation)
    .flatMap((pattern) => phaseOf(pattern).marks)
    .filter((mark) => mark >= near && mark < length - near);
}
