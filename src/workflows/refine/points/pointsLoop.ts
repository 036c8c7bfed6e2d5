import { explainReason } from '../../../core/selection/explainReason';
import { sameFunctions } from '../../../core/selection/selection';
import type { ModelOptions } from '../../../core/selection/modelOptions';
import { leastRounds } from '../../../core/selection/strategy';
import { present } from '../../../core/present';
import type { ModelKnowledge } from '../../../core/strategies/modelKnowledge';
import { nextStep } from '../../../core/strategies/nextStep';
import type { NextSelection } from '../../../core/strategies/nextSelection';
import { KymoError } from '../../../core/errors';
import type { ModelsReport, RefineResult, RefineRound } from '../../studies/refine.types';
import { digest } from '../loop/digest';
import { stepInput } from '../loop/finalSelection';
import { hasSettled } from '../loop/settled';
import type { Decided, FinalSelection, LoopInput, LoopResult, LoopState } from '../loop/loop.types';
import { roundModels, type FarPoint } from './roundModels';
import { roundOverhead } from './roundReport';
import { PointRounds, type PointEvidence, type RoundsInput } from './pointRounds';

export interface PointsInput extends RoundsInput {
  readonly far: FarPoint;
  readonly options: ModelOptions;
}

/**
 * The loop of the strategy `model`: each round measures all points of a study, and the next selection follows from models of what was
 * measured. Knowledge of functions other than their models is that of the longest point.
 */
export async function pointsLoop(input: LoopInput, points: PointsInput): Promise<LoopResult> {
  const rounds = new PointRounds(points);
  let state: LoopState | undefined;
  let models: ModelKnowledge | undefined;
  for (let index = 0; ; index++) {
    const replayed = input.earlier?.[index];
    const decided = replayed ?? (await decide(input, rounds, index, state, models));
    if ('stop' in decided) return decided.stop;
    const evidence = await rounds.measure(index, decided.selection);
    state = roundState(input, state, decided, evidence);
    input.progress.report({ message: `Making models of round ${index}`, phase: 'deciding' });
    const { sites, signal } = input;
    const { far, options } = points;
    models = await roundModels({ evidence, state, sites, far, options, before: models }, { signal });
    const iteration = state.iterations.at(-1);
    if (iteration !== undefined && replayed === undefined) await input.onRound(iteration, state);
  }
}

async function decide(
  input: LoopInput,
  rounds: PointRounds,
  index: number,
  state: LoopState | undefined,
  models: ModelKnowledge | undefined,
): Promise<Decided | { readonly stop: LoopResult }> {
  const pins = await input.pinned?.();
  const stepFor = (remainingRuns: number): NextSelection =>
    nextStep({ ...stepInput(input, state, pins, remainingRuns), ...present({ models }) });
  const step = stepFor(Math.max(1, input.maximumIterations - index));
  const { selection, prediction } = step;
  if (state === undefined || models === undefined) return { selection, iteration: {} };
  const final = finalOf(input, state, () => stepFor(1));
  const stopReason =
    index < (input.leastRounds ?? 1) ? undefined : reasonToStop(input, rounds, index, state, step, final);
  if (stopReason !== undefined) {
    // The same functions once more, with the reasons of the last models.
    const isSame = sameFunctions(selection, state.selection);
    const last = isSame ? { ...final, selection, predictedPercent: prediction.overheadPercent } : final;
    const { spentSeconds } = rounds;
    return { stop: { ...state, selection: last.selection, final: last, stopReason, models, spentSeconds } };
  }
  const { overheadPercent: predictedPercent, unmeasured } = prediction;
  return {
    selection,
    iteration: { predictedPercent, ...(unmeasured > 0 ? { unpredicted: unmeasured } : {}) },
  };
}

/** The state after a round: that of the longest point, with the overhead of all points. */
function roundState(
  input: LoopInput,
  before: LoopState | undefined,
  { selection, iteration: { predictedPercent, unpredicted } }: Decided,
  evidence: readonly PointEvidence[],
): LoopState {
  const [longest] = evidence;
  if (longest === undefined) throw new KymoError('no-results', 'No point was measured.');
  const state = digest(input, before, selection, present({ predictedPercent, unpredicted }), longest);
  const own = state.iterations.at(-1);
  if (own === undefined) return state;
  const { instrumented, executed, visits, timedVisits, changed, costFactor, typicalRun, clock } = own;
  const typicalFolder = longest.folders[(typicalRun ?? 1) - 1];
  const iteration: RefineRound = {
    index: own.index,
    instrumented,
    executed,
    visits,
    changed,
    // Times by another clock than the wall's are those of each point.
    ...present({ timedVisits, costFactor, typicalRun, typicalFolder, clock, predictedPercent, unpredicted }),
    ...roundOverhead(evidence),
  };
  return { ...state, iterations: [...(before?.iterations ?? []), iteration] };
}

/** The last measured selection if its overhead meets the target, else the part of it that does by prediction. */
function finalOf(input: LoopInput, state: LoopState, smaller: () => NextSelection): FinalSelection {
  const last = state.iterations.at(-1);
  const percent = last?.overheadPercent ?? 0;
  const predictedPercent = last?.predictedPercent ?? percent;
  const measured = { selection: state.selection, predictedPercent, measured: true, aboveTarget: false };
  if (percent <= Math.max(input.overheadPercent, last?.noisePercent ?? 0)) return measured;
  const { selection, prediction } = smaller();
  const isMeasured = sameFunctions(selection, state.selection);
  const { overheadPercent, withinTarget } = prediction;
  // The models allow for all of it, and yet it costs more.
  if (isMeasured) return { ...measured, selection, predictedPercent: overheadPercent, aboveTarget: true };
  return { selection, predictedPercent: overheadPercent, measured: false, aboveTarget: !withinTarget };
}

function reasonToStop(
  input: LoopInput,
  rounds: PointRounds,
  index: number,
  state: LoopState,
  { selection, prediction }: NextSelection,
  final: FinalSelection,
): RefineResult['stopReason'] | undefined {
  // A round that times functions for their models has answers that no decision has used yet.
  const asks = [...state.selection.decisions.values()].some(({ reason }) => reason.rule === 'model-untimed');
  const isSettled = !asks && prediction.unmeasured === 0 && hasSettled(input, state, selection, final);
  if (sameFunctions(selection, state.selection) || isSettled) {
    if (final.aboveTarget) return 'above-target';
    return [...selection.decisions.values()].some((d) => d.reason.rule === 'too-expensive')
      ? 'overhead'
      : 'fixpoint';
  }
  if (index >= input.maximumIterations) return 'iterations';
  if (index < leastRounds.model) return undefined;
  return rounds.spentSeconds + rounds.lastSeconds > input.budgetSeconds ? 'budget' : undefined;
}

/** What the models predict of each function, for results. */
export function modelsReport({ models, graph, final }: LoopResult): ModelsReport | undefined {
  if (models === undefined) return undefined;
  const { point, baseSeconds, totalSeconds } = models;
  const functions = graph.functions.flatMap(({ key, name }): ModelsReport['functions'] => {
    const model = models.functions.get(key);
    const decision = final.selection.decisions.get(key);
    if (model === undefined || decision === undefined) return [];
    const { formula, seconds, visits, doubt, round } = model;
    const { selected, reason } = decision;
    const text = explainReason(reason);
    return [
      {
        name,
        selected,
        rule: reason.rule,
        reason: text,
        formula,
        seconds,
        visits,
        ...present({ doubt }),
        round,
      },
    ];
  });
  return { point, baseSeconds, totalSeconds, functions: functions.sort((a, b) => b.seconds - a.seconds) };
}
