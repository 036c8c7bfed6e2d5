import type { Efficiency } from './efficiency';

/** Metrics of efficiency, by the names that users see. */
export type EfficiencyTerm =
  | 'parallel'
  | 'loadBalance'
  | 'communication'
  | 'serialisation'
  | 'transfer'
  | 'mpiParallel'
  | 'mpiLoadBalance'
  | 'mpiCommunication'
  | 'threadParallel'
  | 'threadLoadBalance'
  | 'threadSynchronisation';

export interface TermText {
  readonly label: string;
  /** A sentence, for tooltips and help. */
  readonly definition: string;
}

/** Where the definitions come from; the threads' part is defined in `efficiency.ts`. */
export const efficiencySource =
  'POP Centre of Excellence, “POP Standard Metrics for Parallel Performance Analysis” and its multiplicative hybrid metrics';

/** What counts as computation, and what the shares are of. */
export const efficiencyBase =
  'Computation is time outside MPI and outside waiting for other threads, without blocked time where the profile has it; the run time is that of the process that takes longest. Both are without MPI’s start and end, and without the cost of recording where it was calibrated.';

export const efficiencyTerms: Readonly<Record<EfficiencyTerm, TermText>> = {
  parallel: {
    label: 'Parallel efficiency',
    definition: 'Mean computation ÷ run time = load balance × communication efficiency.',
  },
  loadBalance: {
    label: 'Load balance',
    definition: 'Mean computation ÷ largest computation, over all processes and their threads.',
  },
  communication: {
    label: 'Communication efficiency',
    definition: 'Largest computation ÷ run time: what communication and synchronisation leave of it.',
  },
  serialisation: {
    label: 'Serialisation efficiency',
    definition:
      'Largest computation ÷ run time on a network without cost, which is the longest computation and waiting in MPI of a process.',
  },
  transfer: {
    label: 'Transfer efficiency',
    definition:
      'Run time on a network without cost ÷ run time: serialisation × transfer = communication efficiency (with threads: that of MPI).',
  },
  mpiParallel: {
    label: 'MPI parallel efficiency',
    definition: 'Mean time outside MPI ÷ run time, over the main threads of the processes.',
  },
  mpiLoadBalance: {
    label: 'MPI load balance',
    definition: 'Mean time outside MPI ÷ largest time outside MPI, over the main threads of the processes.',
  },
  mpiCommunication: {
    label: 'MPI communication efficiency',
    definition: 'Largest time outside MPI ÷ run time.',
  },
  threadParallel: {
    label: 'Thread parallel efficiency',
    definition:
      'Mean computation of the threads ÷ time outside MPI, summed over the processes: parallel efficiency = MPI parallel efficiency × thread parallel efficiency.',
  },
  threadLoadBalance: {
    label: 'Thread load balance',
    definition: 'Mean computation of the threads ÷ that of the busiest thread, summed over the processes.',
  },
  threadSynchronisation: {
    label: 'Thread synchronisation efficiency',
    definition: 'Computation of the busiest thread ÷ time outside MPI, summed over the processes.',
  },
};

export interface TermValue {
  readonly term: EfficiencyTerm;
  /** 0…1 */
  readonly value: number;
}

/** The metrics that there are, a product before its factors. */
export function termValues(efficiency: Efficiency): readonly TermValue[] {
  const { parallel, loadBalance, communication, serialisation, transfer, mpi, threads } = efficiency;
  const values: readonly (readonly [EfficiencyTerm, number | undefined])[] = [
    ['parallel', parallel],
    ['loadBalance', loadBalance],
    ['communication', communication],
    ['mpiParallel', mpi?.parallel],
    ['mpiLoadBalance', mpi?.loadBalance],
    ['mpiCommunication', mpi?.communication],
    ['serialisation', serialisation],
    ['transfer', transfer],
    ['threadParallel', threads?.parallel],
    ['threadLoadBalance', threads?.loadBalance],
    ['threadSynchronisation', threads?.communication],
  ];
  return values.flatMap(([term, value]) => (value === undefined ? [] : [{ term, value }]));
}
