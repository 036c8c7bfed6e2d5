import { at, atFloat } from '../at';
import { shareOf, type Share } from '../functions/share';
import type { WorkGroups } from '../profile/workGroups';
import { rankSet } from '../properties/rankSet';

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

/** What the metrics need of one process. */
interface Process {
  readonly rank: number;
  readonly elapsed: number;
  readonly outsideMpi: number;
  readonly mpiWaiting: number;
  /** Of its threads that take part; at least one. */
  readonly useful: readonly number[];
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
  const processes = ranks.map((own) => processOf(own, times, isRun));
  const useful = processes.flatMap((process) => process.useful);
  const runSeconds = largest(processes.map(({ elapsed }) => elapsed));
  const maximumSeconds = largest(useful);
  if (useful.length < 2 || maximumSeconds <= 0) return undefined;
  // Each process counts alike, however many threads it has.
  const meanSeconds = meanOf(processes.map((process) => meanOf(process.useful)));
  const hasThreads = useful.length > processes.length;
  const hybrid = hasThreads && processes.length > 1 ? hybridFactors(processes, runSeconds) : undefined;
  return {
    ...factorsOf(meanSeconds, maximumSeconds, runSeconds),
    ...hybrid,
    ...(times.mpiWaiting === undefined || processes.length < 2
      ? {}
      : serialisation(processes, hasThreads, runSeconds)),
    processes: processes.length,
    locations: useful.length,
    runSeconds,
    meanSeconds,
    maximumSeconds,
    slowestRanks: slowestOf(processes),
  };
}

function processOf(
  { rank, locations }: WorkGroups['ranks'][number],
  { computing, elapsed, mpi, mpiWaiting }: SpentTimes,
  isRun: boolean,
): Process {
  const taking = locations.filter((location) => atFloat(elapsed, location) > 0);
  // A process that does nothing of it has one thread, too.
  const members = taking.length === 0 ? [at(locations, 0)] : taking;
  const main = isRun ? at(members, 0) : mainOf(members, mpi, elapsed);
  const useful = members.map((location) => atFloat(computing, location));
  // The clock of a thread stands still while it is pre-empted, so that another thread may compute longer than the main one seems to be there.
  const busiest = largest(useful);
  return {
    rank,
    elapsed: Math.max(busiest, atFloat(elapsed, main)),
    outsideMpi: Math.max(busiest, atFloat(elapsed, main) - atFloat(mpi, main)),
    mpiWaiting: mpiWaiting === undefined ? 0 : atFloat(mpiWaiting, main),
    useful,
  };
}

/**
 * The main thread in a function: the one that calls MPI, else the one that is there longest. Of the run it is the first one: the others seem to be
 * there longer by the time of MPI's start and end, which is left out.
 */
function mainOf(members: readonly number[], mpi: Float64Array, elapsed: Float64Array): number {
  return members.reduce((main, location) => {
    const more = atFloat(mpi, location) - atFloat(mpi, main);
    return more > 0 || (more === 0 && atFloat(elapsed, location) > atFloat(elapsed, main)) ? location : main;
  });
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
  processes: readonly Process[],
  runSeconds: number,
): Required<Pick<Efficiency, 'mpi' | 'threads'>> {
  const outside = processes.map(({ outsideMpi }) => outsideMpi);
  const mean = sumOf(processes.map(({ useful }) => meanOf(useful)));
  const busiest = sumOf(processes.map(({ useful }) => largest(useful)));
  const all = sumOf(outside);
  return {
    mpi: factorsOf(meanOf(outside), largest(outside), runSeconds),
    threads: {
      parallel: shareOf(mean, { seconds: all }),
      loadBalance: shareOf(mean, { seconds: busiest }),
      communication: shareOf(busiest, { seconds: all }),
    },
  };
}

/** On a network without cost, each process would compute and wait, and the longest of these times would be that of the run. */
function serialisation(
  processes: readonly Process[],
  hasThreads: boolean,
  runSeconds: number,
): Required<Pick<Efficiency, 'serialisation' | 'transfer'>> {
  const busy = (process: Process): number => (hasThreads ? process.outsideMpi : largest(process.useful));
  const ideal = Math.min(runSeconds, largest(processes.map((process) => busy(process) + process.mpiWaiting)));
  return {
    serialisation: shareOf(largest(processes.map(busy)), { seconds: ideal }),
    transfer: shareOf(ideal, { seconds: runSeconds }),
  };
}

function slowestOf(processes: readonly Process[]): string {
  const seconds = processes.map(({ useful }) => largest(useful));
  const limit = (largest(seconds) + meanOf(seconds)) / 2;
  return rankSet(processes.flatMap(({ rank }, index) => (at(seconds, index) >= limit ? [rank] : [])));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : sumOf(values) / values.length;
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
