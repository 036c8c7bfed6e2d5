import { readDynamicNeeds } from '../../../../formats/elf/dynamicSection';
import { ElfFile } from '../../../../formats/elf/elfFile';
import { importedNames } from '../../../../formats/elf/symbolTable';
import { withFileSource } from '../../../files/fileSource';

/** Paradigms of a program that a measurement has to know. */
export interface LinkedParadigms {
  readonly mpi: boolean;
  readonly openmp: boolean;
  readonly pthread: boolean;
  /** Whether it throws C++ exceptions through the unwinder of gcc's library. */
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
 * Reads the paradigms from the linked libraries and imported functions of an executable and its own libraries; runs nothing. A program
 * that hides these (a static link) or cannot be read counts as one process with one thread, as for `scorep` itself.
 */
export async function linkedParadigms(objects: readonly string[]): Promise<LinkedParadigms> {
  const paradigms = await Promise.all(objects.map((object) => paradigmsOf(object).catch(() => none)));
  const any = (name: keyof LinkedParadigms): boolean => paradigms.some((of) => of[name]);
  return { mpi: any('mpi'), openmp: any('openmp'), pthread: any('pthread'), throws: any('throws') };
}

const none: LinkedParadigms = { mpi: false, openmp: false, pthread: false, throws: false };

function paradigmsOf(object: string): Promise<LinkedParadigms> {
  return withFileSource(object, (source) => {
    const file = ElfFile.open(source);
    const { needed } = readDynamicNeeds(file);
    const imported = importedNames(file);
    const links = (library: RegExp): boolean => needed.some((name) => library.test(name));
    const calls = (name: RegExp): boolean => imported.some((symbol) => name.test(symbol));
    return {
      mpi: links(mpiLibrary) || calls(mpiInit),
      openmp: links(openmpLibrary) || calls(openmpFork),
      pthread: calls(threadStart),
      throws: links(gccRuntime) && calls(throwing),
    };
  });
}
