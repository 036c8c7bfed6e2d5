import type { Language, Survey } from './survey';

/** Placeholder of the measuring compiler of each language (docs/INTERFACES.md). */
export const placeholderOf: Readonly<Record<Language, string>> = {
  C: '${cc}',
  'C++': '${cxx}',
  Fortran: '${fc}',
};

/** Names by which make and configure know the compiler of each language. */
export const variableOf: Readonly<Record<Language, string>> = { C: 'CC', 'C++': 'CXX', Fortran: 'FC' };

const order: readonly Language[] = ['C', 'C++', 'Fortran'];

export function languagesOf(survey: Survey): readonly Language[] {
  return order.filter((language) => survey.languages.has(language));
}

/** `CC=${cc} CXX=${cxx}` for the languages. */
export function compilerAssignments(languages: readonly Language[]): string {
  return languages.map((language) => `${variableOf[language]}=${placeholderOf[language]}`).join(' ');
}

/**
 * MPI's own compiler wrappers take the compiler below them from the environment: Open MPI's `OMPI_CC`, MPICH's `MPICH_CC`.
 */
export function mpiAssignments(languages: readonly Language[]): string {
  return languages
    .map((language) => {
      const placeholder = placeholderOf[language];
      return `OMPI_${variableOf[language]}=${placeholder} MPICH_${variableOf[language]}=${placeholder}`;
    })
    .join(' ');
}
