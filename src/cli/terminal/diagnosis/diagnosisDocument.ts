import { failedHypotheses, lastOnce } from '../../../core/diagnosis/recorded/notSearched';
import { present } from '../../../core/present';
import type { Diagnosis } from '../../../workflows/diagnose';

/** What `kymo diagnose --json` prints (docs/INTERFACES.md). */
export function diagnosisDocument({
  record,
  findings,
  base,
  processes,
  threads,
  doubts = [],
}: Diagnosis): object {
  const { run, strategy, state, hypotheses, nodes, notices, largestCost } = record;
  return {
    run,
    strategy,
    state,
    base,
    processes,
    threads,
    experiments: nodes.length,
    ...present({ largestCost }),
    findings: findings.map(({ property, hypothesis, label, advice, nodes: own, data }) => ({
      hypothesis,
      label,
      advice,
      nodes: own,
      ...present({ data }),
      property: property.id,
    })),
    properties: findings.map(({ property }) => property),
    hypotheses,
    notSearched: failedHypotheses(nodes).map(([hypothesis, reason]) => ({ hypothesis, reason })),
    notes: [...doubts, ...lastOnce(notices.map(({ message }) => message))],
  };
}
