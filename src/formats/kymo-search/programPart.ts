import { parseResource, printResource } from '../../core/diagnosis/resources/focusText';
import type {
  ProgramFacts,
  SearchedFunction,
  SearchedThread,
} from '../../core/diagnosis/search/searchRecord';
import { parsed, type Wrong } from './parsed';

/** The program as it is in the file: resources as texts. */
export interface FileProgram extends Omit<ProgramFacts, 'threads' | 'functions'> {
  readonly threads: readonly (Omit<SearchedThread, 'machine'> & { readonly machine: string })[];
  readonly functions: readonly (Omit<SearchedFunction, 'code'> & { readonly code: string })[];
}

export function writeProgram({ base, threads, functions }: ProgramFacts): FileProgram {
  return {
    base,
    threads: threads.map((one) => ({ ...one, machine: printResource('Machine', one.machine) })),
    functions: functions.map((one) => ({ ...one, code: printResource('Code', one.code) })),
  };
}

/** @throws what `wrong` makes */
export function readProgram({ base, threads, functions }: FileProgram, wrong: Wrong): ProgramFacts {
  const read = (text: string, tree: 'Machine' | 'Code', place: string) =>
    parsed(() => parseResource(text, tree), `/program/${place}`, wrong);
  return {
    base,
    threads: threads.map((one, position) => ({
      ...one,
      machine: read(one.machine, 'Machine', `threads/${position}/machine`),
    })),
    functions: functions.map((one, position) => ({
      ...one,
      code: read(one.code, 'Code', `functions/${position}/code`),
    })),
  };
}
