import { isSummed } from '../../profile/summed';
import { refusedCounters } from '../../profile/hardwareCounters';
import { isByKymo } from '../../profile/measuredBy';
import type { Profile } from '../../profile/profile';
import type { MetricId } from '../hypotheses/metrics';
import type { Amount, Amounts } from './amounts';

const oneProcess = 'The run has one process: it waits for no other one.';
const oneThread = 'No process has several threads.';
const hiddenMpi =
  'The profile has several processes and no MPI function, so that waiting in MPI cannot be distinguished from computation: record MPI calls (Kymo does with the mpicc of the program’s MPI library, Score-P with --mpp=mpi).';
const summed =
  'The profile has sums over many processes: how they differ is not known before the run has ended.';
const noneOfKind = 'The profile has waiting in MPI, but none of this kind.';

/** What is missing and how to record it, in profiles of Kymo’s own back-end and in others. */
type Advice = (isByKymo: boolean) => string;

const noWaits: Advice = (isByKymo) =>
  isByKymo
    ? 'The profile has calls of MPI, but not how long they waited for others: Kymo finds that at MPI_Finalize, which the program has to reach.'
    : 'The profile has no metrics of waiting in MPI (such as mpi_latesender): measure with Kymo’s own back-end, or analyse a trace with Scalasca.';
const hiddenThreads: Advice = (isByKymo) =>
  `The profile has threads and neither barriers nor locks, so that threads that wait cannot be distinguished from threads that compute: ${isByKymo ? 'set "pthreads": true in kymo.json' : 'measure with Kymo’s own back-end'}, or measure with Score-P and --thread=omp or --thread=pthread.`;
const noIo: Advice = (isByKymo) =>
  `The profile shows no input and output: ${isByKymo ? 'set' : 'measure with Kymo’s own back-end and'} "io": true in kymo.json, or measure with Score-P and --io=posix.`;
const noBlocked: Advice = (isByKymo) =>
  isByKymo
    ? 'The profile does not separate blocked time from computation: the system of the run has no clock that stands still while a thread is blocked.'
    : 'The profile does not separate blocked time from computation: measure with Kymo’s own back-end.';
const noCounters: Advice = (isByKymo) =>
  `The profile has no numbers of instructions and cache misses: ${isByKymo ? 'set' : 'measure with Kymo’s own back-end and'} "counters": true in kymo.json, or measure with Score-P and SCOREP_METRIC_PAPI=PAPI_TOT_INS,PAPI_L3_TCM.`;
const noRegions: Advice = (isByKymo) =>
  `The profile has no OpenMP parallel regions${isByKymo ? '.' : ': measure with Kymo’s own back-end or with Score-P, if the program has some.'}`;

/** Why a metric cannot be told from a profile, and what to record; undefined where it can. */
export function missingMetric(
  metric: MetricId,
  amounts: Amounts,
  profile: Pick<Profile, 'attributes'>,
): string | undefined {
  if (isSummed(profile) && comparesLocations.has(metric)) return summed;
  const reason = reasons[metric](amounts);
  if (reason === noCounters) return refusedCounters(profile) ?? noCounters(isByKymo(profile));
  return typeof reason === 'function' ? reason(isByKymo(profile)) : reason;
}

const comparesLocations: ReadonlySet<MetricId> = new Set(['processImbalance', 'threadImbalance', 'serial']);

type Reason = string | Advice | undefined;

const reasons: Readonly<Record<MetricId, (amounts: Amounts) => Reason>> = {
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
  blocked: ({ blocked }) => unless(blocked, noBlocked),
  cacheMisses: ({ cacheMisses, instructions }) =>
    unless(cacheMisses, noCounters) ?? unless(instructions, noCounters),
  memoryTraffic: ({ cacheMisses }) => unless(cacheMisses, noCounters),
};

function unless(amount: Amount | undefined, reason: Reason): Reason {
  return amount === undefined ? reason : undefined;
}

function processesMissing({ seen: { processes, mpi } }: Amounts): Reason {
  if (processes < 2) return oneProcess;
  return mpi ? undefined : hiddenMpi;
}

function waitsMissing(amounts: Amounts, amount: Amount | undefined): Reason {
  return processesMissing(amounts) ?? unless(amount, amounts.mpiWaiting === undefined ? noWaits : noneOfKind);
}

function threadsMissing({ seen: { hasThreads, threads, activeWaiting } }: Amounts): Reason {
  if (!hasThreads) return oneThread;
  return threads && activeWaiting ? undefined : hiddenThreads;
}

function synchronisationMissing(amounts: Amounts): Reason {
  const { processes, hasThreads } = amounts.seen;
  if (processes > 1) return processesMissing(amounts);
  return hasThreads ? threadsMissing(amounts) : oneProcess.replace('process', 'process with one thread');
}

function serialMissing({ seen, serial }: Amounts): Reason {
  if (!seen.hasThreads) return oneThread;
  return unless(serial, noRegions);
}
