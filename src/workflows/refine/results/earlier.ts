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
 * The state of a study whose refinement has ended early: complete if it was complete before more rounds were requested, resumable if it was
 * cancelled, else failed.
 */
export function afterFailure(before: StudyFile, now: StudyFile, cancelled: boolean): StudyFile {
  if (before.state !== 'complete') return { ...now, state: cancelled ? 'running' : 'failed' };
  const { state, stopReason } = before;
  return { ...now, state, ...(stopReason === undefined ? {} : { stopReason }) };
}
