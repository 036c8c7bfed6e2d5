import type { CallGraph } from '../../../core/callgraph/callGraph';

/** What throws: the C++ ABI's function, and the library's helpers; and the C library's jumps. */
const throwing =
  /^(__cxa_(re)?throw|_Unwind_RaiseException|_?longjmp|siglongjmp|__longjmp_chk)$|^_ZSt\d+__throw_/;
/** What only a function with a handler, or with a place to jump to, calls. */
const catching = /^(__cxa_begin_catch|_?setjmp|__sigsetjmp|sigsetjmp)$/;

/**
 * Functions among `keys` that an exception or a long jump may leave, the nearest to the throw first: those that throw, and what calls
 * them. Score-P 8 never sees the exit of an instrumented one then: the calls that follow are put below it, deeper and deeper, or the
 * program is ended.
 * @param throughHandlers whether what is thrown may also leave a function that has a handler (for something else)
 */
export function leftByExceptions(
  graph: CallGraph,
  keys: ReadonlySet<string>,
  throughHandlers: boolean,
): readonly string[] {
  const callers = callersOf(graph);
  const calls = (name: RegExp): readonly number[] =>
    graph.functions.flatMap((f, position) => (name.test(f.mangledName ?? f.name) ? [position] : []));
  const handlers = new Set(throughHandlers ? [] : calls(catching).flatMap((one) => callers[one] ?? []));
  const seen = new Set<number>();
  const found: string[] = [];
  for (let front = calls(throwing); front.length > 0;) {
    const next: number[] = [];
    for (const caller of front.flatMap((position) => callers[position] ?? [])) {
      if (seen.has(caller) || handlers.has(caller)) continue;
      seen.add(caller);
      next.push(caller);
      const key = graph.functions[caller]?.key;
      if (key !== undefined && keys.has(key)) found.push(key);
    }
    front = next;
  }
  return found;
}

function callersOf({ functions, edges }: CallGraph): readonly (readonly number[])[] {
  const callers: number[][] = functions.map(() => []);
  edges.forEach((own, caller) => own.forEach(({ callee }) => callers[callee]?.push(caller)));
  return callers;
}
