import type { CodeTree } from '../../../core/diagnosis/live/codeTree';
import { pathKey } from '../../../core/diagnosis/resources/pathKey';
import type { SearchedProgram } from '../../../core/diagnosis/search/messages';

export interface SearchedProgramOptions {
  readonly code: CodeTree;
  /** Share of the processor time that recording a function adds, by its key. */
  readonly cost: (key: string) => number;
  /** Names below each resource of the machine when the search begins, by `pathKey`. */
  readonly machine: ReadonlyMap<string, readonly string[]>;
}

/** A program that runs, as a search sees it. Synchronisation objects are found while it runs. */
export function searchedProgram({ code, cost, machine }: SearchedProgramOptions): SearchedProgram {
  return {
    entries: code.entries,
    callees: (of) => code.callees(of),
    children: (tree, of) => (tree === 'Machine' ? (machine.get(pathKey(of)) ?? []) : []),
    predictedCost: (_, { Code }) => {
      const key = Code.length === 0 ? undefined : code.names.keyOf(Code);
      return key === undefined ? 0 : cost(key);
    },
  };
}
