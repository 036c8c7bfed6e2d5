import { explanationOf, knownBefore, type Explanation } from '../selection/explainReason';
import type { Reason } from '../selection/selection';
import { inRound, timeWords } from './base';
import type { FunctionMeasure } from './functionMeasures';

/**
 * The sentence of a decision beside the shares of its function. It was made from what earlier rounds showed; where the shown share bears
 * it out as well, the sentence states that one, and else it says which rounds its own is of. So no two numbers contradict each other.
 */
export function shownReason(
  reason: Reason,
  measure: Pick<FunctionMeasure, 'inclusive' | 'exclusive' | 'base'> | undefined,
  { round, isEarlier }: { readonly round: number; readonly isEarlier: boolean },
): Explanation {
  const shown = measure?.[reason.measure ?? 'inclusive'];
  if (measure === undefined || shown === undefined || !bearsOut(reason, shown))
    return explanationOf(reason, { time: knownBefore(round) });
  const time = `${timeWords(measure.base)}${isEarlier ? inRound(measure.base) : ''}`;
  return explanationOf({ ...reason, value: shown }, { time });
}

function bearsOut({ rule, threshold = 0 }: Reason, share: number): boolean {
  if (rule === 'hot-spot') return share >= threshold;
  return rule === 'not-hot' && share < threshold;
}
