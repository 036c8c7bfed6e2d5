import path from 'node:path';
import { unseenSource, type CallGraph, type CallGraphFunction } from '../../core/callgraph/callGraph';
import { GraphIndex } from './graphIndex';
import { isOfCoverage } from './mangledNames';
import type { FunctionSymbol } from './objectSymbols';
import { present } from '../../core/present';

/**
 * The graph with additional functions that can be measured, but have no fragment: Fortran procedures, functions of units
 * that did not parse, compiler-made ones (outlined OpenMP bodies). They have no statements and no edges until a run has
 * measured some. Returns the same graph if there are none.
 */
export function addSymbolFunctions(declared: CallGraph, symbols: readonly FunctionSymbol[]): CallGraph {
  const graph = withBodies(declared, symbols);
  const index = new GraphIndex(graph);
  const missing = symbols.filter(
    (s) => s.entry !== undefined && !isOfCoverage(s.mangledName) && index.ofSymbol(s) === undefined,
  );
  // gfortran's `main` only starts the main program, which is `MAIN__`.
  const hasFortranMain = symbols.some((s) => s.mangledName === 'MAIN__');
  const added = missing.filter((s) => !(hasFortranMain && s.mangledName === 'main'));
  if (added.length === 0) return withEntry(graph, hasFortranMain);
  const owners = new Map<string, string>(symbols.map((s) => [s.mangledName, s.name]));
  // The source's own functions are known even if all their code was inlined.
  for (const { mangledName, name } of graph.functions)
    if (mangledName !== undefined) owners.set(mangledName, name);
  const keys = new Set(graph.functions.map((f) => f.key));
  const functions = [...graph.functions];
  for (const symbol of added) {
    const key = freeKey(symbol, keys);
    keys.add(key);
    functions.push(functionOf(symbol, key, ownerOf(symbol, owners)));
  }
  const edges = [...graph.edges, ...added.map(() => [])];
  return withEntry({ ...graph, functions, edges }, hasFortranMain);
}

/** Functions that fragments only declare, such as a Fortran procedure that C++ calls, get the place of their code. */
function withBodies(graph: CallGraph, symbols: readonly FunctionSymbol[]): CallGraph {
  const index = new GraphIndex(graph);
  const bodies = new Map<number, FunctionSymbol>();
  for (const symbol of symbols) {
    const position = symbol.entry === undefined ? undefined : index.ofSymbol(symbol);
    if (position !== undefined && graph.functions[position]?.hasBody === false) bodies.set(position, symbol);
  }
  if (bodies.size === 0) return graph;
  const functions = graph.functions.map((f, position) => {
    const symbol = bodies.get(position);
    return symbol === undefined ? f : { ...f, ...functionOf(symbol, f.key) };
  });
  return { ...graph, functions };
}

function withEntry(graph: CallGraph, hasFortranMain: boolean): CallGraph {
  if (graph.entry !== undefined) return graph;
  const main = hasFortranMain ? 'MAIN__' : 'main';
  const entry = graph.functions.findIndex((f) => (f.mangledName ?? f.name) === main && f.hasBody);
  return entry < 0 ? graph : { ...graph, entry };
}

function freeKey(symbol: FunctionSymbol, keys: ReadonlySet<string>): string {
  if (!keys.has(symbol.mangledName)) return symbol.mangledName;
  const placed = `${symbol.mangledName}@${symbol.file ?? ''}:${symbol.line ?? 0}`;
  let key = placed;
  for (let i = 2; keys.has(key); i++) key = `${placed}#${i}`;
  return key;
}

/** Name of the function that contains the OpenMP region that gcc outlined; nested regions have the same owner. */
function ownerOf({ mangledName }: FunctionSymbol, owners: ReadonlyMap<string, string>): string | undefined {
  const end = mangledName.search(/\._omp_(?:cpy)?fn\.\d+/);
  return end < 0 ? undefined : owners.get(mangledName.slice(0, end));
}

function functionOf(symbol: FunctionSymbol, key: string, owner?: string): CallGraphFunction {
  const { file, line, column } = symbol;
  return {
    key,
    name: owner === undefined ? symbol.name : `${owner} [OpenMP region]`,
    mangledName: symbol.mangledName,
    ...present({ file, line, column }),
    ...unseenSource,
    isSystem: file !== undefined && isSystemFile(file),
  };
}

/** Headers of the system and of the compiler, whose templates are compiled into the user's objects. */
function isSystemFile(file: string): boolean {
  const normal = path.posix.normalize(file);
  return (
    /^\/usr\/(?:local\/)?(?:include|lib(?:32|64|x32|exec)?)\//.test(normal) ||
    /\/include\/c\+\+\/\d/.test(normal)
  );
}
