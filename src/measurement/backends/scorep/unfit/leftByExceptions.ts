import { at } from '../../../../core/at';
import type { CallGraph } from '../../../../core/callgraph/callGraph';
import { callersOf } from '../../../../core/callgraph/reachability';
import type { Jumps } from './jumps';

/** Functions of the C++ ABI and helpers of the library that throw. */
const throwing = /^(__cxa_(re)?throw|_Unwind_RaiseException)$|^_ZSt\d+__throw_/;
/** Only functions with a handler call it. */
const catching = /^__cxa_begin_catch$/;

/**
 * Functions among `keys` that an exception or a long jump may leave, the nearest to the throw first: those that throw, and their
 * callers. Score-P 8 misses the exit of an instrumented one: it records the following calls below it, deeper and deeper, or ends the
 * program.
 * @param throughHandlers whether exceptions may also leave a function with a handler (for another type)
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
      name.test(f.mangledName ?? f.name) ? at(callers, position) : [],
    );
  const positionsOf = (selection: ReadonlySet<string>): readonly number[] =>
    graph.functions.flatMap(({ key }, position) => (selection.has(key) ? [position] : []));
  const handlers = new Set(throughHandlers ? [] : [...callersOfNamed(catching), ...positionsOf(jumps.into)]);
  const seen = new Set<number>();
  const leavable: string[] = [];
  let front = [...callersOfNamed(throwing), ...positionsOf(jumps.from)];
  while (front.length > 0) {
    const frames = [...new Set(front)].filter((position) => !seen.has(position) && !handlers.has(position));
    for (const position of frames) {
      seen.add(position);
      const { key } = at(graph.functions, position);
      if (keys.has(key)) leavable.push(key);
    }
    front = frames.flatMap((position) => at(callers, position));
  }
  return leavable;
}
