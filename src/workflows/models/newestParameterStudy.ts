import {
  listExperiments,
  listParameterStudyFolders,
  listStudyFolders,
} from '../../measurement/experiments/studies';
import { turn, type Cancellable } from '../running/turn';
import { measuredRuns } from '../studies/typicalExperiment';
import { readParameterStudy } from '../study/parameterStudyFile';

/**
 * The folder of the newest study of a workspace that measured several values of a parameter, or several numbers of ranks: a study over
 * parameters, or a refinement.
 */
export async function newestParameterStudy(
  workspace: string,
  context: Cancellable = {},
): Promise<string | undefined> {
  const folders = [
    ...(await listParameterStudyFolders(workspace)).map((entry) => ({ ...entry, count: measuredPoints })),
    ...(await listStudyFolders(workspace)).map((entry) => ({ ...entry, count: refinedPoints })),
  ];
  for (const { directory, count } of folders.sort((a, b) => b.changedAt - a.changedAt)) {
    await turn(context);
    if ((await count(directory)) > 1) return directory;
  }
  return undefined;
}

/** None where the file is damaged. */
async function measuredPoints(directory: string): Promise<number> {
  const file = await readParameterStudy(directory).catch(() => undefined);
  return file?.points.filter(({ runs }) => runs.length > 0).length ?? 0;
}

async function refinedPoints(directory: string): Promise<number> {
  const points = measuredRuns(await listExperiments(directory)).map(({ experiment }) =>
    JSON.stringify([experiment.ranks, Object.entries(experiment.parameters).sort()]),
  );
  return new Set(points).size;
}
