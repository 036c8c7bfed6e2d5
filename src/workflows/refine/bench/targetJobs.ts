import type { ProgressSink } from '../../../core/progress';
import type { Target } from '../../../measurement/config/config';
import { studyDirectory } from '../../../measurement/experiments/studies';
import { BatchRuns } from '../../../measurement/launch/slurm/batchRuns';

/** The jobs of a target: `.kymo/<target>/jobs`. Requires the target's lock; nothing is submitted before the first run. */
export function targetJobs(
  workspace: string,
  target: Target,
  progress: ProgressSink,
  note: (sentence: string) => void,
): BatchRuns {
  return new BatchRuns({
    folder: studyDirectory(workspace, target.name, 'jobs'),
    target: target.name,
    progress,
    note,
  });
}
