import { at, atFloat } from '../at';
import { inclusiveStatements } from '../callgraph/inclusiveStatements';
import { callersOf, entryOf, recordableBelow } from '../callgraph/reachability';
import { shareOf, type Share } from '../functions/share';
import type { SiteKind } from '../cost/pairCost';
import type { CallGraph } from '../callgraph/callGraph';
import type { SelectionOptions } from '../selection/selectionOptions';
import type { Knowledge } from '../knowledge/knowledge';
import { hasStaticRecord } from '../knowledge/visitEstimate';
import { balancedValue, imbalanceOf } from './metric';

export interface DescentInput {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  readonly knowledge: Knowledge;
  readonly options: Pick<SelectionOptions, 'imbalance' | 'pinnedOut'>;
}

/** What the runs so far have shown of a function that they recorded. */
export interface Visited {
  /** Of the entry function's inclusive time. */
  readonly share: Share;
  /** Of the chosen metric. */
  readonly imbalance: number;
  readonly isRelevant: boolean;
  readonly isImbalanced: boolean;
}

/** A callee that no run has timed. */
export interface Child {
  readonly parent: number;
  readonly statements: number;
  readonly threshold: number;
  readonly isRelevant: boolean;
}

export interface Descent {
  /** By position in the graph. */
  readonly visited: ReadonlyMap<number, Visited>;
  readonly children: ReadonlyMap<number, Child>;
}

/**
 * LIDe's iterative descent: each round goes one call further down, below every relevant function, until nothing new is below. What PIRA keeps as
 * flags between rounds (visited, irrelevant, imbalanced) follows from what the runs have shown.
 */
export function descend(step: DescentInput): Descent {
  const { graph } = step;
  const entry = entryOf(graph);
  const visited = visitedFunctions(step, entry);
  const statements = inclusiveStatements(graph);
  const children = new Map<number, Child>();
  const canRecord = (index: number): boolean => {
    const { key } = at(graph.functions, index);
    return step.sites.has(key) && !step.options.pinnedOut.has(key);
  };
  const look = (parent: number): void => {
    for (const callee of recordableBelow(graph, parent, canRecord)) {
      const known = step.knowledge.functions.get(at(graph.functions, callee).key);
      if (known !== undefined && known.counted !== true) continue;
      const child = childOf(step, { parent, callee, entry, statements });
      if (children.get(callee)?.isRelevant !== true) children.set(callee, child);
    }
  };
  if (step.knowledge.runs > 0) for (const root of rootsOf(step, entry)) look(root);
  for (const [index, { isRelevant }] of visited) if (isRelevant) look(index);
  return { visited, children };
}

/** The descent begins at the entry function; without one, at what nothing calls. */
function rootsOf({ graph }: DescentInput, entry: number | undefined): readonly number[] {
  if (entry !== undefined) return [entry];
  return callersOf(graph).flatMap((callers, index) => (callers.length === 0 ? [index] : []));
}

function visitedFunctions(step: DescentInput, entry: number | undefined): ReadonlyMap<number, Visited> {
  const { graph, knowledge } = step;
  const { metric, imbalanceThreshold, relevanceThreshold } = step.options.imbalance;
  const main = entry === undefined ? undefined : knowledge.functions.get(at(graph.functions, entry).key);
  const whole = {
    seconds: main === undefined || main.visits === 0 ? knowledge.runSeconds : main.inclusiveSeconds,
  };
  const visited = new Map<number, Visited>();
  graph.functions.forEach(({ key }, index) => {
    const known = knowledge.functions.get(key);
    // One that was only counted is timed next: the few visits that were timed tell nothing of ranks.
    if (known === undefined || known.visits <= 0 || known.counted === true) return;
    const share = shareOf(known.inclusiveSeconds, whole);
    const { spread } = known;
    const imbalance = spread === undefined ? balancedValue(metric) : imbalanceOf(metric, spread);
    const isRelevant = share >= relevanceThreshold;
    visited.set(index, {
      share,
      imbalance,
      isRelevant,
      isImbalanced: isRelevant && imbalance >= imbalanceThreshold,
    });
  });
  return visited;
}

function childOf(
  { graph, options }: DescentInput,
  of: {
    readonly parent: number;
    readonly callee: number;
    readonly entry: number | undefined;
    readonly statements: Float64Array;
  },
): Child {
  const { parent, callee, entry } = of;
  const statements = atFloat(of.statements, callee);
  const { childRelevance, childConstantThreshold: constant, childFraction } = options.imbalance;
  const fractionOf = (index: number): number =>
    Math.max(constant, childFraction * atFloat(of.statements, index));
  const thresholds: Readonly<Record<typeof childRelevance, () => number>> = {
    all: () => 0,
    constant: () => constant,
    'relative-to-parent': () => fractionOf(parent),
    'relative-to-main': () => (entry === undefined ? constant : fractionOf(entry)),
  };
  const threshold = thresholds[childRelevance]();
  // Statements of a function without a record of its source are unknown, and only a run shows what it does.
  const isUnknown = !hasStaticRecord(at(graph.functions, callee));
  return { parent, statements, threshold, isRelevant: isUnknown || statements >= threshold };
}
