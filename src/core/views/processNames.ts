import type { Location } from '../profile/profile';
import { at } from '../at';
import { getOrMake } from '../getOrMake';

type Named = Pick<Location, 'rank' | 'thread'>;

/** Names of more parts than this are cut: many scattered processes are not told one by one. */
const mostParts = 12;

/**
 * What people call some of the processes of a run, condensed: `Ranks 0, 2–4`; `Threads 1–7` in a run of one process; `Ranks 0–9, threads 1–9`
 * where processes have threads.
 * @param positions ascending
 */
export function processNames(locations: readonly Named[], positions: Iterable<number>): string {
  const hasThreads = new Set(locations.map(({ rank }) => rank)).size < locations.length;
  const ofRank = new Map<number, number[]>();
  for (const position of positions) {
    const { rank, thread } = at(locations, position);
    getOrMake(ofRank, rank, () => []).push(thread);
  }
  if (!hasThreads) return counted('Rank', ofRank.keys());
  if (locations.every(({ rank }) => rank === locations[0]?.rank))
    return counted('Thread', [...ofRank.values()].flat());
  const ofThreads = new Map<string, number[]>();
  for (const [rank, threads] of ofRank) getOrMake(ofThreads, counted('thread', threads), () => []).push(rank);
  const parts = [...ofThreads].map(([threads, ranks]) => `${counted('rank', ranks)}, ${threads}`);
  const text = parts.slice(0, mostParts).join('; ') + (parts.length > mostParts ? '; …' : '');
  return text.replace(/^r/, 'R');
}

function counted(noun: string, numbers: Iterable<number>): string {
  const text = condensed(numbers);
  return `${noun}${/^\d+$/.test(text) ? '' : 's'} ${text}`;
}

/** `50, 63–87` */
function condensed(numbers: Iterable<number>): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const parts: [first: number, last: number][] = [];
  for (const number of sorted) {
    const open = parts.at(-1);
    if (open?.[1] === number - 1) open[1] = number;
    else parts.push([number, number]);
  }
  const texts = parts
    .slice(0, mostParts)
    .map(([first, last]) => (first === last ? String(first) : `${first}–${last}`));
  return texts.join(', ') + (parts.length > mostParts ? ', …' : '');
}

/** Numbers of ranks that a person wrote: `0, 2–4` or `0 2-4`; undefined if it is none, or has more than so many. */
export function writtenNumbers(text: string, most: number): ReadonlySet<number> | undefined {
  const numbers = new Set<number>();
  const parts = text
    .trim()
    .replace(/\s*[-–]\s*/g, '-')
    .split(/[\s,;]+/);
  for (const part of parts) {
    const [, first = '', last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    if (first === '' || Number(last) < Number(first) || Number(last) - Number(first) >= most)
      return undefined;
    for (let number = Number(first); number <= Number(last); number++) numbers.add(number);
  }
  return numbers;
}
