import { assertNever } from '../errors';
import { at } from '../at';
import type { CallGraph } from '../callgraph/callGraph';
import {
  calleesOf,
  callersOf,
  pathsToMain,
  reachableFrom,
  reachableFromEntry,
} from '../callgraph/reachability';
import { canWaitInMpi } from '../functions/activities';
import type { ImbalanceOptions } from '../selection/imbalanceOptions';
import type { Visited } from './descent';

/** Functions that are recorded beside the unbalanced ones, by position in the graph. */
export interface ImbalanceSurroundings {
  /** On the way to an unbalanced function. */
  readonly above: ReadonlySet<number>;
  /** Functions that call MPI where others wait, with the balanced function above each. */
  readonly synchronising: ReadonlyMap<number, number>;
}

export function surroundings(
  graph: CallGraph,
  visited: ReadonlyMap<number, Visited>,
  options: Pick<ImbalanceOptions, 'context' | 'contextSteps'>,
): ImbalanceSurroundings {
  const imbalanced = [...visited].flatMap(([index, { isImbalanced }]) => (isImbalanced ? [index] : []));
  const none = { above: new Set<number>(), synchronising: new Map<number, number>() };
  if (imbalanced.length === 0) return none;
  const callers = callersOf(graph);
  switch (options.context) {
    case 'none':
      return none;
    case 'all-paths':
      return { ...none, above: marked(pathsToMain(callers, reachableFromEntry(graph), imbalanced)) };
    case 'major-paths': {
      const recorded = Uint8Array.from(graph.functions, (_, index) => (visited.has(index) ? 1 : 0));
      return { ...none, above: marked(pathsToMain(callers, recorded, imbalanced)) };
    }
    case 'major-parents':
      return { ...none, above: parents(callers, visited, imbalanced, options.contextSteps) };
    case 'synchronisation':
      return { ...none, synchronising: synchronising(graph, callers, visited, imbalanced) };
    default:
      return assertNever(options.context);
  }
}

function marked(marks: Uint8Array): ReadonlySet<number> {
  return new Set([...marks.keys()].filter((index) => marks[index] === 1));
}

/** Recorded functions from which an unbalanced one is reached in at most so many calls, through any functions. */
function parents(
  callers: readonly (readonly number[])[],
  visited: ReadonlyMap<number, Visited>,
  imbalanced: readonly number[],
  steps: number,
): ReadonlySet<number> {
  let level: readonly number[] = imbalanced;
  const seen = new Set(level);
  for (let done = 0; done < steps; done++) {
    const next = [...new Set(level.flatMap((index) => at(callers, index)))].filter(
      (index) => !seen.has(index),
    );
    for (const index of next) seen.add(index);
    level = next;
  }
  return new Set([...seen].filter((index) => visited.has(index)));
}

/**
 * Where the others wait: an unbalanced function delays the next synchronisation in the balanced functions that call it, at any depth below
 * these; the nearest one with any counts. PIRA looks for the same call sites of MPI, but the line that would mark them is commented out.
 */
function synchronising(
  graph: CallGraph,
  callers: readonly (readonly number[])[],
  visited: ReadonlyMap<number, Visited>,
  imbalanced: readonly number[],
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const seen = new Set(imbalanced);
  for (const node of seen)
    for (const caller of at(callers, node)) {
      const below = visited.get(caller)?.isImbalanced === false ? callersOfMpi(graph, caller) : [];
      for (const index of below) if (!found.has(index)) found.set(index, caller);
      if (below.length === 0) seen.add(caller);
    }
  return found;
}

/** Functions from `start` on down that call a function of MPI which may wait. */
function callersOfMpi(graph: CallGraph, start: number): readonly number[] {
  const below = reachableFrom(graph, [start]);
  return [...below.keys()].filter(
    (index) =>
      below[index] === 1 &&
      calleesOf(graph, index).some((callee) => canWaitInMpi(at(graph.functions, callee).name)),
  );
}
