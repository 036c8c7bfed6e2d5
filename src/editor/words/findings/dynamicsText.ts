import { formatRoundPercent } from '../../../core/format';
import type { Property } from '../../../core/properties/property';
import { kindRecord } from '../../../core/properties/kinds';
import { shorten } from '../functions/lensText';

/** Maximum number of intervals in a lens. */
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
  const isSingle = /^\d+$/.test(ranks);
  return `${isSingle ? 'rank' : 'ranks'} ${shorten(ranks, rankCharacters)}`;
}

/** `↗ degradation trend [1–92] · 17 % · ranks 4,27,30` */
export function dynamicsLensTitle({ kind, iterations, severity = 0, ranks }: Property): string {
  const { sign, label } = kindRecord(kind);
  const extent = iterations === undefined ? '' : ` ${iterationsText(iterations)}`;
  return [
    `${sign} ${label.toLowerCase()}${extent}`,
    ...(severity > 0 ? [formatRoundPercent(severity)] : []),
    ...(ranks === undefined ? [] : [ranksText(ranks)]),
  ].join(' · ');
}

/** The sentence of a property with its ranks. */
export function dynamicsSentence({ title, ranks, kind }: Property): string {
  return ranks === undefined || kindRecord(kind).ranks === 'in title'
    ? title
    : `${title} (${ranksText(ranks)})`;
}
