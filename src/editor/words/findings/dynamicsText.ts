import { shortTitle } from '../../../core/diagnosis/findings/words';
import { formatCount, formatRoundPercent } from '../../../core/format';
import { allText, type Property, type PropertyModel } from '../../../core/properties/property';
import { chanceSentence } from '../../../core/properties/chance';
import { kindRecord } from '../../../core/properties/kinds';
import { shorten } from '../functions/lensText';
import { comparisonLensTitle } from './comparisonText';

/** Maximum number of intervals in a lens. */
const shownIntervals = 3;
const rankCharacters = 40;
const formulaCharacters = 120;

/** `[1–92]`, `[5–7], [51–57], [67–69] and 1 more`; a single iteration is `[7]`; of more than is listed `[25-19975] (400 iterations)`. */
export function iterationsText(
  { iterations = [], all }: Pick<Property, 'iterations' | 'all'>,
  most: number = shownIntervals,
): string {
  if (all !== undefined) return allText(all);
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

/** `↗ degradation trend [1–92] · 17 % · ranks 4,27,30`, `↻ periodic peaks every 15 iterations · 16 % · rank 0`, `↗ 11.3 s + 0.42 s · p · log₂ p`, `◎ late sender · 16 %` */
export function dynamicsLensTitle(property: Property): string {
  const { kind, iterations, severity = 0, ranks, model, evidence } = property;
  const { sign, label, group } = kindRecord(kind);
  if (group === 'comparison') return comparisonLensTitle(property);
  if (model !== undefined) return `${sign} ${modelText(model, kind === 'growth' ? '' : label.toLowerCase())}`;
  const { periodIterations: period } = evidence;
  const extent =
    period !== undefined
      ? ` every ${formatCount(period)} iterations`
      : iterations === undefined
        ? ''
        : ` ${iterationsText(property)}`;
  return [
    `${sign} ${shortTitle(property) ?? label.toLowerCase()}${extent}`,
    ...(severity > 0 ? [formatRoundPercent(severity)] : []),
    ...(ranks === undefined ? [] : [ranksText(ranks)]),
  ].join(' · ');
}

/** The formula, after what is wrong with it; names of parameters come from files, and lenses show `$(…)` as icons. */
function modelText({ metric, formula, expected, doubt }: PropertyModel, label: string): string {
  const wrong = label === '' ? '' : `${label}${expected === undefined ? '' : ` (${expected})`}: `;
  const what = metric === 'time' ? formula : `${formula} ${metric}`;
  const whole = [wrong + shorten(what, formulaCharacters), ...(doubt === undefined ? [] : [doubt])].join(
    ' · ',
  );
  return whole.replaceAll('$(', '$\u200b(').replaceAll(/\p{Cc}+/gu, ' ');
}

/** The sentence of a property with its ranks, and how sure it is. */
export function dynamicsSentence({ title, ranks, kind, evidence: { chance } }: Property): string {
  const sentence =
    ranks === undefined || kindRecord(kind).ranks === 'in title' ? title : `${title} (${ranksText(ranks)})`;
  return chance === undefined ? sentence : `${sentence}. ${chanceSentence(chance)}`;
}
