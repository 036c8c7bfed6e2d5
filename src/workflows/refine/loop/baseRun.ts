import { KymoError } from '../../../core/errors';
import { recordsEverything, type Strategy } from '../../../core/selection/strategy';

/** Explains an error in the first round of a strategy that begins by recording everything: such a run may take many times as long as the program. */
export function explainBaseRun(error: unknown, strategy: Strategy): unknown {
  if (!recordsEverything(strategy) || !(error instanceof KymoError) || error.reason !== 'program-timeout')
    return error;
  return new KymoError(
    error.reason,
    `${error.message} The strategy ${strategy} begins with a run that records everything, which may take many times as long: allow for it, give it a smaller input with --parameter, pin small functions out ("kymo pin NAME --out"), or use the strategy hotspot, which never records everything.`,
    error.where,
    { cause: error },
  );
}
