import { listExperiments, listStudyFolders } from '../../measurement/experiments/studies';
import { turn, type Cancellable } from '../running/turn';
import { measuredRuns } from '../studies/typicalExperiment';

/** The folder of the newest study of a workspace that measured several values of a parameter, or several numbers of ranks. */
export async function newestParameterStudy(
  workspace: string,
  context: Cancellable = {},
): Promise<string | undefined> {
  for (const { directory } of await listStudyFolders(workspace)) {
    await turn(context);
    const points = measuredRuns(await listExperiments(directory)).map(({ experiment }) =>
      JSON.stringify([experiment.ranks, Object.entries(experiment.parameters).sort()]),
    );
    if (new Set(points).size > 1) return directory;
  }
  return undefined;
}
