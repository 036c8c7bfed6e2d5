import { isSummed } from '../../profile/summed';
import type { Profile } from '../../profile/profile';
import type { MetricId } from '../hypotheses/metrics';
import type { Amounts } from './amounts';

const ownBackEnd = 'measure with Kymo’s own back-end';
const oneProcess = 'The run has one process: it waits for no other one.';
const oneThread = 'No process has several threads.';
const hiddenMpi =
  'The profile has several processes and no MPI function, so that waiting in MPI cannot be told from computation: record MPI calls (Kymo does with the mpicc of the program’s MPI library, Score-P with --mpp=mpi).';
const noWaits = `The profile has no metrics of waiting in MPI (such as mpi_latesender): ${ownBackEnd}, or analyse a trace with Scalasca.`;
const hiddenThreads = `The profile has threads and neither barriers nor locks, so that threads that wait cannot be told from threads that compute: ${ownBackEnd}, or with Score-P and --thread=omp or --thread=pthread.`;
const summed =
  'The profile has sums over many processes: how they differ is not known before the run has ended.';
const noIo = 'The profile shows no input and output: measure with Score-P and --io=posix.';
const noCounters =
  'The profile has no numbers of instructions and cache misses: measure with Score-P and SCOREP_METRIC_PAPI=PAPI_TOT_INS,PAPI_L3_TCM.';

/** Why a metric cannot be told from a profile, and what to record; undefined where it can. */
export function missingMetric(
  metric: MetricId,
  amounts: Amounts,
  profile: Pick<Profile, 'attributes'>,
): string | undefined {
  const { processes, hasThreads, mpi, threads } = amounts.seen;
  const waitsOf = (amount: unknown): string | undefined => {
    if (processes < 2) return oneProcess;
    if (!mpi) return hiddenMpi;
    return amount === undefined ? noWaits : undefined;
  };
  const waitsOfThreads = (): string | undefined => {
    if (!hasThreads) return oneThread;
    return threads && amounts.seen.activeWaiting ? undefined : hiddenThreads;
  };
  const unlessSummed = (reason: string | undefined): string | undefined =>
    isSummed(profile) ? summed : reason;
  switch (metric) {
    case 'computing':
      return undefined;
    case 'synchronisation':
      if (processes < 2)
        return hasThreads ? waitsOfThreads() : oneProcess.replace('process', 'process with one thread');
      return mpi ? undefined : hiddenMpi;
    case 'mpiWaiting':
      return waitsOf(amounts.mpiWaiting);
    case 'lateSender':
      return waitsOf(amounts.lateSender);
    case 'lateReceiver':
      return waitsOf(amounts.lateReceiver);
    case 'collectiveWaiting':
      return waitsOf(amounts.collectiveWaiting);
    case 'barrierWaiting':
    case 'lockWaiting':
      return waitsOfThreads();
    case 'processImbalance':
      return unlessSummed(processes < 2 ? oneProcess : mpi ? undefined : hiddenMpi);
    case 'threadImbalance':
      return unlessSummed(waitsOfThreads());
    case 'serial':
      return unlessSummed(serialMissing(amounts));
    case 'inputOutput':
      return amounts.inputOutput === undefined ? noIo : undefined;
    case 'bytesPerOperation':
      return amounts.ioBytes === undefined || amounts.ioOperations === undefined ? noIo : undefined;
    case 'blocked':
      return amounts.blocked === undefined
        ? `The profile does not tell blocked time from computation: ${ownBackEnd}.`
        : undefined;
    case 'cacheMisses':
      return amounts.cacheMisses === undefined || amounts.instructions === undefined ? noCounters : undefined;
    case 'memoryTraffic':
      return amounts.cacheMisses === undefined ? noCounters : undefined;
  }
}

function serialMissing({ seen, serial }: Amounts): string | undefined {
  if (!seen.hasThreads) return oneThread;
  return serial === undefined
    ? `The profile has no OpenMP parallel regions: ${ownBackEnd}, or with Score-P.`
    : undefined;
}
