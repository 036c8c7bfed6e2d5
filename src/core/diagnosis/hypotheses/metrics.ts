import { formatBytes, formatPercent } from '../../format';

/** A measurable quantity of a focus. */
export interface MetricRecord {
  readonly id: string;
  /** For sentences: `waiting in MPI`. */
  readonly noun: string;
  /**
   * What a number of it is: a part of the time of the threads of the focus, of the run time that is lost, bytes of an operation, cache misses per 1000 instructions, bytes
   * per second.
   */
  readonly unit: 'share' | 'loss' | 'bytes' | 'perThousand' | 'bytesPerSecond';
  /** What it is, in one sentence. */
  readonly definition: string;
}

const share = { unit: 'share' } as const;

const metrics = [
  {
    id: 'computing',
    noun: 'computing',
    ...share,
    definition:
      'Time in which threads compute: neither in MPI, nor in waiting for other threads, nor in calls of input and output, nor blocked where the profile has blocked time.',
  },
  {
    id: 'synchronisation',
    noun: 'communication and waiting',
    ...share,
    definition: 'Time in MPI calls (without its start and end) and in waiting for other threads.',
  },
  { id: 'inputOutput', noun: 'input and output', ...share, definition: 'Time in calls of input and output.' },
  {
    id: 'bytesPerOperation',
    noun: 'reading and writing',
    unit: 'bytes',
    definition: 'Bytes that were read and written ÷ number of reads and writes.',
  },
  {
    id: 'blocked',
    noun: 'blocked time',
    ...share,
    definition:
      'Time in which threads were blocked outside of MPI, of recorded waiting for threads, and of recorded input and output.',
  },
  {
    id: 'mpiWaiting',
    noun: 'waiting in MPI',
    ...share,
    definition: 'Time in MPI calls until the other processes had done their part.',
  },
  {
    id: 'lateSender',
    noun: 'waiting for late senders',
    ...share,
    definition: 'Time in which receives waited for sends that began later.',
  },
  {
    id: 'lateReceiver',
    noun: 'waiting for late receivers',
    ...share,
    definition: 'Time in which sends waited for receives that began later.',
  },
  {
    id: 'collectiveWaiting',
    noun: 'waiting in collective operations',
    ...share,
    definition: 'Time in collective operations and barriers of MPI until the last of the others came.',
  },
  {
    id: 'barrierWaiting',
    noun: 'waiting at barriers of threads',
    ...share,
    definition:
      'Time at barriers of threads, and of threads that had finished their part of an OpenMP parallel region.',
  },
  {
    id: 'lockWaiting',
    noun: 'waiting for locks',
    ...share,
    definition:
      'Time in waiting for locks and critical sections, with the critical sections where the profile does not split them.',
  },
  {
    id: 'processImbalance',
    noun: 'unequal computing of the processes',
    unit: 'loss',
    definition:
      'Largest less mean computing time of the processes (of each its busiest thread) ÷ time of the process that runs longest.',
  },
  {
    id: 'threadImbalance',
    noun: 'unequal computing of the threads',
    unit: 'loss',
    definition:
      'Largest less mean computing time of the threads of a process, in what several of them do, ÷ time of the process that runs longest; of the process where that is most.',
  },
  {
    id: 'serial',
    noun: 'computing of one thread alone',
    ...share,
    definition:
      'Computing time of the first thread outside of OpenMP parallel regions, while the others have nothing to do.',
  },
  {
    id: 'cacheMisses',
    noun: 'cache misses',
    unit: 'perThousand',
    definition: 'Misses of the last cache that was counted ÷ instructions × 1000, in what computes.',
  },
  {
    id: 'memoryTraffic',
    noun: 'traffic with memory',
    unit: 'bytesPerSecond',
    definition:
      'Misses of the last cache that was counted × 64 bytes ÷ computing time: the traffic with memory of one thread.',
  },
] as const satisfies readonly MetricRecord[];

export type MetricId = (typeof metrics)[number]['id'];

export const metricIds: readonly MetricId[] = metrics.map(({ id }) => id);

/** Undefined for an id that is none. */
export function metricRecord(id: string): MetricRecord | undefined {
  return metrics.find((one) => one.id === id);
}

/** What its shares are of: the time of all threads, of the first threads of the processes that have several, or of the process that runs longest. */
export function wholeOf(id: string): 'threads' | 'teams' | 'run' {
  if (metricRecord(id)?.unit === 'loss') return 'run';
  return id === 'serial' ? 'teams' : 'threads';
}

/** Whether its numbers are parts of a time. */
export function isShare(id: string): boolean {
  return ['share', 'loss'].includes(metricRecord(id)?.unit ?? '');
}

export function isMetricId(id: string): id is MetricId {
  return metrics.some((one) => one.id === id);
}

/** `31.2 %`, `512 B an operation`, `12.3 misses per 1000 instructions`, `1.5 GiB/s` */
export function metricValueText(metric: string | undefined, value: number): string {
  switch (metric === undefined ? undefined : metricRecord(metric)?.unit) {
    case 'bytes':
      return `${formatBytes(value)} an operation`;
    case 'perThousand':
      return `${value.toPrecision(3)} misses per 1000 instructions`;
    case 'bytesPerSecond':
      return `${formatBytes(value)}/s`;
    case 'share':
    case 'loss':
      return formatPercent(value);
    case undefined:
      return String(value);
  }
}
