import type { CallGraph } from '../callgraph/callGraph';
import { at, condense } from '../selection/condense';
import { callersOf } from '../selection/reachability';

export interface NearestCallers {
  /** Callers of each function; made once where several questions are asked of one graph. */
  readonly callers?: readonly (readonly number[])[];
  /** Smaller is nearer to the front; default: the graph's order. */
  readonly rank?: (index: number) => number;
  /** Of each function at most so many, the first by rank. */
  readonly most: number;
}

/**
 * For each function that does not hold its own time: the nearest callers that do, over callers that do not. Functions that call each
 * other have the same ones, so the call graph without the holders' calls is condensed and gone through once, callers first. The
 * first `most` of a union are among the first `most` of its parts, so that no list becomes longer and the result is exact. O(edges).
 */
export function nearestCallers(
  graph: CallGraph,
  holds: (index: number) => boolean,
  { callers = callersOf(graph), rank = (index) => index, most }: NearestCallers,
): readonly (readonly number[])[] {
  const holder = Uint8Array.from(graph.functions, (_, index) => (holds(index) ? 1 : 0));
  const edges = graph.edges.map((callees, caller) => (holder[caller] === 1 ? [] : callees));
  const { component, count } = condense({ ...graph, edges });
  const members: number[][] = Array.from({ length: count }, () => []);
  component.forEach((own, index) => {
    if (holder[index] === 0) members[own]?.push(index);
  });
  const byRank = (a: number, b: number): number => rank(a) - rank(b) || a - b;
  const nearest: (readonly number[])[] = Array.from({ length: count }, () => []);
  for (let own = count - 1; own >= 0; own--) {
    const best = new Shortlist(byRank, most);
    for (const member of members[own] ?? [])
      for (const caller of callers[member] ?? []) {
        if (holder[caller] === 1) best.add([caller]);
        else if (component[caller] !== own) best.add(nearest[at(component, caller)] ?? []);
      }
    nearest[own] = best.list();
  }
  return graph.functions.map((_, index) =>
    holder[index] === 1 ? [] : (nearest[at(component, index)] ?? []),
  );
}

/** The first of what was added, each once. */
class Shortlist {
  private readonly found = new Set<number>();

  constructor(
    private readonly order: (a: number, b: number) => number,
    private readonly most: number,
  ) {}

  add(some: readonly number[]): void {
    for (const one of some) this.found.add(one);
    // Sorting now and then keeps what a function with thousands of callers gathers small.
    if (this.found.size <= 16 * this.most) return;
    const kept = this.list();
    this.found.clear();
    for (const one of kept) this.found.add(one);
  }

  list(): readonly number[] {
    return [...this.found].sort(this.order).slice(0, this.most);
  }
}
