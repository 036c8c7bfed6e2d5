import { at, atUint } from '../at';
import type { CallGraph } from './callGraph';
import { condense, membersOf } from './condense';
import { callersOf } from './reachability';

export interface NearestCallers {
  /** Callers of each function, for a caller that asks several questions about one graph. */
  readonly callers?: readonly (readonly number[])[];
  /** Smaller is nearer to the front; default: the graph's order. */
  readonly rank?: (index: number) => number;
  /** Maximum number of callers of each function, at least one: the first by rank. */
  readonly most: number;
}

/**
 * For each function that does not hold its own time: the nearest callers that do, over callers that do not. Functions that call each
 * other have the same ones, so the call graph without the holders' calls is condensed and gone through once, callers first. The
 * first `most` of a union are among the first `most` of its parts, so that no list becomes longer and the result is exact. O(edges × most).
 */
export function nearestCallers(
  graph: CallGraph,
  holds: (index: number) => boolean,
  { callers = callersOf(graph), rank = (index) => index, most }: NearestCallers,
): readonly (readonly number[])[] {
  const holder = Uint8Array.from(graph.functions, (_, index) => (holds(index) ? 1 : 0));
  const place = placesOf(holder, rank);
  const edges = graph.edges.map((callees, caller) => (holder[caller] === 1 ? [] : callees));
  const condensed = condense({ edges });
  const { component, count } = condensed;
  const members = membersOf(condensed);
  const nearest: (readonly number[])[] = Array.from({ length: count }, () => []);
  for (let own = count - 1; own >= 0; own--) {
    let first: readonly number[] = [];
    for (const member of at(members, own)) {
      if (holder[member] === 1) continue;
      for (const caller of at(callers, member)) {
        if (holder[caller] === 1) first = merged(first, [caller], place, most);
        else if (component[caller] !== own)
          first = merged(first, at(nearest, atUint(component, caller)), place, most);
      }
    }
    nearest[own] = first;
  }
  return graph.functions.map((_, index) =>
    holder[index] === 1 ? [] : at(nearest, atUint(component, index)),
  );
}

/** Where each holder stands in the order of all: comparing two of them is then comparing two numbers. */
function placesOf(holder: Uint8Array, rank: (index: number) => number): Uint32Array {
  const holders = [...holder.keys()].filter((index) => holder[index] === 1);
  holders.sort((a, b) => rank(a) - rank(b) || a - b);
  const place = new Uint32Array(holder.length);
  holders.forEach((index, order) => (place[index] = order));
  return place;
}

/** The first `most` of two lists in order, each once. */
function merged(
  a: readonly number[],
  b: readonly number[],
  place: Uint32Array,
  most: number,
): readonly number[] {
  if (a.length === 0) return b;
  const both: number[] = [];
  let [i, j] = [0, 0];
  while (both.length < most && (i < a.length || j < b.length)) {
    const [left, right] = [a[i], b[j]];
    const order = placeIn(place, left) - placeIn(place, right);
    both.push(order <= 0 ? at(a, i) : at(b, j));
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return both;
}

/** A missing holder comes after all others. */
function placeIn(place: Uint32Array, holder: number | undefined): number {
  return holder === undefined ? place.length : atUint(place, holder);
}
