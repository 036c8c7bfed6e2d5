import { isSummed } from '../../profile/summed';
import type { Profile } from '../../profile/profile';
import type { MetricId } from '../hypotheses/metrics';
import type { Amount, Amounts } from './amounts';

const ownBackEnd = 'measure with Kymo’s own back-end';
const oneProcess = 'The run has one process: it waits for no other one.';
const oneThread = 'No process has several threads.';
const hiddenMpi =
  'The profile has several processes and no MPI function, so that waiting in MPI cannot be told from computation: record MPI calls (Kymo does with the mpicc of the program’s MPI library, Score-P with --mpp=mpi).';
const noWaits = `The profile has no metrics of waiting in MPI (such as mpi_latesender): ${ownBackEnd}, or analyse a trace with Scalasca.`;
const hiddenThreads = `The profile has threads and neither barriers nor locks, so that threads that wait cannot be told from threads that compute: ${ownBackEnd}, or with Score-P and --thread=omp or --thread=pthread.`;
const summed =
  'The profile has sums over many processes: how they differ is not known before the run has ended.';
const noneOfKind = 'The profile has waiting in MPI, but none of this kind.';
const noIo = `The profile shows no input and output: ${ownBackEnd} and "io": true in kymo.json, or with Score-P and --io=posix.`;
const noCounters =
  'The profile has no numbers of instructions and cache misses: measure with Score-P and SCOREP_METRIC_PAPI=PAPI_TOT_INS,PAPI_L3_TCM.';

/** Why a metric cannot be told from a profile, and what to record; undefined where it can. */
export function missingMetric(
  metric: MetricId,
  amounts: Amounts,
  profile: Pick<Profile, 'attributes'>,
): string | undefined {
  return isSummed(profile) && comparesLocations.has(metric) ? summed : reasons[metric](amounts);
}

const comparesLocations: ReadonlySet<MetricId> = new Set(['processImbalance', 'threadImbalance', 'serial']);

const reasons: Readonly<Record<MetricId, (amounts: Amounts) => string | undefined>> = {
  computing: () => undefined,
  synchronisation: synchronisationMissing,
  mpiWaiting: (amounts) => waitsMissing(amounts, amounts.mpiWaiting),
  lateSender: (amounts) => waitsMissing(amounts, amounts.lateSender),
  lateReceiver: (amounts) => waitsMissing(amounts, amounts.lateReceiver),
  collectiveWaiting: (amounts) => waitsMissing(amounts, amounts.collectiveWaiting),
  barrierWaiting: threadsMissing,
  lockWaiting: threadsMissing,
  processImbalance: processesMissing,
  threadImbalance: threadsMissing,
  serial: serialMissing,
  inputOutput: ({ inputOutput }) => unless(inputOutput, noIo),
  bytesPerOperation: ({ ioBytes, ioOperations }) => unless(ioBytes, noIo) ?? unless(ioOperations, noIo),
  blocked: ({ blocked }) =>
    unless(blocked, `The profile does not tell blocked time from computation: ${ownBackEnd}.`),
  cacheMisses: ({ cacheMisses, instructions }) =>
    unless(cacheMisses, noCounters) ?? unless(instructions, noCounters),
  memoryTraffic: ({ cacheMisses }) => unless(cacheMisses, noCounters),
};

function unless(amount: Amount | undefined, reason: string): string | undefined {
  return amount === undefined ? reason : undefined;
}

function processesMissing({ seen: { processes, mpi } }: Amounts): string | undefined {
  if (processes < 2) return oneProcess;
  return mpi ? undefined : hiddenMpi;
}

function waitsMissing(amounts: Amounts, amount: Amount | undefined): string | undefined {
  return processesMissing(amounts) ?? unless(amount, amounts.mpiWaiting === undefined ? noWaits : noneOfKind);
}

function threadsMissing({ seen: { hasThreads, threads, activeWaiting } }: Amounts): string | undefined {
  if (!hasThreads) return oneThread;
  return threads && activeWaiting ? undefined : hiddenThreads;
}

function synchronisationMissing(amounts: Amounts): string | undefined {
  const { processes, hasThreads } = amounts.seen;
  if (processes > 1) return processesMissing(amounts);
  return hasThreads ? threadsMissing(amounts) : oneProcess.replace('process', 'process with one thread');
}

function serialMissing({ seen, serial }: Amounts): string | undefined {
  if (!seen.hasThreads) return oneThread;
  return unless(serial, `The profile has no OpenMP parallel regions: ${ownBackEnd}, or with Score-P.`);
}
