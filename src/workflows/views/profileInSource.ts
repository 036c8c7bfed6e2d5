import path from 'node:path';
import { parallelFacts } from '../../core/efficiency/parallelFacts';
import { shareOf } from '../../core/functions/share';
import type { Region } from '../../core/profile/profile';
import { findProperties } from '../../core/problems/findProperties';
import { makeContext } from '../../core/problems/context/makeContext';
import { sourceFile } from '../../core/profile/place';
import type { Property } from '../../core/properties/property';
import type { PropertyContext } from '../../core/problems/context/propertyContext';
import { timedOneIn } from '../../core/profile/metrics';
import { cachedProfile, type CachedProfile } from '../opened/profileCache';
import { turn, type Cancellable } from '../running/turn';
import type { FunctionRow } from '../../core/functions/functionRow';
import { Places, type SourcesHere } from '../studies/places';

/** A profile of any origin, and how to find its sources on this machine. */
export interface ProfileInSource extends SourcesHere {
  /** Absolute path. */
  readonly file: string;
}

export interface ProfileFunctions {
  /** `profile.cubex (Score-P 8.4)` */
  readonly title: string;
  readonly functions: readonly FunctionRow[];
  /** Recorded names of sources that are missing on this machine. */
  readonly missing: readonly string[];
}

/** Number of functions to locate between two cancellation points, within a few milliseconds. */
const functionsPerTurn = 500;

/**
 * The functions of a profile for source annotations: shares, visits and the cost of recording, at current places. A profile has no measured
 * text, so functions are located by name.
 * @throws KymoError the errors of `cachedProfile`
 */
export async function profileFunctions(
  options: ProfileInSource,
  run: Cancellable = {},
): Promise<ProfileFunctions> {
  const cached = await cachedProfile(options.file, undefined, run);
  await turn(run);
  const context = makeContext(cached.input);
  const parallel = parallelFacts(context);
  await turn(run);
  const rows = context.profile.regions.flatMap((region, index) =>
    functionOf(context, region, index).map((row) => ({
      ...row,
      ...parallel.get(row.key),
    })),
  );
  const places = new Places(options);
  const functions: FunctionRow[] = [];
  for (const row of withoutRepeatedConstructs(rows)) {
    functions.push(await places.placed(row));
    if (functions.length % functionsPerTurn === 0) await turn(run);
  }
  return { title: titleOf(cached), functions, missing: places.missing };
}

/** The findings in a profile, with the paths of sources on this machine. */
export async function profileProperties(
  options: ProfileInSource,
  run: Cancellable = {},
): Promise<{ readonly properties: readonly Property[] }> {
  const places = new Places(options);
  const properties: Property[] = [];
  const { input } = await cachedProfile(options.file, undefined, run);
  await turn(run);
  for (const property of findProperties(input))
    properties.push(
      property.region === undefined
        ? property
        : { ...property, region: await places.placed(property.region) },
    );
  return { properties };
}

function titleOf({ file, profile }: CachedProfile): string {
  const name = path.basename(file);
  // The title includes the folder, because most profiles have this name.
  const shown = name === 'profile.cubex' ? `${path.basename(path.dirname(file))}/${name}` : name;
  const creator = profile.attributes
    .get('Creator')
    ?.replace(/\p{Cc}+/gu, ' ')
    .slice(0, 40);
  return creator === undefined || creator === '' ? shown : `${shown} (${creator})`;
}

function functionOf(context: PropertyContext, region: Region, index: number): readonly FunctionRow[] {
  const { times, base, activities, keys } = context;
  const own = times.regions[index];
  const file = sourceFile(region);
  const isCode = activities[index] === 'computation' || activities[index] === 'synchronisation';
  if (own === undefined || own.visits <= 0 || file === undefined || !isCode) return [];
  const { firstLine, lastLine, mangledName } = region;
  const interval = timedOneIn(region);
  const cost = context.costOf(index);
  return [
    {
      key: keys[index] ?? region.name,
      name: region.name,
      ...(mangledName === undefined ? {} : { mangledName }),
      file,
      ...(firstLine === undefined || firstLine <= 0 ? {} : { line: firstLine }),
      ...(firstLine === undefined || lastLine === undefined || lastLine < firstLine
        ? {}
        : { endLine: lastLine }),
      selected: true,
      hasSite: true,
      visits: own.visits,
      ...(interval === undefined ? {} : { timedOneIn: interval }),
      inclusiveShare: shareOf(own.inclusiveSeconds, base),
      exclusiveShare: shareOf(own.exclusiveSeconds, base),
      base,
      ...(cost === undefined ? {} : { overheadPercent: 100 * shareOf(own.visits * cost.pairSeconds, base) }),
    },
  ];
}

/** Removes nested OpenMP constructs at one line, except for the outermost. */
function withoutRepeatedConstructs(rows: readonly FunctionRow[]): readonly FunctionRow[] {
  const heaviest = new Map<string, FunctionRow>();
  for (const row of rows.filter(isConstruct)) {
    const key = `${row.file}:${row.line}`;
    const heaviestRow = heaviest.get(key);
    if (heaviestRow === undefined || (row.inclusiveShare ?? 0) > (heaviestRow.inclusiveShare ?? 0))
      heaviest.set(key, row);
  }
  return rows.filter((row) => !isConstruct(row) || heaviest.get(`${row.file}:${row.line}`) === row);
}

function isConstruct({ name }: FunctionRow): boolean {
  return name.startsWith('!$omp');
}
