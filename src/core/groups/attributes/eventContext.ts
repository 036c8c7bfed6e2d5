import { getOrMake } from '../../getOrMake';
import { present } from '../../present';
import type { Process, ProcessContext } from '../context';
import { artificialNames, type AttributeOptions } from './artificial';
import { ContextBuilder } from './contextBuilder';

/** A process enters a function, or leaves one. */
export interface CallEvent {
  /** Of the process, unique in the run: a number from 2^53 on as text or as a `bigint`. */
  readonly location: bigint | number | string;
  readonly kind: 'enter' | 'leave';
  /** A leave without a function leaves the innermost one. */
  readonly function?: string;
}

/** Calls that do not match: of a recording that ended early, or lost events. */
export interface EventProblems {
  /** Leaves of functions that the process is not in, and enters without a name; both are ignored. */
  readonly unmatchedLeaves: number;
  readonly namelessEnters: number;
  /** Functions that were not left before one that they were called from was, or before the end. */
  readonly missingLeaves: number;
}

export interface EventContext {
  readonly context: ProcessContext;
  readonly problems: EventProblems;
}

interface Location {
  readonly id: string;
  readonly stack: { readonly name: string; readonly caller: string | undefined }[];
  readonly attributes: Set<number>;
}

/**
 * What processes called, from events of all of them in any order; those of each process in the order of their times. Holds a call stack and a set for
 * each process, not the events. Processes are in the order of their first events, and `describe` may give them names, ranks and threads; the
 * name is the location's id, and the rank its position, if it does not.
 * @throws RangeError for a location that is a number too large to be exact
 */
export function eventContext(
  events: Iterable<CallEvent>,
  options: AttributeOptions & { readonly describe?: (id: string) => Partial<Process> } = {},
): EventContext {
  const builder = new ContextBuilder(options.kind ?? 'pairs');
  const artificial = artificialNames(options);
  const locations = new Map<string, Location>();
  const problems = { unmatchedLeaves: 0, namelessEnters: 0, missingLeaves: 0 };
  for (const event of events) {
    const id = idOf(event.location);
    const location = getOrMake(locations, id, () => ({ id, stack: [], attributes: new Set<number>() }));
    if (event.kind === 'leave') leave(location, event.function, problems);
    else if (event.function === undefined) problems.namelessEnters++;
    else enter(location, event.function, artificial.has(event.function), builder);
  }
  [...locations.values()].forEach(({ id, stack, attributes }, rank) => {
    problems.missingLeaves += stack.length;
    builder.add({ name: id, rank, thread: 0, ...present(options.describe?.(id) ?? {}) }, attributes);
  });
  return { context: builder.context(), problems };
}

function idOf(location: CallEvent['location']): string {
  if (typeof location === 'number' && !Number.isSafeInteger(location))
    throw new RangeError(`Location ${location} is not exact as a number.`);
  return String(location);
}

function enter(location: Location, name: string, isArtificial: boolean, builder: ContextBuilder): void {
  const { stack, attributes } = location;
  const above = stack.at(-1);
  const caller = above?.caller;
  // What a function calls is called by itself, or, where it is artificial, by its caller.
  stack.push({ name, caller: isArtificial ? caller : name });
  if (!isArtificial) attributes.add(builder.attribute(caller, name));
}

function leave(
  { stack }: Location,
  name: string | undefined,
  problems: { unmatchedLeaves: number; missingLeaves: number },
): void {
  const depth = name === undefined ? stack.length - 1 : stack.findLastIndex((entry) => entry.name === name);
  if (depth < 0) problems.unmatchedLeaves++;
  else {
    problems.missingLeaves += stack.length - 1 - depth;
    stack.length = depth;
  }
}
