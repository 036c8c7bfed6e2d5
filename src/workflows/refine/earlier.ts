import { KymoError } from '../../core/errors';
import { iterationSelection } from '../studies/iterations';
import type { EarlierIteration } from './loop.types';
import type { StudyFile } from '../studies/study';

/** The iterations that a study has measured to their end, up to the first whose selection cannot be read. */
export async function earlierIterations(
  directory: string,
  { iterations }: StudyFile,
): Promise<readonly EarlierIteration[]> {
  const earlier: EarlierIteration[] = [];
  for (const iteration of iterations) {
    const selection = await iterationSelection(directory, earlier.length).catch(() => undefined);
    if (selection === undefined || iteration.index !== earlier.length) break;
    earlier.push({ selection, iteration });
  }
  return earlier;
}

/** The program of a study that goes on must be the one that its iterations measured. */
export function requireSameProgram(study: StudyFile, buildId: string): void {
  if (study.buildId === buildId) return;
  throw new KymoError(
    'study-outdated',
    `The program is not the one that ${study.study} measured any more (build id ${buildId.slice(0, 12)} instead of ${study.buildId.slice(0, 12)}), so another iteration could not be compared with its own. Refine again: that begins a new study.`,
  );
}

/**
 * What a study is left as when its refinement did not come to its end: complete if it was so before more iterations were asked for, to
 * be gone on with when it was cancelled, else failed.
 */
export function afterFailure(before: StudyFile, now: StudyFile, cancelled: boolean): StudyFile {
  if (before.state !== 'complete') return { ...now, state: cancelled ? 'running' : 'failed' };
  const { state, stopReason } = before;
  return { ...now, state, ...(stopReason === undefined ? {} : { stopReason }) };
}
