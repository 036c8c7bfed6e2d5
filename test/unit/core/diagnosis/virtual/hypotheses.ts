import type { Hypothesis } from '../../../../../src/core/diagnosis/hypotheses/hypothesis';

const common = { expansion: 'where-and-why', children: [], advice: '' } as const;

/** The published ones ([D 3], specification 4.3), but refined to hosts, as where agents search. */
export const hypotheses: readonly Hypothesis[] = [
  {
    ...common,
    id: 'CPUBound',
    label: 'CPU bound',
    metric: 'cpu',
    holds: 'above',
    threshold: 0.3,
    pruned: ['SyncObject'],
  },
  {
    ...common,
    id: 'ExcessiveSyncWaitingTime',
    label: 'Excessive waiting',
    metric: 'sync',
    holds: 'above',
    threshold: 0.2,
    pruned: [],
  },
  {
    ...common,
    id: 'ExcessiveIOBlockingTime',
    label: 'Excessive I/O',
    metric: 'io',
    holds: 'above',
    threshold: 0.2,
    pruned: ['SyncObject'],
    expansion: 'where-before-why',
    children: ['TooManySmallIOOps'],
  },
  {
    ...common,
    id: 'TooManySmallIOOps',
    label: 'Small I/O operations',
    metric: 'bytes per operation',
    holds: 'below',
    threshold: 4096,
    pruned: ['SyncObject'],
  },
];
