import { at, atUint } from '../at';
import { getOrMake } from '../getOrMake';
import type { CallTrace } from './callTrace';
import { numberStructures } from './callPathTree';
import type { KeyTable } from './keyTable';

/**
 * The trace with partners as distances from its own rank, so that a pattern that is the same for all ranks is the same in their traces. Roots of collective
 * operations stay ranks: all processes of a communicator have the same one.
 */
export function relativeTrace(trace: CallTrace, table: KeyTable): CallTrace {
  return rekeyed(trace, table, (number) => {
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
 * Views of different numbers of processes with one distance for those that are the same on the fewest processes: of two processes, the next one is the one before
 * it as well, and so −1 of more processes is +1. Distances that those of the fewest processes have not at all stay.
 * @param views with partners as distances
 */
export function commonDistances(
  views: readonly (readonly CallTrace[])[],
  table: KeyTable,
): readonly (readonly CallTrace[])[] {
  const ranksOf = ([first]: readonly CallTrace[]): number => first?.ranks ?? 0;
  const fewest = Math.min(...views.map(ranksOf));
  if (views.every((traces) => ranksOf(traces) === fewest)) return views;
  const known = new Set<number>();
  for (const traces of views)
    if (ranksOf(traces) === fewest) for (const { key } of traces) for (const own of key) known.add(own);
  const common = (number: number): number => {
    const key = at(table.keys, number);
    if (key.kind === 'context' || key.partner === undefined || key.isRelative !== true) return number;
    const around = ((key.partner % fewest) + fewest) % fewest;
    const other = table.message({ ...key, partner: distance(0, around, fewest) });
    return known.has(other) ? other : number;
  };
  return views.map((traces) =>
    ranksOf(traces) === fewest ? traces : traces.map((trace) => rekeyed(trace, table, common)),
  );
}

/** The trace with other keys. @param newer the key of each key */
export function rekeyed(trace: CallTrace, table: KeyTable, newer: (key: number) => number): CallTrace {
  const numbers = new Map<number, number>();
  const key = trace.key.map((number) => getOrMake(numbers, number, () => newer(number)));
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
