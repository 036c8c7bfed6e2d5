import type { CallGraph } from '../../core/callgraph/callGraph';
import { GraphIndex } from './graphIndex';
import type { FunctionSymbol } from './objectSymbols';
import { readObjectSymbols, type SymbolOptions } from './symbolCache';
import { present } from '../../core/present';

/** Why a function cannot be measured in this build. */
export interface MissingSite {
  readonly kind: 'inlined' | 'no-entry' | 'not-linked';
  /** Where the function went, most copies first. */
  readonly callers: readonly InliningCaller[];
  /** A sentence for the user, with the next step. */
  readonly message: string;
}

export interface InliningCaller {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  /** Function of the call graph, when it is known there. */
  readonly key?: string;
  readonly copies: number;
}

export interface MissingSiteOptions extends SymbolOptions {
  /** The linked objects (`SiteMap.objects`). */
  readonly objects: readonly string[];
  readonly graph: CallGraph;
}

/** Says where a function without a site went: into which callers it was inlined, from the debug information. */
export async function explainMissingSite(
  functionKey: string,
  options: MissingSiteOptions,
): Promise<MissingSite> {
  const index = new GraphIndex(options.graph);
  const position = options.graph.functions.findIndex((f) => f.key === functionKey);
  const name = options.graph.functions[position]?.name ?? functionKey;
  const callers = new Map<FunctionSymbol, number>();
  let hasCode = false;
  for (const path of options.objects) {
    const symbols = await readObjectSymbols(path, options);
    const own = symbols.functions.map((f) => index.isOf(position, f));
    hasCode ||= symbols.functions.some((f, i) => own[i] === true && f.address !== undefined);
    for (const { callee, caller, copies } of symbols.inlined) {
      const into = symbols.functions[caller];
      if (own[callee] === true && into !== undefined) callers.set(into, (callers.get(into) ?? 0) + copies);
    }
  }
  const list = [...callers]
    .sort(([, a], [, b]) => b - a)
    .map(([symbol, copies]) => callerOf(symbol, copies, index));
  if (list.length > 0) {
    const shown = list.slice(0, 3).map((c) => c.name);
    const more = list.length > 3 ? ` and ${list.length - 3} more` : '';
    return {
      kind: 'inlined',
      callers: list,
      message: `${name} was inlined into ${shown.join(', ')}${more}. Rebuild with a probe in it to measure it on its own.`,
    };
  }
  return hasCode
    ? {
        kind: 'no-entry',
        callers: [],
        message: `${name} has code, but no site: it was not compiled by the measuring wrappers. Build it with them, from clean.`,
      }
    : {
        kind: 'not-linked',
        callers: [],
        message: `${name} has no code in the program: the compiler or the linker removed it, or it is not linked.`,
      };
}

function callerOf(symbol: FunctionSymbol, copies: number, index: GraphIndex): InliningCaller {
  const position = index.ofSymbol(symbol);
  const known = position === undefined ? undefined : index.graph.functions[position];
  const key = known?.key;
  return {
    // Compilers name local functions that are inlined everywhere without their namespaces.
    name: known?.name ?? symbol.name,
    ...present({ file: symbol.file, line: symbol.line, key }),
    copies,
  };
}
