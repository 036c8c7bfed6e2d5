import { contextKey, type Burst, type Series, type SeriesSource } from '../../core/series/series';
import { KymoError } from '../../core/errors';

/** A source and the file that it comes from. */
interface NamedSource {
  readonly file: string;
  readonly source: SeriesSource;
}

/**
 * Combines several files, such as one per rank, into one run. All have the same iterations; shorter ones have missing values at the end.
 * @throws KymoError `series-conflict` when two files have the same series, or different units; while reading bursts if the conflict appears
 * only there
 */
export function together(inputs: readonly NamedSource[]): SeriesSource {
  const [first] = inputs;
  if (first === undefined) throw new KymoError('usage', 'Give a file with series.');
  if (inputs.length === 1) return first.source;
  const other = inputs.find(({ source }) => source.unit !== first.source.unit);
  if (other !== undefined)
    throw conflict(
      other.file,
      `has times in “${other.source.unit}”, but ${first.file} in “${first.source.unit}”`,
    );
  const lengths = inputs.map(({ source }) => source.iterations);
  const phase = inputs.find(({ source }) => source.phase !== undefined)?.source.phase;
  return {
    unit: first.source.unit,
    ...(phase === undefined ? {} : { phase }),
    ...(lengths.every((length) => length !== undefined) ? { iterations: Math.max(...lengths) } : {}),
    bursts: (length) => bursts(inputs, length),
  };
}

async function* bursts(inputs: readonly NamedSource[], length: number): AsyncGenerator<Burst> {
  const owners = new Map<string, string>();
  const open = inputs.map(({ file, source }) => ({
    file,
    iterator: source.bursts(length)[Symbol.asyncIterator](),
    isDone: false,
  }));
  for (;;) {
    const series: Series[] = [];
    let first = 0;
    let longest = 0;
    for (const input of open) {
      if (input.isDone) continue;
      const step = await input.iterator.next();
      input.isDone = step.done === true;
      if (step.done === true) continue;
      ({ first } = step.value);
      longest = Math.max(longest, step.value.length);
      for (const { context } of step.value.series) own(owners, contextKey(context), input.file);
      series.push(...step.value.series);
    }
    if (longest === 0) return;
    yield { first, length: longest, series: series.map((row) => withLength(row, longest)) };
  }
}

function own(owners: Map<string, string>, key: string, file: string): void {
  const owner = owners.get(key) ?? file;
  owners.set(key, owner);
  if (owner !== file) throw conflict(file, `has a series that is in ${owner}, too`);
}

function conflict(file: string, what: string): KymoError {
  return new KymoError(
    'series-conflict',
    `${file} ${what}. Files that are given together are one run: give each rank, thread and metric once.`,
    { file },
  );
}

function withLength({ context, values }: Series, length: number): Series {
  if (values.length === length) return { context, values };
  const longer = new Float64Array(length).fill(Number.NaN);
  longer.set(values);
  return { context, values: longer };
}
