import type { IterationSample } from '../../formats/kymo-iterations/iterationsFile';
import { waitCounters } from '../../formats/kymo-result/slots';
import type { IterationValue } from './processIterations';

/** Values of an iteration in columns. @param values by ascending context */
export function sampleOf(values: readonly IterationValue[]): IterationSample {
  return {
    count: values.length,
    contexts: Uint32Array.from(values, ({ context }) => context),
    visits: Float64Array.from(values, ({ visits }) => visits),
    seconds: Float64Array.from(values, ({ seconds }) => seconds),
    childEvents: Float64Array.from(values, ({ childEvents }) => childEvents),
    waitSeconds: Float64Array.from(values, ({ counters }) =>
      waitCounters.reduce((sum, name) => sum + (counters.get(name) ?? 0), 0),
    ),
    preempted: values.flatMap(({ context, preemptedSeconds }) =>
      preemptedSeconds > 0 ? { context, seconds: preemptedSeconds } : [],
    ),
  };
}
