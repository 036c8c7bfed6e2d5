import { describe, expect, it } from 'vitest';
import { SlowestRanks, type MovingImbalance } from '../../../../../src/core/degradations/places/slowestRanks';

/** Of the slowest rank in each iteration, with times of the slowest and the second one where all others take 1. */
function moving(
  slow: readonly number[],
  count: number,
  [most, second, mean] = [2, 1, 1],
): MovingImbalance | undefined {
  const ranks = new SlowestRanks();
  const all = (value: number): Float64Array => new Float64Array(slow.length).fill(value);
  ranks.add(Float64Array.from(slow), all(most), all(second), all(mean));
  return ranks.moving(count);
}

/** Each rank for `each` iterations, one after the other. */
const inTurn = (ranks: number, each: number, times: number): number[] =>
  Array.from({ length: ranks * each * times }, (_, i) => Math.floor(i / each) % ranks);

describe('an imbalance that moves', () => {
  it('has ranks that are slow in turn, and the iterations after which another one is', () => {
    expect(moving(inTurn(4, 3, 3), 4)).toEqual({ each: 3, ranks: [0, 1, 2, 3] });
    // Over borders of bursts, too.
    const ranks = new SlowestRanks();
    for (const rank of inTurn(4, 3, 3)) {
      const [own, two, one] = [rank, 2, 1].map((value) => Float64Array.of(value)) as Float64Array[];
      ranks.add(own!, two!, one!, one!);
    }
    expect(ranks.moving(4)).toEqual({ each: 3, ranks: [0, 1, 2, 3] });
  });

  it('needs three ranks and five moves beside those of the slowest one', () => {
    expect(moving(inTurn(2, 3, 20), 4)).toBeUndefined();
    // Rank 0 is slow most often; the others are five times, or four times.
    const turns = (moves: number): number[] =>
      Array.from({ length: moves }, (_, i) => [0, 0, 0, 1 + (i % 2), 1 + (i % 2), 1 + (i % 2)]).flat();
    expect(moving(turns(5), 4)).toEqual({ each: 3, ranks: [0, 1, 2] });
    expect(moving(turns(4), 4)).toBeUndefined();
  });

  it('is none where one rank is slow in more than half of the iterations', () => {
    const often = (own: number): number[] =>
      Array.from({ length: 8 }, (_, i) => [
        ...Array<number>(own).fill(0),
        1 + (i % 3),
        1 + (i % 3),
        1 + (i % 3),
      ]).flat();
    expect(moving(often(3), 4)).toBeDefined();
    expect(moving(often(4), 4)).toBeUndefined();
  });

  it('is none where the slowest rank is another one by chance: in nearly each iteration', () => {
    // Of four equally slow ranks a run is 4/3 iterations long on average.
    expect(moving(inTurn(4, 1, 20), 4)).toBeUndefined();
    expect(moving(inTurn(4, 2, 20), 4)).toBeUndefined();
    expect(moving(inTurn(4, 3, 20), 4)).toBeDefined();
    // Of two it is two iterations long.
    expect(moving(inTurn(4, 3, 20), 2)).toBeUndefined();
  });

  it('may move in each iteration where one of many ranks is far from all others', () => {
    expect(moving(inTurn(8, 1, 4), 8)).toEqual({ each: 1, ranks: [0, 1, 2, 3, 4, 5, 6, 7] });
    expect(moving(inTurn(7, 1, 4), 7)).toBeUndefined();
    // Not where the second one is nearly as slow.
    expect(moving(inTurn(8, 1, 4), 8, [2, 1.49, 1])).toBeDefined();
    expect(moving(inTurn(8, 1, 4), 8, [2, 1.5, 1])).toBeUndefined();
  });

  it('has no iterations in which the slowest rank is within ten percent of the mean', () => {
    expect(moving(inTurn(4, 3, 3), 4, [2.1, 2, 2])).toBeUndefined();
    expect(moving(inTurn(4, 3, 3), 4, [2.3, 2, 2])).toBeDefined();
  });
});
