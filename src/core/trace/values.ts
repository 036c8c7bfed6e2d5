import { atFloat, atUint } from '../at';
import type { CallTrace } from './callTrace';

/** Exclusive values of a metric by row; undefined: the trace does not have it. */
export function metricValues(trace: CallTrace, metric: string): Float64Array | undefined {
  return metric === 'time' ? trace.seconds : trace.counters.get(metric);
}

/** Inclusive values by row. */
export function inclusiveValues({ end, size }: CallTrace, exclusive: Float64Array): Float64Array {
  const inclusive = exclusive.slice();
  for (let row = size - 1; row >= 0; row--) {
    const last = atUint(end, row);
    let sum = atFloat(inclusive, row);
    for (let child = row + 1; child < last; child = atUint(end, child)) sum += atFloat(inclusive, child);
    inclusive[row] = sum;
  }
  return inclusive;
}
