import { at } from '../at';
import { reachableFromEntry } from '../callgraph/reachability';
import { wayDown } from '../knowledge/explore';
import { briefVisitSeconds } from '../knowledge/visitEstimate';
import { present } from '../present';
import type { Decision, Reason, Selection } from '../selection/selection';
import { countFirst } from './countFirst';
import type { Verdict } from './decideAll';
import { costOf, decideEach, type AdaptiveStep } from './overheadReduction';
import { surroundings, type ImbalanceSurroundings } from '../imbalance/context';
import { descend, type Descent, type Visited } from '../imbalance/descent';

/**
 * PIRA's load-imbalance detection, LIDe (instrumentation-refinement §2.8). The first run records the entry function alone; each later one the functions
 * that are unbalanced over ranks and threads, their context, and the callees of relevant functions that were never recorded. Unlike in PIRA, the
 * measure is of computation, since waiting in MPI hides what it waits for; and a function whose recording costs more than the target is left out.
 */
export function imbalanceSelection(step: AdaptiveStep): Selection {
  const descent = descend(step);
  const around = surroundings(step.graph, descent.visited, step.options.imbalance);
  const reachable = reachableFromEntry(step.graph);
  const selection = decideEach(step, new Map(), (key, index) => {
    const verdict = verdictOf(step, descent, around, index);
    if (verdict !== undefined) return affordable(step, key, verdict);
    return [false, { rule: reachable[index] === 1 ? 'not-needed' : 'unreachable' }];
  });
  return { decisions: newOnesCountedFirst(step, selection.decisions) };
}

function verdictOf(
  step: AdaptiveStep,
  { visited, children }: Descent,
  { above, synchronising }: ImbalanceSurroundings,
  index: number,
): Verdict | undefined {
  const { graph, options } = step;
  const { metric, imbalanceThreshold: threshold } = options.imbalance;
  const own = visited.get(index);
  if (own?.isImbalanced === true)
    return [true, { rule: 'imbalanced', value: own.imbalance, threshold, metric }];
  if (above.has(index)) {
    const path = wayDown(graph, index, (node) => visited.get(node)?.isImbalanced === true);
    return [true, { rule: 'path-to-main', metric, ...present({ path }) }];
  }
  const balanced = synchronising.get(index);
  if (balanced !== undefined) {
    const path = wayDown(graph, balanced, (node) => node === index);
    return [true, { rule: 'synchronisation', ...present({ path }) }];
  }
  return own === undefined
    ? childVerdict(step, visited, children.get(index), index)
    : [false, whyOut(step, own)];
}

function whyOut({ options }: AdaptiveStep, own: Visited): Reason {
  const { metric, imbalanceThreshold, relevanceThreshold } = options.imbalance;
  return own.isRelevant
    ? { rule: 'balanced', value: own.imbalance, threshold: imbalanceThreshold, metric }
    : {
        rule: 'not-hot',
        value: own.share,
        threshold: relevanceThreshold,
        measure: 'inclusive',
      };
}

function childVerdict(
  { graph }: AdaptiveStep,
  visited: Descent['visited'],
  child: ReturnType<Descent['children']['get']>,
  index: number,
): Verdict | undefined {
  if (child === undefined) return undefined;
  const { parent, statements, threshold, isRelevant } = child;
  if (!isRelevant) return [false, { rule: 'too-small', value: statements, threshold }];
  const path = [parent, index].map((node) => at(graph.functions, node).name);
  return [true, { rule: 'descend', path, ...present({ value: visited.get(parent)?.share }) }];
}

/** A function whose cost is known, and above the target by itself, is left out. */
function affordable(step: AdaptiveStep, key: string, [selected, reason]: Verdict): Verdict {
  const { cost } = costOf(step, key);
  const threshold = step.options.overheadPercent;
  if (selected && cost !== undefined && cost.overheadPercent > threshold)
    return [false, { rule: 'too-expensive', value: cost.overheadPercent, threshold, cost }];
  return [selected, { ...reason, ...present({ cost }) }];
}

function newOnesCountedFirst(
  { graph, sites, pairCosts, knowledge }: AdaptiveStep,
  decisions: ReadonlyMap<string, Decision>,
): ReadonlyMap<string, Decision> {
  const unknown = new Map([...decisions].filter(([key]) => !knowledge.functions.has(key)));
  const counted = countFirst(unknown, { graph, sites, pairCosts, briefSeconds: briefVisitSeconds(graph) });
  return new Map([...decisions].map(([key, decision]) => [key, counted.get(key) ?? decision]));
}
