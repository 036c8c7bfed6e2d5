import { atFloat, atInt } from '../at';

const shortestLevel = 2;
const shortSeries = 12;
/** Places where a level may begin that are left out together where none of them can be the best; about as many values as a change costs. */
const together = 16;
/** Costs are rounded. */
const almost = 1 - 1e-9;

/**
 * Ends (exclusive) of the levels that a series has, by optimal partitioning (Jackson and others, 2005) of the innovations. The innovation at a change is between two levels
 * and counts for none.
 * @param variance of the innovations
 * @param penalty for each change, in units of the variance
 */
export function levelEnds(
  values: Float64Array,
  {
    rho,
    variance,
    penalty,
    weights,
  }: {
    readonly rho: number;
    readonly variance: number;
    readonly penalty: number;
    readonly weights?: Float64Array;
  },
): readonly number[] {
  const { length } = values;
  const unit = 1 - rho;
  const [count, sum, squares] = [
    new Float64Array(length + 1),
    new Float64Array(length + 1),
    new Float64Array(length + 1),
  ];
  for (let t = 1; t < length; t++) {
    const level = (atFloat(values, t) - rho * atFloat(values, t - 1)) / unit;
    const weight = unit * unit * (weights === undefined ? 1 : atFloat(weights, t));
    count[t + 1] = atFloat(count, t) + weight;
    sum[t + 1] = atFloat(sum, t) + weight * level;
    squares[t + 1] = atFloat(squares, t) + weight * level * level;
  }
  const cost = new Float64Array(length + 1).fill(Infinity);
  cost[0] = -penalty;
  const leastCosts = new Float64Array(Math.ceil((length + 1) / together)).fill(Infinity);
  leastCosts[0] = -penalty;
  const begin = new Int32Array(length + 1);
  const shortest = length > shortSeries ? shortestLevel : 1;
  /** What a level costs. */
  const costOf = (from: number, end: number): number => {
    const own = atFloat(count, end) - atFloat(count, from + 1);
    const total = atFloat(sum, end) - atFloat(sum, from + 1);
    const rss = own > 0 ? atFloat(squares, end) - atFloat(squares, from + 1) - (total * total) / own : 0;
    return Math.max(0, rss) / variance + penalty;
  };
  for (let end = shortest; end <= length; end++) {
    const last = end - shortest;
    let best = atInt(begin, end - 1);
    let least = atFloat(cost, best) + costOf(best, end);
    for (let first = 0; first <= last; first += together) {
      const next = Math.min(last + 1, first + together);
      // A level that begins earlier costs no less.
      if (atFloat(leastCosts, first / together) + costOf(next - 1, end) * almost > least) continue;
      for (let from = first; from < next; from++) {
        const all = atFloat(cost, from) + costOf(from, end);
        if (all < least || (all === least && from < best)) {
          least = all;
          best = from;
        }
      }
    }
    begin[end] = best;
    cost[end] = least;
    const group = Math.floor(end / together);
    leastCosts[group] = Math.min(atFloat(leastCosts, group), least);
  }
  const ends: number[] = [];
  for (let end = length; end > 0; end = atInt(begin, end)) ends.push(end);
  return ends.reverse();
}
