import type { Metric } from '../profile/profile';

/**
 * Metrics of waiting in MPI, as Scalasca names them (and Kymo after it): seconds in a call until the others have arrived. Completion times
 * (`mpi_barrier_completion`) are none: there, data move.
 */
const waits =
  /^mpi_(latesender|latereceiver|latebroadcast|earlyreduce|earlyscan|wait_nxn|barrier_wait|rma_(wait_at_\w+|early_wait|late_post|late_complete))$/;

/** Names of the metrics whose sum is the time that was waited in MPI; empty where the profile does not know it. */
export function mpiWaitingMetrics(metrics: readonly Metric[]): readonly string[] {
  return metrics.flatMap((metric) => (isWait(metric) && !isPartOfWait(metric, metrics) ? [metric.name] : []));
}

function isWait({ name, stored, combine, unsupported }: Metric): boolean {
  return waits.test(name) && stored !== 'derived' && combine === 'sum' && unsupported !== true;
}

/** The value of a metric contains those of the metrics below it. */
function isPartOfWait({ parent }: Metric, metrics: readonly Metric[]): boolean {
  for (let above = parent; above !== undefined; above = metrics[above]?.parent) {
    const metric = metrics[above];
    if (metric !== undefined && isWait(metric)) return true;
  }
  return false;
}
