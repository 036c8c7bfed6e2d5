import { csvText } from '../../../src/core/csv';
import { shareOf } from '../../../src/core/functions/share';
import type {
  TimelineFunction,
  TimelineProfile,
  TimelineProfileRow,
} from '../../../src/core/timeline/pieces';
import type { SortOrder } from '../../ui/grid/columns';

/** The share (0…1) of a row in the time of all rows of the range. */
export function exclusiveShare(row: TimelineProfileRow, profile: TimelineProfile): number {
  return shareOf(row.exclusiveSeconds, profile);
}

/** Positions of the rows of a profile in this order; equal ones by name. */
export function sortedRows(
  { rows }: TimelineProfile,
  { column, direction }: SortOrder,
  name: (position: number) => string,
): readonly number[] {
  const key: Readonly<Record<string, (row: TimelineProfileRow) => number>> = {
    exclusive: (row) => row.exclusiveSeconds,
    share: (row) => row.exclusiveSeconds,
    inclusive: (row) => row.inclusiveSeconds,
    visits: (row) => row.visits,
  };
  const value = Object.hasOwn(key, column) ? key[column] : undefined;
  const sign = direction === 'ascending' ? 1 : -1;
  const byName = (a: TimelineProfileRow, b: TimelineProfileRow): number => {
    const [one, other] = [name(a.function), name(b.function)];
    return one < other ? -1 : one > other ? 1 : 0;
  };
  return rows
    .map((row, position) => ({ row, position }))
    .sort(({ row: a }, { row: b }) => {
      if (value === undefined) return sign * byName(a, b);
      return sign * (value(a) - value(b)) || byName(a, b);
    })
    .map(({ position }) => position);
}

/** The profile for spreadsheets; times in seconds. */
export function profileCsv(
  profile: TimelineProfile,
  order: readonly number[],
  functions: readonly TimelineFunction[],
): string {
  const title = [
    'function',
    'paradigm',
    'file',
    'line',
    'visits',
    'exclusive [s]',
    'inclusive [s]',
    'exclusive share',
  ];
  const cells = order.flatMap((position) => {
    const row = profile.rows[position];
    const of = row === undefined ? undefined : functions[row.function];
    if (row === undefined || of === undefined) return [];
    const { visits, exclusiveSeconds, inclusiveSeconds } = row;
    const { file = '', line = '' } = of.place;
    const share = exclusiveShare(row, profile);
    return [[of.name, of.paradigm, file, line, visits, exclusiveSeconds, inclusiveSeconds, share]];
  });
  return csvText([title, ...cells]);
}
