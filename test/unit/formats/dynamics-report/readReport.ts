import { unguarded } from '../../../../src/core/csv';
import { present } from '../../../../src/core/present';
import type { PropertyKind } from '../../../../src/core/properties/kinds';
import type { ReportLine } from '../../../../src/formats/dynamics-report/rows';

/** The rows from which `reportCsv` made a text. */
export function readReportCsv(text: string): readonly ReportLine[] {
  return cellsOf(text)
    .slice(1)
    .map(([title = '', iterations = '', region = '', ranks = '', severity, excess, ...rest]) => {
      const [confidence, below, kind, file, line, excessDeviation, chance, , , , partOf] = rest;
      return {
        kind: kind as PropertyKind,
        title,
        region,
        ranks,
        iterations: readIntervals(iterations),
        ...present({
          file: file === '' ? undefined : file,
          partOf: partOf === '' ? undefined : partOf,
          line: number(line),
          severity: number(severity),
          excess: number(excess),
          excessDeviation: number(excessDeviation),
          chance: number(chance),
        }),
        confidence: Number(confidence),
        belowThreshold: below === 'yes',
      };
    });
}

function number(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text);
}

function cellsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, inQuotes, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy)) {
    row.push(unguarded(inQuotes?.replaceAll('""', '"') ?? plain));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Opposite of `intervalText`. */
function readIntervals(text: string): readonly (readonly [number, number])[] {
  return [...text.matchAll(/\[(\d+)(?:-(\d+))?\]/g)].map(
    ([, from, to = from]) => [Number(from), Number(to)] as const,
  );
}

/** Cells of the rows of a report in Markdown. */
export function readReportMarkdown(text: string): readonly (readonly string[])[] {
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((line) =>
    line
      .slice(2, -2)
      .split(/(?<!\\) \| /)
      .map(unescaped),
  );
}

function unescaped(text: string): string {
  return text
    .replace(/\\([\\`*_[\]|])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}
