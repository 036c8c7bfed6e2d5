/**
 * How much of a test `npm test` does, and how much `npm run test:full` (`KYMO_TEST_VOLUME=full`): what is stated is the same, of fewer examples.
 */
export const isFull = process.env.KYMO_TEST_VOLUME === 'full';

/** The number of examples, or the size of one. */
export function volume({ full, usual }: { readonly full: number; readonly usual: number }): number {
  return isFull ? full : usual;
}

/** Combinations that `test:full` tries; others are left out. */
export function onlyInFull<Each>(all: readonly Each[]): readonly Each[] {
  return isFull ? all : [];
}

/**
 * All combinations in `test:full`; otherwise half of them, in which any two values still occur together (a fractional factorial design). Where there is only
 * one of `ones`, that takes all.
 */
export function combinations<One, Two, Three>(
  ones: readonly One[],
  twos: readonly Two[],
  variants: readonly Three[],
): readonly (readonly [One, Two, Three])[] {
  return ones.flatMap((one, i) =>
    twos.flatMap((two, j) =>
      variants
        .filter((_, k) => isFull || ones.length === 1 || (i + j + k) % 2 === 0)
        .map((variant) => [one, two, variant] as const),
    ),
  );
}
