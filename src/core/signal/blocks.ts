/** Signals that are too long for the scale space are analysed as means of blocks; the results are converted back to samples. */
import type { Episode, Pattern, SeriesAnalysis } from './signal';

/** Means of `size` samples each; the last block may be shorter. Values that are not finite count as 0. */
export function blockMeans(values: Float64Array, size: number): Float64Array {
  const means = new Float64Array(Math.ceil(values.length / size));
  for (let block = 0; block < means.length; block++) {
    const end = Math.min(values.length, (block + 1) * size);
    const count = end - block * size;
    let mean = 0;
    for (let i = block * size; i < end; i++) mean += finite(values[i]) / count;
    means[block] = mean;
  }
  return means;
}

type Shape = Pick<SeriesAnalysis, 'episodes' | 'patterns'>;

/** Converts episodes and patterns of means of `size` samples to samples of `values`. Borders are those of blocks. */
export function ofBlocks({ episodes, patterns }: Shape, values: Float64Array, size: number): Shape {
  const first = (block: number): number => block * size;
  const last = (block: number): number => Math.min(values.length, (block + 1) * size) - 1;
  return {
    episodes: episodes.map((episode): Episode => {
      const [from, to] = [first(episode.from), last(episode.to)];
      return { ...episode, from, to, sum: sumOf(values, from, to) };
    }),
    patterns: patterns.map((pattern): Pattern => {
      const [from, to] = [first(pattern.from), last(pattern.to)];
      const { core, at } = pattern;
      return {
        ...pattern,
        from,
        to,
        ...(core === undefined ? {} : { core: [first(core[0]), last(core[1])] }),
        ...(at === undefined
          ? {}
          : { at: extremumAt(values, first(at), last(at), pattern.improvement === true) }),
        sum: sumOf(values, from, to),
        excess: pattern.excess * size,
        aftermath: pattern.aftermath * size,
      };
    }),
  };
}

function finite(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? value : 0;
}

function sumOf(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i <= to; i++) sum += finite(values[i]);
  return sum;
}

function extremumAt(values: Float64Array, from: number, to: number, lowest: boolean): number {
  let position = from;
  for (let i = from + 1; i <= to; i++) {
    const difference = finite(values[i]) - finite(values[position]);
    if (lowest ? difference < 0 : difference > 0) position = i;
  }
  return position;
}
