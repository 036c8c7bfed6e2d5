import { describe, expect, it } from 'vitest';
import { placeByName } from '../../../../src/core/lines/placeByName';

const text = [
  'void step(double);', // 1
  '', // 2
  'int main() {', // 3
  '  step(0.5);', // 4
  '  return step(1);', // 5
  '}', // 6
  '', // 7
  'void step(double dt)', // 8
  '{', // 9
  '}', // 10
  'bool Heap::less(int a, int b) const {', // 11
  'SUBROUTINE Solve(x)', // 12
];

describe('placeByName', () => {
  it('stays where the name is', () => {
    expect(placeByName(text, 'void step(double)', 8)).toBe(8);
    expect(placeByName(text, 'solve_', 12)).toBe(12);
  });

  it('finds the nearest definition, not a call or a declaration', () => {
    expect(placeByName(text, 'void step(double)', 2)).toBe(8);
    expect(placeByName(text, 'bool Heap::less(int, int) const', 3)).toBe(11);
    expect(placeByName(text, '__solver_MOD_solve', 3)).toBe(12);
  });

  it('stays where nothing has the name', () => {
    expect(placeByName(text, 'made_by_macro', 6)).toBe(6);
    expect(placeByName([], 'f', 6)).toBe(6);
    expect(placeByName(text, '!$omp for @a.c:3', 3)).toBe(3);
  });
});
