import { at, atByte, atFloat, atInt, atUint } from '../../at';
import { present } from '../../present';
import type { CallTrace } from '../callTrace';
import type { ComparisonCell, ComparisonRow, ComparisonSettings, EntryClass } from '../comparisonPieces';
import { entryName } from '../entryName';
import { tagNames } from '../messageMarks';
import { className } from './classes';
import type { InclusiveValues, ModeRows } from './modeRows';
import { lowerBound } from './shownRows';

interface RowContext {
  readonly rows: ModeRows;
  readonly shown: Uint32Array;
  readonly settings: ComparisonSettings;
  /** The only view that decides whether the row is a hot spot. */
  readonly view?: number;
}

/** A row as viewers show it. @param row among all rows of the mode */
export function comparisonRow({ rows, shown, settings, view }: RowContext, row: number): ComparisonRow {
  const { traces, merged } = rows;
  const key = rows.keyOf(row);
  const owns = merged.rows.map((own) => atInt(own, row));
  const inclusive = rows.inclusiveOf(settings.metric);
  const cells = owns.map((own, position) =>
    own < 0 ? undefined : cellOf(at(traces, position), own, inclusive[position]),
  );
  const isHot = (cell: ComparisonCell | undefined): boolean =>
    cell !== undefined && cell.share >= settings.shows.hotSpotShare;
  return {
    entry: row,
    depth: atUint(merged.depth, row),
    kind: key.kind,
    name: entryName(key),
    ...(key.kind === 'context' ? { place: key.place, ...present({ lastLine: key.lastLine }) } : {}),
    cells,
    classes: classesOf(rows, settings, owns),
    isHotSpot: view === undefined ? cells.some(isHot) : isHot(cells[view]),
    ...present({ loop: loopOf(rows, shown, row, owns) }),
  };
}

function classesOf(
  rows: ModeRows,
  settings: ComparisonSettings,
  owns: readonly number[],
): readonly (EntryClass | undefined)[] {
  return rows.classes(settings).pairs.map(({ left, right }, pair) => {
    const [own, other] = [at(owns, pair), at(owns, pair + 1)];
    if (own >= 0) return className(atByte(left, own));
    return other >= 0 ? className(atByte(right, other)) : undefined;
  });
}

function cellOf(trace: CallTrace, row: number, inclusive: InclusiveValues | undefined): ComparisonCell {
  const count = atFloat(trace.count, row);
  const instructions = trace.counters.get('instructions') ?? trace.counters.get('PAPI_TOT_INS');
  const key = at(trace.table.keys, atUint(trace.key, row));
  const size = {
    mean: count > 0 ? atFloat(trace.bytes, row) / count : 0,
    least: atFloat(trace.leastBytes, row),
    most: atFloat(trace.mostBytes, row),
  };
  return {
    count,
    seconds: atFloat(trace.seconds, row),
    ...(instructions === undefined ? {} : { instructions: atFloat(instructions, row) }),
    share:
      inclusive !== undefined && inclusive.total > 0 ? atFloat(inclusive.values, row) / inclusive.total : 0,
    ...(key.kind === 'context' ? {} : { size, ...present({ tags: tagsOf(trace, row) }) }),
  };
}

function tagsOf({ marks, table }: CallTrace, row: number): string | undefined {
  return marks === undefined ? undefined : tagNames(atUint(marks, row), table);
}

/** The longest loop that begins at the row in some view. */
function loopOf(
  rows: ModeRows,
  shown: Uint32Array,
  row: number,
  owns: readonly number[],
): ComparisonRow['loop'] {
  const loops = owns.map((own, view) => (own < 0 ? undefined : rows.loopAt(view, own)));
  const ends = loops.map((loop, view) =>
    loop === undefined ? 0 : atUint(rows.positions(view), loop.end - 1) + 1,
  );
  const end = Math.max(...ends);
  if (end === 0) return undefined;
  return {
    rows: lowerBound(shown, end) - lowerBound(shown, row),
    repeats: loops.map((loop) => loop?.repeats),
  };
}
