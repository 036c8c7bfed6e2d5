import type { CallGraph, CallGraphFunction } from '../../core/callgraph/callGraph';
import { callersOf } from '../../core/callgraph/reachability';
import { ownEntry } from './metadata';

export interface WriteOptions {
  /** 2: read by PGIS, CaPI and scorep tools in use; 4: the newest version of MetaCG. */
  readonly format: 2 | 4;
  /** Version of Kymo, for the header. */
  readonly generatorVersion: string;
}

/** Writes a call graph in MetaCG's JSON, one function per line. */
function* chunks(graph: CallGraph, options: WriteOptions): Iterable<string> {
  const header = {
    version: options.format === 2 ? '2.0' : '4.0',
    generator: { name: 'Kymo', version: options.generatorVersion, sha: '' },
  };
  yield `{"_MetaCG":${JSON.stringify(header)},\n"_CG":{`;
  if (options.format === 2) yield* nodesOfTwo(graph);
  else yield* nodesOfFour(graph);
  yield '}}\n';
}

export function writeMetaCg(graph: CallGraph, options: WriteOptions): string {
  return [...chunks(graph, options)].join('');
}

function* nodesOfTwo(graph: CallGraph): Iterable<string> {
  const key = (number: number): string => graph.functions[number]?.key ?? '';
  const callers = callersOf(graph);
  const overriddenBy = overridersOf(graph);
  for (const [number, f] of graph.functions.entries()) {
    const overriders = overriddenBy[number] ?? [];
    const node = {
      callees: (graph.edges[number] ?? []).map(({ callee }) => key(callee)),
      callers: (callers[number] ?? []).map(key),
      doesOverride: f.overrides.length > 0,
      hasBody: f.hasBody,
      isVirtual: f.isVirtual,
      meta: {
        ...commonMetadata(graph, f, number, key),
        fileProperties: { origin: f.file ?? '', systemInclude: f.isSystem },
      },
      overriddenBy: overriders.map(key),
      overrides: f.overrides.map(key),
    };
    yield `${number === 0 ? '' : ','}\n${JSON.stringify(f.key)}:${JSON.stringify(node)}`;
  }
}

function* nodesOfFour(graph: CallGraph): Iterable<string> {
  const overriddenBy = overridersOf(graph);
  yield '"nodes":{';
  for (const [number, f] of graph.functions.entries()) {
    const overriders = overriddenBy[number] ?? [];
    const isRelated = f.overrides.length > 0 || overriders.length > 0;
    const node = {
      functionName: f.mangledName ?? f.key,
      origin: f.file ?? null,
      hasBody: f.hasBody,
      callees: Object.fromEntries((graph.edges[number] ?? []).map(({ callee }) => [String(callee), {}])),
      meta: {
        ...commonMetadata(graph, f, number, String),
        fileProperties: { systemInclude: f.isSystem },
        ...(isRelated
          ? { overrideMD: { overrides: f.overrides.map(String), overriddenBy: overriders.map(String) } }
          : {}),
      },
    };
    yield `${number === 0 ? '' : ','}\n${JSON.stringify(String(number))}:${JSON.stringify(node)}`;
  }
  yield `},"meta":${JSON.stringify(graph.entry === undefined ? {} : { entryFunction: String(graph.entry) })}`;
}

function commonMetadata(
  graph: CallGraph,
  f: CallGraphFunction,
  number: number,
  nameOf: (callee: number) => string,
): Readonly<Record<string, unknown>> {
  const kinds = (graph.edges[number] ?? []).filter(({ kind }) => kind !== 'direct');
  const { name, file, line, column, endLine, loops, isSystem } = f;
  return {
    numStatements: f.statements,
    numConditionalBranches: f.conditionalBranches,
    loopDepth: f.loopDepth,
    [ownEntry]: {
      name,
      file,
      line,
      column,
      endLine,
      loops,
      isSystem,
      ...(kinds.length === 0
        ? {}
        : { edges: Object.fromEntries(kinds.map(({ callee, kind }) => [nameOf(callee), kind])) }),
    },
  };
}

function overridersOf(graph: CallGraph): number[][] {
  const result: number[][] = graph.functions.map(() => []);
  for (const [number, f] of graph.functions.entries()) {
    for (const overridden of f.overrides) result[overridden]?.push(number);
  }
  return result;
}
