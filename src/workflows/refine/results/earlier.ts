import { KymoError } from '../../../core/errors';
import { roundSelection } from '../../studies/rounds';
import type { EarlierRound } from '../loop/loop.types';
import type { StudyFile } from '../../studies/study';

/** The rounds that a study has measured to their end, up to the first whose selection cannot be read. */
export async function earlierRounds(
  directory: string,
  { iterations }: StudyFile,
): Promise<readonly EarlierRound[]> {
  const earlier: EarlierRound[] = [];
  for (const iteration of iterations) {
    const selection = await roundSelection(directory, earlier.length).catch(() => undefined);
    if (selection === undefined || iteration.index !== earlier.length) break;
    earlier.push({ selection, iteration });
  }
  return earlier;
}

/** A resumed study must measure the same program as before. */
export function requireSameProgram(study: StudyFile, buildId: string): void {
  if (study.buildId === buildId) return;
  throw new KymoError(
    'study-outdated',
    `The program is not the one that ${study.study} measured any more (build id ${buildId.slice(0, 12)} instead of ${study.buildId.slice(0, 12)}), so another round could not be compared with its own. Refine again: that begins a new study.`,
  );
}

/**
 * The state of a study whose refinement has ended early: complete if it was complete before more rounds were requested, resumable without a
 * `failure`, else failed.
 */
export function afterFailure(before: StudyFile, now: StudyFile, failure: string | undefined): StudyFile {
  if (before.state !== 'complete')
    return failure === undefined ? { ...now, state: 'running' } : { ...now, state: 'failed', failure };
  const { state, stopReason } = before;
  return { ...now, state, ...(stopReason === undefined ? {} : { stopReason }) };
}
