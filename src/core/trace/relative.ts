import { at, atInt, atUint } from '../at';
import type { CallTrace } from './callTrace';
import type { KeyTable } from './keyTable';

/**
 * The trace with partners as distances from its own rank, so that a pattern that is the same for all ranks is the same in their traces. Roots of collective
 * operations stay ranks: all processes of a communicator have the same one.
 */
export function relativeTrace(trace: CallTrace, table: KeyTable): CallTrace {
  return rekeyed(trace, (number) => {
    const key = at(table.keys, number);
    if (key.kind === 'context' || key.kind === 'collective' || key.partner === undefined || key.isRelative)
      return number;
    return table.message({
      ...key,
      partner: distance(trace.rank, key.partner, trace.ranks),
      isRelative: true,
    });
  });
}

/**
 * One distance for those that are the same on the fewest processes of all views: of two processes, the next one is the one before it as well, and so −1 of more
 * processes is +1. Distances that those of the fewest processes have not at all stay.
 * @param views of each one trace of all, with partners as distances
 * @returns by view: keys that become others
 */
export function commonDistances(
  views: readonly CallTrace[],
  table: KeyTable,
): readonly ReadonlyMap<number, number>[] {
  const fewest = Math.min(...views.map(({ ranks }) => ranks));
  const known = new Set(
    views.filter(({ ranks }) => ranks === fewest).flatMap(({ key }) => [...new Set(key)]),
  );
  return views.map(({ ranks, key }) => {
    const others = new Map<number, number>();
    if (ranks === fewest) return others;
    for (const number of new Set(key)) {
      const own = at(table.keys, number);
      if (own.kind === 'context' || own.partner === undefined || own.isRelative !== true) continue;
      const around = ((own.partner % fewest) + fewest) % fewest;
      const other = table.message({ ...own, partner: distance(0, around, fewest) });
      if (other !== number && known.has(other)) others.set(number, other);
    }
    return others;
  });
}

/** The trace with other keys. @param newer the key of each key */
export function rekeyed(trace: CallTrace, newer: (key: number) => number): CallTrace {
  /** By key, + 1. */
  const numbers = new Int32Array(trace.table.keys.length);
  const key = trace.key.map((number) => {
    if (atInt(numbers, number) === 0) numbers[number] = newer(number) + 1;
    return atInt(numbers, number) - 1;
  });
  return { ...trace, key };
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
