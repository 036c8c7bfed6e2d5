import { formatRoundPercent } from '../../../core/format';
import type { Property } from '../../../core/properties/property';
import { kindRecord } from '../../../core/properties/kinds';

/** `▲ +18 % since baseline`, `≠ +50 % visits since baseline`, `+ new since baseline`: of kinds of the group `comparison`. */
export function comparisonLensTitle({ kind, evidence }: Pick<Property, 'kind' | 'evidence'>): string {
  const { sign, label } = kindRecord(kind);
  return `${sign} ${changeWords(kind, evidence.change) ?? label.toLowerCase()} since baseline`;
}

function changeWords(kind: Property['kind'], change: number | undefined): string | undefined {
  if (kind === 'added-work') return 'called in addition';
  if (kind === 'removed-work') return 'calls less';
  if (change === undefined) return undefined;
  const percent = `${change < 1 ? '−' : '+'}${formatRoundPercent(Math.abs(change - 1))}`;
  return kind === 'changed-count' ? `${percent} visits` : percent;
}
