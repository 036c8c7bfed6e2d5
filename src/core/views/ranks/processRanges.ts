import type { Location } from '../../profile/profile';

/** Positions of locations (threads of execution) in a profile, ascending: first and last ones by turns, so that `[0, 0, 2, 4]` is 0, 2, 3, 4. */
export type ProcessRanges = readonly number[];

/** @param positions ascending, none twice */
export function rangesOf(positions: Iterable<number>): ProcessRanges {
  const ranges: number[] = [];
  for (const position of positions)
    if (ranges.at(-1) === position - 1) ranges[ranges.length - 1] = position;
    else ranges.push(position, position);
  return ranges;
}

export function positionsIn(ranges: ProcessRanges): Uint32Array {
  const positions = new Uint32Array(countIn(ranges));
  let next = 0;
  for (const [first, last] of eachRange(ranges))
    for (let position = first; position <= last; position++) positions[next++] = position;
  return positions;
}

/** The processes of a run that another run has, too, by rank and thread. @param wanted those of the other run */
export function sameProcesses(wanted: readonly Numbered[], run: readonly Numbered[]): ProcessRanges {
  const keyOf = ({ rank, thread }: Numbered): string => `${rank}:${thread}`;
  const keys = new Set(wanted.map(keyOf));
  return rangesOf(run.flatMap((own, position) => (keys.has(keyOf(own)) ? [position] : [])));
}

type Numbered = Pick<Location, 'rank' | 'thread'>;

export function countIn(ranges: ProcessRanges): number {
  let count = 0;
  for (const [first, last] of eachRange(ranges)) count += last - first + 1;
  return count;
}

/** Whether these are ranges of at least one of so many locations: what comes from a page or an earlier session may be anything. */
export function areRanges(ranges: readonly number[], locations: number): boolean {
  let before = -1;
  for (const [first, last] of eachRange(ranges)) {
    if (!(Number.isSafeInteger(first) && first > before && last >= first && last < locations)) return false;
    before = last;
  }
  return ranges.length > 0 && ranges.length % 2 === 0;
}

export function* eachRange(ranges: ProcessRanges): Generator<readonly [first: number, last: number]> {
  for (let at = 0; at < ranges.length; at += 2) yield [ranges[at] ?? 0, ranges[at + 1] ?? -1];
}
