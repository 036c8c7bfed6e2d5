import { atFloat } from '../at';
import { shareOf, type Share } from '../functions/share';
import type { WorkGroups } from '../profile/workGroups';
import { rankSet } from '../properties/rankSet';
import { sumOf } from '../sums';

/** parallel = loadBalance × communication; for threads, `communication` is the synchronisation of the threads of a process. */
export interface Factors {
  readonly parallel: Share;
  readonly loadBalance: Share;
  readonly communication: Share;
}

/** Seconds per location in a run, or in one function with its callees: without MPI’s start and end, and without the cost of recording. */
export interface SpentTimes {
  /** Useful computation: neither in MPI, nor waiting for threads, nor blocked. */
  readonly computing: Float64Array;
  readonly elapsed: Float64Array;
  readonly mpi: Float64Array;
  /** Part of `mpi` that was waiting for other processes; absent where the profile does not have it. */
  readonly mpiWaiting?: Float64Array;
}

/**
 * POP metrics (POP CoE, “Standard Metrics for Performance Audits”), each a share of the run time: the time of the process that takes longest. With
 * threads, the factors are those of all threads of all processes together, and `mpi` × `threads` splits them between the two ways to be parallel (the
 * multiplicative hybrid metrics). `terms.ts` defines each.
 */
export interface Efficiency extends Factors {
  /** serialisation × transfer = communication (with `mpi`: that of `mpi`); absent where waiting in MPI is unknown. */
  readonly serialisation?: Share;
  readonly transfer?: Share;
  /** Only of programs with several processes that have threads. */
  readonly mpi?: Factors;
  readonly threads?: Factors;
  readonly processes: number;
  /** All threads of all processes that take part. */
  readonly locations: number;
  /** 100 %: time of the process that takes longest. */
  readonly runSeconds: number;
  /** Useful computation: mean over the processes of the means of their threads, and maximum over all threads. */
  readonly meanSeconds: number;
  readonly maximumSeconds: number;
  /** Ranks with the most computation: nearer to the maximum than to the mean over the processes. */
  readonly slowestRanks: string;
}

/** What the metrics need of each process, in columns: profiles have thousands of processes and of functions. */
interface Processes {
  readonly elapsed: Float64Array;
  readonly outsideMpi: Float64Array;
  readonly mpiWaiting: Float64Array;
  /** Useful computation: mean and maximum of the threads that take part. */
  readonly mean: Float64Array;
  readonly busiest: Float64Array;
  /** Threads of all processes that take part. */
  readonly threads: number;
}

/**
 * Undefined where nothing is parallel, or nothing computes. All processes count, also those that do nothing of it, because they wait for the
 * others; of threads those that do some of it, because a thread need not belong to the team that could share the work.
 * @param isRun whether the times are of the whole run, not of a function
 */
export function efficiencyOf(
  { ranks }: WorkGroups,
  times: SpentTimes,
  isRun: boolean,
): Efficiency | undefined {
  const processes = processesOf(ranks, times, isRun);
  const { elapsed, mean, busiest, threads } = processes;
  const runSeconds = largest(elapsed);
  const maximumSeconds = largest(busiest);
  if (threads < 2 || maximumSeconds <= 0) return undefined;
  // Each process counts alike, however many threads it has.
  const meanSeconds = meanOf(mean);
  const hasThreads = threads > ranks.length;
  const hybrid = hasThreads && ranks.length > 1 ? hybridFactors(processes, runSeconds) : undefined;
  return {
    ...factorsOf(meanSeconds, maximumSeconds, runSeconds),
    ...hybrid,
    ...(times.mpiWaiting === undefined || ranks.length < 2
      ? {}
      : serialisation(processes, hasThreads, runSeconds)),
    processes: ranks.length,
    locations: threads,
    runSeconds,
    meanSeconds,
    maximumSeconds,
    slowestRanks: slowestOf(ranks, busiest),
  };
}

