import { readFile, stat } from 'node:fs/promises';
import { compareOnAxis, type AxisComparison, type AxisRun } from '../core/series/commonAxis';
import type { SeriesContext, SeriesSource } from '../core/series/series';
import { KymoError } from '../core/errors';
import { silent } from '../core/progress';
import type { DynamicsContext } from './dynamics/dynamics.types';
import { inputFile } from './dynamics/inputFile';
import { openInput, type OpenedInput } from './dynamics/openInput';

/** Two runs of the same problem, and their common axis. */
export interface CompareDynamicsRequest {
  /** Absolute paths; each as for an analysis. */
  readonly inputs: readonly [string, string];
  /** The advance of each iteration: the name of a series (its region or metric) that both runs have, or one file per run with a number per line. */
  readonly axis: readonly string[];
  readonly phase?: string;
}

export interface ComparedRuns {
  readonly comparison: AxisComparison;
  /** The files that were read. */
  readonly files: readonly [string, string];
  /** Unit of the costs. */
  readonly unit: string;
}

const iterationsAtOnce = 1024;

/**
 * Phases and degradations of two runs, matched by a common axis such as simulated time (specification of performance dynamics, §16.6).
 * @throws KymoError `no-such-axis`, `usage`, and the errors of reading
 */
export async function compareDynamics(
  { inputs, axis, phase }: CompareDynamicsRequest,
  { signal, progress = silent }: DynamicsContext,
): Promise<ComparedRuns> {
  const widths = await axisFiles(axis);
  const [name = ''] = widths === undefined ? axis : [];
  const read = async (input: string, side: 0 | 1): Promise<ReadRun> => {
    progress.report({ message: `reads ${input}`, fraction: side / 2 });
    const metrics = name === '' ? ['time'] : ['time', name];
    const opened = await openInput(await inputFile(input), {
      callPaths: false,
      inclusive: false,
      metrics,
      ...(phase === undefined ? {} : { phase }),
    });
    try {
      return await readRun(opened, name, widths?.[side], signal);
    } finally {
      opened.close();
    }
  };
  const first = await read(inputs[0], 0);
  const second = await read(inputs[1], 1);
  if (first.unit !== second.unit)
    throw new KymoError(
      'usage',
      `${first.file} has times in “${first.unit}”, but ${second.file} in “${second.unit}”.`,
    );
  return {
    comparison: compareOnAxis(first, second),
    files: [first.file, second.file],
    unit: first.unit,
  };
}

interface ReadRun extends AxisRun {
  readonly file: string;
  readonly unit: string;
}

async function readRun(
  { file, source }: OpenedInput,
  name: string,
  given: Float64Array | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadRun> {
  const { cost, advance } = await collect(source, name, signal);
  const widths = given ?? advance;
  if (widths === undefined)
    throw new KymoError(
      'no-such-axis',
      `${file} has no series “${name}”, and there is no file of that name. Give the name of a region or metric that both runs have, ` +
        'or one file per run with a number per line.',
      { file },
    );
  if (widths.length !== cost.length)
    throw new KymoError(
      'no-such-axis',
      `${file} has ${cost.length} iterations, but the axis has ${widths.length} steps. Give one number per iteration.`,
      { file },
    );
  return { file, unit: source.unit, cost, widths };
}

/** The cost of an iteration is the phase time of the slowest process, or the sum of its regions if the phase was not measured. */
async function collect(
  source: SeriesSource,
  name: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly cost: Float64Array; readonly advance: Float64Array | undefined }> {
  const phases = new PerRank();
  const regions = new PerRank();
  const axis = new PerRank();
  let iterations = 0;
  for await (const { first, length, series } of source.bursts(iterationsAtOnce)) {
    signal?.throwIfAborted();
    iterations = first + length;
    for (const { context, values } of series) {
      if (name !== '' && isNamed(context, name)) axis.add(context, first, values);
      else if (context.metric !== 'time') continue;
      else if (context.region.kind === 'phase') phases.add(context, first, values);
      else regions.add(context, first, values);
    }
  }
  return {
    cost: (phases.isEmpty ? regions : phases).slowest(iterations),
    advance: axis.isEmpty ? undefined : axis.ofFirst(iterations),
  };
}

function isNamed({ region, metric }: SeriesContext, name: string): boolean {
  return metric === name || (region.name === name && region.kind !== 'phase');
}

/** Sums of series by process; only the first thread of each counts. */
class PerRank {
  private readonly byRank = new Map<number, number[]>();

  get isEmpty(): boolean {
    return this.byRank.size === 0;
  }

  add({ rank, thread }: SeriesContext, first: number, values: Float64Array): void {
    if (thread !== 0) return;
    const sums = this.byRank.get(rank) ?? [];
    this.byRank.set(rank, sums);
    while (sums.length < first + values.length) sums.push(0);
    values.forEach((value, i) => {
      if (Number.isFinite(value)) sums[first + i] = (sums[first + i] ?? 0) + value;
    });
  }

  slowest(iterations: number): Float64Array {
    const result = new Float64Array(iterations);
    for (const sums of this.byRank.values())
      sums.forEach((value, i) => {
        result[i] = Math.max(result[i] ?? 0, value);
      });
    return result;
  }

  ofFirst(iterations: number): Float64Array {
    const rank = [...this.byRank.keys()].reduce((a, b) => Math.min(a, b));
    return Float64Array.from({ length: iterations }, (_, i) => this.byRank.get(rank)?.[i] ?? 0);
  }
}

/** The steps in files, one file per run; undefined where the axis is a name. */
async function axisFiles(
  axis: readonly string[],
): Promise<readonly [Float64Array, Float64Array] | undefined> {
  const [first, second] = axis;
  if (first === undefined)
    throw new KymoError(
      'usage',
      'Name the quantity along which the iterations advance: --axis NAME, or --axis FILE FILE.',
    );
  if (second === undefined) {
    if (!(await isFile(first))) return undefined;
    throw new KymoError(
      'usage',
      `${first} has the steps of one run. Give a file for each: --axis FILE FILE.`,
    );
  }
  return [await stepsIn(first), await stepsIn(second)];
}

async function stepsIn(file: string): Promise<Float64Array> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new KymoError('file-unusable', `${file} cannot be read: ${why}.`, { file }, { cause: error });
  });
  const steps: number[] = [];
  text.split('\n').forEach((line, index) => {
    const given = line.replace(/#.*/, '').trim();
    if (given === '') return;
    const value = Number(given);
    if (!Number.isFinite(value))
      throw new KymoError(
        'series-invalid',
        `${file}:${index + 1}:1: a number was expected, but “${given.slice(0, 40)}” was found. Write one number per line.`,
        { file, line: index + 1, column: 1 },
      );
    steps.push(value);
  });
  return Float64Array.from(steps);
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (facts) => facts.isFile(),
    () => false,
  );
}
