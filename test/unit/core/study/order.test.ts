import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstPoints, interleavedRuns } from '../../../../src/core/study/order';

describe('the order of runs', () => {
  it('has each point once in each repetition, one repetition after the other', () => {
    const counts = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 5 }), fc.nat());
    fc.assert(
      fc.property(counts, ([points, repetitions, seed]) => {
        const runs = interleavedRuns(points, repetitions, seed);
        expect(runs).toHaveLength(points * repetitions);
        for (let repetition = 1; repetition <= repetitions; repetition++) {
          const own = runs.slice((repetition - 1) * points, repetition * points);
          expect(own.every((run) => run.repetition === repetition)).toBe(true);
          expect(new Set(own.map(({ point }) => point)).size).toBe(points);
        }
      }),
    );
  });
  it('is another one in each repetition and for each seed, and the same for the same seed', () => {
    const order = (seed: number): string[] => {
      const runs = interleavedRuns(10, 2, seed).map(({ point }) => point);
      return [runs.slice(0, 10).join(), runs.slice(10).join()];
    };
    const orders = [...order(1), ...order(2)];
    expect(new Set(orders).size).toBe(4);
    expect(orders).not.toContain('0,1,2,3,4,5,6,7,8,9');
    expect(order(1)).toEqual(order(1));
  });
  it('puts every point in every place about equally often', () => {
    const places = Array.from({ length: 4 }, () => [0, 0, 0, 0]);
    for (let seed = 0; seed < 4000; seed++)
      interleavedRuns(4, 1, seed).forEach(({ point }, place) => {
        const row = places[point];
        if (row !== undefined) row[place] = (row[place] ?? 0) + 1;
      });
    for (const count of places.flat()) expect(Math.abs(count - 1000)).toBeLessThan(150); // five deviations
  });
  it('begins with the cheapest points, then shuffles the others', () => {
    const runs = interleavedRuns(6, 2, 3, [4, 2]);
    expect(runs.slice(0, 2).map(({ point }) => point)).toEqual([4, 2]);
    expect(new Set(runs.slice(0, 6).map(({ point }) => point)).size).toBe(6);
    const second = Array.from({ length: 20 }, (_, seed) => interleavedRuns(6, 2, seed, [4, 2])[6]?.point);
    expect(new Set(second).size).toBeGreaterThan(1);
  });
});

describe('the first points', () => {
  it('are the smallest one, and those with the second smallest value of one parameter', () => {
    const values = ['400', '50', '1000'].flatMap((n) => ['2', '1', '10'].map((p) => ({ n, p })));
    const first = firstPoints(values).map((position) => values[position]);
    expect(first[0]).toEqual({ n: '50', p: '1' });
    expect(first.slice(1)).toEqual(
      expect.arrayContaining([
        { n: '400', p: '1' },
        { n: '50', p: '2' },
      ]),
    );
    expect(first).toHaveLength(3);
  });
  it('take texts in their order', () => {
    const values = ['jacobi', '2', '1'].map((solver) => ({ solver }));
    expect(firstPoints(values)).toEqual([0, 1]);
  });
});
