import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { KymoError } from '../../../core/errors';
import { findProgram } from '../findProgram';
import { mpiImplementation, type MpiImplementation } from './implementation';
import type { LinkedMpi } from './linkedMpi';

export interface Mpirun {
  readonly path: string;
  readonly implementation: MpiImplementation;
}

/** Names of launchers. Debian's alternatives give one of several implementations the plain names. */
const names = {
  'open-mpi': ['mpirun', 'mpiexec', 'mpirun.openmpi', 'mpiexec.openmpi', 'orterun', 'prterun'],
  hydra: ['mpirun', 'mpiexec', 'mpirun.mpich', 'mpiexec.mpich', 'mpiexec.hydra'],
} as const;
export const mpiTitles = { 'open-mpi': 'Open MPI', hydra: 'MPICH or a relative of it' } as const;

/** How to get the launcher of an implementation. */
const install = {
  'open-mpi': 'apt install openmpi-bin; dnf install openmpi',
  hydra: 'apt install mpich; dnf install mpich',
} as const;

/**
 * The `mpirun` for a program. An `mpirun` of another implementation would start processes that each believe to be alone, so it is never
 * used: the one beside the library is first, then those of PATH.
 * @param mpi the library that the program is linked with; undefined: unknown, or none
 * @returns undefined if there is no `mpirun` at all
 * @throws KymoError `launcher-mismatch` if every `mpirun` belongs to another implementation
 */
export async function fittingMpirun(
  mpi: LinkedMpi | undefined,
  searchPath: string = process.env.PATH ?? '',
): Promise<Mpirun | undefined> {
  const others: Mpirun[] = [];
  for (const file of await candidates(mpi, searchPath)) {
    const mpirun = { path: file, implementation: await mpiImplementation(file) };
    if (mpi === undefined || mpirun.implementation.family === mpi.family) return mpirun;
    others.push(mpirun);
  }
  // A script of the site that does not tell its version; the caller reports it.
  const unknown = others.find(({ implementation }) => implementation.family === 'unknown');
  if (unknown !== undefined || mpi === undefined || others.length === 0) return unknown;
  throw mismatch(mpi, others);
}

async function candidates(mpi: LinkedMpi | undefined, searchPath: string): Promise<ReadonlySet<string>> {
  const wanted = mpi === undefined ? (['mpirun', 'mpiexec'] as const) : names[mpi.family];
  const beside = mpi === undefined ? [] : await foldersBeside(mpi.library);
  const found = new Set<string>();
  for (const folders of [...beside, searchPath])
    for (const name of wanted) {
      for (const folder of folders.split(path.delimiter)) {
        const file = await findProgram(name, folder);
        if (file !== undefined) found.add(file);
      }
    }
  return found;
}

/**
 * `<prefix>/bin` for a library in `<prefix>/lib`, `<prefix>/lib/release` or `<prefix>/lib/x86_64-linux-gnu`. Of the real path: Open MPI
 * takes its own prefix from its path, and refuses that of /bin.
 */
async function foldersBeside(library: string): Promise<readonly string[]> {
  if (!path.isAbsolute(library)) return [];
  const real = await realpath(library).catch(() => library);
  return ['../bin', '../../bin'].map((way) => path.resolve(path.dirname(real), way));
}

function mismatch({ family, library }: LinkedMpi, others: readonly Mpirun[]): KymoError {
  const found = others.map(({ path: file, implementation }) => `${file} (${implementation.description})`);
  return new KymoError(
    'launcher-mismatch',
    `The program is linked with ${mpiTitles[family]} (${library}), and no mpirun of it was found, only ${found.join(', ')}. Started by that, each process would believe to be the only one, so nothing was run. Load the module of the MPI that built the program, or install its launcher (${install[family]}), or build the program with the mpicc of this mpirun.`,
    { file: library },
  );
}
