import { present } from '../../../core/present';
import { nextStep } from '../../../core/strategies/nextStep';
import type { NextSelection } from '../../../core/strategies/nextSelection';
import { sameFunctions, selectedKeys, type Selection } from '../../../core/selection/selection';
import { leastRounds } from '../../../core/selection/strategy';
import type { RefineResult } from '../../studies/refine.types';
import { explainBaseRun } from './baseRun';
import { digest } from './digest';
import { finalSelection, stepInput } from './finalSelection';
import {
  strategyOf,
  type Bench,
  type Decided,
  type FinalSelection,
  type LoopInput,
  type LoopResult,
  type LoopState,
} from './loop.types';
import { Runs } from './runs';
import { hasSettled } from './settled';

/**
 * The loop of measuring and deciding. Baseline and measured runs take turns, so that a drift of the machine affects both. The first selection
 * needs no run; each later one is decided by all measurements so far.
 */
export async function refinementLoop(input: LoopInput, bench: Bench): Promise<LoopResult> {
  const runs = new Runs(input, bench);
  await runs.baseline();
  let state: LoopState | undefined;
  for (let index = 0; ; index++) {
    const replayed = input.earlier?.[index];
    const decided = replayed ?? (await decide(input, runs, index, state));
    if ('stop' in decided) return decided.stop;
    const { selection, iteration: expected } = decided;
    const exploring = isExploring(input, index, state, selection);
    const done = replayed?.iteration.runs;
    const evidence = await runs.iteration(index, selection, exploring, done).catch((error: unknown) => {
      throw index === 0 ? explainBaseRun(error, strategyOf(input)) : error;
    });
    state = digest(input, state, selection, prediction(expected), evidence);
    runs.deciding(index);
    const iteration = state.iterations.at(-1);
    if (iteration !== undefined && replayed === undefined) await input.onRound(iteration, state);
  }
}

async function decide(
  input: LoopInput,
  runs: Runs,
  index: number,
  state: LoopState | undefined,
): Promise<Decided | { readonly stop: LoopResult }> {
  const pins = await input.pinned?.();
  // Beyond the limit it only determines whether the refinement would have continued.
  const remainingRuns = index < input.maximumIterations ? input.maximumIterations - index : undefined;
  const step = nextStep(stepInput(input, state, pins, remainingRuns));
  const { selection } = step;
  if (state === undefined) return { selection, iteration: {} };
  if (index >= (input.leastRounds ?? 1)) {
    const final = finalSelection(input, state, pins);
    const reason = stopReason(input, runs, index, state, step, final);
    if (reason !== undefined)
      return { stop: { ...ended(input, state, selection, final, reason), spentSeconds: runs.spentSeconds } };
  }
  const { overheadPercent, unmeasured } = step.prediction;
  const unpredicted = unmeasured > 0 ? { unpredicted: unmeasured } : {};
  return { selection, iteration: { predictedPercent: overheadPercent, ...unpredicted } };
}

function ended(
  input: LoopInput,
  state: LoopState,
  next: Selection,
  final: FinalSelection,
  stopReason: RefineResult['stopReason'],
): Omit<LoopResult, 'spentSeconds'> {
  // The same functions once more, with results for those that the strategy requested.
  const again = ['agor', 'imbalance'].includes(strategyOf(input)) && sameFunctions(next, state.selection);
  const selection = again ? next : final.selection;
  return { ...state, selection, final: { ...final, selection }, stopReason };
}

/** Whether the round records functions of unknown cost and may be followed by another one. */
function isExploring(
  input: LoopInput,
  index: number,
  state: LoopState | undefined,
  selection: Selection,
): boolean {
  if (index + 1 >= input.maximumIterations) return false;
  return selectedKeys(selection).some((key) => state?.knowledge.functions.has(key) !== true);
}

/** An unchanged set ends the refinement; the reason why it did not grow is the stop reason. */
function stopReason(
  input: LoopInput,
  runs: Runs,
  index: number,
  state: LoopState,
  step: NextSelection,
  final: FinalSelection,
): RefineResult['stopReason'] | undefined {
  const next = step.selection;
  if (sameFunctions(next, state.selection) || (step.exhausted && hasSettled(input, state, next, final))) {
    if (final.aboveTarget) return 'above-target';
    return [...next.decisions.values()].some((d) => !d.selected && d.reason.rule === 'too-expensive')
      ? 'overhead'
      : 'fixpoint';
  }
  if (index < leastRounds[strategyOf(input)]) return undefined;
  if (index >= input.maximumIterations) return 'iterations';
  return runs.spentSeconds + runs.expectedIterationSeconds() > input.budgetSeconds ? 'budget' : undefined;
}

function prediction({ predictedPercent, unpredicted }: Decided['iteration']): Decided['iteration'] {
  return {
    ...present({ predictedPercent, unpredicted }),
  };
}
