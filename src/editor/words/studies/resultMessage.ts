import type { RefineResult } from '../../../workflows/studies/refine.types';
import { instrumentedText, refinedSentence } from './experimentText';
import { resultWarning, shortRunWarning } from './resultWarning';

/** The message at the end of a refinement or measurement. */
export interface ResultMessage {
  readonly text: string;
  /** It cannot be relied on, or misses its target. */
  readonly isWarning: boolean;
}

/** A sentence, and behind it what to do about a result that cannot be relied on. */
export function withWarning(sentence: string, warning: string | undefined): ResultMessage {
  return warning === undefined
    ? { text: sentence, isWarning: false }
    : { text: `${sentence} ${warning}`, isWarning: true };
}

/**
 * The end of a refinement. Where runs are too short, nothing is claimed about their overhead. A verdict names the noise and what to do about it,
 * so that no warning repeats that.
 */
export function refinedMessage(result: RefineResult): ResultMessage {
  const last = result.iterations.at(-1);
  if (last === undefined) return { text: refinedSentence(result), isWarning: true };
  const short = shortRunWarning(last);
  if (short !== undefined) return withWarning(`${instrumentedText(result, last)}.`, short);
  if (result.verdict === undefined) return withWarning(refinedSentence(result), resultWarning(last));
  return { text: refinedSentence(result), isWarning: result.verdict.kind !== 'met' };
}
