import type { CallGraph } from '../callgraph/callGraph';
import { shortestWay } from '../callgraph/reachability';

export interface ExploreInput {
  readonly graph: CallGraph;
  /** Measured functions whose exclusive time may hide callees, with its share (0…1) of the run time. */
  readonly above: ReadonlyMap<number, number>;
  /** A function is looked into when the functions above it have at least this share together. */
  readonly leastShare: number;
  /** Can be recorded, was never measured, and the user did not exclude it. */
  readonly isNew: (index: number) => boolean;
  /** Was recorded and executed, or recorded and never executed: what lies below it is not in the callers' exclusive time. */
  readonly isSettled: (index: number) => boolean;
  /** Guess of the seconds of one visit. */
  readonly visitSeconds: Float64Array;
  /** The same of a visit whose loops end at once and whose calls are not reached: what is timed before it was counted must bear that. Default: `visitSeconds`. */
  readonly briefSeconds?: Float64Array;
  readonly costOfVisit: (index: number) => VisitCosts;
  readonly limitPercent: number;
  /** What may be timed at once where visits can be counted instead, together; default: `limitPercent`. */
  readonly timedPercent?: number;
}

/** What a visit costs in seconds, timed and, where the measurement can do that, merely counted. */
export interface VisitCosts {
  readonly timed: number;
  readonly counted?: number | undefined;
}

export interface Exploration {
  /** What to record next, with the hot function above it; `counted`: how often it is called has to be found out first. */
  readonly chosen: ReadonlyMap<number, Chosen>;
  /** What would be too much of a risk now, with the estimated overhead in percent. */
  readonly refused: ReadonlyMap<number, number>;
  /** Upper estimate of the overhead of what was chosen, percent. */
  readonly riskPercent: number;
}

export interface Chosen {
  readonly below: number;
  readonly share: number;
  readonly counted: boolean;
}

/**
 * So many times as short as guessed a visit may be: statements tell the time that badly. Only where visits can be counted instead is it worth
 * to be so careful; elsewhere nothing would be looked into.
 */
const caution = 5;
/** Even an empty function is called and returns. */
const shortestVisit = 1e-9;
/** The runtime counts at most 1024 functions; hot spots need some of that. */
export const mostCounted = 960;

/** Timed at once only if even the shortest visits that it may have leave that cheap. */
export function surelyCheap(
  { timed, counted }: VisitCosts,
  visitSeconds: number,
  briefSeconds: number,
): boolean {
  if (counted === undefined) return visitSeconds >= timed;
  return Math.min(visitSeconds / caution, briefSeconds) >= timed;
}

/**
 * What to look into below hot functions. A function that was never measured can only spend time that is in the exclusive time of the
 * measured functions above it, so all of them together can be called at most (exclusive time ÷ time of a visit) times: that bounds
 * the cost of looking. Candidates are taken transitively, through functions without a site and through other new ones, the longest
 * visits first, while the sum of these bounds stays below the limit. What would be too much to time by that is only counted: then its cost
 * is known, and the next step decides by it. Once a function's time was found in its callees, its share is small, the bound is lower, and
 * shorter functions come within reach.
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
    const first = above.reduce(
      (a, b) => (b.share > a.share ? b : a),
      above[0] ?? { position: index, share: 0 },
    );
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
  const visit = visitSeconds[index] ?? 0;
  if (counted === undefined) return { timed: timed / Math.max(shortestVisit, visit) };
  const shortest = visit / caution;
  return {
    timed: timed / Math.max(shortestVisit, Math.min(shortest, briefSeconds[index] ?? 0)),
    counted: counted / Math.max(shortestVisit, shortest),
  };
}

/** A measured function, and the costliest rate (pairs' seconds per second) of what was chosen below it so far. */
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
      const list = parents.get(index);
      if (list === undefined) parents.set(index, [parent]);
      else list.push(parent);
    }
  }
  return parents;
}

function newBelow({ graph, isNew, isSettled }: ExploreInput, start: number): readonly number[] {
  const seen = new Set<number>([start]);
  const found: number[] = [];
  const queue = [start];
  for (const node of queue) {
    for (const { callee } of graph.edges[node] ?? []) {
      if (seen.has(callee) || isSettled(callee)) continue;
      seen.add(callee);
      queue.push(callee);
      if (isNew(callee)) found.push(callee);
    }
  }
  return found;
}

/** Names on the way from a hot function down to a callee. */
export function wayDown(graph: CallGraph, from: number, to: number): readonly string[] {
  const way = shortestWay(
    from,
    (node) => node === to,
    (node) => graph.edges[node]?.map((e) => e.callee) ?? [],
  );
  return (way ?? [from, to]).map((index) => graph.functions[index]?.name ?? '');
}
