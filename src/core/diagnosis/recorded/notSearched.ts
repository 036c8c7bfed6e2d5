import { pushTo } from '../../remembered';
import { usualHypotheses } from '../hypotheses/usual';
import type { SearchNode, SearchNotice } from '../search/searchRecord';

/** The notice that a hypothesis was left out, because nothing that was measured answers it. */
export function leftOutNotice(hypothesis: string, reason: string): string {
  return `${hypothesis} was not searched. ${reason}`;
}

/** Each text once, where it came last. */
export function lastOnce(texts: readonly string[]): readonly string[] {
  return [...new Set([...texts].reverse())].reverse();
}

/**
 * Notices of a search, each once, where it came last: `Not searched: Cache misses, Memory bandwidth. The profile has no …`. What a search notices again and again, and each of its agents, does not become
 * truer by that; and of notices that take turns, the last one says how it is now.
 * @param failed hypotheses that failed in the whole program, and why
 * @param labelOf what the search calls a hypothesis; those that a running program cannot answer are not among its own
 */
export function noticeTexts(
  notices: readonly SearchNotice[],
  failed: readonly (readonly [hypothesis: string, reason: string])[] = [],
  labelOf: (hypothesis: string) => string | undefined = () => undefined,
): readonly string[] {
  const nameOf = (hypothesis: string): string =>
    labelOf(hypothesis) ?? usualHypotheses.find(({ id }) => id === hypothesis)?.label ?? hypothesis;
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

/**
 * Hypotheses that failed wherever the search began with them, each once, with the first reason. It begins with the whole program, or where agents search by
 * themselves with each host: what was tested on one of them was searched.
 */
export function failedHypotheses(
  nodes: readonly Pick<SearchNode, 'hypothesis' | 'problem' | 'parents'>[],
): readonly (readonly [hypothesis: string, reason: string])[] {
  const reasons = new Map<string, string>();
  const searched = new Set<string>();
  for (const { hypothesis, problem, parents } of nodes) {
    if (!parents.some(({ by }) => by === 'root')) continue;
    if (problem === undefined) searched.add(hypothesis);
    else if (!reasons.has(hypothesis)) reasons.set(hypothesis, problem);
  }
  return [...reasons].filter(([hypothesis]) => !searched.has(hypothesis));
}
