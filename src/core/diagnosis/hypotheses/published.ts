import type { Hypothesis } from './hypothesis';

/**
 * The hypotheses of the Performance Consultant with its thresholds, and the trees that it did not refine (Roth 2005, chapter 3; values as in Paradyn 5). Their metrics are per active process: 1 is
 * fully busy.
 */
export const publishedHypotheses = [
  {
    id: 'CPUBound',
    label: 'CPU bound',
    metric: 'computing',
    holds: 'above',
    threshold: 0.3,
    pruned: ['SyncObject'],
    expansion: 'why-and-where',
    children: [],
    advice:
      'Make this code cheaper: a better algorithm, fewer passes over the data, vectorisation; or give it to more processes or threads.',
  },
  {
    id: 'ExcessiveSyncWaitingTime',
    label: 'Waiting for others',
    metric: 'synchronisation',
    holds: 'above',
    threshold: 0.2,
    pruned: ['Machine'],
    expansion: 'why-and-where',
    children: [],
    advice:
      'Find out who comes late: distribute the work before this more evenly, or communicate less often and in larger pieces.',
  },
  {
    id: 'ExcessiveIOBlockingTime',
    label: 'Input and output',
    metric: 'inputOutput',
    holds: 'above',
    threshold: 0.2,
    pruned: ['SyncObject'],
    expansion: 'where-before-why',
    children: ['TooManySmallIOOps'],
    advice: 'Read and write less often, from fewer processes at a time, or while others compute.',
  },
  {
    id: 'TooManySmallIOOps',
    label: 'Many small I/O operations',
    metric: 'bytesPerOperation',
    holds: 'below',
    threshold: 4096,
    pruned: ['SyncObject'],
    expansion: 'where-only',
    children: [],
    advice: 'Collect the data in a buffer of at least some pages, and read or write it in one operation.',
  },
] as const satisfies readonly Hypothesis[];
