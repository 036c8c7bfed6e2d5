import { describe, expect, test } from 'vitest';
import { shownNames } from '../../../../src/core/names/shownNames';
import type { Region } from '../../../../src/core/profile/profile';

const region = (name: string, paradigm: Region['paradigm'] = 'compiler'): Region => ({
  name,
  paradigm,
  role: 'function',
});
const shown = (...names: readonly string[]): readonly string[] =>
  shownNames(names.map((name) => region(name)));

describe('names of regions for sentences', () => {
  test('have no result, parameters and template arguments where they are unique so', () => {
    expect(
      shown('int main()', 'void n::A<int>::f(double) const', 'plain', 'void g(int)', 'void g(double)'),
    ).toEqual(['main', 'n::A::f', 'plain', 'void g(int)', 'void g(double)']);
    expect(shown('f(int)', 'f')).toEqual(['f(int)', 'f']);
    expect(shown('()')).toEqual(['()']);
  });

  test('of OpenMP and user regions are those of the source', () => {
    expect(shownNames([region('!$omp parallel @a(b).c:3', 'openmp'), region('step(1)', 'user')])).toEqual([
      '!$omp parallel @a(b).c:3',
      'step(1)',
    ]);
  });

  test('have at most 80 characters and no control characters', () => {
    const [exact, long, blank] = shown('x'.repeat(80), 'y'.repeat(81), `${'z'.repeat(78)} tail`);
    expect(exact).toBe('x'.repeat(80));
    expect(long).toBe(`${'y'.repeat(79)}…`);
    expect(blank).toBe(`${'z'.repeat(78)}…`);
    expect(shown('a\n\tb')).toEqual(['a b']);
  });
});
