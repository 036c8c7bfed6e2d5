import { getOrMake } from '../../../src/core/getOrMake';
import { search } from '../../ui/search/nameSearch';
import { numberColumns, type TableSource } from '../data/columns';
import { efficiencyColumns } from '../efficiency';
import { fileAndLine, functionNotes, nameColumn, shownName, sourceColumn, type Shown } from '../names';
import type { TableRows } from '../profileTable';
import type { Spreads } from '../spread/spreads';
import type { Direction, FunctionRows } from './functionRows';

/** What the table of functions shows. */
export interface FunctionChoice {
  readonly inGroups: boolean;
  readonly direction: Direction;
}

const noCaller = 'no caller';
const arrows: Readonly<Record<Direction, string>> = { callers: '← ', callees: '→ ' };

/** The rows of the table of functions: functions with visits or a value, their groups, their callers or callees. */
export function functionTable(
  rows: FunctionRows,
  shown: () => Shown,
  source: () => TableSource,
  choice: () => FunctionChoice,
  spreads: Spreads,
): TableRows {
  const { model } = shown();
  /** Function of which a row has the values; −1: it is a group, or has a part of them. */
  const subjectOf = (row: number): number => (rows.at(row).kind === 'function' ? row : -1);
  const nameOf = (row: number): string => {
    const of = rows.at(row);
    if (of.kind === 'group') return of.name;
    return of.region < 0 ? noCaller : shownName(shown(), of.region);
  };
  const groupMatches = latest((found: Shown['found']) => {
    const { groups } = rows;
    const { regions } = search(groups, groups, found.query);
    return new Set(groups.filter((_, at) => regions[at] === 1));
  });
  const isMatch = (row: number): boolean => {
    const { found } = shown();
    const of = rows.at(row);
    return of.kind === 'group' ? groupMatches(found).has(of.name) : found.regions[of.region] === 1;
  };
  const wasExecuted = (row: number): boolean => {
    const { main, compare } = source().measured;
    return [main, compare].some(
      (side) => side !== undefined && (side.inclusive[row] !== 0 || side.visits[row] !== 0),
    );
  };
  const allRows = (valueOf: (row: number) => number): Int32Array =>
    Int32Array.from({ length: rows.count }, (_, row) => valueOf(row));
  const inGroups = latest(() => allRows((row) => rows.parentOf(row, true)));
  const alone = latest(() => allRows((row) => rows.parentOf(row, false)));
  const subjects = latest(() => allRows(subjectOf));
  return {
    label: 'Functions',
    spreads,
    parent: () => (choice().inGroups ? inGroups : alone)(rows.version),
    level: (row) => rows.levelOf(row, choice().inGroups),
    name: nameColumn('Function', shown, {
      name: nameOf,
      before: (row) => arrowOf(rows, row),
      region: (row) => rows.regionOf(row),
      isMatch,
      notes: (row) => {
        const of = rows.at(row);
        if (of.kind === 'function') return functionNotes(model, row);
        return of.kind !== 'group' && of.line > 0 ? [`line ${of.line}`] : [];
      },
    }),
    others: [
      sourceColumn({
        tooltip:
          'File and first line; of groups the number of functions; of callers and callees the line of the call, if the profile has it. A click opens the source.',
        text: (row) => placeText(rows, shown(), row),
        region: (row) => rows.regionOf(row),
        file: (row) => (rows.regionOf(row) < 0 ? undefined : model.row(rows.regionOf(row)).file),
      }),
    ],
    numbers: () => [...numberColumns(source()), ...efficiencyColumns(model, () => subjects(rows.version))],
    names: () => {
      const keys = new Map<string, number>();
      const texts: string[] = [];
      const all = Uint32Array.from({ length: rows.count }, (_, row) =>
        getOrMake(keys, nameOf(row), () => texts.push(nameOf(row)) - 1),
      );
      return { keys: all, texts };
    },
    isShown: (row) => {
      const of = rows.at(row);
      if (of.kind === 'function') return wasExecuted(row);
      return of.kind === 'group' ? choice().inGroups && wasExecuted(row) : of.kind === choice().direction;
    },
    hasBelow: (row) => rows.at(row).kind !== 'group' && rows.hasBelow(row, choice().direction),
    makeBelow: (all) => {
      const before = rows.count;
      for (const row of all) if (rows.at(row).kind !== 'group') rows.below(row, choice().direction);
      return rows.count > before;
    },
    isMatch,
  };
}

/** The result for the argument of the last call. */
function latest<Argument, Result>(make: (argument: Argument) => Result): (argument: Argument) => Result {
  let last: { readonly argument: Argument; readonly result: Result } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, result: make(argument) };
    return last.result;
  };
}

/** Tells callers and callees from functions, also in what is copied. */
function arrowOf(rows: FunctionRows, row: number): string {
  const { kind } = rows.at(row);
  return kind === 'callers' || kind === 'callees' ? arrows[kind] : '';
}

function placeText(rows: FunctionRows, { model }: Shown, row: number): string {
  const of = rows.at(row);
  if (of.kind === 'group') return of.members === 1 ? '1 function' : `${of.members} functions`;
  if (of.region < 0) return '';
  const caller = of.kind === 'callees' ? rows.regionOf(rows.parentOf(row, false)) : of.region;
  const isCall = of.kind !== 'function' && of.line > 0;
  const { file, line } = model.row(isCall ? caller : of.region);
  return fileAndLine({ file, line: isCall ? of.line : line }) ?? '';
}
