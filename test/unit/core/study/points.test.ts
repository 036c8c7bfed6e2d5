import { describe, expect, it } from 'vitest';
import { designedPoints, distinctPoints } from '../../../../src/core/study/points';

const axes = [
  { name: 'p', values: ['4', '1', '2'] },
  { name: 'n', values: ['1000', '200'] },
];

describe('points of a study', () => {
  it('are all combinations, and the last axis changes fastest', () => {
    expect(designedPoints(axes, 'all')).toEqual([
      { p: '4', n: '1000' },
      { p: '4', n: '200' },
      { p: '1', n: '1000' },
      { p: '1', n: '200' },
      { p: '2', n: '1000' },
      { p: '2', n: '200' },
    ]);
  });
  it('change one at a time, with the others at their smallest number', () => {
    expect(designedPoints(axes, 'one-at-a-time')).toEqual([
      { p: '4', n: '200' },
      { p: '1', n: '200' },
      { p: '2', n: '200' },
      { p: '1', n: '1000' },
    ]);
  });
  it('are the lists side by side, each once, and single values stand beside all', () => {
    const linear = [
      { name: 'p', values: ['1', '2', '2', '2'] },
      { name: 'n', values: ['10', '20', '30', '30'] },
      { name: 'm', values: ['7'] },
    ];
    expect(designedPoints(linear, 'linear')).toEqual([
      { p: '1', n: '10', m: '7' },
      { p: '2', n: '20', m: '7' },
      { p: '2', n: '30', m: '7' },
    ]);
  });
  it('take the first of texts as the smallest', () => {
    const texts = [{ name: 'solver', values: ['jacobi', '2', 'cg'] }, ...axes];
    expect(designedPoints(texts, 'one-at-a-time')[0]).toEqual({ solver: 'jacobi', p: '1', n: '200' });
    const mixed = [{ name: 'm', values: ['9', '1', 'x'] }, ...axes];
    expect(designedPoints(mixed, 'one-at-a-time').map(({ m }) => m)).toEqual(['9', '1', 'x', '9', '9', '9']);
  });
  it('are the same in any order of their axes', () => {
    const one = { p: '1', n: '2' };
    expect(distinctPoints([one, { n: '2', p: '1' }, { n: '1', p: '2' }])).toHaveLength(2);
  });
});
