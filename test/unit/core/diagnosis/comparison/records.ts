import type { Hypothesis } from '../../../../../src/core/diagnosis/hypotheses/hypothesis';
import type { ResourcePath } from '../../../../../src/core/diagnosis/resources/focus';
import type { SearchNode, SearchRecord } from '../../../../../src/core/diagnosis/search/searchRecord';

const cpuBound: Hypothesis = {
  id: 'CPUBound',
  label: 'CPU bound',
  metric: 'cpu',
  holds: 'above',
  threshold: 0.3,
  pruned: ['SyncObject'],
  expansion: 'where-and-why',
  children: [],
  advice: 'Make it faster.',
};

/** Nothing is measured for it. */
const top: Hypothesis = {
  id: 'TopLevelHypothesis',
  label: 'Top level',
  holds: 'above',
  threshold: 0,
  pruned: [],
  expansion: 'why-only',
  children: ['CPUBound'],
  advice: 'See its parts.',
};

/** An experiment of CPUBound: a function that was found true after some seconds, tested false, or only defined. */
export interface Tested {
  readonly at: string;
  readonly trueAfter?: number;
  readonly tested?: false;
  readonly machine?: ResourcePath;
}

/** A search of 100 virtual seconds with these experiments. */
export function record(tests: readonly Tested[], changes: Partial<SearchRecord> = {}): SearchRecord {
  return {
    strategy: 'centralised',
    run: 'made up',
    clock: 'virtual',
    deepStart: false,
    costLimit: 1.5,
    end: 100,
    state: 'steady',
    hypotheses: [top, cpuBound],
    nodes: tests.map(node),
    notices: [],
    ...changes,
  };
}

function node({ at, trueAfter, tested, machine = [] }: Tested, id: number): SearchNode {
  const data = { value: 0.5, data: [0, 100] } as const;
  return {
    id,
    hypothesis: 'CPUBound',
    focus: { Code: ['app', at], Machine: machine, SyncObject: [] },
    parents: [],
    truth: tested === false ? 'unknown' : trueAfter === undefined ? 'false' : 'true',
    activity: 'inactive',
    priority: 'where',
    threshold: 0.3,
    conclusions:
      tested === false
        ? []
        : [{ time: trueAfter ?? 20, truth: trueAfter === undefined ? 'false' : 'true', value: 0.5 }],
    predictedCost: 0.01,
    ...(tested === false ? {} : data),
  };
}

/** A search that found a bottleneck at each of these seconds: the functions `f0`, `f1` and so on. */
export function foundAt(...times: readonly number[]): SearchRecord {
  return record(times.map((trueAfter, index) => ({ at: `f${index}`, trueAfter })));
}
