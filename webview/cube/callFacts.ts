import { formatCount, formatValueUpTo } from '../../src/core/format';
import { largestOf } from '../../src/core/views/columnUnit';
import type { CubeRegion } from '../../src/core/views/cubePieces';
import { visibleControls } from '../../src/core/names/visibleControls';
import type { GridColumn } from '../ui/grid/columns';
import type { MetricValues } from './model';

/** The facts about a function: its name, its place and its kind. */
export function regionTooltip(region: Partial<CubeRegion> = {}): string {
  const { name = '?', mangledName, file, line, paradigm, role, description } = region;
  const place = file === undefined ? undefined : line === undefined ? file : `${file}:${line}`;
  const mangled = mangledName === undefined ? undefined : visibleControls(mangledName.slice(0, 300));
  return [
    visibleControls(name.slice(0, 10_000)),
    place,
    `${paradigm ?? ''} ${role ?? ''}`,
    mangled,
    description,
  ]
    .filter((part) => part !== undefined && part.trim() !== '')
    .join('\n');
}

/** `file:line` of a function, without folders. */
export function regionPlace({ file, line }: Partial<CubeRegion> = {}): string | undefined {
  if (file === undefined) return undefined;
  const name = file.slice(file.lastIndexOf('/') + 1);
  return line === undefined ? name : `${name}:${line}`;
}

/** By row of a call path: the row of its root. */
export function rootsOf(parent: Int32Array): Int32Array {
  const roots = new Int32Array(parent.length);
  for (let row = 0; row < parent.length; row++) {
    const above = parent[row] ?? -1;
    roots[row] = above < 0 ? row : (roots[above] ?? row);
  }
  return roots;
}

/** Columns for a tuple metric, whose value is the mean: number, sum, minimum and maximum of the values recorded in a call path itself. */
export function tupleColumns({ exclusive, tuple }: MetricValues, unit: string): readonly GridColumn[] {
  if (tuple === undefined) return [];
  const { count, minimum, maximum } = tuple;
  const column = (id: string, title: string, tooltip: string, text: (row: number) => string): GridColumn => ({
    id,
    title,
    tooltip: `${tooltip} in the call path itself`,
    width: 84,
    align: 'end',
    text: (row) => ((count[row] ?? 0) > 0 ? text(row) : '–'),
  });
  const values = (of: (row: number) => number): ((row: number) => string) => {
    const largest = largestOf(count.map((recorded, row) => (recorded > 0 ? of(row) : 0)));
    return (row) => formatValueUpTo(of(row), unit, largest);
  };
  return [
    column('count', 'Number', 'How many values were recorded', (row) => formatCount(count[row] ?? 0)),
    column(
      'sum',
      'Sum',
      'Sum of the values',
      values((row) => (exclusive[row] ?? 0) * (count[row] ?? 0)),
    ),
    column(
      'minimum',
      'Minimum',
      'Least value',
      values((row) => minimum[row] ?? 0),
    ),
    column(
      'maximum',
      'Maximum',
      'Greatest value',
      values((row) => maximum[row] ?? 0),
    ),
  ];
}
