import { InvalidArgumentError } from 'commander';
import { KymoError } from '../../core/errors';
import type { Part } from '../../workflows/comparing/part';

/** Ranges of whole numbers, first and last of each. */
type Ranges = readonly (readonly [first: number, last: number])[];

/** `0-3,7`, or one for each input: `1:2`. */
export function rankRanges(text: string): readonly Ranges[] {
  return text.split(':').map((own) => own.split(',').map((range) => rangeOf(range, 0)));
}

/** `10-20`, or one for each input: `10:12`. */
export function iterationRanges(text: string): readonly (readonly [first: number, last: number])[] {
  return text.split(':').map((range) => rangeOf(range, 1));
}

function rangeOf(text: string, least: number): readonly [first: number, last: number] {
  const [, from, to = from] = /^\s*(\d{1,15})\s*(?:[-–]\s*(\d{1,15})\s*)?$/.exec(text) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (from === undefined || first < least || last < first)
    throw new InvalidArgumentError(
      `“${text}” is no number and no range such as ${least + 2}-${least + 9}; numbers begin with ${least}.`,
    );
  return [first, last];
}

/** What is chosen of each of so many inputs; one input is compared with itself where two parts are given. */
export function partsOf(
  inputs: readonly string[],
  {
    ranks = [],
    iterations = [],
  }: { readonly ranks?: readonly Ranges[]; readonly iterations?: Part['iterations'][] },
): readonly { readonly input: string; readonly part: Part }[] {
  const most = Math.max(ranks.length, iterations.length);
  const given =
    inputs.length === 1 && most > 1 ? Array.from({ length: most }, () => inputs[0] ?? '') : inputs;
  return given.map((input, position) => {
    const ofInput = <T>(what: string, all: readonly T[]): T | undefined => {
      if (all.length > 1 && all.length !== given.length)
        throw new KymoError(
          'usage',
          `There are ${given.length} inputs, and ${what} of ${all.length}: give one of it for all, or one for each (1:2).`,
          {},
        );
      return all.length > 1 ? all[position] : all[0];
    };
    const [ownRanks, ownIterations] = [ofInput('--ranks', ranks), ofInput('--iterations', iterations)];
    return {
      input,
      part: {
        ...(ownRanks === undefined ? {} : { ranks: ownRanks }),
        ...(ownIterations === undefined ? {} : { iterations: ownIterations }),
      },
    };
  });
}
