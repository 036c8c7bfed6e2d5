import { at, atInt } from '../../at';
import { present } from '../../present';
import type { AttributeKind, ProcessContext } from '../context';
import { bitSetOf, membersOf, type BitSet } from '../sets/bitSet';
import { DistinctSets } from '../sets/distinctSets';
import { AttributeNumbers } from './attributeNumbers';

export interface ContextPart {
  readonly context: ProcessContext;
  /** Name of the run that the processes are part of. */
  readonly run?: string;
}

/**
 * One context of several runs or programs, whose functions correspond by name; also of parts of one run. Processes have the order of the parts.
 * Parts of different kinds are compared by functions.
 */
export function joinContexts(parts: readonly ContextPart[]): ProcessContext {
  const kind: AttributeKind = parts.some(({ context }) => context.kind === 'functions')
    ? 'functions'
    : 'pairs';
  const numbers = new AttributeNumbers(kind);
  const sets = new DistinctSets();
  const groupOf = new Int32Array(parts.reduce((sum, { context }) => sum + context.processes.length, 0));
  let next = 0;
  for (const { context } of parts) {
    const renumbered = context.attributes.map(({ caller, callee }) => numbers.of(caller, callee));
    const groups = context.sets.map((set) =>
      sets.intern(renumber(set, renumbered, numbers.attributes.length)),
    );
    for (const group of context.groupOf) groupOf[next++] = at(groups, group);
  }
  return {
    kind,
    attributes: numbers.attributes,
    processes: parts.flatMap(({ context, run }) =>
      context.processes.map((process) => ({ ...process, ...present({ run: run ?? process.run }) })),
    ),
    ...inOrderOfProcesses(sets.sets(numbers.attributes.length), groupOf),
  };
}

/** The same processes, told apart by the functions that they call and not by who calls these: coarser. */
export function functionsOf(context: ProcessContext): ProcessContext {
  return joinContexts([{ context: { ...context, kind: 'functions' } }]);
}

function renumber(set: BitSet, numbers: readonly number[], size: number): BitSet {
  return bitSetOf(
    membersOf(set).map((attribute) => at(numbers, attribute)),
    size,
  );
}

/** Groups in the order of their first members. A part may have groups in another order, or such without processes. */
function inOrderOfProcesses(
  sets: readonly BitSet[],
  groupOf: Int32Array,
): Pick<ProcessContext, 'sets' | 'groupOf'> {
  const places = new Int32Array(sets.length).fill(-1);
  const ordered: BitSet[] = [];
  groupOf.forEach((group) => {
    if (atInt(places, group) < 0) places[group] = ordered.push(at(sets, group)) - 1;
  });
  return { sets: ordered, groupOf: groupOf.map((group) => atInt(places, group)) };
}
