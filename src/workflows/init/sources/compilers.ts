import type { Language, Survey } from './survey';

/** Placeholder of the measuring compiler of each language (docs/INTERFACES.md). */
export const placeholderOf: Readonly<Record<Language, string>> = {
  C: '${cc}',
  'C++': '${cxx}',
  Fortran: '${fc}',
};

/** Names by which make and configure know the compiler of each language. */
export const variableOf: Readonly<Record<Language, string>> = { C: 'CC', 'C++': 'CXX', Fortran: 'FC' };

/** MPI's own compiler commands of each language, the most common one first. */
export const mpiCompilers: Readonly<Record<Language, readonly [string, ...string[]]>> = {
  C: ['mpicc', 'mpigcc', 'mpiicc', 'mpiicx'],
  'C++': ['mpicxx', 'mpic++', 'mpiCC', 'mpig++', 'mpiicpc', 'mpiicpx'],
  Fortran: ['mpifort', 'mpif90', 'mpif77', 'mpiifort', 'mpiifx'],
};

const plainCompilers: Readonly<Record<Language, readonly string[]>> = {
  C: ['cc', 'gcc', 'clang', 'icc', 'icx', 'c99', 'c89', 'pgcc', 'nvc', 'xlc', 'armclang', 'amdclang'],
  'C++': ['c++', 'g++', 'clang++', 'icpc', 'icpx', 'pgc++', 'nvc++', 'CC', 'xlC', 'armclang++', 'amdclang++'],
  Fortran: ['gfortran', 'f77', 'f90', 'f95', 'ifort', 'ifx', 'flang', 'ftn', 'pgfortran', 'nvfortran'],
};

const order: readonly Language[] = ['C', 'C++', 'Fortran'];

/** The language and kind of the compiler that a word of a command names, or undefined: `/usr/bin/x86_64-linux-gnu-g++-12` is a C++ compiler. */
export function compilerOf(word: string): { readonly language: Language; readonly mpi: boolean } | undefined {
  const name = word.replace(/^.*\//, '').replace(/-\d[\d.]*$/, '');
  const ends = (compiler: string): boolean =>
    name === compiler || (/^[\w.]+-/.test(name) && name.endsWith(`-${compiler}`));
  for (const language of order) {
    if (mpiCompilers[language].includes(name)) return { language, mpi: true };
    if (plainCompilers[language].some(ends)) return { language, mpi: false };
  }
  return undefined;
}

export function inOrder(languages: Iterable<Language>): readonly Language[] {
  const set = new Set(languages);
  return order.filter((language) => set.has(language));
}

export function languagesOf(survey: Survey): readonly Language[] {
  return inOrder(survey.languages);
}

/** `CC=${cc} CXX=${cxx}` for the languages. */
export function compilerAssignments(languages: readonly Language[]): string {
  return languages.map((language) => `${variableOf[language]}=${placeholderOf[language]}`).join(' ');
}

/** MPI's compiler wrappers take their underlying compiler from the environment: Open MPI's `OMPI_CC`, MPICH's `MPICH_CC`. */
export function mpiAssignments(languages: readonly Language[]): string {
  return languages
    .map((language) => {
      const placeholder = placeholderOf[language];
      return `OMPI_${variableOf[language]}=${placeholder} MPICH_${variableOf[language]}=${placeholder}`;
    })
    .join(' ');
}
