import path from 'node:path';
import { recordedRun, type RecordedRun } from '../../core/modeling/recording/recordedRun';
import { regionKey } from '../../core/callgraph/regionKeys';
import { withoutRecording } from '../../core/functions/programTime';
import { calibratedCost } from '../../core/problems/context/makeContext';
import { foldIterations } from '../../core/profile/foldIterations';
import type { Profile } from '../../core/profile/profile';
import { readWhole } from '../../formats/cube4/read';
import { readExperiment } from '../../measurement/experiments/experimentFile';
import { openProfileFile } from '../../measurement/experiments/profileFile';
import { asMeasured, profileOrigin } from './profileOrigin';

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

/** The profile of a run with the times that the program would have had without the recording; as it is where its cost is not known. */
export async function undisturbed(file: string, profile: Profile): Promise<Profile> {
  const input = asMeasured(profile, await profileOrigin(file, profile));
  if (input.calibration === undefined) return profile;
  return withoutRecording(
    profile,
    calibratedCost(profile, input.keys ?? profile.regions.map(regionKey), input),
  );
}
