import { formatRoundPercent } from '../../../core/format';
import type { Property } from '../../../core/properties/property';
import { kindRecord } from '../../../core/properties/kinds';

/**
 * `▲ +18 % since baseline`, `≠ +50 % visits since baseline`, `+ new since baseline`, `▲ +4 % over budget`, `? −1 % to +9 % since baseline: cannot tell`: of kinds of
 * the group `comparison`.
 */
export function comparisonLensTitle({ kind, evidence }: Pick<Property, 'kind' | 'evidence'>): string {
  const { sign, label } = kindRecord(kind);
  const { ratio, least, most } = evidence;
  if (kind === 'over-budget' && ratio !== undefined) return `${sign} ${percentText(ratio)} over budget`;
  if (kind === 'cannot-tell') {
    const range = [least ?? ratio, most].flatMap((one) => (one === undefined ? [] : [percentText(one)]));
    return `${sign} ${range.join(' to ')} since baseline: cannot tell`;
  }
  return `${sign} ${changeWords(kind, evidence.change ?? ratio) ?? label.toLowerCase()} since baseline`;
}

function changeWords(kind: Property['kind'], change: number | undefined): string | undefined {
  if (kind === 'added-work') return 'called in addition';
  if (kind === 'removed-work') return 'calls less';
  if (change === undefined) return undefined;
  return kind === 'changed-count' ? `${percentText(change)} visits` : percentText(change);
}

function percentText(change: number): string {
  return `${change < 1 ? '−' : '+'}${formatRoundPercent(Math.abs(change - 1))}`;
}
