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

/** Kinds of waiting in MPI follow from the times of all processes, which are put together at the end. */
const knownAtEnd: readonly string[] = ['mpiWaiting', 'lateSender', 'lateReceiver', 'collectiveWaiting'];
const atEnd =
  'Why processes wait in MPI is known when the program has ended: diagnose the profile of the run then.';

/** Hypotheses that a run can answer, and a notice of each other one. */
export function answerable(
  hypotheses: readonly Hypothesis[],
  { values }: LiveWindow,
): { readonly hypotheses: readonly Hypothesis[]; readonly notices: readonly SearchNotice[] } {
  const notices: SearchNotice[] = [];
  const left = hypotheses.filter(({ id, metric }) => {
    const reason = missing(values, metric);
    if (reason !== undefined) notices.push({ time: 0, message: leftOutNotice(id, reason) });
    return reason === undefined;
  });
  const ids = new Set(left.map(({ id }) => id));
  const children = (of: Hypothesis): readonly string[] => of.children.filter((id) => ids.has(id));
  return { hypotheses: left.map((one) => ({ ...one, children: children(one) })), notices };
}

function missing(values: LiveWindow['values'], metric: string | undefined): string | undefined {
  if (metric === undefined) return undefined;
  if (knownAtEnd.includes(metric)) return values.missing('synchronisation') ?? atEnd;
  return decidedAtBegin.includes(metric) ? values.missing(metric) : undefined;
}
