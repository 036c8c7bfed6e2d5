import { getOrMake } from '../../getOrMake';
import type { Process, ProcessContext } from '../context';
import { artificialNames, type AttributeOptions } from './artificial';
import { ContextBuilder } from './contextBuilder';

/** Calls of a function by another one, as gprof and Callgrind list them. */
export interface Arc {
  /** Absent: where the process begins. */
  readonly caller?: string;
  readonly callee: string;
  /** Number of calls; arcs with 0 are not there. */
  readonly count: number;
}

/**
 * What processes called, from their lists of arcs. Callees of an artificial function are those of all of its callers: arcs do not record for which
 * one it made a call.
 */
export function arcContext(
  lists: Iterable<{ readonly process: Process; readonly arcs: Iterable<Arc> }>,
  options: AttributeOptions = {},
): ProcessContext {
  const builder = new ContextBuilder(options.kind ?? 'pairs');
  const artificial = artificialNames(options);
  for (const { process, arcs } of lists) {
    const used = [...arcs].filter(({ count }) => count > 0);
    const callersOf = realCallers(used, artificial);
    const attributes = used
      .filter(({ callee }) => !artificial.has(callee))
      .flatMap(({ caller, callee }) =>
        callersOf(caller).map((realCaller) => builder.attribute(realCaller, callee)),
      );
    builder.add(process, attributes);
  }
  return builder.context();
}

/** Of a caller: itself, or the callers of an artificial function, through others of its kind, too. */
function realCallers(
  arcs: readonly Arc[],
  artificial: ReadonlySet<string>,
): (caller: string | undefined) => readonly (string | undefined)[] {
  const callers = new Map<string, Set<string | undefined>>();
  for (const { caller, callee } of arcs)
    if (artificial.has(callee)) getOrMake(callers, callee, () => new Set()).add(caller);
  return (caller) => {
    // A set grows while it is walked: each caller is visited once, also in a circle of artificial functions.
    const reached = new Set([caller]);
    const real: (string | undefined)[] = [];
    for (const one of reached)
      if (one === undefined || !artificial.has(one)) real.push(one);
      else for (const above of callers.get(one) ?? [undefined]) reached.add(above);
    return real;
  };
}
