import { present } from '../../core/present';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { lastRunShare } from '../../core/functions/shareOrder';
import { isScorepProfile } from '../../core/problems/context/makeContext';
import { openCube } from '../../formats/cube4/read';
import type { KnownFunction } from '../../formats/scorep-filter/effects/names';
import { openProfileFile } from '../../measurement/experiments/profileFile';
import type { FunctionRow } from '../../core/functions/functionRow';
import { turn } from '../running/turn';
import { functionRows, functionsFileName } from '../studies/functionsFile';

/** The source of the functions that a filter is matched against. */
export interface FunctionSource {
  /** The shown study, which has more information than any profile. */
  readonly studyDirectory?: string;
  /** Absolute paths of Cube profiles; used if there is no study. */
  readonly profiles?: readonly string[];
}

/** A function that a filter may match. */
export interface FilterFunction extends KnownFunction {
  readonly line?: number;
  readonly endLine?: number;
  /** Key of the function in the study. */
  readonly key?: string;
  /** Exclusive share (0…1) of the run time. */
  readonly exclusiveShare?: number;
}

/** The functions of one source, and its name. */
export interface KnownFunctions {
  readonly kind: 'study' | 'profiles' | 'none';
  /** Name of the study's folder, or of the profiles. */
  readonly label: string;
  readonly functions: readonly FilterFunction[];
}

const nothing: KnownFunctions = { kind: 'none', label: '', functions: [] };
/** Two sources, for the edited filter and the one to compare it with. */
const mostKept = 2;
const cache = new Map<string, Promise<KnownFunctions>>();

/**
 * The functions of the study, or else of the profiles. They are cached while the files are unchanged, because an editor asks at each
 * pause of typing. An unreadable source counts as empty. Several questions may wait for one reading, so that none of them can cancel it.
 */
export async function knownFunctions(source: FunctionSource): Promise<KnownFunctions> {
  const files = filesOf(source);
  if (files.length === 0) return nothing;
  const key = (await Promise.all(files.map(identity))).join('\n');
  const reading = cache.get(key) ?? read(source).catch(() => nothing);
  cache.delete(key);
  cache.set(key, reading);
  for (const oldest of cache.keys()) {
    if (cache.size <= mostKept) break;
    cache.delete(oldest);
  }
  return reading;
}

function filesOf({ studyDirectory, profiles = [] }: FunctionSource): readonly string[] {
  return studyDirectory === undefined ? profiles : [path.join(studyDirectory, functionsFileName)];
}

async function identity(file: string): Promise<string> {
  const status = await stat(file).catch(() => undefined);
  return `${file} ${status?.mtimeMs ?? ''} ${status?.size ?? ''}`;
}

async function read({ studyDirectory, profiles = [] }: FunctionSource): Promise<KnownFunctions> {
  if (studyDirectory !== undefined) {
    const functions = (await functionRows(studyDirectory)).map(ofReport);
    return { kind: 'study', label: path.basename(studyDirectory), functions };
  }
  const byName = new Map<string, FilterFunction>();
  for (const file of profiles) {
    await turn({});
    for (const candidate of ofProfile(file)) byName.set(candidate.mangledName ?? candidate.name, candidate);
  }
  const label = profiles.map((file) => path.basename(file)).join(', ');
  return { kind: 'profiles', label, functions: [...byName.values()] };
}

function ofReport(report: FunctionRow): FilterFunction {
  const { key, name, mangledName, file, line, endLine, hasSite, timeIn } = report;
  const exclusiveShare = lastRunShare(report, 'exclusiveShare');
  return {
    key,
    name,
    ...present({ mangledName, file, line, endLine }),
    ...(hasSite || timeIn === undefined ? {} : { inlinedInto: timeIn }),
    ...(exclusiveShare === undefined ? {} : { exclusiveShare }),
  };
}

/** Filters apply to regions instrumented by the compiler or the user; MPI and OpenMP have their own switches. */
const filtered: ReadonlySet<string> = new Set(['compiler', 'user', 'unknown']);

/** The functions of a profile. Only its definitions are read, because it may be of any size. */
function ofProfile(file: string): readonly FilterFunction[] {
  const opened = openProfileFile(file);
  try {
    const { definitions } = openCube(opened.source, file);
    // Only Score-P's own profiles spell names as its compiler plug-in does.
    const exactName = isScorepProfile(definitions);
    return definitions.regions
      .filter(({ paradigm }) => filtered.has(paradigm))
      .map(({ name, mangledName, file: source, firstLine, lastLine }) => ({
        name,
        ...(mangledName === undefined || mangledName === '' ? {} : { mangledName }),
        ...(source === undefined || source === '' ? {} : { file: source }),
        ...(firstLine === undefined || firstLine <= 0 ? {} : { line: firstLine }),
        ...(lastLine === undefined || lastLine <= 0 ? {} : { endLine: lastLine }),
        exactName,
      }));
  } finally {
    opened.close();
  }
}
