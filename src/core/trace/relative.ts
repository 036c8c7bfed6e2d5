import { at, atUint } from '../at';
import type { CallTrace } from './callTrace';
import { numberStructures } from './callPathTree';
import type { KeyTable } from './keyTable';

/**
 * The trace with partners as distances from its own rank, so that a pattern that is the same for all ranks is the same in their traces. Roots of collective
 * operations stay ranks: all processes of a communicator have the same one.
 */
export function relativeTrace(trace: CallTrace, table: KeyTable): CallTrace {
  const numbers = new Map<number, number>();
  const relative = (number: number): number => {
    const known = numbers.get(number);
    if (known !== undefined) return known;
    const key = at(table.keys, number);
    const own =
      key.kind === 'context' || key.kind === 'collective' || key.partner === undefined || key.isRelative
        ? number
        : table.message({
            ...key,
            partner: distance(trace.rank, key.partner, trace.ranks),
            isRelative: true,
          });
    numbers.set(number, own);
    return own;
  };
  const key = trace.key.map(relative);
  const rows = { size: trace.size, key, end: trace.end, structure: new Uint32Array(trace.size) };
  numberStructures(rows, table);
  return { ...trace, key, structure: rows.structure };
}

/** From rank to rank in a ring of all: −n/2 < distance ≤ n/2. Ranks outside of it are counted on. */
export function distance(from: number, to: number, ranks: number): number {
  const difference = to - from;
  if (ranks < 1 || to >= ranks || to < 0) return difference;
  const around = ((difference % ranks) + ranks) % ranks;
  return around > ranks / 2 ? around - ranks : around;
}

/** The deepest call. */
export function depthOf({ depth, size }: CallTrace): number {
  let deepest = 0;
  for (let row = 0; row < size; row++) deepest = Math.max(deepest, atUint(depth, row));
  return deepest;
}
