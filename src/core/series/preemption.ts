import { at, atFloat } from '../at';
import { remembered } from '../remembered';
import { besideRegions } from './besideRegions';
import { withoutPreempted, type Preempted } from './preemptedTimes';
import {
  elapsedMetric,
  preemptedMetric,
  processorMetric,
  type Burst,
  type Series,
  type SeriesSource,
} from './series';

/**
 * Adds how long phases were pre-empted, and how long they took on the wall, where a source has the time of their thread's processor beside the time on the
 * wall; and takes it out of the times of the phases and of what they computed. What may have waited in calls of MPI, OpenMP and input and output is not
 * counted: it is the least that it can have been.
 */
export function withPreemption(source: SeriesSource): SeriesSource {
  return {
    ...source,
    async *bursts(length) {
      for await (const burst of source.bursts(length)) yield { ...burst, series: preemption(burst) };
    },
  };
}

interface Thread {
  phase?: Series;
  processor?: Float64Array;
  preempted?: Float64Array;
  readonly waiting: Series[];
  readonly computing: Series[];
}

const mayWait: ReadonlySet<string> = new Set(['mpi', 'openmp', 'io']);

function preemption({ series }: Burst): readonly Series[] {
  const threads = new Map<string, Thread>();
  for (const own of series) {
    const { region, metric, rank, thread } = own.context;
    const place = remembered(threads, `${rank}/${thread}`, (): Thread => ({ waiting: [], computing: [] }));
    if (region.kind === 'phase') {
      if (metric === 'time') place.phase = own;
      if (metric === processorMetric) place.processor = own.values;
      if (metric === preemptedMetric) place.preempted = own.values;
    } else if (metric === 'time') place[mayWait.has(region.kind) ? 'waiting' : 'computing'].push(own);
  }
  const added: Series[] = [];
  const shorter = new Map<Series, Float64Array>();
  for (const thread of threads.values()) {
    const preempted = preemptedOf(thread);
    const { phase, computing, waiting } = thread;
    if (phase === undefined || preempted === undefined) continue;
    const { context, values: wall } = phase;
    added.push({ context: { ...context, metric: elapsedMetric }, values: wall });
    if (thread.preempted === undefined)
      added.push({ context: { ...context, metric: preemptedMetric }, values: preempted.least });
    const rest = besideRegions(wall, valuesOf([...waiting, ...computing]));
    if (rest === undefined) continue;
    const left = withoutPreempted([rest, ...valuesOf(computing)], preempted);
    const known = preempted.least.map((time) => time || 0);
    shorter.set(phase, without(wall, known));
    for (const [i, one] of computing.entries()) shorter.set(one, at(left, i + 1));
  }
  return [...series.map((one) => ({ ...one, values: shorter.get(one) ?? one.values })), ...added];
}

function preemptedOf({ phase, processor, preempted, waiting }: Thread): Preempted | undefined {
  if (preempted !== undefined) {
    const least = preempted.map((time) => (Number.isFinite(time) ? Math.max(0, time) : NaN));
    return { least, most: least };
  }
  if (phase === undefined || processor === undefined) return undefined;
  const most = without(phase.values, processor);
  return { least: valuesOf(waiting).reduce(without, most), most };
}

function valuesOf(series: readonly Series[]): readonly Float64Array[] {
  return series.map(({ values }) => values);
}

function without(times: Float64Array, part: Float64Array): Float64Array {
  return times.map((time, i) => Math.max(0, time - atFloat(part, i)));
}
