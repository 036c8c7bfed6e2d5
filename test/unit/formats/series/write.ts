import { csvText } from '../../../../src/core/csv';
import { present } from '../../../../src/core/present';
import type { Series, SeriesContext, SeriesRegion } from '../../../../src/core/series/series';
import {
  defaultMetric,
  kindByName,
  phaseRegionName,
  unnamedPhase,
} from '../../../../src/formats/series/contexts';
import { iterationColumn, phaseColumn } from '../../../../src/formats/series/csvHeader';
import type { FileHeader } from '../../../../src/formats/series/ndjsonHeader';

const valuesPerPiece = 4096;

/** A series file as NDJSON, piece by piece; `openSeries` reads the same back. */
export function* ndjsonPieces({ unit, phase }: FileHeader, series: Iterable<Series>): Generator<string> {
  yield `${JSON.stringify({ kymoSeries: 1, unit, ...present({ phase }) })}\n`;
  for (const { context, values } of series) {
    yield `${JSON.stringify(fieldsOf(context, phase)).slice(0, -1)},"values":[`;
    for (let from = 0; from < values.length; from += valuesPerPiece)
      yield `${from === 0 ? '' : ','}${Array.from(values.subarray(from, from + valuesPerPiece), shownValue).join(',')}`;
    yield ']}\n';
  }
}

/** A series file as CSV, line by line; iterations as long as the longest series. Places and call paths are lost. */
export function* csvPieces(series: readonly Series[]): Generator<string> {
  yield csvText([[iterationColumn, ...series.map(({ context }) => columnName(context))]]);
  const iterations = series.reduce((most, { values }) => Math.max(most, values.length), 0);
  for (let i = 0; i < iterations; i++) {
    const cells = series.map(({ values }) => {
      const value = values[i] ?? Number.NaN;
      return Number.isFinite(value) ? value : '';
    });
    yield csvText([[i + 1, ...cells]]);
  }
}

/** The column's name in the header of a CSV file; the place in the source and the call path are lost. */
function columnName({ region, metric, rank, thread }: SeriesContext): string {
  return [
    region.kind === 'phase' ? phaseColumn : region.name,
    ...(metric === defaultMetric ? [] : [`metric=${metric}`]),
    ...(rank === 0 ? [] : [`rank=${rank}`]),
    ...(thread === 0 ? [] : [`thread=${thread}`]),
  ].join(' ');
}

function fieldsOf(
  { region, callPath, metric, rank, thread }: SeriesContext,
  phase: string | undefined,
): Readonly<Record<string, unknown>> {
  const { name, ...rest } = regionFields(region, phase);
  return {
    region: name,
    metric,
    rank,
    thread,
    ...rest,
    ...present({ callPath: callPath?.map((step) => regionFields(step, undefined)) }),
  };
}

function regionFields(
  { name, file, line, endLine, kind }: SeriesRegion,
  phase: string | undefined,
): Readonly<Record<string, unknown>> {
  const isPhase = kind === 'phase' && name === (phase ?? unnamedPhase);
  const isUsual = isPhase || kind === kindByName(name);
  return {
    name: isPhase ? phaseRegionName : name,
    ...present({ file, line, endLine }),
    ...(isUsual ? {} : { kind }),
  };
}

function shownValue(value: number): string {
  return Number.isFinite(value) ? String(value) : 'null';
}
