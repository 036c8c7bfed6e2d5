import type { LineMap } from '../../../core/lines/lineMap';
import type { FunctionRow } from '../../../core/functions/functionRow';
import type { FunctionsAtLine } from '../studies/functionIndex';

/** The functions that begin on one line, at their place in the current text. */
export interface PlacedGroup {
  /** 1-based lines of the current text, both inclusive. */
  readonly line: number;
  readonly endLine: number;
  /** The function's text differs from the measured one. */
  readonly stale: boolean;
  /** Line in the measured text, by which the study names the group. */
  readonly measuredLine: number;
  /** The largest share of the run time first; never empty. */
  readonly functions: readonly FunctionRow[];
}

/** Groups of a file in the order of the current text, without deleted functions and places beyond its end. */
export function placeGroups(
  groups: readonly FunctionsAtLine[],
  map: LineMap,
  lineCount: number,
): readonly PlacedGroup[] {
  const placed = groups.flatMap((group, index): readonly PlacedGroup[] => {
    const place = map.placeOf(group.line, measuredEnd(group, groups[index + 1], map));
    if (place === undefined || place.line > lineCount) return [];
    const { line, endLine, stale } = place;
    return [
      {
        line,
        endLine: Math.min(lineCount, endLine),
        stale,
        measuredLine: group.line,
        functions: group.functions,
      },
    ];
  });
  return placed.sort((a, b) => a.line - b.line || a.measuredLine - b.measuredLine);
}

/** The innermost group around a line: a lambda rather than its enclosing function. */
export function groupAt(groups: readonly PlacedGroup[], line: number): PlacedGroup | undefined {
  let innermost: PlacedGroup | undefined;
  for (const group of groups) {
    if (group.line > line) break;
    if (line <= group.endLine && (innermost === undefined || group.endLine <= innermost.endLine))
      innermost = group;
  }
  return innermost;
}

/** If the compiler records no last line (Fortran), a function extends to the next one. */
function measuredEnd(
  { line, functions }: FunctionsAtLine,
  next: FunctionsAtLine | undefined,
  map: LineMap,
): number {
  const ends = functions.flatMap(({ endLine }) => endLine ?? []);
  const openEnd = next === undefined ? Math.max(line, map.measuredLines) : next.line - 1;
  return ends.length === 0 ? openEnd : Math.max(line, ...ends);
}
