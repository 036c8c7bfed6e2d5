import type { CallGraph } from '../../core/callgraph/callGraph';
import { mergeUnits } from '../../core/callgraph/merge/mergeUnits';
import { addSymbolFunctions } from './addSymbolFunctions';
import type { FunctionSymbol } from './objectSymbols';
import { present } from '../../core/present';

/** The call graph of a linked program: its units, joined by the places of its symbols, and functions that only the linker knows. */
export function linkedGraph(
  units: Parameters<typeof mergeUnits>[0],
  symbols: readonly FunctionSymbol[],
): CallGraph {
  const located = symbols.flatMap(({ mangledName, name, simpleName, file, line, column }) =>
    file === undefined || line === undefined
      ? []
      : [
          {
            mangledName,
            name: simpleName,
            prettyName: name,
            file,
            line,
            ...present({ column }),
          },
        ],
  );
  return addSymbolFunctions(mergeUnits(units, located), symbols);
}
