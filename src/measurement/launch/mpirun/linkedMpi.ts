import { readDynamicNeeds } from '../../../formats/elf/dynamicSection';
import { ElfFile } from '../../../formats/elf/elfFile';
import { functionSymbols } from '../../../formats/elf/symbolTable';
import { KymoError } from '../../../core/errors';
import { withFileSource } from '../../files/fileSource';
import { runProcess } from '../process';
import type { MpiImplementation } from './implementation';

/** The MPI library of a program, by the launcher that its processes find each other with. */
export interface LinkedMpi {
  readonly family: Exclude<MpiImplementation['family'], 'unknown'>;
  /** Path of the library, or its name where the loader does not find it, or the program where it is linked statically. */
  readonly library: string;
  /** Whether its processes find each other by PMIx, which some builds of MPICH need instead of PMI-2. */
  readonly usesPmix: boolean;
}

/**
 * The MPI library that the dynamic loader would load for a program, at any depth.
 * @param environment variables of the run, of which `LD_LIBRARY_PATH` matters
 * @returns `none` for an executable without MPI; undefined for what is no executable of this machine (a script)
 */
export async function linkedMpi(
  executable: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<LinkedMpi | 'none' | undefined> {
  const look = await withFileSource(executable, (source) => {
    const file = ElfFile.open(source);
    const interpreter = file.sections.find(({ name }) => name === '.interp');
    return {
      needed: readDynamicNeeds(file).needed,
      loader: interpreter === undefined ? undefined : cString(file.data(interpreter)),
      inside: familyInside(functionSymbols(file).symbols.map(({ name }) => name)),
    };
  }).catch((error: unknown) => {
    if (error instanceof KymoError) return undefined;
    throw error;
  });
  if (look === undefined) return undefined;
  const { needed, loader, inside } = look;
  const libraries = loader === undefined ? [] : await loadedLibraries(loader, executable, environment);
  return (
    mpiAmong([...libraries, ...needed]) ??
    (inside === undefined ? 'none' : { family: inside, library: executable, usesPmix: false })
  );
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

/**
 * Version numbers of libmpi.so: 12 is the common ABI of MPICH, Intel MPI and MVAPICH (MPICH ABI Compatibility Initiative), but also
 * Open MPI 1.10, which brings its own libopen-rte; Open MPI has had 20 and more since.
 * @param files paths or names
 */
export function mpiAmong(files: readonly string[]): LinkedMpi | undefined {
  const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1);
  const find = (pattern: RegExp): string | undefined => files.find((file) => pattern.test(nameOf(file)));
  const hasOpenMpiParts = find(/^libopen-(rte|pal)\.so/) !== undefined;
  const usesPmix = find(/^libpmix\.so/) !== undefined;
  const mpi = find(/^libmpi(_ibm)?\.so/);
  if (mpi !== undefined) {
    const version = Number(/\.so\.(\d+)/.exec(mpi)?.[1] ?? 0);
    const isOpenMpi = hasOpenMpiParts || version >= 20 || nameOf(mpi).startsWith('libmpi_ibm');
    return { family: isOpenMpi ? 'open-mpi' : 'hydra', library: mpi, usesPmix };
  }
  const mpich = find(/^lib(mpich|mpi_cray|mpi_(gnu|intel|nvidia|amd)\w*|pmpich)\.so/);
  return mpich === undefined ? undefined : { family: 'hydra', library: mpich, usesPmix };
}

/** Of a program that contains its MPI library. */
function familyInside(names: readonly string[]): LinkedMpi['family'] | undefined {
  const all = new Set(names);
  if (all.has('ompi_mpi_init')) return 'open-mpi';
  return all.has('MPID_Init') || all.has('MPII_Init_thread') ? 'hydra' : undefined;
}

function cString(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1').split('\0', 1)[0] ?? '';
}
