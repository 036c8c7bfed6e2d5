import { expect, it } from 'vitest';
import { Moments } from '../../../../src/core/degradations/bursts/moments';

const figures = (moments: Moments): number[] =>
  ['sum', 'mean', 'stddev', 'largest'].map((figure) => moments.figure(figure));

function momentsOf(...values: number[]): Moments {
  const moments = new Moments();
  moments.add(Float64Array.from(values), Float64Array.from(values));
  return moments;
}

it('sum, mean, standard deviation and largest of values; merged, as of all of them', () => {
  expect(figures(momentsOf(2, 4, 4, 4, 5, 5, 7, 9))).toEqual([40, 5, 2, 9]);
  const merged = momentsOf(2, 4, 4, 9);
  merged.merge(momentsOf(4, 5, 5, 7));
  expect(figures(merged)).toEqual([40, 5, 2, 9]);
});

it('of no values every figure is 0', () => {
  expect(figures(new Moments())).toEqual([0, 0, 0, 0]);
});

it('figures beyond the largest double are the largest double', () => {
  const [sum, mean] = figures(momentsOf(Number.MAX_VALUE, Number.MAX_VALUE));
  expect([sum, mean]).toEqual([Number.MAX_VALUE, Number.MAX_VALUE]);
});
