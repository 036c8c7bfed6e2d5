import { assertNever } from '../errors';
import { predictedScale } from '../cost/costScale';
import { guidedSelection } from './guidedSelection';
import { imbalanceSelection } from './imbalanceSelection';
import type { ModelKnowledge } from './modelKnowledge';
import { modelSelection } from './modelSelection';
import { present } from '../present';
import { noKnowledge } from '../knowledge/knowledge';
import { assumedSites, nextSelection, type NextSelection, type SelectionInput } from './nextSelection';
import { reduceOverhead, type AdaptiveStep } from './overheadReduction';
import { typicalPairCosts } from '../cost/pairCost';
import type { Selection } from '../selection/selection';
import { defaultSelectionOptions, type SelectionOptions } from '../selection/selectionOptions';

/**
 * The next selection by the strategy of the options: a pure function of the last selection and all knowledge.
 * A phase is always in, even where the user has excluded its function: without it there are no iterations.
 */
export function nextStep(
  input: SelectionInput & {
    /** Of the strategy `model`, after its first round. */
    readonly models?: ModelKnowledge;
  },
): NextSelection {
  const given: SelectionOptions = { ...defaultSelectionOptions, ...input.options };
  const options = {
    ...given,
    pinnedOut: new Set([...given.pinnedOut].filter((key) => !given.phase.has(key))),
  };
  if (options.strategy === 'hotspot') return nextSelection({ ...input, options });
  const step = adaptiveStep(input, options);
  if (options.strategy === 'model') {
    const { models, remainingRuns = Infinity } = input;
    // The first round is the same: affordable functions by their statements.
    if (models === undefined) return nextSelection({ ...input, options });
    return described(step, modelSelection(step, models, remainingRuns > 1));
  }
  return described(step, selectionOf(step));
}

function selectionOf(step: AdaptiveStep): Selection {
  const { strategy, base } = step.options;
  switch (strategy) {
    case 'tor':
    case 'por':
      return reduceOverhead(step, strategy);
    case 'agor':
      return step.knowledge.runs === 0 ? reduceOverhead(step, base) : guidedSelection(step, base);
    case 'imbalance':
      return imbalanceSelection(step);
    case 'hotspot':
    case 'model':
      throw new RangeError('decided by nextStep');
    default:
      return assertNever(strategy);
  }
}

function adaptiveStep(input: SelectionInput, options: SelectionOptions): AdaptiveStep {
  const { graph, previous } = input;
  const knowledge = input.knowledge ?? noKnowledge;
  const baselineSeconds = input.baselineSeconds ?? knowledge.runSeconds;
  return {
    graph,
    sites: input.sites ?? assumedSites(graph),
    knowledge,
    pairCosts: input.pairCosts ?? typicalPairCosts,
    scale: predictedScale(input, options.overheadPercent * options.aimShare),
    baselineSeconds,
    costBase: input.costBase ?? { clock: 'wall', seconds: baselineSeconds },
    options,
    ...present({ previous }),
  };
}

/** Only a selection that does not change ends these strategies, so they are never exhausted. */
function described({ knowledge, options }: AdaptiveStep, selection: Selection): NextSelection {
  let overheadPercent = 0;
  let unmeasured = 0;
  for (const { key, selected, reason } of selection.decisions.values()) {
    if (!selected) continue;
    overheadPercent += reason.cost?.overheadPercent ?? 0;
    if (!knowledge.functions.has(key)) unmeasured++;
  }
  const withinTarget = overheadPercent <= options.overheadPercent;
  return {
    selection,
    prediction: { overheadPercent, riskPercent: 0, unmeasured, withinTarget },
    exhausted: false,
  };
}
