import { nearestName } from '../../core/nearest';

/** Names that other tools have for the same. */
const usualNames: Readonly<Record<string, string>> = {
  args: 'arguments',
  argv: 'arguments',
  binary: 'executable',
  cmd: 'command',
  dir: 'cwd',
  directory: 'cwd',
  exe: 'executable',
  folder: 'cwd',
  np: 'ranks',
  nprocs: 'ranks',
  ntasks: 'ranks',
  processes: 'ranks',
  program: 'executable',
  rounds: 'maximumIterations',
  runs: 'repetitions',
  stdin: 'input',
  type: 'kind',
  workdir: 'cwd',
};

/** Beginnings that are shorter are those of too many names. */
const shortestBeginning = 3;

/** The key that was probably intended: one with a few other letters, one that begins alike, or what other tools call so. */
export function nearestKey(key: string, validKeys: readonly string[]): string | undefined {
  const near = nearestName(key, validKeys);
  if (near !== undefined) return near;
  const word = key.toLowerCase();
  const usual = usualNames[word];
  if (usual !== undefined && validKeys.includes(usual)) return usual;
  if (word.length < shortestBeginning) return undefined;
  return validKeys.find((valid) => valid.toLowerCase().startsWith(word));
}
