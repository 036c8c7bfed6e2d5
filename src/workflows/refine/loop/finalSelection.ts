import { predictedScale } from '../../../core/cost/costScale';
import type { SelectionInput } from '../../../core/strategies/nextSelection';
import { estimateOffCost, roomBeside } from '../../../core/knowledge/offCost';
import { nextStep } from '../../../core/strategies/nextStep';
import { costRatio } from '../../../core/cost/pairCost';
import { predictedOverheadPercent } from '../../../core/knowledge/recordingCost';
import { sameFunctions } from '../../../core/selection/selection';
import { defaultSelectionOptions } from '../../../core/selection/selectionOptions';
import { strategyOf, type FinalSelection, type LoopInput, type LoopState } from './loop.types';

type Pins = Awaited<ReturnType<NonNullable<LoopInput['pinned']>>>;

/** All information after a round, as input of the next step. */
export function stepInput(
  input: LoopInput,
  state: LoopState | undefined,
  pins: Pins | undefined,
  remainingRuns: number | undefined,
): SelectionInput {
  const typical = input.typicalCosts === undefined ? {} : { pairCosts: input.typicalCosts };
  const room = roomFor(input, state);
  const idlePercent = input.overheadPercent - room;
  return {
    graph: state?.graph ?? input.graph,
    sites: input.sites,
    ...(state === undefined
      ? typical
      : {
          knowledge: state.knowledge,
          pairCosts: state.pairCosts,
          previous: state.selection,
          baselineSeconds: state.costBase.seconds,
          costBase: state.costBase,
          history: state.history,
          costFactor: costRatio(state.run.calibration, state.pairCosts),
        }),
    ...(remainingRuns === undefined ? {} : { remainingRuns }),
    options: {
      ...input.options,
      ...pins,
      overheadPercent: room,
      ...(idlePercent > 0 ? { idlePercent } : {}),
    },
  };
}

/** Maximum cost of recording, percent. */
function roomFor({ idleSites, overheadPercent, sites }: LoopInput, state: LoopState | undefined): number {
  if (idleSites !== true || state === undefined) return overheadPercent;
  return roomBeside(estimateOffCost({ ...state, sites }), overheadPercent);
}

/**
 * The final selection of a refinement, however it ended: the last measured one if its prediction meets the target, else the best selection of
 * known functions within the target, which no run has measured. Without this, a refinement that ends after a first round with unknown
 * functions would leave a selection of unlimited cost.
 */
export function finalSelection(input: LoopInput, state: LoopState, pins: Pins | undefined): FinalSelection {
  const measured = {
    selection: state.selection,
    predictedPercent: predictedOf(input, state),
    measured: true,
  };
  // The other strategies limit the overhead of each function, not of the run.
  if (strategyOf(input) !== 'hotspot') return { ...measured, aboveTarget: false };
  if (measured.predictedPercent <= roomFor(input, state)) return { ...measured, aboveTarget: false };
  const { selection, prediction } = nextStep(stepInput(input, state, pins, 1));
  const { overheadPercent: predictedPercent, withinTarget } = prediction;
  const measuredAgain = sameFunctions(selection, state.selection);
  return { selection, predictedPercent, measured: measuredAgain, aboveTarget: !withinTarget };
}

/** Predicted overhead in percent for another run of the last recorded selection. */
function predictedOf(input: LoopInput, state: LoopState): number {
  const { sites, options } = input;
  const { selection, knowledge, pairCosts, costBase, history, run } = state;
  const seen = { history, costFactor: costRatio(run.calibration, pairCosts) };
  const { aimShare = defaultSelectionOptions.aimShare } = options;
  const scale = predictedScale(seen, roomFor(input, state) * aimShare);
  return scale * predictedOverheadPercent(selection, knowledge, pairCosts, sites, costBase);
}
