import type { CallGraph } from '../../../core/callgraph/callGraph';

/** What throws: the C++ ABI's function, and the library's helpers; and the C library's jumps. */
const throwing =
  /^(__cxa_(re)?throw|_Unwind_RaiseException|_?longjmp|siglongjmp|__longjmp_chk)$|^_ZSt\d+__throw_/;

/**
 * Functions among `keys` that an exception or a long jump may leave, the nearest to the throw first: those that throw, and what calls
 * them. Score-P 8 ends the program when that happens to an instrumented one, because its exit is never seen.
 *
 * Handlers are not looked at: what is caught inside may still leave a function in between.
 */
export function leftByExceptions(graph: CallGraph, keys: ReadonlySet<string>): readonly string[] {
  const callers: number[][] = graph.functions.map(() => []);
  graph.edges.forEach((edges, caller) => edges.forEach(({ callee }) => callers[callee]?.push(caller)));
  const seen = new Set<number>();
  let front = graph.functions.flatMap(({ mangledName, name }, position) =>
    throwing.test(mangledName ?? name) ? [position] : [],
  );
  const found: string[] = [];
  while (front.length > 0) {
    const next: number[] = [];
    for (const caller of front.flatMap((position) => callers[position] ?? [])) {
      if (seen.has(caller)) continue;
      seen.add(caller);
      next.push(caller);
      const key = graph.functions[caller]?.key;
      if (key !== undefined && keys.has(key)) found.push(key);
    }
    front = next;
  }
  return found;
}
