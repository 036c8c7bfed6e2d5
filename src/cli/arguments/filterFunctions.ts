import { isScorepProfile } from '../../core/problems/context/makeContext';
import type { KnownFunction } from '../../formats/scorep-filter/effects/names';
import { readProfileInput, readText } from './inputs';

export const functionsHelp =
  'a profile (.cubex, or the folder of an experiment), or a text with one function a line: its name, or “mangled name<TAB>name as printed<TAB>source file<TAB>inline” (the last two may be left out)';

/** Reads the functions that a filter is matched against. */
export async function readFunctions(given: string): Promise<readonly KnownFunction[]> {
  if (/\.cubex$/i.test(given)) return functionsOfProfile(given);
  const text = await readText(given).catch((error: unknown) => {
    if (isDirectoryError(error)) return undefined;
    throw error;
  });
  return text === undefined ? functionsOfProfile(given) : text.split(/\r?\n/).flatMap(functionOf);
}

/** Filters apply neither to MPI and OpenMP regions nor to Score-P's artificial regions. */
const filtered: ReadonlySet<string> = new Set(['compiler', 'user', 'unknown']);

async function functionsOfProfile(given: string): Promise<readonly KnownFunction[]> {
  const { profile } = await readProfileInput(given);
  const exactName = isScorepProfile(profile);
  return profile.regions
    .filter(({ paradigm, role }) => filtered.has(paradigm) && role !== 'artificial')
    .map(({ name, mangledName, file }) => ({
      name,
      exactName,
      ...(mangledName === undefined || mangledName === '' ? {} : { mangledName }),
      ...(file === undefined || file === '' ? {} : { file }),
    }));
}

/** A single name that is not mangled C++ is both the name and the mangled name, as in C. */
function functionOf(line: string): readonly KnownFunction[] {
  if (line.trim() === '') return [];
  const [mangledName = '', name, file = '', inline] = line.split('\t').map((part) => part.trim());
  const base = { mangledName, ...(file === '' ? {} : { file }) };
  if (name === undefined) {
    return [{ ...base, name: mangledName, exactName: !mangledName.startsWith('_Z') }];
  }
  return [{ ...base, name, exactName: true, ...(inline === 'inline' ? { inline: true } : {}) }];
}

function isDirectoryError(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'EISDIR';
}
