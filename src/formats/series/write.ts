import type { Series, SeriesContext, SeriesRegion } from '../../core/series/series';
import { kindByName, phaseRegionName, unnamedPhase } from './contexts';
import { columnName, iterationColumn } from './csvHeader';
import type { FileHeader } from './ndjsonHeader';

const valuesPerPiece = 4096;

/** A series file as NDJSON, piece by piece; `openSeries` reads the same back. */
export function* ndjsonPieces({ unit, phase }: FileHeader, series: Iterable<Series>): Generator<string> {
  yield `${JSON.stringify({ kymoSeries: 1, unit, ...(phase === undefined ? {} : { phase }) })}\n`;
  for (const { context, values } of series) {
    yield `${JSON.stringify(fieldsOf(context, phase)).slice(0, -1)},"values":[`;
    for (let from = 0; from < values.length; from += valuesPerPiece)
      yield `${from === 0 ? '' : ','}${Array.from(values.subarray(from, from + valuesPerPiece), shownValue).join(',')}`;
    yield ']}\n';
  }
}

/** A series file as CSV, line by line; iterations as long as the longest series. Places and call paths are lost. */
export function* csvPieces(series: readonly Series[]): Generator<string> {
  yield `${[iterationColumn, ...series.map(({ context }) => quoted(columnName(context)))].join(',')}\n`;
  const iterations = series.reduce((most, { values }) => Math.max(most, values.length), 0);
  for (let i = 0; i < iterations; i++) {
    const cells = series.map(({ values }) => {
      const value = values[i] ?? Number.NaN;
      return Number.isFinite(value) ? String(value) : '';
    });
    yield `${[i + 1, ...cells].join(',')}\n`;
  }
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
    ...(callPath === undefined ? {} : { callPath: callPath.map((step) => regionFields(step, undefined)) }),
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
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(endLine === undefined ? {} : { endLine }),
    ...(isUsual ? {} : { kind }),
  };
}

function shownValue(value: number): string {
  return Number.isFinite(value) ? String(value) : 'null';
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
