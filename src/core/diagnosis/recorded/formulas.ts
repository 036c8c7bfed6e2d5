import type { MetricId } from '../hypotheses/metrics';
import type { Amount, Amounts } from './amounts';

/** How a metric is made of amounts. */
export type Formula =
  /** Part of the time of the focus; see `wholeOf`. */
  | { readonly kind: 'share'; readonly amount: Amount }
  | { readonly kind: 'ratio'; readonly amount: Amount; readonly by: Amount; readonly factor: number }
  /** What the largest has more than the mean. */
  | { readonly kind: 'spread'; readonly amount: Amount; readonly over: 'processes' | 'threads' };

/** Bytes that a cache misses at once, on x86-64 and most of aarch64. */
const cacheLine = 64;
const nothing: Amount = [];

/** Where the profile has nothing of a metric, its formula is of nothing; see `missingMetric`. */
export function formulasOf(amounts: Amounts): Readonly<Record<MetricId, Formula>> {
  const share = (amount: Amount = nothing): Formula => ({ kind: 'share', amount });
  const { computing, cacheMisses = nothing } = amounts;
  return {
    computing: share(computing),
    synchronisation: share(amounts.synchronisation),
    inputOutput: share(amounts.inputOutput),
    bytesPerOperation: {
      kind: 'ratio',
      amount: amounts.ioBytes ?? nothing,
      by: amounts.ioOperations ?? nothing,
      factor: 1,
    },
    blocked: share(amounts.blocked),
    mpiWaiting: share(amounts.mpiWaiting),
    lateSender: share(amounts.lateSender),
    lateReceiver: share(amounts.lateReceiver),
    collectiveWaiting: share(amounts.collectiveWaiting),
    barrierWaiting: share(amounts.barrierWaiting),
    lockWaiting: share(amounts.lockWaiting),
    processImbalance: { kind: 'spread', amount: computing, over: 'processes' },
    threadImbalance: { kind: 'spread', amount: amounts.sharedComputing, over: 'threads' },
    serial: share(amounts.serial),
    cacheMisses: { kind: 'ratio', amount: cacheMisses, by: amounts.instructions ?? nothing, factor: 1000 },
    memoryTraffic: { kind: 'ratio', amount: cacheMisses, by: computing, factor: cacheLine },
  };
}
