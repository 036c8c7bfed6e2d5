import { at } from '../../core/at';
import { selectedKeys, type Selection } from '../../core/selection/selection';
import { digest } from '../refine/loop/digest';
import { finalSelection } from '../refine/loop/finalSelection';
import type { FinalSelection, LoopInput, LoopResult, LoopState, RunPair } from '../refine/loop/loop.types';
import { bestRound, type TriedRound } from './bestRound';
import type { WindowBench } from './windowBench';

/**
 * Ends the refinement with the best round: a final selection that no round has measured yet is measured, and where an earlier round was better than the last,
 * its functions are recorded once more. They are recorded until the program ends, so that the last round, which all results are of, is of much of the run.
 * @param input `onRound` adds to `tried`
 * @param tried all rounds so far
 */
export async function withBestRound(
  input: LoopInput,
  bench: Pick<WindowBench, 'together' | 'rest'>,
  loop: LoopResult,
  tried: readonly TriedRound[],
  note: (sentence: string) => void,
): Promise<LoopResult> {
  let { spentSeconds } = loop;
  let state: LoopState = loop;
  const digested = async (selection: Selection, { baseline, measured }: RunPair): Promise<void> => {
    const index = state.iterations.length;
    spentSeconds += measured.wallSeconds;
    const evidence = { measured: [measured], beside: [baseline], paired: true, baselines: [baseline] };
    state = digest(input, state, selection, {}, evidence);
    await input.onRound(at(state.iterations, index), state);
  };
  const record = async (selection: Selection): Promise<void> =>
    digested(selection, await bench.together(state.iterations.length, 1, selection));
  if (!loop.final.measured) await record(loop.final.selection);
  const best = bestRound(tried, state.knowledge, input.overheadPercent);
  if (best !== undefined && best.index !== state.iterations.length - 1) {
    note(`${wasBest(best, input)}. Round ${state.iterations.length} records them again.`);
    await record(best.selection);
  }
  input.progress.report({ message: `Round ${state.iterations.length}, until the program ends` });
  const rest = await bench.rest(state.iterations.length, state.selection);
  if (rest !== undefined) await digested(state.selection, rest);
  if (state === loop) return loop;
  const { selection, iterations } = state;
  const { overheadPercent } = at(iterations, iterations.length - 1);
  const aboveTarget = overheadPercent > input.overheadPercent;
  const final = { selection, predictedPercent: overheadPercent, measured: true, aboveTarget };
  return { ...loop, ...state, final, spentSeconds };
}

/** The final selection of a program that ended before it was settled: that of the best round, or what the last one decided where none held the target. */
export async function finalOfEnded(
  input: LoopInput,
  state: LoopState,
  tried: readonly TriedRound[],
  note: (sentence: string) => void,
): Promise<FinalSelection> {
  const early = 'The program ended before the selection was settled';
  const best = bestRound(tried, state.knowledge, input.overheadPercent);
  if (best === undefined || best.index === state.iterations.length - 1) {
    note(`${early}: the last round decided.${state.iterations.length === 1 ? rough : ''}`);
    return finalSelection(input, state, await input.pinned?.());
  }
  note(`${early}. ${wasBest(best, input)}. They are the final selection.`);
  const { selection, overheadPercent, index } = best;
  return { selection, predictedPercent: overheadPercent, measured: false, round: index, aboveTarget: false };
}

/** The tiny functions of most programs take most of their time. */
const rough =
  ' It was the first one, in which tiny functions are counted and hardly timed, so that all shares are rough. Give the program more to do, or choose shorter rounds with --window.';

/** Why the last round is not what the refinement ends with. */
function wasBest({ index, selection }: TriedRound, { overheadPercent }: LoopInput): string {
  const count = selectedKeys(selection).length;
  return `Round ${index} was the best one that held the overhead target of ${overheadPercent} %: the functions that it recorded (${count}) have more of the time than those of later rounds`;
}
