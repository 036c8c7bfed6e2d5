import type { CallGraph } from '../../../../core/callgraph/callGraph';
import type { Jumps } from './jumps';

/** What throws: the C++ ABI's functions, and the library's helpers. */
const throwing = /^(__cxa_(re)?throw|_Unwind_RaiseException)$|^_ZSt\d+__throw_/;
/** What only a function with a handler calls. */
const catching = /^__cxa_begin_catch$/;

/**
 * Functions among `keys` that an exception or a long jump may leave, the nearest to the throw first: those that throw, and what calls
 * them. Score-P 8 never sees the exit of an instrumented one then: the calls that follow are put below it, deeper and deeper, or the
 * program is ended.
 * @param throughHandlers whether what is thrown may also leave a function that has a handler (for something else)
 */
export function leftByExceptions(
  graph: CallGraph,
  keys: ReadonlySet<string>,
  jumps: Jumps,
  throughHandlers: boolean,
): readonly string[] {
  const callers = callersOf(graph);
  const callersOfNamed = (name: RegExp): readonly number[] =>
    graph.functions.flatMap((f, position) =>
      name.test(f.mangledName ?? f.name) ? (callers[position] ?? []) : [],
    );
  const positionsOf = (wanted: ReadonlySet<string>): readonly number[] =>
    graph.functions.flatMap(({ key }, position) => (wanted.has(key) ? [position] : []));
  const handlers = new Set(throughHandlers ? [] : [...callersOfNamed(catching), ...positionsOf(jumps.into)]);
  const seen = new Set<number>();
  const found: string[] = [];
  let front = [...callersOfNamed(throwing), ...positionsOf(jumps.from)];
  while (front.length > 0) {
    const left = [...new Set(front)].filter((one) => !seen.has(one) && !handlers.has(one));
    for (const one of left) {
      seen.add(one);
      const key = graph.functions[one]?.key;
      if (key !== undefined && keys.has(key)) found.push(key);
    }
    front = left.flatMap((one) => callers[one] ?? []);
  }
  return found;
}

function callersOf({ functions, edges }: CallGraph): readonly (readonly number[])[] {
  const callers: number[][] = functions.map(() => []);
  edges.forEach((own, caller) => own.forEach(({ callee }) => callers[callee]?.push(caller)));
  return callers;
}
