import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pooledRepetitions } from '../../../../src/core/series/repetitions';
import type { Burst, SeriesContext, SeriesRegion, SeriesSource } from '../../../../src/core/series/series';

const step: SeriesRegion = { name: 'step', kind: 'phase' };
const solve: SeriesRegion = { name: 'solve', kind: 'function' };
const receive: SeriesRegion = { name: 'MPI_Recv', kind: 'mpi' };

type Values = readonly (readonly [SeriesRegion, readonly number[]])[];

function sourceOf(series: Values, rank = 0): SeriesSource {
  const iterations = Math.max(...series.map(([, values]) => values.length));
  return {
    unit: 's',
    iterations,
    // oxlint-disable-next-line typescript/require-await -- a source need not wait
    async *bursts(length) {
      for (let first = 0; first < iterations; first += length) {
        const here = Math.min(length, iterations - first);
        const contextOf = (region: SeriesRegion): SeriesContext => ({
          region,
          metric: 'time',
          rank,
          thread: 0,
        });
        yield {
          first,
          length: here,
          series: series.map(([region, values]) => ({
            context: contextOf(region),
            values: Float64Array.from(values.slice(first, first + here)),
          })),
        };
      }
    },
  };
}

async function pooled(...repetitions: readonly Values[]): Promise<Readonly<Record<string, number[]>>> {
  const all: Record<string, number[]> = {};
  for await (const { series } of pooledRepetitions(repetitions.map((one) => sourceOf(one))).bursts(3))
    for (const { context, values } of series) (all[context.region.name] ??= []).push(...values);
  return all;
}

describe('repetitions of an experiment as one run', () => {
  it('the phase takes what its regions take, and beside them the least of all', async () => {
    const found = await pooled(
      [
        [step, [10, 20]],
        [solve, [6, 16]],
        [receive, [2, 2]],
      ],
      [
        [step, [12, 12]],
        [solve, [4, 4]],
        [receive, [7, 7]],
      ],
      [
        [step, [15, 15]],
        [solve, [5, 5]],
        [receive, [8, 8]],
      ],
    );
    expect(found).toEqual({ step: [4 + 7 + 1, 4 + 7 + 1], solve: [4, 4], MPI_Recv: [7, 7] });
  });

  it('the phase takes the least of all where regions contain each other', async () => {
    const inner: SeriesRegion = { name: 'inner', kind: 'function' };
    const one = (factor: number): Values => [
      [step, [10 * factor, 10 * factor]],
      [solve, [9 * factor, 9 * factor]],
      [inner, [8 * factor, 8 * factor]],
    ];
    expect((await pooled(one(1), one(2), one(3))).step).toEqual([10, 10]);
  });

  it('computing takes the least, waiting the median', async () => {
    expect(
      await pooled(
        [
          [solve, [1, 9, 1, 1]],
          [receive, [5, 1, 5, 5]],
        ],
        [
          [solve, [2, 2, 2, 7]],
          [receive, [4, 4, 4, 4]],
        ],
        [
          [solve, [3, 3, 8, 3]],
          [receive, [6, 6, 6, 0.5]],
        ],
      ),
    ).toEqual({ solve: [1, 2, 1, 1], MPI_Recv: [5, 4, 5, 4] });
  });

  it('what half of the repetitions did not execute, was not executed', async () => {
    expect(await pooled([[solve, [1, 0, 0]]], [[solve, [2, 2, 0]]])).toEqual({ solve: [1, 0, 0] });
    expect(await pooled([[solve, [1, 0, 0]]], [[solve, [2, 2, 0]]], [[solve, [3, 3, 3]]])).toEqual({
      solve: [1, 2, 0],
    });
  });

  it('a missing value is in no repetition that knows it', async () => {
    expect(await pooled([[solve, [NaN, 4]]], [[solve, [2, NaN]]])).toEqual({ solve: [2, 4] });
    expect(await pooled([[solve, [NaN]]], [[solve, [NaN]]])).toEqual({ solve: [NaN] });
  });

  it('ends with the shortest repetition', async () => {
    const source = pooledRepetitions([
      sourceOf([[solve, [1, 2, 3, 4, 5]]]),
      sourceOf([[solve, [9, 9, 9, 9]]]),
    ]);
    expect(source.iterations).toBe(4);
    const lengths: number[] = [];
    for await (const { length } of source.bursts(3)) lengths.push(length);
    expect(lengths).toEqual([3, 1]);
  });

  it.each([
    ['equal lengths, within a burst and at its end', [4, 4], [3, 3], false],
    ['one that ends within a burst, or with one', [4, 5], [3, 4], true],
    ['one that ends with a burst of another', [3, 6], [6, 3], true],
  ])('says whether some had more iterations: %s', async (_, ...given) => {
    const isCut = given.pop();
    for (const lengths of given as number[][]) {
      const source = pooledRepetitions(
        lengths.map((length) => sourceOf([[solve, new Array<number>(length).fill(1)]])),
      );
      const bursts = source.bursts(3)[Symbol.asyncIterator]();
      while ((await bursts.next()).done !== true);
      expect(source.isCut()).toBe(isCut);
    }
  });

  it('each burst has the time of the phase in each repetition, mean over the processes', async () => {
    const bursts: Burst[] = [];
    const sources = [sourceOf([[step, [1, 5]]]), sourceOf([[step, [3, 2]]])];
    for await (const burst of pooledRepetitions(sources).bursts(4)) bursts.push(burst);
    expect(bursts.map(({ repetitions }) => repetitions?.map((times) => [...times]))).toEqual([
      [
        [1, 5],
        [3, 2],
      ],
    ]);
  });

  it('of a phase that was not measured, the time is that of its regions together', async () => {
    const timesOf = async (...regions: Values): Promise<unknown> => {
      const source = pooledRepetitions([sourceOf(regions), sourceOf(regions)]);
      const burst = await source.bursts(4)[Symbol.asyncIterator]().next();
      return (burst.value as Burst).repetitions?.map((times) => [...times]);
    };
    const parts: Values = [
      [solve, [1, 5]],
      [receive, [2, 1]],
    ];
    expect(await timesOf(...parts)).toEqual([
      [3, 6],
      [3, 6],
    ]);
    expect(await timesOf([step, [4, 9]], ...parts)).toEqual([
      [4, 9],
      [4, 9],
    ]);
  });

  it('is between the least and the largest of any repetitions, whatever their order', async () => {
    const value = fc.integer({ min: 1, max: 1000 });
    const repetitions = fc.array(fc.array(value, { minLength: 7, maxLength: 7 }), {
      minLength: 2,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(repetitions, async (all) => {
        const [own, other] = await Promise.all(
          [all, [...all].reverse()].map((given) =>
            pooled(
              ...given.map((values): Values => [
                [solve, values],
                [receive, values],
              ]),
            ),
          ),
        );
        expect(own).toEqual(other);
        for (let i = 0; i < 7; i++) {
          const values = all.map((one) => one[i] ?? 0);
          expect(own?.solve?.[i]).toBe(Math.min(...values));
          const below = values.filter((one) => one < (own?.MPI_Recv?.[i] ?? 0)).length;
          const above = values.filter((one) => one > (own?.MPI_Recv?.[i] ?? 0)).length;
          expect(Math.max(below, above)).toBeLessThanOrEqual(values.length / 2);
        }
      }),
    );
  });
});
