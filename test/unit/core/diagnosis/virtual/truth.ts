import type { Hypothesis } from '../../../../../src/core/diagnosis/hypotheses/hypothesis';
import { wholeProgram, type Focus } from '../../../../../src/core/diagnosis/resources/focus';
import type { SearchNode, SearchRecord } from '../../../../../src/core/diagnosis/search/searchRecord';
import { hypotheses } from './hypotheses';
import { VirtualProgram, type VirtualSpec } from './program';

/**
 * What is true of the synthetic program from `time` on, as the record of a search without limits: each hypothesis at each function, also those that no true
 * experiment leads to, with the whole program, each host and each process; and at each object with no function chosen.
 */
export function truthOf(spec: VirtualSpec, time = 0): SearchRecord {
  const program = new VirtualProgram(spec);
  const machines = [
    [],
    ...program.hostNames.map((host) => [host]),
    ...program.processNames.map((process, i) => [program.hostNames[program.hostOf(i)]!, process]),
  ];
  const functions = [[], ...spec.functions.map((_, fn) => program.pathOf(fn))];
  const objects = [...new Set(spec.objects.map(([type]) => type))].map((type) => [type]);
  const nodes: SearchNode[] = [];
  const valueOf = ({ metric = '' }: Hypothesis, focus: Focus): number =>
    program.gauge(metric, focus)(time, time + 1);
  const isTrue = (hypothesis: Hypothesis, focus: Focus): boolean => {
    const { id, holds, threshold } = hypothesis;
    const value = valueOf(hypothesis, focus);
    // A more precise hypothesis says something only where the other one is true.
    const parent = hypotheses.find(({ children }) => children.includes(id));
    if (parent !== undefined && !isTrue(parent, focus)) return false;
    return holds === 'above' ? value > threshold : value < threshold;
  };
  for (const hypothesis of hypotheses) {
    const { id, threshold, pruned } = hypothesis;
    const at = (focus: Focus): void => {
      if (!isTrue(hypothesis, focus)) return;
      const value = valueOf(hypothesis, focus);
      nodes.push({
        id: nodes.length,
        hypothesis: id,
        focus,
        parents: [{ by: 'root', time: 0 }],
        truth: 'true',
        activity: 'inactive',
        priority: 'why',
        value,
        threshold,
        conclusions: [{ time: 0, truth: 'true', value }],
        predictedCost: 0,
      });
    };
    for (const Machine of machines) {
      for (const Code of functions) at({ ...wholeProgram, Code, Machine });
      if (pruned.includes('SyncObject')) continue;
      for (const SyncObject of [...objects, ...spec.objects]) at({ ...wholeProgram, Machine, SyncObject });
    }
  }
  return {
    strategy: 'centralised',
    run: spec.executable ?? 'app',
    clock: 'virtual',
    deepStart: false,
    costLimit: Infinity,
    end: 0,
    state: 'complete',
    hypotheses,
    nodes,
    notices: [],
  };
}
