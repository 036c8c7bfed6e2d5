import path from 'node:path';
import { present } from '../../core/present';
import type { Property } from '../../core/properties/property';
import { readExperiment } from '../../measurement/experiments/experimentFile';
import { profilesOf } from '../studies/profileFiles';
import type { Cancellable } from '../running/turn';
import { diagnosisOf } from '../diagnose';
import { hypothesesFor } from '../diagnosing/hypothesesFor';
import { isSavedSearch, readSavedSearch } from '../diagnosing/savedSearch';
import { targetOfResults } from '../targets/targetOfResults';
import { Places, type SourcesHere } from '../studies/places';
import { diagnosed, type DiagnosisQuestion } from './diagnosisView';
import type { FoundProperty } from './dynamicsInSource';

/** The findings of a search in a measurement, with the places that were measured, or where these sources are here. */
export interface DiagnosisInSource {
  readonly title: string;
  readonly target: string;
  readonly studyDirectory?: string;
  readonly properties: readonly FoundProperty[];
  /** Names of sources that are missing on this machine. */
  readonly missingSources: readonly string[];
}

export async function diagnosisInSource(
  {
    path: given,
    thresholds,
    sources,
  }: Omit<DiagnosisQuestion, 'revision'> & { readonly sources: SourcesHere },
  context: Cancellable = {},
): Promise<DiagnosisInSource> {
  const isSaved = isSavedSearch(given);
  const [file = given] = isSaved ? [given] : await profilesOf(given);
  const experiment = await readExperiment(path.dirname(file)).catch(() => undefined);
  const { record, findings } = isSaved
    ? diagnosisOf(await readSavedSearch(given))
    : await diagnosed(given, { hypotheses: await hypothesesFor(given), thresholds }, context);
  const places = new Places(sources);
  const here = async ({ region, ...property }: Property): Promise<FoundProperty> => ({
    ...property,
    ...(region !== undefined && {
      region: await (experiment === undefined ? places.placed(region) : places.inFile(region)),
    }),
  });
  const properties: FoundProperty[] = [];
  for (const { property, advice } of findings) properties.push({ ...(await here(property)), advice });
  return {
    title: `diagnosis of ${record.run}`,
    target: experiment?.target ?? targetOfResults(file)?.target ?? path.basename(file),
    ...present({ studyDirectory: experiment && path.resolve(file, '../../..') }),
    properties,
    missingSources: places.missing,
  };
}
