import { formatRoundPercent } from '../../core/format';
import type { Property, PropertyKind } from '../../core/properties/property';
import { shorten } from './lensText';

/** A lens has room for so many intervals. */
const shownIntervals = 3;
const rankCharacters = 40;

/** `[1–92]`, `[5–7], [51–57], [67–69] and 1 more`; a single iteration is `[7]`. */
export function iterationsText(
  iterations: NonNullable<Property['iterations']>,
  most: number = shownIntervals,
): string {
  const shown = iterations
    .slice(0, most)
    .map(([first, last]) => (first === last ? `[${first}]` : `[${first}–${last}]`));
  const more = iterations.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `rank 4` or `ranks 4,27,30`; a long set is cut. */
export function ranksText(ranks: string): string {
  const one = /^\d+$/.test(ranks);
  return `${one ? 'rank' : 'ranks'} ${shorten(ranks, rankCharacters)}`;
}

interface Words {
  readonly sign: string;
  readonly words: string;
}

const words: Readonly<Partial<Record<PropertyKind, Words>>> = {
  'degradation-trend': { sign: '↗', words: 'degradation trend' },
  'degradation-trends': { sign: '↗', words: 'degradation trends' },
  'degradation-step': { sign: '↑', words: 'degradation step' },
  'degradation-peak': { sign: '∧', words: 'degradation peak' },
  'degradation-peaks': { sign: '∧', words: 'degradation peaks' },
  'periodic-peaks': { sign: '↻', words: 'periodic peaks' },
  'late-rank': { sign: '◷', words: 'late rank' },
  'dependent-degradation': { sign: '⇉', words: 'dependent degradation' },
  'significant-variability': { sign: '∿', words: 'significant variability' },
  improvement: { sign: '↘', words: 'improvement' },
};

/** `↗ degradation trend [1–92] · 17 % · ranks 4,27,30` */
export function dynamicsLensTitle({ kind, iterations, severity, ranks }: Property): string {
  const { sign, words: name } = words[kind] ?? { sign: '·', words: kind };
  const extent = iterations === undefined ? '' : ` ${iterationsText(iterations)}`;
  return [
    `${sign} ${name}${extent}`,
    ...(severity > 0 ? [formatRoundPercent(severity)] : []),
    ...(ranks === undefined ? [] : [ranksText(ranks)]),
  ].join(' · ');
}

/** The whole sentence of a property, with the ranks that it is about. */
export function dynamicsSentence({ title, ranks, kind }: Property): string {
  // Of a late rank the sentence names the rank.
  return ranks === undefined || kind === 'late-rank' ? title : `${title} (${ranksText(ranks)})`;
}
