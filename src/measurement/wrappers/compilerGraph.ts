import { readFileSync, rmSync } from 'node:fs';
import { probePrefix } from '../../core/probes/probeText';
import type { CompilerGraph } from '../../core/source/unit';
import { parseGccCgraph } from '../../formats/gcc-cgraph/parse';

/** The compiler's own call graph from its dump, without the functions of the probes. Undefined when there is none. */
export function readCompilerGraph(dump: string): CompilerGraph | undefined {
  let text: string;
  try {
    text = readFileSync(dump, 'latin1');
    rmSync(dump, { force: true });
  } catch {
    return undefined;
  }
  try {
    return withoutProbes(parseGccCgraph(text));
  } catch {
    // Dumps of unsupported compiler versions are ignored: the parser's calls remain.
    return undefined;
  }
}

function withoutProbes(graph: CompilerGraph): CompilerGraph {
  const isProbe = (name: string): boolean => name.includes(probePrefix);
  return {
    ...graph,
    functions: graph.functions
      .filter(({ mangledName }) => !isProbe(mangledName))
      .map((f) => ({
        ...f,
        callees: f.callees.filter((name) => !isProbe(name)),
        references: f.references.filter((name) => !isProbe(name)),
      })),
  };
}
