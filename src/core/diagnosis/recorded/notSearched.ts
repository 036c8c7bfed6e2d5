import { pushTo } from '../../remembered';
import type { SearchNotice } from '../search/searchRecord';

/** The notice that a hypothesis was left out, because nothing that was measured answers it. */
export function leftOutNotice(hypothesis: string, reason: string): string {
  return `${hypothesis} was not searched. ${reason}`;
}

/**
 * Notices of a search in recorded values, each reason once: `Not searched: CacheMisses, MemoryTraffic. The profile has no …`
 * @param failed hypotheses that failed in the whole program, and why
 * @param nameOf what a hypothesis is called
 */
export function noticeTexts(
  notices: readonly SearchNotice[],
  failed: readonly (readonly [hypothesis: string, reason: string])[] = [],
  nameOf: (hypothesis: string) => string = (hypothesis) => hypothesis,
): readonly string[] {
  const reasons = new Map<string, string[]>();
  for (const [hypothesis, reason] of failed) pushTo(reasons, reason, nameOf(hypothesis));
  const others: string[] = [];
  for (const { message } of notices) {
    const [, hypothesis, reason] = /^(\S+) was not searched\. (.*)$/s.exec(message) ?? [];
    if (hypothesis === undefined || reason === undefined) others.push(message);
    else pushTo(reasons, reason, nameOf(hypothesis));
  }
  return [...others, ...[...reasons].map(([why, which]) => `Not searched: ${which.join(', ')}. ${why}`)];
}
