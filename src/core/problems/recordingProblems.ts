import { formatCount, formatRoundPercent } from '../format';
import { present } from '../present';
import type { Property } from '../properties/property';

/** What a study knows of a function, as far as recording it is concerned. */
export interface RecordedFunction {
  readonly key: string;
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly selected: boolean;
  readonly hasSite: boolean;
  readonly visits?: number;
  readonly inclusiveShare?: number;
  /** Percent of the run time. */
  readonly overheadPercent?: number;
  /** Nothing in the executable can be patched, and the function is worth recording. */
  readonly missed?: true;
  readonly notRecorded?: string;
  /** Positions of the recorded functions that hold its time. */
  readonly timeIn?: readonly number[];
}

export interface RecordingProblem {
  readonly key: string;
  readonly property: Property;
  /** Positions of the recorded functions that hold the time of a function that is not. */
  readonly callers: readonly number[];
}

/** Below this share of the run time in its callers, nobody misses an inlined function. */
const missedShare = 0.01;
const shownCallers = 3;

/**
 * Functions of a study whose recording costs more than a limit, or that are missed in a caller that matters: what the decisions of a
 * refinement leave to the user, also of one that was stopped. Where the profile's own analysis found the same, it has the same id.
 * @param overheadPercent percent of the run time
 */
export function findRecordingProblems(
  functions: readonly RecordedFunction[],
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
    return matters ? [{ key: row.key, property: missedOf(row, holders), callers }] : [];
  });
}

function placeOf({ key, file, line }: RecordedFunction): string {
  return file === undefined || line === undefined ? key : `${file}:${line}`;
}

function overheadOf(row: RecordedFunction, limit: number): Property {
  const { key, name, visits, overheadPercent = 0 } = row;
  const severity = overheadPercent / 100;
  const times = visits === undefined ? '' : ` (${formatCount(visits)} ${visits === 1 ? 'visit' : 'visits'})`;
  return {
    id: `excessive-overhead:${key}`,
    kind: 'excessive-overhead',
    title: `Recording ${name} costs ${formatRoundPercent(severity)} of the run time${times}`,
    severity,
    confidence: 1,
    region: regionOf(row),
    evidence: { ...present({ visits }), overheadPercent, thresholdPercent: limit },
  };
}

function missedOf(row: RecordedFunction, holders: readonly RecordedFunction[]): Property {
  const { key, name, notRecorded } = row;
  const kind = notRecorded === undefined ? 'inlined-away' : 'not-recorded';
  const names = holders.slice(0, shownCallers).map((holder) => holder.name);
  const more = holders.length > shownCallers ? ` and ${holders.length - shownCallers} more` : '';
  return {
    id: `${kind}:${key}`,
    kind,
    title: `${name} ${notRecorded ?? 'was inlined and cannot be recorded'}; its time is seen in ${names.join(', ')}${more}`,
    severity: 0,
    confidence: 1,
    region: regionOf(row),
    evidence: { recordedCallers: holders.length },
  };
}

function regionOf({ name, file, line }: RecordedFunction): NonNullable<Property['region']> {
  return { name, ...present({ file, line }) };
}
