import type { ProcessLoad } from '../events';

/** Sums since the start of a process; of memory what is resident now. */
export interface ProcessTotals extends ProcessLoad {
  /** Bodies of packets that were decoded. */
  readonly decoded: number;
}

/** A report of a process: CPU seconds, bytes read, bytes written, bytes of memory, decoded bodies. */
export function totalsOf([cpu, bytesRead, bytesWritten, memory, decoded]: readonly number[]): ProcessTotals {
  return {
    cpu: cpu ?? 0,
    bytesRead: bytesRead ?? 0,
    bytesWritten: bytesWritten ?? 0,
    memory: memory ?? 0,
    decoded: decoded ?? 0,
  };
}
