import { at, atFloat, atUint } from '../at';
import type { CallTrace, EntryKey } from './callTrace';

const calls = /^P?MPI_[A-Z]/;
const starts = /^P?MPI_(Init|Finalize)/;
const barriers = /^!\$omp (implicit |explicit )?barrier/i;

/** Traces in text form name what has no source as if it were a file. */
const sources = /\.\w+$/;

/** Whether a function communicates or waits for others: its time depends on them. What has a source is of the program, whatever its name. */
export function isWaiting(key: EntryKey): boolean {
  if (key.kind !== 'context') return false;
  return barriers.test(key.name) || (calls.test(key.name) && !sources.test(key.place.file ?? ''));
}

/** What the time of a view consists of, in seconds. */
export interface TimeParts {
  computing: number;
  /** In MPI and at barriers. */
  waiting: number;
  /** In `MPI_Init` and `MPI_Finalize`. */
  starting: number;
}

/** @param scale what times are multiplied by */
export function timeParts({ size, key, seconds, table }: CallTrace, scale = 1): TimeParts {
  const parts = { computing: 0, waiting: 0, starting: 0 };
  for (let row = 0; row < size; row++) {
    const own = at(table.keys, atUint(key, row));
    const part = !isWaiting(own)
      ? 'computing'
      : starts.test(own.kind === 'context' ? own.name : '')
        ? 'starting'
        : 'waiting';
    parts[part] += atFloat(seconds, row) * scale;
  }
  return parts;
}
