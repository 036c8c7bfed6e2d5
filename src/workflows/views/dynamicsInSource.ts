import { stat } from 'node:fs/promises';
import { placeToLookAt } from '../../core/series/series';
import type { Property } from '../../core/properties/property';
import { dynamicsRun, type DynamicsName } from './dynamicsView';
import { turn, type Cancellable } from '../running/turn';
import { Places, type SourcesHere } from '../studies/places';

/** A property with further facts for the source. */
export interface FoundProperty extends Property {
  /** Last line of the region, if known. */
  readonly endLine?: number;
  /** The source is newer than the measurement: its lines may have moved. */
  readonly stale?: true;
  /** What to do next, in one sentence. */
  readonly advice?: string;
}

export interface DynamicsInSource {
  readonly properties: readonly FoundProperty[];
  /** Names of sources that are missing on this machine. */
  readonly missing: readonly string[];
}

/** Number of properties to locate between two cancellation points, within a few milliseconds. */
const propertiesPerTurn = 500;

/**
 * The properties of an analysis with current places. For an experiment of a study they have the measured places, because the study has line
 * maps; for any other input, a region is located by its name.
 * @param measured the analysed files
 */
export async function dynamicsInSource(
  name: DynamicsName,
  sources: SourcesHere,
  measured: { readonly files: readonly string[]; readonly isOfStudy: boolean },
  context: Cancellable = {},
): Promise<DynamicsInSource> {
  const { properties, rows } = (await dynamicsRun(name, context)).result;
  const ends = new Map(rows.map(({ property, region }) => [property, placeToLookAt(region).endLine]));
  const located = properties.map((property): FoundProperty => {
    const endLine = ends.get(property.id);
    return endLine === undefined ? property : { ...property, endLine };
  });
  const places = new Places(sources);
  const isNewer = await newerThan(measured.isOfStudy ? [] : measured.files);
  const placed: FoundProperty[] = [];
  for (const property of located) {
    if (placed.length % propertiesPerTurn === 0) await turn(context);
    const { region, endLine, ...rest } = property;
    if (region === undefined) {
      placed.push(property);
      continue;
    }
    if (measured.isOfStudy) {
      placed.push({ ...property, region: await places.inFile(region) });
      continue;
    }
    const { endLine: end, ...here } = await places.placed({
      ...region,
      ...(endLine === undefined ? {} : { endLine }),
    });
    placed.push({
      ...rest,
      region: here,
      ...(end === undefined ? {} : { endLine: end }),
      ...(here.file !== undefined && (await isNewer(here.file)) ? { stale: true } : {}),
    });
  }
  return { properties: placed, missing: measured.isOfStudy ? [] : places.missing };
}

/** Tests whether a source is newer than the oldest of the files; each source is checked once. */
async function newerThan(files: readonly string[]): Promise<(source: string) => Promise<boolean>> {
  const times = await Promise.all(files.map(modified));
  const measuredAt = Math.min(...times.filter((time) => time > 0));
  const cache = new Map<string, boolean>();
  return async (source) => {
    const newer = cache.get(source) ?? (await modified(source)) > measuredAt;
    cache.set(source, newer);
    return newer;
  };
}

/** Modification time of a file; 0 if it is missing. */
async function modified(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
}
