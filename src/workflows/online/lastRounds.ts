import { selectedKeys, type Selection } from '../../core/selection/selection';
import { digest } from '../refine/loop/digest';
import { strategyOf, type LoopInput, type LoopResult, type LoopState } from '../refine/loop/loop.types';
import { bestRound, type TriedRound } from './bestRound';
import type { WindowBench } from './windowBench';

/**
 * Ends the refinement with the best round: a final selection that no round has measured yet is measured, and where an earlier round was better than the last,
 * its functions are recorded once more, so that the last round is what all results are of.
 * @param tried all rounds so far
 */
export async function withBestRound(
  input: LoopInput,
  bench: WindowBench,
  loop: LoopResult,
  tried: readonly TriedRound[],
  note: (sentence: string) => void,
): Promise<LoopResult> {
  let { spentSeconds } = loop;
  let state: LoopState = loop;
  const rounds = [...tried];
  const again = async (selection: Selection): Promise<void> => {
    const index = state.iterations.length;
    const { baseline, measured } = await bench.together(index, 1, selection);
    spentSeconds += measured.wallSeconds;
    const evidence = { measured: [measured], beside: [baseline], paired: true, baselines: [baseline] };
    state = digest(input, state, selection, {}, evidence);
    const iteration = state.iterations.at(-1);
    if (iteration === undefined) return;
    rounds.push({ index, selection, overheadPercent: iteration.overheadPercent });
    await input.onRound(iteration, state);
  };
  if (!loop.final.measured) await again(loop.final.selection);
  const best =
    strategyOf(input) === 'hotspot' ? bestRound(rounds, state.knowledge, input.overheadPercent) : undefined;
  if (best !== undefined && best.index !== rounds.at(-1)?.index) {
    await again(best.selection);
    note(bestSentence(best, state.iterations.length - 1, input.overheadPercent));
  }
  const last = rounds.at(-1);
  if (last === undefined) return loop;
  const { selection, overheadPercent } = last;
  const final = {
    selection,
    predictedPercent: overheadPercent,
    measured: true,
    aboveTarget: overheadPercent > input.overheadPercent,
  };
  return { ...loop, ...state, selection, final, spentSeconds };
}

/** Why the last round is not what the refinement ended with. */
export function bestSentence(best: TriedRound, again: number | undefined, targetPercent: number): string {
  const count = selectedKeys(best.selection).length;
  const what = `Round ${best.index} was the best one that held the overhead target of ${targetPercent} %: the functions that it recorded (${count}) have more of the time than those of later rounds`;
  return again === undefined
    ? `${what}. They are the final selection.`
    : `${what}. Round ${again} records them again and is final.`;
}
