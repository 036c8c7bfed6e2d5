import { at, atInt, atUint } from '../at';
import { getOrMake } from '../getOrMake';
import type { FunctionPair, ProcessContext } from './context';
import { addMember, bitSetOf, emptySet, membersOf, type BitSet } from './sets/bitSet';
import { measureMatrix, subsumption } from './measures';

/** Sets of pairs that contain, with a → b and b → c, also a → c. */
export interface ClosedSets {
  /** The attributes of the context first, with the same numbers; then the pairs that only closing adds. */
  readonly attributes: readonly FunctionPair[];
  /** By group. Groups that differ in intermediate calls only have the same set here. */
  readonly sets: readonly BitSet[];
}

/**
 * The transitive closure of the pairs of each group, in which inlining and intermediate calls are no difference. Closing splits no group, and so is done by
 * group and not by process. Functions have no callers, and stay as they are.
 */
export function closedSets(context: ProcessContext): ClosedSets {
  const { attributes, sets } = context;
  const calls = callsOf(attributes);
  const { names, callers, width } = calls;
  const pairs = attributes.map((pair) => pair);
  const numbers = new Map(calls.pairs.map(({ from, to }, attribute) => [from * width + to, attribute]));
  const numberOf = (from: number, to: number): number =>
    getOrMake(numbers, from * width + to, () => {
      const [caller, callee] = [at(callers, from), at(names, to)];
      return pairs.push(caller === undefined ? { callee } : { caller, callee }) - 1;
    });
  const members = sets.map((set) =>
    membersOf(closedTable(calls, set)).map((cell) => numberOf(Math.floor(cell / width), cell % width)),
  );
  return { attributes: pairs, sets: members.map((list) => bitSetOf(list, pairs.length)) };
}

/** The same sets with numbers that only compare: nobody need number the millions of pairs of a thousand functions that call each other. */
export function closedTables({ attributes, sets }: ProcessContext): readonly BitSet[] {
  const calls = callsOf(attributes);
  return sets.map((set) => closedTable(calls, set));
}

/** The pairs of a context as cells of a table with a row for each caller and a column for each function. */
interface Calls {
  readonly names: readonly string[];
  /** Names of callers; absent: the virtual root. */
  readonly callers: readonly (string | undefined)[];
  /** By function, the row where it is the caller; −1: none. */
  readonly rowOf: Int32Array;
  /** By attribute. */
  readonly pairs: readonly { readonly from: number; readonly to: number }[];
  /** Cells of a row, a multiple of 32. */
  readonly width: number;
}

function callsOf(attributes: readonly FunctionPair[]): Calls {
  const rows = new Map<string | undefined, number>();
  const columns = new Map<string, number>();
  const pairs = attributes.map(({ caller, callee }) => ({
    from: getOrMake(rows, caller, () => rows.size),
    to: getOrMake(columns, callee, () => columns.size),
  }));
  const names = [...columns.keys()];
  return {
    names,
    callers: [...rows.keys()],
    rowOf: Int32Array.from(names, (name) => rows.get(name) ?? -1),
    pairs,
    width: emptySet(names.length).length * 32,
  };
}

/**
 * Who reaches a function reaches all that it reaches. Callers are mostly known before what they call, so that few rounds from the last one to the first are
 * enough.
 */
function closedTable({ callers, rowOf, pairs, width }: Calls, set: BitSet): BitSet {
  const table = emptySet(callers.length * width);
  for (const attribute of membersOf(set)) {
    const { from, to } = at(pairs, attribute);
    addMember(table, from * width + to);
  }
  const rows = callers.map((_, row) => table.subarray((row * width) / 32, ((row + 1) * width) / 32));
  const calls = rows
    .map((row) => ({
      row,
      callees: membersOf(row).flatMap((to) => rows[atInt(rowOf, to)] ?? []),
    }))
    .reverse();
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const { row, callees } of calls)
      for (const reached of callees) hasChanged = addAll(row, reached) || hasChanged;
  }
  return table;
}

/** Whether the set did not have all of them before. */
function addAll(set: BitSet, members: BitSet): boolean {
  let hasChanged = false;
  for (let word = 0; word < set.length; word++) {
    const more = atUint(members, word) & ~atUint(set, word);
    if (more === 0) continue;
    set[word] = atUint(set, word) | more;
    hasChanged = true;
  }
  return hasChanged;
}

/**
 * `[row * groups + column]`: the degree to which the group of the row does at least the work of the group of the column, apart from intermediate
 * calls; for functions without these.
 */
export function subsumptionMatrix(context: ProcessContext): Float64Array {
  return measureMatrix(closedSets(context).sets, subsumption);
}
