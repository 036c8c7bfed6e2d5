import { at, atFloat } from '../at';
import { present } from '../present';
import { shareOf } from '../functions/share';
import type { BudgetResult } from './budget';
import { wayDown, type Exploration } from '../knowledge/explore';
import { fixedVerdict, type Verdict } from './decideAll';
import type { FunctionKnowledge } from '../knowledge/knowledge';
import { countingInterval } from './sampling';
import type { PredictedCost, Reason } from '../selection/selection';
import type { SelectionOptions } from '../selection/selectionOptions';
import type { Measures, Step } from './selectionStep';

/** The functions that a step chose. */
export interface Chosen {
  readonly budget: BudgetResult;
  readonly exploration: Exploration;
  readonly again: ReadonlySet<string>;
}

/** The decision for each function, and its reason. */
export function decider(
  step: Step,
  measures: Measures,
  { budget, exploration, again }: Chosen,
): (index: number, key: string) => Verdict {
  const { graph, sites, knowledge, options, statics } = step;
  return (index, key) => {
    const cost = measures.costOf(key);
    const fixed = fixedVerdict(graph, sites, options, statics.entry, index);
    if (fixed?.[0] === true) return [true, { ...fixed[1], ...present({ cost }) }];
    if (fixed !== undefined) return fixed;
    const measured = knowledge.functions.get(key);
    if (measured === undefined) return unmeasuredReason(step, exploration, index);
    if (cost === undefined) return [false, { rule: 'not-executed' }];
    if (again.has(key)) return [true, { rule: 'again', cost }];
    const interval = budget.intervals.get(key);
    return measuredReason(step, measures, budget, index, measured, measures.costOf(key, interval) ?? cost);
  };
}

function unmeasuredReason(step: Step, exploration: Exploration, index: number): Verdict {
  const { statics, graph, options } = step;
  const chosen = exploration.chosen.get(index);
  if (chosen !== undefined) {
    const counted = chosen.counted ? { countedFirst: countingInterval } : {};
    if (chosen.below === index) return [true, { rule: 'path-to-main', ...counted }];
    const path = wayDown(graph, chosen.below, (node) => node === index) ?? [];
    const threshold = options.hotInclusiveShare;
    return [true, { rule: 'expand', value: chosen.share, threshold, path, ...counted }];
  }
  const risk = exploration.refused.get(index);
  if (risk !== undefined) {
    return [false, { rule: 'not-measured', value: risk, threshold: options.explorationPercent }];
  }
  if (statics.reachable[index] !== 1) return [false, { rule: 'unreachable' }];
  const value = atFloat(statics.inclusive, index);
  const threshold = Math.max(statics.threshold, options.minimumStatements);
  return [false, value < threshold ? { rule: 'too-small', value, threshold } : { rule: 'not-measured' }];
}

function measuredReason(
  step: Step,
  { runSeconds }: Measures,
  budget: BudgetResult,
  index: number,
  measured: FunctionKnowledge,
  cost: PredictedCost,
): Verdict {
  const { graph, options } = step;
  const { key } = at(graph.functions, index);
  const whole = { seconds: runSeconds };
  const exclusive = shareOf(budget.exclusiveSeconds.get(key) ?? measured.exclusiveSeconds, whole);
  const inclusive = shareOf(measured.inclusiveSeconds, whole);
  if (!budget.affordable.has(key)) {
    const wanted = inclusive >= options.usefulShare || budget.context.has(key);
    return [
      false,
      wanted ? tooExpensive(options, budget, key, cost) : notHot(options, measured, inclusive, cost),
    ];
  }
  if (budget.hotSpots.has(key)) {
    const threshold = options.hotExclusiveShare;
    return [true, { rule: 'hot-spot', value: exclusive, threshold, measure: 'exclusive', cost }];
  }
  if (inclusive >= options.hotInclusiveShare) {
    const threshold = options.hotInclusiveShare;
    return [true, { rule: 'hot-spot', value: inclusive, threshold, measure: 'inclusive', cost }];
  }
  if (budget.context.has(key)) {
    const path = wayDown(graph, index, (node) => budget.hotSpots.has(at(graph.functions, node).key));
    return [
      true,
      { rule: 'path-to-main', value: inclusive, measure: 'inclusive', cost, ...present({ path }) },
    ];
  }
  return [true, { rule: 'budget', value: cost.overheadPercent, threshold: options.overheadPercent, cost }];
}

function notHot(
  { usefulShare: threshold }: SelectionOptions,
  measured: FunctionKnowledge,
  value: number,
  cost: PredictedCost,
): Reason {
  const estimated = measured.counted === true ? ({ estimated: true } as const) : {};
  return { rule: 'not-hot', value, threshold, measure: 'inclusive', cost, ...estimated };
}

function tooExpensive(
  { overheadPercent, idlePercent }: SelectionOptions,
  { dropped, limits }: BudgetResult,
  key: string,
  cost: PredictedCost,
): Reason {
  const limit = dropped.has(key) ? limits.hotSpots : limits.others;
  return {
    rule: 'too-expensive',
    value: cost.overheadPercent,
    threshold: overheadPercent,
    limit,
    cost,
    ...present({ idle: idlePercent }),
  };
}
