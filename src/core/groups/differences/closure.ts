import { at, atInt } from '../../at';
import type { FunctionPair } from '../context';
import {
  addMember,
  type BitSet,
  commonSize,
  emptySet,
  isPartOf,
  membersOf,
  sizeOf,
  unionOf,
} from '../sets/bitSet';

/** Who calls whom, directly or over others: functions by caller, the virtual root among these. */
export type Closure = ReadonlyMap<number, BitSet>;

/**
 * The transitive closure of the pairs of a group. Intermediate calls, such as of a function that another build inlined, make no difference in it.
 * O(pairs · functions / 32) for each round; recursion over several functions needs a few rounds, all else one.
 */
export function closureOf(attributes: readonly FunctionPair[]): (pairs: BitSet) => Closure {
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  const callees = Int32Array.from(attributes, ({ callee }) => numberOf(callee));
  // The root calls and is not called.
  const callers = Int32Array.from(attributes, ({ caller }) => (caller === undefined ? -1 : numberOf(caller)));
  return (pairs) => {
    const direct = new Map<number, number[]>();
    for (const pair of membersOf(pairs)) {
      const caller = atInt(callers, pair);
      const known = direct.get(caller) ?? [];
      known.push(atInt(callees, pair));
      direct.set(caller, known);
    }
    return closed(direct, numbers.size);
  };
}

function closed(direct: ReadonlyMap<number, readonly number[]>, functions: number): Closure {
  const rows = new Map<number, BitSet>();
  const order = calleesFirst(direct);
  for (const caller of order) rows.set(caller, emptySet(functions));
  for (let grows = true; grows;) {
    grows = false;
    for (const caller of order) {
      const before = rows.get(caller) ?? emptySet(functions);
      let row: BitSet = before.slice();
      for (const callee of direct.get(caller) ?? []) {
        addMember(row, callee);
        const below = rows.get(callee);
        if (below !== undefined) row = unionOf(row, below);
      }
      if (isPartOf(row, before)) continue;
      rows.set(caller, row);
      grows = true;
    }
  }
  return rows;
}

/** Callers in post-order, without recursion: chains of calls may be long. */
function calleesFirst(direct: ReadonlyMap<number, readonly number[]>): readonly number[] {
  const order: number[] = [];
  const seen = new Set<number>();
  for (const start of direct.keys()) {
    const stack: { readonly caller: number; next: number }[] = [];
    const enter = (caller: number): void => {
      if (seen.has(caller) || !direct.has(caller)) return;
      seen.add(caller);
      stack.push({ caller, next: 0 });
    };
    enter(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const callees = direct.get(top.caller) ?? [];
      if (top.next < callees.length) enter(at(callees, top.next++));
      else {
        order.push(top.caller);
        stack.pop();
      }
    }
  }
  return order;
}

/** The share (0…1) of the other's work that `one` does too; 1 where the other has none. */
export function subsumption(one: Closure, other: Closure): number {
  let [common, all] = [0, 0];
  for (const [caller, row] of other) {
    all += sizeOf(row);
    const own = one.get(caller);
    if (own !== undefined) common += commonSize(own, row);
  }
  return all === 0 ? 1 : common / all;
}
