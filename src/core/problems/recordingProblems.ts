import { formatCount, formatRoundPercent } from '../format';
import { present } from '../present';
import { missedProperty } from './inlinedAway';
import type { FunctionRow } from '../functions/functionRow';
import type { Property } from '../properties/property';

export interface RecordingProblem {
  readonly key: string;
  readonly property: Property;
  /** Positions of the recorded functions that hold the time of a function that is not. */
  readonly callers: readonly number[];
}

/** Share of the run time in a caller from which an inlined function matters. */
const missedShare = 0.01;

/**
 * Functions of a study whose recording costs more than a limit, or that are missed in a caller that matters: what the decisions of a
 * refinement leave to the user, also of one that was stopped. Where the profile's own analysis found the same, it has the same id.
 * @param overheadPercent percent of the run time
 */
export function findRecordingProblems(
  functions: readonly FunctionRow[],
  overheadPercent: number,
): readonly RecordingProblem[] {
  const recordable = new Set(functions.filter(({ hasSite }) => hasSite).map(placeOf));
  return functions.flatMap((row) => {
    if (row.selected && (row.overheadPercent ?? 0) > overheadPercent)
      return [{ key: row.key, property: overheadOf(row, overheadPercent), callers: [] }];
    // An instance at the same line that can be recorded speaks for all.
    if (row.missed !== true || recordable.has(placeOf(row))) return [];
    const callers = row.timeIn ?? [];
    const holders = callers.flatMap((caller) => functions[caller] ?? []);
    const matters = holders.some(({ inclusiveShare = 0 }) => inclusiveShare >= missedShare);
    if (!matters) return [];
    const names = holders.map(({ name }) => name);
    return [{ key: row.key, property: missedProperty(row, row.notRecorded, names), callers }];
  });
}

function placeOf({ key, file, line }: FunctionRow): string {
  return file === undefined || line === undefined ? key : `${file}:${line}`;
}

function overheadOf(row: FunctionRow, limit: number): Property {
  const { key, name, file, line, visits, overheadPercent = 0 } = row;
  const severity = overheadPercent / 100;
  const times = visits === undefined ? '' : ` (${formatCount(visits)} ${visits === 1 ? 'visit' : 'visits'})`;
  return {
    id: `excessive-overhead:${key}`,
    kind: 'excessive-overhead',
    title: `Recording ${name} costs ${formatRoundPercent(severity)} of the run time${times}`,
    severity,
    confidence: 1,
    region: { name, ...present({ file, line }) },
    evidence: { ...present({ visits }), overheadPercent, thresholdPercent: limit },
  };
}
