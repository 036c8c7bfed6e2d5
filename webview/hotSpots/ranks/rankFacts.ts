import { rankSet } from '../../../src/core/properties/rankSet';
import { spreadOf, type Spread } from '../../../src/core/views/ranks/spread';
import type { RankAxis, RankBins } from './rankAxis';

/** `rank 12 on node17`, or `ranks 12-15` for a bin. */
export function ranksText({ names }: RankAxis, members: readonly number[]): string {
  const ranks = rankSet(members.flatMap((member) => names[member]?.rank ?? []));
  const hosts = new Set(members.flatMap((member) => names[member]?.host ?? []));
  const host =
    hosts.size === 0 ? '' : ` on ${hosts.size === 1 ? [...hosts].join('') : `${hosts.size} nodes`}`;
  return `${members.length === 1 ? 'rank' : 'ranks'} ${ranks}${host}`;
}

/** `Rank 12` */
export function rankText({ names }: RankAxis, member: number): string {
  return `rank ${names[member]?.rank ?? '?'}`;
}

/** By how much the largest value of a row exceeds its mean (0…ranks − 1); undefined for an empty row. */
export function excess({ mean, maximum }: Pick<Spread, 'mean' | 'maximum'>): number | undefined {
  return mean > 0 ? maximum / mean - 1 : undefined;
}

/** `+12.3 %` */
export function changeText(change: number): string {
  const percent = (100 * Math.abs(change)).toFixed(Math.abs(change) < 0.0995 ? 1 : 0);
  return `${change >= 0 ? '+' : '−'}${percent} %`;
}

/** The end of a longer name: the beginnings of C++ names are alike. */
const longestName = 40;

/** A cell of the map in words. */
export function cellText(
  axis: RankAxis,
  bins: RankBins,
  cell: { readonly name: string; readonly values: Float64Array | undefined; readonly bin: number },
  total: number,
  text: { readonly value: (value: number) => string; readonly share: (share: number) => string },
): string {
  const { name, values, bin } = cell;
  const members = bins.members(bin);
  const start = `${name.length > longestName ? `…${name.slice(1 - longestName)}` : name}, ${ranksText(axis, members)}: `;
  if (values === undefined) return `${start}not loaded yet`;
  const { mean, most, mostAt } = bins.value(values, bin);
  const row = spreadOf(values);
  const change = row === undefined || row.mean === 0 ? undefined : most / row.mean - 1;
  return [
    members.length === 1
      ? `${start}${text.value(most)}`
      : `${start}most ${text.value(most)} (${rankText(axis, mostAt)}), mean ${text.value(mean)}`,
    ...(total > 0 ? [`${text.share(most / total)} of the run`] : []),
    ...(change === undefined ? [] : [`${changeText(change)} against the function’s mean`]),
  ].join(', ');
}
