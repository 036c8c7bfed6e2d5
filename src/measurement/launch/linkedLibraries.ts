import { KymoError } from '../../core/errors';
import { readDynamicNeeds } from '../../formats/elf/dynamicSection';
import { ElfFile } from '../../formats/elf/elfFile';
import { functionSymbols } from '../../formats/elf/symbolTable';
import { withFileSource } from '../files/fileSource';
import { runProcess } from './process';

export interface LinkedLibraries {
  /** Paths of the libraries that the dynamic loader would load for the program, at any depth; names of those that it does not find. */
  readonly libraries: readonly string[];
  /** Names of the functions that the program itself contains. */
  readonly functions: ReadonlySet<string>;
}

/**
 * @param environment variables of the run, of which `LD_LIBRARY_PATH` matters
 * @returns undefined for what is no executable of this machine (a script)
 */
export async function linkedLibraries(
  executable: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<LinkedLibraries | undefined> {
  const look = await withFileSource(executable, (source) => {
    const file = ElfFile.open(source);
    const interpreter = file.sections.find(({ name }) => name === '.interp');
    return {
      needed: readDynamicNeeds(file).needed,
      loader: interpreter === undefined ? undefined : cString(file.data(interpreter)),
      functions: new Set(functionSymbols(file).symbols.map(({ name }) => name)),
    };
  }).catch((error: unknown) => {
    if (error instanceof KymoError) return undefined;
    throw error;
  });
  if (look === undefined) return undefined;
  const { needed, loader, functions } = look;
  const loaded = loader === undefined ? [] : await loadedLibraries(loader, executable, environment);
  return { libraries: [...loaded, ...needed], functions };
}

/** The libraries of `ld.so --list`, which loads them without running the program. The loader knows all rules of the search. */
async function loadedLibraries(
  loader: string,
  executable: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const { stdout } = await runProcess(
    { argv: [loader, '--list', executable] },
    { env: { ...environment, LD_PRELOAD: undefined }, timeoutSeconds: 20 },
  );
  return [...stdout.matchAll(/^\s*(\S+) => (.+?)(?: \(0x[0-9a-f]+\))?$/gm)].map(([, name = '', file = '']) =>
    file === 'not found' ? name : file,
  );
}

function cString(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1').split('\0', 1)[0] ?? '';
}
