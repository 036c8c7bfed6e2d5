import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { Property } from '../../core/properties/property';
import { propertiesText, propertyEndings } from '../../formats/property-exports';
import { writeFileAtomically } from '../../measurement/files/disk';
import { present } from '../../core/present';
import { turn, type Cancellable } from '../running/turn';
import { Places, type SourcesHere } from './places';
import { readStudy } from './study';
import { readOwnFile } from '../../measurement/files/ownFiles';

const fileName = 'properties.json';

/** The findings of a study, with the paths of sources on this machine; `missing` is the reason if there are none. */
export async function studyProperties(
  studyDirectory: string,
  sources: SourcesHere = { sourcePaths: [], folders: [] },
  context: Cancellable = {},
): Promise<{ readonly properties: readonly Property[]; readonly missing?: string }> {
  const file = path.join(studyDirectory, fileName);
  try {
    const text = await readOwnFile(file);
    await turn(context);
    const value: unknown = JSON.parse(text);
    if (!isPropertiesFile(value)) throw new Error('it has another shape');
    await turn(context);
    const places = new Places(sources);
    const properties = value.properties.filter(isProperty).map(async ({ region, ...rest }) => ({
      ...rest,
      ...present({ region: region && (await places.inFile(region)) }),
    }));
    return { properties: await Promise.all(properties) };
  } catch (cause) {
    context.signal?.throwIfAborted();
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
      return { properties: [], missing: await whyMissing(studyDirectory) };
    throw new KymoError(
      'study-invalid',
      `${file} cannot be read (${cause instanceof Error ? cause.message : String(cause)}). Refine again.`,
      { file },
      { cause },
    );
  }
}

/**
 * Writes properties in the format of the file's extension.
 * @param workspace folder to which file names are relative
 * @throws KymoError `usage` for an unknown extension; `write-failed`
 */
export async function exportProperties(
  properties: readonly Property[],
  file: string,
  workspace: string,
): Promise<void> {
  const text = propertiesText(properties, file, workspace);
  if (text === undefined)
    throw new KymoError(
      'usage',
      `The ending of ${path.basename(file)} names no format. Use ${propertyEndings.join(', ')}.`,
      { file },
    );
  await writeFileAtomically(file, text);
}

async function whyMissing(studyDirectory: string): Promise<string> {
  const study = await readStudy(studyDirectory);
  if (study === undefined) return 'The study was deleted, or its files are damaged. Refine again.';
  return study.state === 'complete'
    ? 'The properties of this study were deleted. Refine again.'
    : 'Kymo finds properties at the end of a refinement, which this study has not reached. Refine again to resume it.';
}

function isPropertiesFile(value: unknown): value is { readonly properties: readonly unknown[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    Array.isArray((value as { readonly properties?: unknown }).properties)
  );
}

function isProperty(value: unknown): value is Property {
  if (typeof value !== 'object' || value === null) return false;
  const { id, kind, title, severity, evidence } = value as Partial<Record<keyof Property, unknown>>;
  return (
    typeof id === 'string' &&
    typeof kind === 'string' &&
    typeof title === 'string' &&
    (severity === undefined || typeof severity === 'number') &&
    typeof evidence === 'object' &&
    evidence !== null
  );
}
