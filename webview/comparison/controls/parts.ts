import type { ComparedView } from '../../../src/core/trace/comparisonPieces';
import type { ComparedPart } from '../../../src/protocol/comparison';

/** A part as the user writes it; empty: all. */
export interface WrittenPart {
  readonly rank: string;
  readonly iterations: string;
}

type ReadPart =
  | { readonly problem?: undefined; readonly part: ComparedPart }
  | { readonly problem: keyof WrittenPart; readonly message: string };

export function partText({ rank, iterations }: ComparedPart): WrittenPart {
  const [first, last] = iterations ?? [];
  return {
    rank: rank === undefined ? '' : String(rank),
    iterations: first === undefined ? '' : first === last ? String(first) : `${first}-${last}`,
  };
}

/** Reads `3`, `3-5`, or nothing for all. */
export function readPart(
  { rank, iterations }: WrittenPart,
  view: Pick<ComparedView, 'ranks' | 'iterations'>,
): ReadPart {
  const rankNumber = readNumber(rank);
  if (rank.trim() !== '' && (rankNumber === undefined || rankNumber >= view.ranks))
    return {
      problem: 'rank',
      message: `Enter a rank from 0 to ${view.ranks - 1}, or nothing for all ranks.`,
    };
  const numbers = iterations.split(/[-–…]/).map(readNumber);
  const [first, last] = [numbers[0], numbers.at(-1)];
  const isRange = first !== undefined && last !== undefined && numbers.length <= 2;
  if (iterations.trim() !== '' && (!isRange || first < 1 || last < first || last > view.iterations))
    return {
      problem: 'iterations',
      message: `Enter an iteration from 1 to ${view.iterations}, a range such as 2-5, or nothing for all.`,
    };
  return {
    part: {
      ...(rankNumber !== undefined && { rank: rankNumber }),
      ...(isRange && { iterations: [first, last] as const }),
    },
  };
}

function readNumber(text: string): number | undefined {
  return /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : undefined;
}
