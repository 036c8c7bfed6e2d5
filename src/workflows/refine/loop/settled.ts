import { changedFunctions, intervalsOf, type Rule, type Selection } from '../../../core/selection/selection';
import type { FinalSelection, LoopInput, LoopState } from './loop.types';

/** This number of functions at the edge of the target may change with the noise of the costs (or 5 % of the selection). */
const restlessFunctions = 2;

/** Functions that must be recorded, and timed alike, before nothing new is to be expected. */
const settling: ReadonlySet<Rule> = new Set<Rule>(['hot-spot', 'model', 'model-untimed']);

/**
 * Whether another run would yield nothing new: the target is met by measurement and prediction, every hot spot is recorded properly, the
 * user's pins are followed, and only a few functions at the edge of the target would change.
 */
export function hasSettled(
  input: LoopInput,
  state: LoopState,
  next: Selection,
  final: FinalSelection,
): boolean {
  const last = state.iterations.at(-1);
  if (last === undefined || !final.measured) return false;
  const met = last.overheadPercent <= Math.max(input.overheadPercent, last.noisePercent ?? 0);
  const few = Math.max(restlessFunctions, 0.05 * last.instrumented);
  const [before, after] = [intervalsOf(state.selection), intervalsOf(next)];
  const recorded = [...next.decisions.values()].every(
    ({ key, selected, reason }) =>
      !selected ||
      !settling.has(reason.rule) ||
      (state.selection.decisions.get(key)?.selected === true && before.has(key) === after.has(key)),
  );
  return (
    met && recorded && followsPins(state.selection, next) && changedFunctions(state.selection, next) <= few
  );
}

/** Whether the selection follows the pins: even a single change by the user justifies a run. */
function followsPins(measured: Selection, next: Selection): boolean {
  return [...next.decisions.values()].every(
    ({ key, selected, reason: { rule } }) =>
      (rule !== 'pinned-in' && rule !== 'pinned-out') ||
      (measured.decisions.get(key)?.selected ?? false) === selected,
  );
}
