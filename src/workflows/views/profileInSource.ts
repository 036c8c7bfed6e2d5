import path from 'node:path';
import { at, atFloat } from '../../core/at';
import { hiding, parallelFacts, type ParallelFacts } from '../../core/efficiency/parallelFacts';
import { rankSpreads } from '../../core/efficiency/rankSpread';
import { KymoError } from '../../core/errors';
import type { Base } from '../../core/functions/base';
import type { RegionTimes } from '../../core/functions/regionTimes';
import { shareOf } from '../../core/functions/share';
import { present } from '../../core/present';
import { flatColumns } from '../../core/profile/regions';
import { pickColumns } from '../../core/sums';
import { positionsIn, type ProcessRanges } from '../../core/views/ranks/processRanges';
import type { Region } from '../../core/profile/profile';
import { findProperties } from '../../core/problems/findProperties';
import { makeContext } from '../../core/problems/context/makeContext';
import { sourceFile } from '../../core/profile/place';
import type { Property } from '../../core/properties/property';
import type { PropertyContext } from '../../core/problems/context/propertyContext';
import { timedOneIn } from '../../core/profile/metrics';
import { recordedPartOf } from '../../core/profile/recordedPart';
import type { PanelProfile } from '../opened/panelProfile';
import { cachedProfile, type CachedProfile } from '../opened/profileCache';
import { turn, type Cancellable } from '../running/turn';
import type { FunctionRow } from '../../core/functions/functionRow';
import { Places, type SourcesHere } from '../studies/places';

/** A profile of any origin, and how to find its sources on this machine. */
export interface ProfileInSource extends SourcesHere {
  /** Absolute path. */
  readonly file: string;
}

/** Some processes of a profile. */
export interface ProcessesInSource extends ProfileInSource {
  /** The processes whose values are shown; default: all. */
  readonly processes?: ProcessRanges;
}

export interface ProfileFunctions {
  /** `profile.cubex (Score-P 8.4)`, `ranks 2–4 in profile.cubex (Score-P 8.4)` */
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
 * @throws KymoError the errors of `cachedProfile`; for some of the processes, `no-such-process`, and `no-times`
 */
export async function profileFunctions(
  options: ProcessesInSource,
  run: Cancellable = {},
): Promise<ProfileFunctions> {
  const cached = await cachedProfile(options.file, undefined, run);
  await turn(run);
  const context = makeContext(cached.input);
  await turn(run);
  const numbers = await numbersOf(cached, context, options.processes, run);
  const rows = context.profile.regions.flatMap((region, index) =>
    functionOf(context, numbers, region, index).map((row) => ({
      ...row,
      ...decidedOn(cached.reportOf(region)),
      ...numbers.parallel(index),
    })),
  );
  const places = new Places(options);
  const functions: FunctionRow[] = [];
  for (const row of withoutRepeatedConstructs(rows)) {
    functions.push(await places.placed(row));
    if (functions.length % functionsPerTurn === 0) await turn(run);
  }
  const { processes } = numbers.base;
  const title = titleOf(cached);
  return {
    title: processes === undefined ? title : `${processes} in ${title}`,
    functions,
    missing: places.missing,
  };
}

/** What rows of functions say of the run, or of some of its processes. Positions are those of the context's regions. */
interface Numbers {
  readonly base: Base;
  readonly own: (region: number) => Measures | undefined;
  readonly parallel: (region: number) => ParallelFacts;
}

type Measures = Pick<RegionTimes, 'visits' | 'inclusiveSeconds' | 'exclusiveSeconds'>;

async function numbersOf(
  cached: CachedProfile,
  context: PropertyContext,
  processes: ProcessRanges | undefined,
  run: Cancellable,
): Promise<Numbers> {
  const panel = cached.panelOf(processes);
  if (panel === cached.panel()) {
    const parallel = parallelFacts(context);
    const { times, base, keys } = context;
    return {
      base,
      own: (region) => times.regions[region],
      parallel: (region) => parallel.get(at(keys, region)) ?? {},
    };
  }
  await turn(run);
  return numbersOfProcesses(cached.file, context, panel, positionsIn(processes ?? []));
}

/** The same as in the hot-spot panel. */
function numbersOfProcesses(
  file: string,
  context: PropertyContext,
  { profile, columns, base, efficiencyOf }: PanelProfile,
  chosen: Uint32Array,
): Numbers {
  const [time, visits] = ['time', 'visits'].map((name) => columns.find((column) => column.name === name));
  if (base === undefined || time === undefined)
    throw new KymoError(
      'no-times',
      'The sources show all processes: the profile has no time, or is too large for times of some processes.',
      { file },
    );
  const flat = flatColumns(
    profile,
    { ...time, visits: visits?.exclusive ?? new Float64Array(profile.callPaths.count) },
    'sum',
  );
  const spreads = rankSpreads(
    { ...context.profile, locations: profile.locations },
    pickColumns(context.cells, context.profile.locations.length, chosen),
  );
  return {
    base,
    own: (region) => ({
      visits: atFloat(flat.visits, region),
      inclusiveSeconds: atFloat(flat.inclusive, region),
      exclusiveSeconds: atFloat(flat.exclusive, region),
    }),
    parallel: (region) =>
      present({
        efficiency: efficiencyOf(region),
        ranks: hiding(spreads.get(region), context.hidesMpi(region)),
      }),
  };
}

/** What the study of the profile decided on a function. */
function decidedOn(row: FunctionRow | undefined): Partial<FunctionRow> {
  if (row === undefined) return {};
  const { selected, hasSite, decision, site } = row;
  return { selected, hasSite, ...present({ decision, site }) };
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

function functionOf(
  context: PropertyContext,
  { base, own: ownOf }: Numbers,
  region: Region,
  index: number,
): readonly FunctionRow[] {
  const { activities, keys } = context;
  const own = ownOf(index);
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
      ...present({ timedOneIn: interval, recordedPart: recordedPartOf(region) }),
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
