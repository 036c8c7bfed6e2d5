import { linkedLibraries } from '../linkedLibraries';
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
  const linked = await linkedLibraries(executable, environment);
  if (linked === undefined) return undefined;
  const inside = familyInside(linked.functions);
  return (
    mpiAmong(linked.libraries) ??
    (inside === undefined ? 'none' : { family: inside, library: executable, usesPmix: false })
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
function familyInside(names: ReadonlySet<string>): LinkedMpi['family'] | undefined {
  if (names.has('ompi_mpi_init')) return 'open-mpi';
  return names.has('MPID_Init') || names.has('MPII_Init_thread') ? 'hydra' : undefined;
}
