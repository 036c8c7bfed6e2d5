import type { ProgressSink } from '../core/progress';
import type { Target } from '../measurement/config/config';
import { measure, type MeasureOptions, type MeasureResult } from './measure';
import { checkOut } from './gating/baselineTree';
import { missingInputs, missingInputsSentence } from './gating/missingInputs';
import { Together } from './refine/bench/together';
import { TurnTaking } from './refine/bench/turnTaking';

export interface MeasuredPair {
  readonly baseline: MeasureResult;
  readonly candidate: MeasureResult;
  /** What the program is run with and the commit does not have (`missingInputs`). */
  readonly missing: readonly string[];
}

/**
 * Builds a commit and the workspace as it is, and measures both by turns, with the same functions recorded.
 * @throws KymoError as `checkOut` and `measure`; nothing is left running
 */
export async function measureByTurns(
  commit: string,
  run: Target['run'],
  options: MeasureOptions & { readonly progress: ProgressSink },
): Promise<MeasuredPair> {
  const { workspace, signal, progress } = options;
  const tree = await checkOut(workspace, commit, signal);
  // Each runs in a folder of its own, so that files that they write are no reason against it.
  const turns = new TurnTaking(new Together({ ...run, together: run.together !== false }));
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const one = async (who: number, own: string, name: string): Promise<MeasureResult> => {
    try {
      return await measure({
        ...options,
        ...{ workspace: own, signal: either, turns: turns.of(who), progress: named(progress, name) },
      });
    } catch (error) {
      failed.abort(error);
      turns.release();
      throw error;
    }
  };
  const sides = await Promise.allSettled([
    one(0, tree.workspace, `Baseline ${commit.slice(0, 12)}`),
    one(1, workspace, 'Candidate'),
  ]);
  const [baseline, candidate] = sides;
  const missing = missingInputs(run, workspace, tree.workspace);
  if (baseline.status === 'fulfilled' && candidate.status === 'fulfilled')
    return { baseline: baseline.value, candidate: candidate.value, missing };
  signal.throwIfAborted();
  if (missing.length > 0) progress.log(missingInputsSentence(missing));
  // The first failure is the reason of the other one.
  throw failed.signal.reason;
}

function named(progress: ProgressSink, name: string): ProgressSink {
  return {
    report: ({ message, ...step }) => progress.report({ ...step, message: `${name}: ${message}` }),
    log: (line) => progress.log(line),
  };
}
