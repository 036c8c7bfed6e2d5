import * as l10n from '@vscode/l10n';
import { formatCount } from '../../core/format';

/** `1 function`, `24 functions`, `120 k functions` */
export function functionsCount(count: number): string {
  return count === 1 ? l10n.t('1 function') : l10n.t('{0} functions', formatCount(count));
}

/** `1 visit`, `1.2 M visits` */
export function visitsCount(count: number): string {
  return count === 1 ? l10n.t('1 visit') : l10n.t('{0} visits', formatCount(count));
}

/** `1 round`, `3 rounds`: of a refinement. */
export function roundsCount(count: number): string {
  return count === 1 ? l10n.t('1 round') : l10n.t('{0} rounds', formatCount(count));
}
