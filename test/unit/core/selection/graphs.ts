import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { CallGraph, CallGraphFunction } from '../../../../src/core/callgraph/callGraph';

/** A function of a test graph; everything that is not given is empty. */
export function fn(key: string, facts: Partial<CallGraphFunction> = {}): CallGraphFunction {
  return {
    key,
    name: key,
    hasBody: true,
    statements: 1,
    loops: 0,
    loopDepth: 0,
    conditionalBranches: 0,
    isVirtual: false,
    overrides: [],
    isSystem: false,
    definitions: [],
    ...facts,
  };
}

export function graphOf(
  functions: readonly CallGraphFunction[],
  calls: readonly (readonly [string, string])[],
): CallGraph {
  const position = new Map(functions.map((f, index) => [f.key, index]));
  const edges = functions.map(({ key }) =>
    [...new Set(calls.filter(([caller]) => caller === key).map(([, callee]) => position.get(callee)!))]
      .sort((a, b) => a - b)
      .map((callee) => ({ callee, kind: 'direct' as const })),
  );
  const entry = position.get('main');
  return { functions, edges, ...(entry === undefined ? {} : { entry }) };
}

/** Random graphs with cycles, self calls and shared callees. */
export const anyGraph = fc
  .integer({ min: 1, max: 80 })
  .chain((size) =>
    fc.record({
      statements: fc.array(fc.nat(20), { minLength: size, maxLength: size }),
      calls: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 3 * size }),
    }),
  )
  .map(({ statements, calls }): CallGraph => {
    const edges = statements.map((_, caller) =>
      [...new Set(calls.filter(([from]) => from === caller).map(([, to]) => to))]
        .sort((a, b) => a - b)
        .map((callee) => ({ callee, kind: 'direct' as const })),
    );
    return { functions: statements.map((s, index) => fn(`f${index}`, { statements: s })), edges, entry: 0 };
  });

interface McgNode {
  readonly callees: readonly string[];
  readonly hasBody: boolean;
  readonly meta: { readonly numStatements?: number; readonly loopDepth?: number } | null;
}

/** Just enough of a MetaCG v2 file for the golden table; the real reader is `formats/metacg`. */
export function readMcg(file: string): CallGraph {
  const nodes = (JSON.parse(readFileSync(file, 'utf8')) as { _CG: Record<string, McgNode> })._CG;
  const names = Object.keys(nodes);
  const position = new Map(names.map((name, index) => [name, index]));
  return {
    functions: names.map((name) =>
      fn(name, {
        mangledName: name,
        statements: nodes[name]!.meta?.numStatements ?? 0,
        loopDepth: nodes[name]!.meta?.loopDepth ?? 0,
        hasBody: nodes[name]!.hasBody,
      }),
    ),
    edges: names.map((name) =>
      nodes[name]!.callees.map((callee) => ({ callee: position.get(callee)!, kind: 'direct' as const })),
    ),
    entry: position.get('main')!,
  };
}
