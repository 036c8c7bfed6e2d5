import { atFloat } from '../at';
import { remembered } from '../remembered';
import {
  elapsedMetric,
  preemptedMetric,
  processorMetric,
  type Burst,
  type Series,
  type SeriesSource,
} from './series';

/**
 * Adds how long phases were pre-empted, and how long they took, where a source has the time of their thread's processor beside the time on the
 * wall. What may have waited in calls of MPI, OpenMP and input and output is not counted: it is the least that it can have been.
 */
export function withPreemption(source: SeriesSource): SeriesSource {
  return {
    ...source,
    async *bursts(length) {
      for await (const burst of source.bursts(length))
        yield { ...burst, series: [...burst.series, ...preemption(burst)] };
    },
  };
}

interface Thread {
  phase?: Series;
  processor?: Float64Array;
  preempted?: Float64Array;
  readonly waiting: Float64Array[];
}

const mayWait: ReadonlySet<string> = new Set(['mpi', 'openmp', 'io']);

function preemption({ series, length }: Burst): readonly Series[] {
  const threads = new Map<string, Thread>();
  for (const own of series) {
    const { region, metric, rank, thread } = own.context;
    const place = remembered(threads, `${rank}/${thread}`, (): Thread => ({ waiting: [] }));
    if (region.kind === 'phase') {
      if (metric === 'time') place.phase = own;
      if (metric === processorMetric) place.processor = own.values;
      if (metric === preemptedMetric) place.preempted = own.values;
    } else if (metric === 'time' && mayWait.has(region.kind)) place.waiting.push(own.values);
  }
  return [...threads.values()].flatMap(({ phase, processor, preempted, waiting }) => {
    if (phase === undefined) return [];
    const elapsed = { context: { ...phase.context, metric: elapsedMetric }, values: phase.values };
    if (preempted !== undefined) return [elapsed];
    if (processor === undefined) return [];
    const values = Float64Array.from({ length }, (_, i) =>
      waiting.reduce(
        (rest, time) => rest - atFloat(time, i),
        atFloat(phase.values, i) - atFloat(processor, i),
      ),
    ).map((value) => Math.max(0, value));
    return [elapsed, { context: { ...phase.context, metric: preemptedMetric }, values }];
  });
}
