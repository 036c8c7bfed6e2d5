import { formatBytes, formatPercent } from '../../format';

/** A measurable quantity of a focus. */
export interface MetricRecord {
  readonly id: string;
  /** What a number of it is: a part of `whole`, bytes of an operation, cache misses per 1000 instructions, bytes per second. */
  readonly unit: 'share' | 'bytes' | 'perThousand' | 'bytesPerSecond';
  /** Of a share: what 1 is. */
  readonly whole?: string;
  /** What it is, in one sentence. */
  readonly definition: string;
}

/** What most shares are of: 1 is all threads of the focus for as long as their processes run, so that each is busy all the time. */
const threadTime = 'the time of its processes and threads';
const runTime = 'the run time';

const share = { unit: 'share', whole: threadTime } as const;

const metrics = [
  {
    id: 'computing',
    ...share,
    definition:
      'Time in which threads compute: neither in MPI, nor in waiting for other threads, nor in calls of input and output, nor blocked where the profile has blocked time.',
  },
  {
    id: 'synchronisation',
    ...share,
    definition: 'Time in MPI calls (without its start and end) and in waiting for other threads.',
  },
  { id: 'inputOutput', ...share, definition: 'Time in calls of input and output.' },
  {
    id: 'bytesPerOperation',
    unit: 'bytes',
    definition: 'Bytes that were read and written ÷ number of reads and writes.',
  },
  {
    id: 'blocked',
    ...share,
    definition:
      'Time in which threads were blocked outside of MPI, of recorded waiting for threads, and of recorded input and output.',
  },
  {
    id: 'mpiWaiting',
    ...share,
    definition: 'Time in MPI calls until the other processes had done their part.',
  },
  { id: 'lateSender', ...share, definition: 'Time in which receives waited for sends that began later.' },
  { id: 'lateReceiver', ...share, definition: 'Time in which sends waited for receives that began later.' },
  {
    id: 'collectiveWaiting',
    ...share,
    definition: 'Time in collective operations and barriers of MPI until the last of the others came.',
  },
  {
    id: 'barrierWaiting',
    ...share,
    definition:
      'Time at barriers of threads, and of threads that had finished their part of an OpenMP parallel region.',
  },
  {
    id: 'lockWaiting',
    ...share,
    definition: 'Time in waiting for locks and critical sections, with the critical sections where the profile does not split them.',
  },
  {
    id: 'processImbalance',
    unit: 'share',
    whole: runTime,
    definition:
      'Largest less mean computing time of the processes (of each its busiest thread) ÷ time of the process that runs longest.',
  },
  {
    id: 'threadImbalance',
    unit: 'share',
    whole: runTime,
    definition:
      'Largest less mean computing time of the threads of a process, in what several of them do, ÷ time of the process that runs longest; of the process where that is most.',
  },
  {
    id: 'serial',
    unit: 'share',
    whole: 'the time of its processes',
    definition: 'Computing time of the first thread outside of OpenMP parallel regions, while the others have nothing to do.',
  },
  {
    id: 'cacheMisses',
    unit: 'perThousand',
    definition: 'Misses of the last cache that was counted ÷ instructions × 1000, in what computes.',
  },
  {
    id: 'memoryTraffic',
    unit: 'bytesPerSecond',
    definition: 'Misses of the last cache that was counted × 64 bytes ÷ computing time: the traffic with memory of one thread.',
  },
] as const satisfies readonly MetricRecord[];

export type MetricId = (typeof metrics)[number]['id'];

export const metricIds: readonly MetricId[] = metrics.map(({ id }) => id);

/** Undefined for an id that is none. */
export function metricRecord(id: string): MetricRecord | undefined {
  return metrics.find((one) => one.id === id);
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
      return formatPercent(value);
    case undefined:
      return String(value);
  }
}
