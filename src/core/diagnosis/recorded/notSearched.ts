import { pushTo } from '../../remembered';
import type { SearchNotice } from '../search/searchRecord';

/** The notice that a hypothesis was left out, because nothing that was measured answers it. */
export function leftOutNotice(hypothesis: string, reason: string): string {
  return `${hypothesis} was not searched. ${reason}`;
}

/** Each text once, where it came last. */
export function lastOnce(texts: readonly string[]): readonly string[] {
  return [...new Set([...texts].reverse())].reverse();
}

/**
 * Notices of a search, each once, where it came last: `Not searched: CacheMisses, MemoryTraffic. The profile has no …`. What a search notices again and again, and each of its agents, does not become
 * truer by that; and of notices that take turns, the last one says how it is now.
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
    if (hypothesis !== undefined && reason !== undefined) pushTo(reasons, reason, nameOf(hypothesis));
    else others.push(message);
  }
  return [
    ...lastOnce(others),
    ...[...reasons].map(([why, which]) => `Not searched: ${which.join(', ')}. ${why}`),
  ];
}
