import type { Focus } from '../resources/focus';
import type { SearchRecord } from '../search/searchRecord';

/** A hypothesis that a search measured to be true at a focus. */
export interface Bottleneck {
  readonly hypothesis: string;
  readonly focus: Focus;
  /** When it was first concluded to be true; seconds since the search began. */
  readonly seconds: number;
}

/**
 * What a search found: pairs of hypothesis and focus that are true when the record ends, each under a key that is the same in all searches.
 * A hypothesis without a metric is none, since it only sums up others.
 */
export function bottlenecksOf({ nodes, hypotheses, end }: SearchRecord): ReadonlyMap<string, Bottleneck> {
  const measured = new Set(hypotheses.filter(({ metric }) => metric !== undefined).map(({ id }) => id));
  const found = new Map<string, Bottleneck>();
  for (const { hypothesis, focus, truth, conclusions } of nodes) {
    if (truth !== 'true' || !measured.has(hypothesis)) continue;
    const first = conclusions.find((conclusion) => conclusion.truth === 'true');
    const { Code, Machine, SyncObject } = focus;
    const key = JSON.stringify([hypothesis, Code, Machine, SyncObject]);
    found.set(key, { hypothesis, focus, seconds: first?.time ?? end });
  }
  return found;
}
