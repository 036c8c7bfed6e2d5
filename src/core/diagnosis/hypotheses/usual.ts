import type { Hypothesis } from './hypothesis';
import { publishedHypotheses } from './published';

const [cpuBound, syncWaiting, ioBlocking, smallOperations] = publishedHypotheses;

const above = { holds: 'above', pruned: [], expansion: 'why-and-where', children: [] } as const;
/** Of what belongs to no synchronisation object. */
const anywhere = { ...above, pruned: ['SyncObject'] } as const;

/**
 * What is searched unless others are given: the published hypotheses, made more precise by what today's programs wait and compute for, and new ones beside them.
 * Waiting is refined to processes, too, because the published reason not to (one process waits for another one) hides who waits.
 */
export const usualHypotheses: readonly Hypothesis[] = [
  { ...cpuBound, children: ['CacheMisses', 'MemoryTraffic'] },
  {
    ...anywhere,
    id: 'CacheMisses',
    label: 'Cache misses',
    metric: 'cacheMisses',
    threshold: 10,
    advice:
      'Let the code use the data in the cache before it continues: smaller blocks, the innermost loop along the memory, fields that are used together side by side.',
  },
  {
    ...anywhere,
    id: 'MemoryTraffic',
    label: 'Memory bandwidth',
    metric: 'memoryTraffic',
    threshold: 2e9,
    advice:
      'Move less data: fuse loops over the same arrays, use smaller types, and place the data on the memory of the threads that use it.',
  },
  { ...syncWaiting, pruned: [], children: ['WaitingInMPI', 'WaitingAtBarriers', 'WaitingForLocks'] },
  {
    ...above,
    id: 'WaitingInMPI',
    label: 'Waiting in MPI',
    metric: 'mpiWaiting',
    threshold: 0.1,
    children: ['LateSender', 'LateReceiver', 'WaitAtCollective'],
    advice: 'Find the processes that come late, and give them less work or let them communicate earlier.',
  },
  {
    ...above,
    id: 'LateSender',
    label: 'Late sender',
    metric: 'lateSender',
    threshold: 0.05,
    advice:
      'Let the other side send earlier, or post the receive early (MPI_Irecv) and compute until its data is needed.',
  },
  {
    ...above,
    id: 'LateReceiver',
    label: 'Late receiver',
    metric: 'lateReceiver',
    threshold: 0.05,
    advice:
      'Let the other side post its receives earlier, or send with MPI_Isend and compute until the buffer is needed.',
  },
  {
    ...above,
    id: 'WaitAtCollective',
    label: 'Wait at a collective operation',
    metric: 'collectiveWaiting',
    threshold: 0.05,
    advice:
      'Distribute the work before the operation more evenly, or use a nonblocking collective operation and compute meanwhile.',
  },
  {
    ...above,
    id: 'WaitingAtBarriers',
    label: 'Waiting at barriers of threads',
    metric: 'barrierWaiting',
    threshold: 0.1,
    advice:
      'Give the threads equal work (schedule(dynamic) or smaller chunks), and leave out barriers that nothing needs (nowait).',
  },
  {
    ...above,
    id: 'WaitingForLocks',
    label: 'Waiting for locks',
    metric: 'lockWaiting',
    threshold: 0.1,
    advice:
      'Hold the lock for less time, use several locks for independent data, or let each thread collect its own results and combine them at the end.',
  },
  ioBlocking,
  smallOperations,
  {
    ...anywhere,
    id: 'Blocked',
    label: 'Blocked',
    metric: 'blocked',
    threshold: 0.2,
    advice:
      'Look for input and output, sleeping, page faults or a lock there: the thread had no processor because it waited.',
  },
  {
    ...anywhere,
    id: 'LoadImbalance',
    label: 'Load imbalance',
    threshold: 0,
    expansion: 'why-only',
    children: ['ImbalanceOfProcesses', 'ImbalanceOfThreads'],
    advice: 'Distribute the work more evenly.',
  },
  {
    ...anywhere,
    id: 'ImbalanceOfProcesses',
    label: 'Load imbalance of processes',
    metric: 'processImbalance',
    threshold: 0.1,
    pruned: ['Machine', 'SyncObject'],
    advice:
      'Give the processes with most computation a smaller part of the data, or balance it anew while the program runs.',
  },
  {
    ...anywhere,
    id: 'ImbalanceOfThreads',
    label: 'Load imbalance of threads',
    metric: 'threadImbalance',
    threshold: 0.1,
    advice: 'Let the threads take smaller pieces when they are free: schedule(dynamic), guided, or tasks.',
  },
  {
    ...anywhere,
    id: 'SerialPart',
    label: 'Serial part',
    metric: 'serial',
    threshold: 0.2,
    advice: 'Move this code into a parallel region: while it runs, the other threads have nothing to do.',
  },
];
