import { formatSeconds } from '../../../core/format';
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

/**
 * What to do about a result that cannot be relied on: its runs are too short, or the machine is too noisy. Undefined if it can be. The sentence
 * before it has the overhead with its noise.
 */
export function resultWarning(last: Measured): string | undefined {
  const short = shortRunWarning(last);
  if (short !== undefined) return short;
  if (standingOf(last) === 'noise unknown')
    return 'Set "repetitions" in kymo.json to 3 or more to measure the noise.';
  const { noisePercent = 0 } = last;
  return standingOf(last) === 'within noise' && noisePercent > noisyPercent
    ? 'Use more repetitions, a longer run or a quieter machine.'
    : undefined;
}

/** That the runs are too short, which is all that matters about their overhead then. */
export function shortRunWarning(last: Measured): string | undefined {
  const seconds = secondsOf(last);
  return isTooShort(seconds)
    ? `A run takes only ${formatSeconds(seconds)} of ${clockWords(last.clock ?? 'wall')}: too short to distinguish overheads and small shares from noise. Give the program a larger input.`
    : undefined;
}

/** Of a run with nothing recorded, by the clock of the overhead. */
function secondsOf(last: Measured): number {
  const { clock, baselineSeconds, baselineCpuSeconds, baselineRankSeconds } = last;
  if (clock === 'rank') return baselineRankSeconds ?? baselineSeconds;
  return clock === 'cpu' ? (baselineCpuSeconds ?? baselineSeconds) : baselineSeconds;
}
