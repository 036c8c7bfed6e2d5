import { atFloat, atInt, atUint } from '../../at';
import { longestSequence, Siblings } from '../build/siblings';
import type { CallTrace } from '../callTrace';
import { siblings, type Alignment } from './alignTraces';

/** Rows of both traces whose calls are the same in another order; −1: the roots themselves. */
export interface OrderChange {
  readonly left: number;
  readonly right: number;
}

/** Calls of the same function per call of its caller that differ by less are the same number. */
const sameNumber = 1e-9;

/**
 * Matched rows that call the same functions and send the same messages as often (per call of their own) but in another order, in the order of
 * the left rows.
 */
export function orderChanges(
  left: CallTrace,
  right: CallTrace,
  alignment: Alignment,
): readonly OrderChange[] {
  const changes: OrderChange[] = [];
  for (let row = -1; row < left.size; row++) {
    const other = row < 0 ? -1 : atInt(alignment.right, row);
    if (row >= 0 && other < 0) continue;
    const [mine, others] = [childrenOf(left, row), childrenOf(right, other)];
    const isWhole =
      mine.every((child) => atInt(alignment.right, child) >= 0) &&
      others.every((child) => atInt(alignment.left, child) >= 0);
    if (isWhole || !callTheSame(numbers(left, row, mine), numbers(right, other, others))) continue;
    if (!areEqual(callOrder(left, row), callOrder(right, other))) changes.push({ left: row, right: other });
  }
  return changes;
}

/**
 * The keys of what a row calls in their order, sequences that repeat once. Rows of the same key with other calls below are the same here:
 * where these differ from call to call, traces are folded differently, and the order is the same.
 */
export function callOrder(trace: CallTrace, row: number): Uint32Array {
  const order = new Siblings();
  for (const child of childrenOf(trace, row)) {
    order.push(child, atUint(trace.key, child));
    let width = order.repeated(longestSequence);
    while (width > 0) {
      order.fold(width);
      width = order.repeated(longestSequence);
    }
  }
  return order.structures.slice(0, order.length);
}

function areEqual(one: Uint32Array, other: Uint32Array): boolean {
  return one.length === other.length && one.every((key, position) => key === other[position]);
}

function childrenOf(trace: CallTrace, row: number): Uint32Array {
  return siblings(trace, row + 1, row < 0 ? trace.size : atUint(trace.end, row));
}

/** How often each key is called, per call of its caller. */
function numbers({ key, count }: CallTrace, row: number, children: Uint32Array): Map<number, number> {
  const calls = row < 0 ? 1 : Math.max(1, atFloat(count, row));
  const all = new Map<number, number>();
  for (const child of children) {
    const own = atUint(key, child);
    all.set(own, (all.get(own) ?? 0) + atFloat(count, child) / calls);
  }
  return all;
}

function callTheSame(mine: ReadonlyMap<number, number>, others: ReadonlyMap<number, number>): boolean {
  if (mine.size !== others.size) return false;
  for (const [key, number] of mine)
    if (!(Math.abs((others.get(key) ?? NaN) - number) <= sameNumber * number)) return false;
  return true;
}
