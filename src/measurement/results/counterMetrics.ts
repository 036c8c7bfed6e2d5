import type { Metric } from '../../core/profile/profile';
import { isTimeCounter, processorCounters, type CounterName } from '../../formats/kymo-result/slots';

/** The metrics of what layers and the processor count, named as in Score-P and Scalasca where these have them. */
export const counterMetrics: Readonly<Record<CounterName, Metric>> = {
  bytesSent: metric('bytesSent', 'bytes_sent', 'Bytes Sent', 'Bytes sent to other processes'),
  bytesReceived: metric(
    'bytesReceived',
    'bytes_received',
    'Bytes Received',
    'Bytes received from other processes',
  ),
  bytesPut: metric('bytesPut', 'bytes_put', 'Bytes Put', 'Bytes written to the memory of other processes'),
  bytesGot: metric('bytesGot', 'bytes_get', 'Bytes Got', 'Bytes read from the memory of other processes'),
  lateSender: metric(
    'lateSender',
    'mpi_latesender',
    'Late Sender',
    'Time in which a receive waited for a send that began later',
  ),
  lateReceiver: metric(
    'lateReceiver',
    'mpi_latereceiver',
    'Late Receiver',
    'Time in which a send waited for a receive that began later',
  ),
  lateRoot: metric(
    'lateRoot',
    'mpi_latebroadcast',
    'Late Root',
    'Time in which a collective operation from one process to all waited for that process',
  ),
  lateMember: metric(
    'lateMember',
    'mpi_wait_nxn',
    'Wait at Collective',
    'Time in which a collective operation or a barrier waited for the process that entered it last',
  ),
  idle: metric('idle', 'omp_idle', 'Idle Threads', 'Time in which threads of a team had no work'),
  bytesRead: metric('bytesRead', 'io_bytes_read', 'Bytes Read', 'Bytes read from files'),
  bytesWritten: metric('bytesWritten', 'io_bytes_written', 'Bytes Written', 'Bytes written to files'),
  instructions: metric(
    'instructions',
    'instructions',
    'Instructions',
    'Instructions that the processor completed',
  ),
  cacheMisses: metric(
    'cacheMisses',
    'cache_misses',
    'Cache Misses',
    'Accesses that the last cache before memory could not answer',
  ),
};

function metric(counter: CounterName, name: string, displayName: string, description: string): Metric {
  const unit = isTimeCounter(counter) ? 'sec' : processorCounters.includes(counter) ? 'occ' : 'bytes';
  const dtype = unit === 'sec' ? 'DOUBLE' : 'UINT64';
  return { name, displayName, unit, dtype, stored: 'exclusive', combine: 'sum', description };
}
