import type { Hypothesis } from '../hypotheses/hypothesis';
import { leftOutNotice } from '../recorded/notSearched';
import type { SearchNotice } from '../search/searchRecord';
import type { LiveWindow } from './liveWindow';

/** What a run that does not record it from its begin never will. Processes and threads may begin later, and waiting with them. */
const decidedAtBegin: readonly string[] = [
  'inputOutput',
  'bytesPerOperation',
  'blocked',
  'cacheMisses',
  'memoryTraffic',
];

/** Hypotheses that a run can answer, and a notice of each other one. */
export function answerable(
  hypotheses: readonly Hypothesis[],
  { values }: LiveWindow,
): { readonly hypotheses: readonly Hypothesis[]; readonly notices: readonly SearchNotice[] } {
  const notices: SearchNotice[] = [];
  const left = hypotheses.filter(({ id, metric }) => {
    if (metric === undefined || !decidedAtBegin.includes(metric)) return true;
    const reason = values.missing(metric);
    if (reason !== undefined) notices.push({ time: 0, message: leftOutNotice(id, reason) });
    return reason === undefined;
  });
  const ids = new Set(left.map(({ id }) => id));
  const children = (of: Hypothesis): readonly string[] => of.children.filter((id) => ids.has(id));
  return { hypotheses: left.map((one) => ({ ...one, children: children(one) })), notices };
}
