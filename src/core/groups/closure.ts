import { at } from '../at';
import type { FunctionPair, ProcessContext } from './context';
import { addMember, emptySet, hasMember, membersOf, type BitSet } from './sets/bitSet';
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
export function closedSets({ attributes, sets }: ProcessContext): ClosedSets {
  const functions = new Map<string, number>();
  const names: string[] = [];
  const numberOf = (name: string): number => {
    const known = functions.get(name);
    if (known !== undefined) return known;
    functions.set(name, names.length);
    return names.push(name) - 1;
  };
  // The virtual root has the number of functions, which is not known before all have theirs.
  const ends = attributes.map(({ caller, callee }) => ({
    from: caller === undefined ? undefined : numberOf(caller),
    to: numberOf(callee),
  }));
  const root = names.length;
  const width = root + 1;
  const pairs = attributes.map((pair) => pair);
  const numbers = new Map(ends.map(({ from, to }, attribute) => [(from ?? root) * width + to, attribute]));
  const numberOfPair = (from: number, to: number): number => {
    const key = from * width + to;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, pairs.length);
    return (
      pairs.push(
        from === root ? { callee: at(names, to) } : { caller: at(names, from), callee: at(names, to) },
      ) - 1
    );
  };
  const members = sets.map((set) => {
    const rows = new Map<number, BitSet>();
    for (const attribute of membersOf(set)) {
      const { from = root, to } = at(ends, attribute);
      let row = rows.get(from);
      if (row === undefined) rows.set(from, (row = emptySet(width)));
      addMember(row, to);
    }
    close(rows);
    return [...rows].flatMap(([from, row]) => membersOf(row).map((to) => numberOfPair(from, to)));
  });
  return {
    attributes: pairs,
    sets: members.map((list) => {
      const set = emptySet(pairs.length);
      for (const member of list) addMember(set, member);
      return set;
    }),
  };
}

/** Warshall's algorithm on bit words: who reaches a function reaches all that it reaches. Only functions that call others are rows. */
function close(rows: ReadonlyMap<number, BitSet>): void {
  for (const [through, reached] of rows)
    for (const row of rows.values())
      if (row !== reached && hasMember(row, through))
        for (let word = 0; word < row.length; word++) row[word] = at(row, word) | at(reached, word);
}

/**
 * `[row * groups + column]`: the degree to which the group of the row does at least the work of the group of the column, apart from intermediate
 * calls; for functions without these.
 */
export function subsumptionMatrix(context: ProcessContext): Float64Array {
  return measureMatrix(closedSets(context).sets, subsumption);
}
