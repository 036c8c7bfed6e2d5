import { atFloat } from '../../at';
import { remembered } from '../../remembered';

/** An imbalance that moves: now one rank is slow, then another. */
export interface MovingImbalance {
  /** Mean number of iterations after which another rank is the slowest. */
  readonly each: number;
  /** In order. */
  readonly ranks: readonly number[];
}

/** Slowest above mean, relative, from which an iteration counts. */
const leastSlow = 0.1;
const fewestMoves = 5;
const fewestRanks = 3;
/** Of all iterations in which a rank is slow, the part of all but the one that is slow most often. */
const leastOfOthers = 0.5;
/** By chance, the slowest rank is another one in nearly every iteration. */
const stays = 1.5;
/** Or else it is far from the second: this part of what it is from the mean, of so many ranks at least. */
const farFromSecond = 0.5;
const manyRanks = 8;

/** Which rank is the slowest in each iteration, in memory that depends on the number of ranks only. */
export class SlowestRanks {
  readonly #ranks = new Map<number, Slow>();
  #last = -1;

  /**
   * Iterations of a burst.
   * @param ranks the slowest of each iteration
   */
  add(ranks: Float64Array, slowest: Float64Array, second: Float64Array, average: Float64Array): void {
    for (let i = 0; i < ranks.length; i++) {
      const [most, mean] = [atFloat(slowest, i), atFloat(average, i)];
      if (!(most - mean > leastSlow * mean)) continue;
      const rank = atFloat(ranks, i);
      const own = remembered(this.#ranks, rank, () => ({ iterations: 0, runs: 0, far: 0 }));
      own.iterations++;
      if (rank !== this.#last) own.runs++;
      if (most - atFloat(second, i) > farFromSecond * (most - mean)) own.far++;
      this.#last = rank;
    }
  }

  /** @param ranks number of ranks that were compared */
  moving(ranks: number): MovingImbalance | undefined {
    const byTime = [...this.#ranks.values()].sort((a, b) => b.iterations - a.iterations);
    const all = sumOf(byTime);
    // One rank that is slow for a while, and others by chance otherwise, is no movement.
    const others = sumOf(byTime.slice(1));
    if (
      others.runs < fewestMoves ||
      byTime.length < fewestRanks ||
      others.iterations < leastOfOthers * all.iterations
    )
      return undefined;
    // Of `ranks` equally slow ones, a run is on average this long.
    const byChance = ranks / Math.max(1, ranks - 1);
    const isSteady = others.iterations > stays * byChance * others.runs;
    const isFar = ranks >= manyRanks && 2 * others.far > others.iterations;
    if (!isSteady && !isFar) return undefined;
    return { each: all.iterations / all.runs, ranks: [...this.#ranks.keys()].sort((a, b) => a - b) };
  }
}

/** Iterations in which a rank is the slowest, how often it becomes that, and in how many it is far from the second. */
interface Slow {
  iterations: number;
  runs: number;
  far: number;
}

function sumOf(all: readonly Slow[]): Slow {
  const sum = { iterations: 0, runs: 0, far: 0 };
  for (const { iterations, runs, far } of all) {
    sum.iterations += iterations;
    sum.runs += runs;
    sum.far += far;
  }
  return sum;
}
