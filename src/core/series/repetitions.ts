import { at, atFloat } from '../at';
import { besideRegions } from './besideRegions';
import { pushTo, remembered } from '../remembered';
import { withoutCoincidences } from './coincidences';
import {
  contextKey,
  elapsedMetric,
  isPhaseTime,
  type Burst,
  type Series,
  type SeriesContext,
  type SeriesSource,
} from './series';

/**
 * Combines the repetitions of one experiment, of equal iterations, into one run. What a region computes is the least that any repetition took in
 * the iteration, since other work on the machine only adds time; what is high in all of them as often as chance alone makes it is left out
 * (`coincidences.ts`). Of all else, such as waiting, it is the (lower) median: what delays one process
 * shortens the waiting of another one. Where at least half of the repetitions did not execute a region, it was not executed.
 *
 * Iterations after the end of the shortest repetition are left out.
 */
export function pooledRepetitions(repetitions: readonly SeriesSource[]): PooledSource {
  const [first] = repetitions;
  if (first === undefined || repetitions.length === 1) throw new RangeError('one repetition, or none');
  const { unit, phase } = first;
  const reading = { isCut: false };
  const lengths = repetitions.flatMap(({ iterations }) => iterations ?? []);
  return {
    unit,
    ...(phase === undefined ? {} : { phase }),
    ...(lengths.length === repetitions.length ? { iterations: Math.min(...lengths) } : {}),
    bursts: (length) => bursts(repetitions, length, reading),
    isCut: () => reading.isCut,
  };
}

/** Several repetitions as one run. */
export interface PooledSource extends SeriesSource {
  /** Whether some repetitions had more iterations than others; known after the last burst. */
  readonly isCut: () => boolean;
}

async function* bursts(
  repetitions: readonly SeriesSource[],
  length: number,
  reading: { isCut: boolean },
): AsyncGenerator<Burst> {
  const open = repetitions.map((source) => source.bursts(length)[Symbol.asyncIterator]());
  try {
    for (;;) {
      const steps: Burst[] = [];
      for (const iterator of open) {
        const step = await iterator.next();
        if (step.done !== true) steps.push(step.value);
      }
      if (new Set(steps.map((step) => step.length)).size > 1 || steps.length % open.length > 0)
        reading.isCut = true;
      if (steps.length < open.length) return;
      const burst = pooledBurst(steps);
      yield burst;
      if (burst.length < length) return;
    }
  } finally {
    for (const iterator of open) await iterator.return?.();
  }
}

/** One context in all repetitions; undefined where one has no values. */
interface Pooled {
  readonly context: SeriesContext;
  readonly all: (Float64Array | undefined)[];
  values: Float64Array;
}

function pooledBurst(bursts: readonly Burst[]): Burst {
  const length = Math.min(...bursts.map((burst) => burst.length));
  const places = new Map<string, Pooled>();
  bursts.forEach(({ series }, repetition) => {
    for (const { context, values } of series) {
      const place = remembered(places, contextKey(context), (): Pooled => ({
        ...{ context, all: bursts.map(() => undefined), values },
      }));
      place.all[repetition] = values;
    }
  });
  const threads = new Map<string, Pooled[]>();
  for (const place of places.values()) {
    const { context, all } = place;
    const isLeast = isWork(context);
    const pooled = pooledValues(all, length, isLeast ? 0 : 1 / 2);
    place.values = isLeast ? withoutCoincidences(pooled, all) : pooled;
    if (context.metric === 'time') pushTo(threads, `${context.rank}/${context.thread}`, place);
  }
  for (const times of threads.values()) addUp(times, length);
  return {
    first: at(bursts, 0).first,
    length,
    series: [...places.values()].map(({ context, values }) => ({ context, values })),
    repetitions: bursts.map(({ series }) => meanPhase(series, length)),
  };
}

/** The phase takes what its regions take, and beside them the least that it took in any repetition; where regions contain each other, the least of all. */
function addUp(times: readonly Pooled[], length: number): void {
  const phase = times.find(({ context }) => isPhaseTime(context));
  const regions = times.filter(({ context }) => !isPhaseTime(context));
  const rests = phase?.all.map(
    (own, repetition) =>
      own &&
      besideRegions(
        own,
        regions.flatMap(({ all }) => all[repetition] ?? []),
      ),
  );
  if (phase === undefined || rests === undefined || rests.includes(undefined)) return;
  const rest = pooledValues(rests, length, 0);
  phase.values = rest.map((own, i) =>
    regions.reduce((sum, { values }) => sum + (atFloat(values, i) || 0), Math.max(0, own)),
  );
}

const waits: ReadonlySet<string> = new Set(['mpi', 'openmp']);

function isWork({ region, metric }: SeriesContext): boolean {
  return (metric === 'time' && !waits.has(region.kind)) || metric === 'computing';
}

/** @param part of the values of one iteration, in ascending order: 0 for the least, 1/2 for the lower median */
function pooledValues(
  all: readonly (Float64Array | undefined)[],
  length: number,
  part: number,
): Float64Array {
  const result = new Float64Array(length);
  const executed: number[] = [];
  for (let i = 0; i < length; i++) {
    executed.length = 0;
    let known = 0;
    for (const values of all) {
      const value = values === undefined ? 0 : atFloat(values, i);
      if (Number.isNaN(value)) continue;
      known++;
      if (value !== 0) executed.push(value);
    }
    if (known === 0) result[i] = Number.NaN;
    else if (2 * executed.length > known) {
      executed.sort((a, b) => a - b);
      result[i] = executed[Math.floor(part * (executed.length - 1))] ?? 0;
    }
  }
  return result;
}

/** Time of the phase on the wall, mean over the processes; of the regions together where it was not measured. */
function meanPhase(series: readonly Series[], length: number): Float64Array {
  const times = series.filter(({ context }) => context.metric === 'time');
  const elapsed = series.filter(({ context }) => context.metric === elapsedMetric);
  const phases = elapsed.length > 0 ? elapsed : times.filter(({ context }) => isPhaseTime(context));
  const mean = new Float64Array(length);
  const processes = new Set(times.map(({ context }) => context.rank)).size;
  for (const { values } of phases.length > 0 ? phases : times)
    for (let i = 0; i < length; i++) {
      const value = atFloat(values, i);
      if (Number.isFinite(value)) mean[i] = atFloat(mean, i) + value / processes;
    }
  return mean;
}
