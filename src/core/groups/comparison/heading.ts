import { counted, formatPercent } from '../../format';
import type { Comparison, Grouping } from './compareGroups';

/** `10 processes in 5 groups, at least 95.0 % similar, by 19 pairs of caller and callee` */
export function groupsHeading(
  { groups: { attributes, kind, sets, processes }, times }: Comparison,
  { threshold, kMeans, closure }: Pick<Grouping, 'threshold' | 'kMeans' | 'closure'>,
): string {
  const all = `${processes.length} ${processes.length === 1 ? 'process' : 'processes'} in ${counted(sets.length, 'group')}`;
  const calls = closure === true ? ', with calls of calls' : '';
  const pairs = `${counted(attributes.length, 'pair')} of caller and callee`;
  const what = `${kind === 'pairs' ? pairs : counted(attributes.length, 'function')}${calls}`;
  if (kMeans !== undefined && times !== undefined) return `${all} of similar times, by k-means`;
  const similar = threshold === undefined ? '' : `, at least ${formatPercent(threshold)} similar`;
  return `${all}${similar}, by ${what}`;
}
