import path from 'node:path';
import { recordedRun, type RecordedRun } from '../../core/modeling/recording/recordedRun';
import { foldIterations } from '../../core/profile/foldIterations';
import type { Profile } from '../../core/profile/profile';
import { readWhole } from '../../formats/cube4/read';
import { readExperiment } from '../../measurement/experiments/experimentFile';
import { openProfileFile } from '../../measurement/experiments/profileFile';

/** Iterations are one: other numbers of them would be other call paths. */
export function readFolded(file: string): Profile {
  const opened = openProfileFile(file);
  try {
    return foldIterations(readWhole(opened.source, file));
  } finally {
    opened.close();
  }
}

/** What the run of a profile shows of the cost of recording; undefined where it is not known what a visit costs. */
export async function recordedIn(
  file: string,
  profile: Profile,
  point: readonly number[],
): Promise<RecordedRun | undefined> {
  const experiment = await readExperiment(path.dirname(file)).catch(() => undefined);
  if (experiment?.calibration === undefined) return undefined;
  return recordedRun(profile, { point, time: experiment, costs: experiment.calibration });
}
