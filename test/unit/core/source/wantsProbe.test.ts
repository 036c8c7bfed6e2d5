import { describe, expect, it } from 'vitest';
import { wantsProbe } from '../../../../src/core/source/wantsProbe';

/** The fewest statements with which a function gets a probe. */
function fewest(loops: number, minimum: number): number {
  let statements = 0;
  while (!wantsProbe({ loops, statements }, minimum)) statements++;
  return statements;
}

describe('which functions are worth a probe', () => {
  it.each([
    // minimum, with a loop, without
    [10, 1, 20],
    [20, 2, 40],
    [1000, 100, 2000],
    [40_960, 4096, 81_920],
    [0, 0, 0],
  ])(
    'with a minimum of %d statements: %d where a loop makes a visit longer than the text, twice the minimum (%d) without',
    (minimum, withLoop, without) => {
      expect(fewest(1, minimum)).toBe(withLoop);
      expect(fewest(3, minimum)).toBe(withLoop);
      expect(fewest(0, minimum)).toBe(without);
    },
  );
});
