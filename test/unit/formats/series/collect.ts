import { contextKey, type Series, type SeriesSource } from '../../../../src/core/series/series';
import { bytesSource } from '../../../../src/formats/byteSource';
import { openSeries } from '../../../../src/formats/series/read';

/** A text as an open series file. */
export function opened(text: string, file = 'run.ndjson'): SeriesSource {
  return openSeries(bytesSource(new TextEncoder().encode(text)), file);
}

/** All values of a source, put together from its bursts; NaN where a series is not in a burst. */
export async function collect(source: SeriesSource, burst = 4): Promise<Series[]> {
  const found = new Map<string, { context: Series['context']; values: number[] }>();
  let expected = 0;
  for await (const { first, length, series } of source.bursts(burst)) {
    if (first !== expected) throw new Error(`burst begins at ${first}, not at ${expected}`);
    expected += length;
    for (const { context, values } of series) {
      if (values.length !== length) throw new Error(`${values.length} values in a burst of ${length}`);
      const key = contextKey(context);
      const known = found.get(key) ?? { context, values: [] };
      found.set(key, known);
      while (known.values.length < first) known.values.push(Number.NaN);
      known.values.push(...values);
    }
  }
  return [...found.values()].map(({ context, values }) => ({
    context,
    values: Float64Array.from({ length: expected }, (_, i) => values[i] ?? Number.NaN),
  }));
}
