import { formatRoundPercent, formatSeconds } from '../../../core/format';
import { isTooShort } from '../../../core/cost/runConditions';
import { standingOf } from '../../../core/cost/overheadWords';
import { clockWords } from '../../../core/cost/runTime';
import type { RefineRound } from '../../../workflows/studies/refine.types';

/** Noise that hides the overheads at which targets are set, percent. */
const noisyPercent = 5;

type Measured = Pick<
  RefineRound,
  | 'clock'
  | 'baselineSeconds'
  | 'baselineCpuSeconds'
  | 'baselineRankSeconds'
  | 'overheadPercent'
  | 'noisePercent'
>;

/** What a result cannot show, and what to do: its runs are too short, or the machine is too noisy. Undefined if it can be relied on. */
export function resultWarning(last: Measured): string | undefined {
  const seconds = secondsOf(last);
  if (isTooShort(seconds))
    return `A run takes only ${formatSeconds(seconds)} of ${clockWords(last.clock ?? 'wall')}: too short to distinguish overheads and small shares from noise. Give the program a larger input.`;
  if (standingOf(last) === 'noise unknown')
    return 'The noise is unknown, because each configuration ran once. Set "repetitions" in kymo.json to 3 or more.';
  const { noisePercent = 0 } = last;
  return standingOf(last) === 'within noise' && noisePercent > noisyPercent
    ? `The noise of this machine is ${formatRoundPercent(noisePercent / 100)}: use more repetitions, a longer run or a quieter machine.`
    : undefined;
}

/** Of a run with nothing recorded, by the clock of the overhead. */
function secondsOf(last: Measured): number {
  const { clock, baselineSeconds, baselineCpuSeconds, baselineRankSeconds } = last;
  if (clock === 'rank') return baselineRankSeconds ?? baselineSeconds;
  return clock === 'cpu' ? (baselineCpuSeconds ?? baselineSeconds) : baselineSeconds;
}
