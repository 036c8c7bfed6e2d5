import type { ProcessLoad } from '../events';

/** Sums since the start of a process; of memory what is resident now. */
export interface ProcessTotals extends ProcessLoad {
  /** Bodies of packets that were decoded. */
  readonly decoded: number;
  readonly pid: number;
}

/** A report of a process: CPU seconds, bytes read, bytes written, bytes of memory, decoded bodies, messages, process id. */
export function totalsOf([
  cpu,
  bytesRead,
  bytesWritten,
  memory,
  decoded,
  messages,
  pid,
]: readonly number[]): ProcessTotals {
  return {
    cpu: cpu ?? 0,
    bytesRead: bytesRead ?? 0,
    bytesWritten: bytesWritten ?? 0,
    memory: memory ?? 0,
    decoded: decoded ?? 0,
    messages: messages ?? 0,
    pid: pid ?? 0,
  };
}
