import { at } from '../at';
import type { CallGraph } from './callGraph';

export function calleesOf(graph: CallGraph, caller: number): readonly number[] {
  return at(graph.edges, caller).map(({ callee }) => callee);
}

/** The functions that can be reached from `starts` along callees, these included: one byte per function. */
export function reachableFrom(graph: CallGraph, starts: Iterable<number>): Uint8Array {
  return search(graph.functions.length, starts, (node) => calleesOf(graph, node));
}

/** The functions that the entry function reaches, one byte per function; all where no entry function is known. */
export function reachableFromEntry(graph: CallGraph): Uint8Array {
  const entry = entryOf(graph);
  return entry === undefined ? new Uint8Array(graph.functions.length).fill(1) : reachableFrom(graph, [entry]);
}

/** `callers[f]`: the functions with an edge to `f`. */
export function callersOf(graph: CallGraph): readonly (readonly number[])[] {
  const callers: number[][] = graph.functions.map(() => []);
  graph.edges.forEach((edges, caller) => {
    for (const { callee } of edges) at(callers, callee).push(caller);
  });
  return callers;
}

/**
 * All functions on any path from the entry function to one of `targets` (which are included): backward search over callers,
 * restricted to those that the entry function reaches (instrumentation-refinement §2.6, "all paths").
 */
export function pathsToMain(
  callers: readonly (readonly number[])[],
  reachable: Uint8Array,
  targets: Iterable<number>,
): Uint8Array {
  const allowed = (node: number): boolean => reachable[node] === 1;
  return search(callers.length, [...targets].filter(allowed), (node) => at(callers, node).filter(allowed));
}

/**
 * The nearest functions below `node` that can be recorded, through those that cannot.
 * @param leadsOn false for functions below which nothing is searched; default: none
 */
export function recordableBelow(
  graph: CallGraph,
  node: number,
  canRecord: (index: number) => boolean,
  leadsOn: (index: number) => boolean = () => true,
): readonly number[] {
  return nearestAlong((index) => calleesOf(graph, index).filter(leadsOn), node, canRecord);
}

/** The same upwards. @param callers of the graph (`callersOf`) */
export function recordableAbove(
  callers: readonly (readonly number[])[],
  node: number,
  canRecord: (index: number) => boolean,
): readonly number[] {
  return nearestAlong((index) => at(callers, index), node, canRecord);
}

function nearestAlong(
  next: (node: number) => readonly number[],
  node: number,
  isGoal: (index: number) => boolean,
): readonly number[] {
  const found: number[] = [];
  const queue = [node];
  const seen = new Set(queue);
  for (const from of queue) {
    for (const to of next(from)) {
      if (seen.has(to)) continue;
      seen.add(to);
      (isGoal(to) ? found : queue).push(to);
    }
  }
  return found;
}

/** Shortest way from `start` to a function for which `isGoal` holds, along `next`; undefined if there is none. */
export function shortestWay(
  start: number,
  isGoal: (node: number) => boolean,
  next: (node: number) => readonly number[],
): readonly number[] | undefined {
  const before = new Map<number, number | undefined>([[start, undefined]]);
  const queue = [start];
  for (const node of queue) {
    if (isGoal(node)) {
      const way: number[] = [];
      for (let step: number | undefined = node; step !== undefined; step = before.get(step))
        way.unshift(step);
      return way;
    }
    for (const following of next(node)) {
      if (before.has(following)) continue;
      before.set(following, node);
      queue.push(following);
    }
  }
  return undefined;
}

/** The entry function: as the graph says, else by the names that compilers give it. */
export function entryOf(graph: CallGraph): number | undefined {
  if (graph.entry !== undefined) return graph.entry;
  const names = new Set(['main', 'MAIN__', '_Z4main', '_ZSt4mainiPPc']);
  const index = graph.functions.findIndex((f) => names.has(f.mangledName ?? f.name));
  return index === -1 ? undefined : index;
}

function search(
  size: number,
  starts: Iterable<number>,
  next: (node: number) => readonly number[],
): Uint8Array {
  const seen = new Uint8Array(size);
  const queue: number[] = [];
  const add = (node: number): void => {
    if (seen[node] === 1) return;
    seen[node] = 1;
    queue.push(node);
  };
  for (const start of starts) add(start);
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) next(node).forEach(add);
  return seen;
}
