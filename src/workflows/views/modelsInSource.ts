import path from 'node:path';
import { isKymoError } from '../../core/errors';
import { silent } from '../../core/progress';
import { configName } from '../../measurement/config/loadConfig';
import { parameterStudyFileName } from '../../measurement/experiments/studies';
import { studyLockHolder } from '../../measurement/experiments/studyLock';
import { expectedModels } from '../expectedModels';
import { newestParameterStudy } from '../models/newestParameterStudy';
import { contentIdentity } from '../opened/recentResults';
import type { Cancellable } from '../running/turn';
import { studyFileName } from '../studies/study';
import { Places, type SourcesHere } from '../studies/places';
import type { FoundProperty } from './dynamicsInSource';

/** What models of a workspace's newest study over parameters show of its functions. */
export interface ModelsInSource {
  /** The study, and what it and `kymo.json` contained: with the same, there is nothing new. */
  readonly identity: string;
  /** Absent where `known` is still right. */
  readonly found?: FoundModels;
}

export interface FoundModels {
  readonly studyDirectory: string;
  readonly target: string;
  readonly properties: readonly FoundProperty[];
  /** Why there are none. */
  readonly missing?: string;
  /** Names of sources that are missing on this machine. */
  readonly missingSources: readonly string[];
}

/**
 * The properties of the newest study over parameters, with the places that were measured: line maps of the study follow them. A study that is
 * being measured is not read: models would take its processors.
 * @param known the `identity` of an earlier answer
 * @returns undefined without such a study
 */
export async function modelsInSource(
  {
    workspace,
    sources,
    known,
  }: { readonly workspace: string; readonly sources: SourcesHere; readonly known?: string },
  context: Cancellable = {},
): Promise<ModelsInSource | undefined> {
  const studyDirectory = await newestParameterStudy(workspace, context);
  if (studyDirectory === undefined) return undefined;
  const targetDirectory = path.dirname(studyDirectory);
  if ((await studyLockHolder(targetDirectory))?.study === path.basename(studyDirectory))
    return known === undefined ? undefined : { identity: known };
  const files = [parameterStudyFileName, studyFileName].map((name) => path.join(studyDirectory, name));
  files.push(path.join(workspace, configName));
  const contents = await Promise.all(files.map((file) => contentIdentity(file).catch(() => '')));
  const identity = JSON.stringify([studyDirectory, contents, sources]);
  if (identity === known) return { identity };
  const found = await modelsOfStudy(studyDirectory, context);
  const places = new Places(sources);
  const properties: FoundProperty[] = [];
  for (const { region, ...property } of found.properties)
    properties.push({ ...property, ...(region !== undefined && { region: await places.inFile(region) }) });
  return {
    identity,
    found: {
      ...found,
      studyDirectory,
      target: path.basename(targetDirectory),
      properties,
      missingSources: places.missing,
    },
  };
}

/** What models of a study show, as it was measured. */
async function modelsOfStudy(
  studyDirectory: string,
  context: Cancellable,
): Promise<Pick<FoundModels, 'properties' | 'missing'>> {
  try {
    const request = { paths: [studyDirectory], only: 'properties' } as const;
    return { properties: (await expectedModels(request, { ...context, progress: silent })).properties };
  } catch (error) {
    if (!isKymoError(error) || context.signal?.aborted === true) throw error;
    return { properties: [], missing: error.message };
  }
}