function processesOf(ranks: WorkGroups['ranks'], times: SpentTimes, isRun: boolean): Processes {
  const { computing, elapsed, mpi, mpiWaiting } = times;
  const column = (): Float64Array => new Float64Array(ranks.length);
  const columns = {
    ...{ elapsed: column(), outsideMpi: column(), mpiWaiting: column(), mean: column(), busiest: column() },
  };
  let threads = 0;
  ranks.forEach(({ locations }, process) => {
    let [members, main, sum, busiest] = [0, -1, 0, 0];
    for (const location of locations) {
      if (main < 0) main = location;
      if (atFloat(elapsed, location) <= 0) continue;
      if (members++ === 0 || (!isRun && isMain(location, main, times))) main = location;
      sum += atFloat(computing, location);
      busiest = Math.max(busiest, atFloat(computing, location));
    }
    if (members === 0) {
      // A process that does nothing of it has one thread, too.
      members = 1;
      sum = atFloat(computing, main);
      busiest = Math.max(0, sum);
    }
    threads += members;
    columns.mean[process] = sum / members;
    columns.busiest[process] = busiest;
    // The clock of a thread stands still while it is pre-empted, so that another thread may compute longer than the main one seems to be there.
    columns.elapsed[process] = Math.max(busiest, atFloat(elapsed, main));
    columns.outsideMpi[process] = Math.max(busiest, atFloat(elapsed, main) - atFloat(mpi, main));
    if (mpiWaiting !== undefined) columns.mpiWaiting[process] = atFloat(mpiWaiting, main);
  });
  return { ...columns, threads };
}

/**
 * The main thread in a function: the one that calls MPI, else the one that is there longest. Of the run it is the first one: the others seem to be
 * there longer by the time of MPI's start and end, which is left out.
 */
function isMain(location: number, main: number, { mpi, elapsed }: SpentTimes): boolean {
  const more = atFloat(mpi, location) - atFloat(mpi, main);
  return more > 0 || (more === 0 && atFloat(elapsed, location) > atFloat(elapsed, main));
}

function factorsOf(mean: number, maximum: number, runSeconds: number): Factors {
  return {
    parallel: shareOf(mean, { seconds: runSeconds }),
    loadBalance: shareOf(mean, { seconds: maximum }),
    communication: shareOf(maximum, { seconds: runSeconds }),
  };
}

/**
 * For MPI, useful is what the main thread does outside MPI. For threads it is as if the processes came one after the other: sums over them of the mean,
 * and of the maximum, of their threads, so that mpi.parallel × threads.parallel is the parallel efficiency.
 */
function hybridFactors(
  { outsideMpi, mean, busiest }: Processes,
  runSeconds: number,
): Required<Pick<Efficiency, 'mpi' | 'threads'>> {
  const all = sumOf(outsideMpi);
  return {
    mpi: factorsOf(meanOf(outsideMpi), largest(outsideMpi), runSeconds),
    threads: {
      parallel: shareOf(sumOf(mean), { seconds: all }),
      loadBalance: shareOf(sumOf(mean), { seconds: sumOf(busiest) }),
      communication: shareOf(sumOf(busiest), { seconds: all }),
    },
  };
}

/** On a network without cost, each process would compute and wait, and the longest of these times would be that of the run. */
function serialisation(
  { outsideMpi, busiest, mpiWaiting }: Processes,
  hasThreads: boolean,
  runSeconds: number,
): Required<Pick<Efficiency, 'serialisation' | 'transfer'>> {
  const busy = hasThreads ? outsideMpi : busiest;
  const ideal = Math.min(
    runSeconds,
    largest(busy.map((seconds, process) => seconds + atFloat(mpiWaiting, process))),
  );
  return {
    serialisation: shareOf(largest(busy), { seconds: ideal }),
    transfer: shareOf(ideal, { seconds: runSeconds }),
  };
}

function slowestOf(ranks: WorkGroups['ranks'], busiest: Float64Array): string {
  const limit = (largest(busiest) + meanOf(busiest)) / 2;
  const slowest: number[] = [];
  ranks.forEach(({ rank }, process) => {
    if (atFloat(busiest, process) >= limit) slowest.push(rank);
  });
  return rankSet(slowest);
}

function meanOf(values: Float64Array): number {
  return values.length === 0 ? 0 : sumOf(values) / values.length;
}

/** At least 0. */
function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, atFloat(values, i));
  return most;
}
