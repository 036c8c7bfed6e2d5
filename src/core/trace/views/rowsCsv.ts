import { csvText } from '../../csv';
import type { ComparisonRow } from '../comparisonPieces';

/** The first row of the table of a comparison. @param views their names */
export function rowsCsvHead(views: readonly string[]): string {
  const ofView = [
    'count',
    'seconds',
    'instructions',
    'share',
    'mean size',
    'least size',
    'most size',
    'tags',
  ];
  return csvText([
    [
      ...['depth', 'kind', 'name', 'file', 'line', 'last line'],
      ...views.flatMap((view) => ofView.map((column) => `${view}: ${column}`)),
      ...views.slice(1).map((view, pair) => `${views[pair] ?? ''} → ${view}`),
    ],
  ]);
}

/** Rows of the table, as CSV. Empty cells: the view does not have it. */
export function rowsCsv(rows: readonly ComparisonRow[]): string {
  return csvText(
    rows.map(({ depth, kind, name, place, lastLine, cells, classes }) => [
      ...[depth, kind, name, place?.file ?? '', place?.line ?? '', lastLine ?? ''],
      ...cells.flatMap(cellColumns),
      ...classes.map((own) => own ?? ''),
    ]),
  );
}

function cellColumns(cell: ComparisonRow['cells'][number]): readonly (string | number)[] {
  if (cell === undefined) return ['', '', '', '', '', '', '', ''];
  const { count, seconds, instructions = '', share, size, tags = '' } = cell;
  return [
    count,
    seconds,
    instructions,
    share,
    ...(size === undefined ? ['', '', ''] : [size.mean, size.least, size.most]),
    tags,
  ];
}
