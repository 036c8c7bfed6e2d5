import type { Hypothesis } from '../../../../../src/core/diagnosis/hypotheses/hypothesis';
import { publishedHypotheses } from '../../../../../src/core/diagnosis/hypotheses/published';

/** Metrics of the synthetic program. */
const metricOf: Readonly<Record<(typeof publishedHypotheses)[number]['id'], string>> = {
  CPUBound: 'cpu',
  ExcessiveSyncWaitingTime: 'sync',
  ExcessiveIOBlockingTime: 'io',
  TooManySmallIOOps: 'bytes per operation',
};

/** The published ones ([D 3], specification 4.3). */
export const published: readonly Hypothesis[] = publishedHypotheses.map((hypothesis) => ({
  ...hypothesis,
  metric: metricOf[hypothesis.id],
}));

/** They, but all refined to hosts, as where agents search (specification 4.3). */
export const hypotheses: readonly Hypothesis[] = published.map((hypothesis) => ({
  ...hypothesis,
  pruned: hypothesis.pruned.filter((tree) => tree !== 'Machine'),
}));
