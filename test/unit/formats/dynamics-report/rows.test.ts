import { describe, expect, it } from 'vitest';
import { dynamicsDocument } from '../../../../src/formats/dynamics-report/document';
import { reportCsv } from '../../../../src/formats/dynamics-report/csv';
import { reportMarkdown } from '../../../../src/formats/dynamics-report/markdown';
import { reportLines } from '../../../../src/formats/dynamics-report/rows';
import { sampled } from '../../../fixtures/dynamics/signals';
import { analysed, send, series, solve, step } from '../../core/degradations/bursts';
import { readReportMarkdown } from './readReport';

const cellsOfCsv = (text: string): readonly (readonly string[])[] =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));

describe('a report', () => {
  it('marks what is a part of an event, below the row that the event begins with', () => {
    const rise = (i: number): number => Math.max(0, i - 60) / 40;
    const result = analysed([
      series(
        step,
        0,
        sampled(128, (i) => 3 + 2 * rise(i), 0.05, 1),
      ),
      series(
        solve,
        0,
        sampled(128, (i) => 1 + rise(i), 0.02, 2),
      ),
      series(
        send,
        0,
        sampled(128, (i) => 1 + rise(i), 0.02, 3),
      ),
    ]);
    const parts = result.rows.map(({ partOf }) => partOf !== undefined);
    expect(parts).toContain(true);
    const at = parts.indexOf(true);
    const [first, part] = [result.rows[at - 1], result.rows[at]];
    expect(first?.region.name).toBe('solve');
    expect(part?.region.name).toBe('MPI_Send');
    expect(part?.partOf).toBe(first?.property);

    const markdown = readReportMarkdown(reportMarkdown(result)).map(([what]) => what);
    expect(markdown).toEqual(result.rows.map(({ title }, i) => (parts[i] === true ? `└ ${title}` : title)));

    const [header, ...csv] = cellsOfCsv(reportCsv(reportLines(result)));
    const column = header?.indexOf('part of') ?? -1;
    const names = csv.map((cells) => cells[column]);
    expect(names).toEqual(parts.map((isPart) => (isPart ? `${first?.title ?? ''} of solve` : '')));
  });

  it('of a long run counts all peaks, and has the range that they are in', () => {
    const spikes = Float64Array.from({ length: 20_000 }, (_, i) => (i % 50 === 24 ? 5 : 1));
    const result = analysed([series(step, 0, spikes)]);
    const row = result.rows.findIndex(({ all }) => all !== undefined);
    const shown = '[25-19975] (400 iterations)';
    expect(readReportMarkdown(reportMarkdown(result))[row]?.[1]).toBe(shown);
    expect(cellsOfCsv(reportCsv(reportLines(result)))[row + 1]?.[1]).toBe(shown);
    const { rows } = dynamicsDocument(result, {}) as { readonly rows: readonly Record<string, unknown>[] };
    expect(rows[row]?.all).toEqual({ count: 400, iterations: 400, range: [25, 19_975] });
  });
});
