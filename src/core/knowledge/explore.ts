import { at, atFloat } from '../at';
import type { CallGraph } from '../callgraph/callGraph';
import { remembered } from '../remembered';
import { calleesOf, shortestWay } from '../callgraph/reachability';

export interface ExploreInput {
  readonly graph: CallGraph;
  /** Measured functions whose exclusive time may hide callees, with its share (0…1) of the run time. */
  readonly above: ReadonlyMap<number, number>;
  /** A function is looked into when the functions above it have at least this share together. */
  readonly leastShare: number;
  /** Whether a function can be recorded, was never measured, and is not excluded by the user. */
  readonly isNew: (index: number) => boolean;
  /** Whether a function was recorded, executed or not: the time of its callees is not in its callers' exclusive time. */
  readonly isSettled: (index: number) => boolean;
  /** Estimated seconds of one visit. */
  readonly visitSeconds: Float64Array;
  /** Estimated seconds of a visit whose loops end at once and which makes no call: the worst case for functions that are timed before they were counted. Default: `visitSeconds`. */
  readonly briefSeconds?: Float64Array;
  readonly costOfVisit: (index: number) => VisitCosts;
  readonly limitPercent: number;
  /** Limit for all functions that are timed at once although their visits could be counted; default: `limitPercent`. */
  readonly timedPercent?: number;
}

/** Cost of a visit in seconds, timed and, where the measurement can do that, merely counted. */
export interface VisitCosts {
  readonly timed: number;
  readonly counted?: number | undefined;
}

export interface Exploration {
  /** Functions to record next, with the hot function above each; `counted`: the number of its visits must be found out first. */
  readonly chosen: ReadonlyMap<number, Chosen>;
  /** Functions that are too much of a risk now, with the estimated overhead in percent. */
  readonly refused: ReadonlyMap<number, number>;
  /** Upper estimate of the overhead of the chosen functions, percent. */
  readonly riskPercent: number;
}

export interface Chosen {
  readonly below: number;
  readonly share: number;
  readonly counted: boolean;
}

/**
 * Factor by which a visit may be shorter than estimated: statements are a poor guess of time. This caution pays only where visits can be
 * counted instead; elsewhere no function would be chosen.
 */
const caution = 5;
/** Even an empty function is called and returns. */
const shortestVisit = 1e-9;
/** The runtime counts at most 1024 functions; hot spots need some of these. */
export const mostCounted = 960;

/** Whether timing is cheap even with the shortest visits that the function may have. */
export function surelyCheap(
  { timed, counted }: VisitCosts,
  visitSeconds: number,
  briefSeconds: number,
): boolean {
  if (counted === undefined) return visitSeconds >= timed;
  return Math.min(visitSeconds / caution, briefSeconds) >= timed;
}

/**
 * Chooses new functions below hot ones. A function that was never measured can only spend time that is in the exclusive time of the
 * measured functions above it, so all of them together can be called at most (exclusive time ÷ time of a visit) times: that bounds the
 * cost of recording them. Candidates are taken transitively, through functions without a site and through other new functions, the longest
 * visits first, while the sum of these bounds stays below the limit. A function that would cost too much to time is only counted: then its
 * cost is known, and the next round decides by it. Once a function's time was found in its callees, its share is small, the bound is
 * lower, and shorter functions come within reach.
 */
export function explore(input: ExploreInput): Exploration {
  const parents = parentsOfNew(input);
  const rates = new Map([...parents.keys()].map((index) => [index, ratesOf(input, index)]));
  const timed = (index: number): number => rates.get(index)?.timed ?? 0;
  const candidates = [...parents.keys()].sort((a, b) => timed(a) - timed(b) || a - b);
  const chosen = new Map<number, Chosen>();
  const refused = new Map<number, number>();
  let risk = 0;
  let counting = 0;
  for (const index of candidates) {
    const above = parents.get(index) ?? [];
    if (above.reduce((sum, p) => sum + p.share, 0) < input.leastShare) continue;
    const moreAt = (rate: number): number =>
      above.reduce((sum, p) => sum + p.share * Math.max(0, rate - p.worst), 0);
    const fits = (rate: number, limit: number): boolean => (risk + moreAt(rate)) * 100 <= limit;
    const { counted: countedRate } = rates.get(index) ?? {};
    const { limitPercent, timedPercent = limitPercent } = input;
    const timedLimit = countedRate === undefined ? limitPercent : timedPercent;
    const counted = countedRate !== undefined && !fits(timed(index), timedLimit) && counting < mostCounted;
    const rate = counted ? countedRate : timed(index);
    const more = moreAt(rate);
    const first = above.reduce((a, b) => (b.share > a.share ? b : a));
    if (!fits(rate, counted ? limitPercent : timedLimit)) {
      refused.set(index, (risk + more) * 100);
      continue;
    }
    risk += more;
    for (const parent of above) parent.worst = Math.max(parent.worst, rate);
    if (counted) counting++;
    chosen.set(index, { below: first.position, share: first.share, counted });
  }
  return { chosen, refused, riskPercent: risk * 100 };
}

/** Cost in seconds per second that the function takes, at most. */
function ratesOf(
  { costOfVisit, visitSeconds, briefSeconds = visitSeconds }: ExploreInput,
  index: number,
): VisitCosts {
  const { timed, counted } = costOfVisit(index);
  const visit = atFloat(visitSeconds, index);
  if (counted === undefined) return { timed: timed / Math.max(shortestVisit, visit) };
  const shortest = visit / caution;
  return {
    timed: timed / Math.max(shortestVisit, Math.min(shortest, atFloat(briefSeconds, index))),
    counted: counted / Math.max(shortestVisit, shortest),
  };
}

/** A measured function, and the costliest rate (pairs' seconds per second) of the functions chosen below it so far. */
interface Parent {
  readonly position: number;
  readonly share: number;
  worst: number;
}

function parentsOfNew(input: ExploreInput): ReadonlyMap<number, readonly Parent[]> {
  const parents = new Map<number, Parent[]>();
  for (const [position, share] of input.above) {
    const parent = { position, share, worst: 0 };
    for (const index of newBelow(input, position)) {
      remembered(parents, index, () => []).push(parent);
    }
  }
  return parents;
}

function newBelow({ graph, isNew, isSettled }: ExploreInput, start: number): readonly number[] {
  const seen = new Set<number>([start]);
  // A set's iteration includes members that are added during it.
  for (const node of seen)
    for (const callee of calleesOf(graph, node)) if (!isSettled(callee)) seen.add(callee);
  return [...seen].filter((node) => node !== start && isNew(node));
}

/** Names on the shortest way down from a function to a callee, at any depth, for which `isGoal` holds. */
export function wayDown(
  graph: CallGraph,
  from: number,
  isGoal: (index: number) => boolean,
): readonly string[] | undefined {
  const way = shortestWay(from, isGoal, (node) => calleesOf(graph, node));
  return way?.map((index) => at(graph.functions, index).name);
}
