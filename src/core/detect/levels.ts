import { atFloat, atInt } from '../at';

const shortestLevel = 2;
const shortSeries = 12;

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
  const begin = new Int32Array(length + 1);
  const shortest = length > shortSeries ? shortestLevel : 1;
  for (let end = shortest; end <= length; end++) {
    let least = Infinity;
    for (let from = 0; from <= end - shortest; from++) {
      const own = atFloat(count, end) - atFloat(count, from + 1);
      const total = atFloat(sum, end) - atFloat(sum, from + 1);
      const rss = own > 0 ? atFloat(squares, end) - atFloat(squares, from + 1) - (total * total) / own : 0;
      const all = atFloat(cost, from) + Math.max(0, rss) / variance + penalty;
      if (all < least) {
        least = all;
        begin[end] = from;
      }
    }
    cost[end] = least;
  }
  const ends: number[] = [];
  for (let end = length; end > 0; end = atInt(begin, end)) ends.push(end);
  return ends.reverse();
}
