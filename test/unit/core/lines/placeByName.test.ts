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

  it('takes signs of a name as they are, and no part of another name for it', () => {
    const signs = ['void a$b() {', 'void ab() {', 'void xab() {', 'Heap::~Heap() {'];
    expect(placeByName(signs, 'void a$b()', 4)).toBe(1);
    expect(placeByName(signs, 'ab', 4)).toBe(2);
    expect(placeByName(signs, 'Heap::~Heap()', 1)).toBe(4);
  });

  it('takes the nearest of several definitions, and none that is a use', () => {
    const uses = [
      'int f(int a)', // 1
      'x = f(', // 2
      'g(a, f(', // 3
      'if (f(1)) {', // 4
      'while (f(1)) {', // 5
      'int f(int b); // declared', // 6
      'call f(1)', // 7
      'end subroutine f', // 8
      'use f', // 9
      'object.f(1) {', // 10
      'p->f(1) {', // 11
      'int f(double b) {', // 12
    ];
    for (const [line, place] of [
      [13, 12],
      [6, 1],
      [7, 12],
      [1, 12],
    ] as const)
      expect(
        placeByName(
          uses.map((text, at) => (at + 1 === line ? '' : text)),
          'f',
          line,
        ),
      ).toBe(place);
  });

  it('stays where nothing has the name', () => {
    expect(placeByName(text, 'made_by_macro', 6)).toBe(6);
    expect(placeByName([], 'f', 6)).toBe(6);
    expect(placeByName(text, 'Part::operator()(int)', 6)).toBe(6);
    expect(placeByName(text, '!$omp for @a.c:3', 3)).toBe(3);
  });
});
