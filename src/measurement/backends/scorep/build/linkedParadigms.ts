import { readDynamicNeeds } from '../../../../formats/elf/dynamicSection';
import { ElfFile } from '../../../../formats/elf/elfFile';
import { importedNames } from '../../../../formats/elf/symbolTable';
import { withFileSource } from '../../../symbols/fileSource';

/** What a program uses that a measurement has to know of. */
export interface LinkedParadigms {
  readonly mpi: boolean;
  readonly openmp: boolean;
  readonly pthread: boolean;
  /** C++ exceptions, by the unwinder of gcc's library. */
  readonly throws: boolean;
}

const mpiLibrary = /^lib(p?mpi|mpich|mpi_\w+|fmpich)[\w-]*\.so/;
const openmpLibrary = /^lib(gomp|omp|iomp5)\.so/;
/** `std::thread` starts them through the C++ library. */
const threadStart = /^(pthread_create|thrd_create|_ZNSt6thread15_M_start_thread.*)$/;
const mpiInit = /^(MPI_Init|MPI_Init_thread|mpi_init_|mpi_init_thread_|MPI_INIT)$/;
const gccRuntime = /^lib(gcc_s|stdc\+\+)\.so/;
const throwing = /^(__cxa_(re)?throw|_ZSt\d+__throw_\w+)$/;
const openmpFork = /^(GOMP_parallel\w*|__kmpc_fork_call)$/;

/**
 * By the libraries that an executable and its own libraries link, and the functions that they import; nothing is run. A program that
 * hides these (a static link) or cannot be read counts as one process with one thread, as `scorep` itself would have it.
 */
export async function linkedParadigms(objects: readonly string[]): Promise<LinkedParadigms> {
  const found = await Promise.all(objects.map((object) => paradigmsOf(object).catch(() => none)));
  return {
    mpi: found.some(({ mpi }) => mpi),
    openmp: found.some(({ openmp }) => openmp),
    pthread: found.some(({ pthread }) => pthread),
    throws: found.some(({ throws }) => throws),
  };
}

const none: LinkedParadigms = { mpi: false, openmp: false, pthread: false, throws: false };

function paradigmsOf(object: string): Promise<LinkedParadigms> {
  return withFileSource(object, (source) => {
    const file = ElfFile.open(source);
    const { needed } = readDynamicNeeds(file);
    const imported = importedNames(file);
    const links = (library: RegExp): boolean => needed.some((name) => library.test(name));
    const calls = (name: RegExp): boolean => imported.some((one) => name.test(one));
    return {
      mpi: links(mpiLibrary) || calls(mpiInit),
      openmp: links(openmpLibrary) || calls(openmpFork),
      pthread: calls(threadStart),
      throws: links(gccRuntime) && calls(throwing),
    };
  });
}
