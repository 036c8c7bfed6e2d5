import { at } from '../at';
import type { Comparison, FunctionChange } from '../compare/differences';
import type { Difference, DifferenceKind } from '../compare/difference';
import type { ComparedSides } from '../compare/sides';
import { differenceSentence } from '../compare/words';
import { present } from '../present';

/** What changed of a function or call from a baseline to a measurement, as a table shows it. */
export interface ChangeRow {
  /** `noise`: its time changed by no more than the repetitions vary. */
  readonly kind: DifferenceKind | 'noise';
  /** For people; with its caller for calls that are new, gone or more or less frequent. */
  readonly name: string;
  /** Name of the function in its profile. */
  readonly region: string;
  /** Mean seconds of the runs of each side; absent: it has none of it. */
  readonly before?: number;
  readonly after?: number;
  readonly visitsBefore?: number;
  readonly visitsAfter?: number;
  /** After ÷ before, beside what all functions have in common. */
  readonly ratio?: number;
  readonly significance?: number;
  /** Seconds at stake. */
  readonly stake: number;
  readonly isConsequence: boolean;
  /** The difference in words. */
  readonly sentence?: string;
}

/** What the hot-spot panel shows of a comparison. */
export interface ChangeTable {
  /** Whole sentences; that on all functions together is first. */
  readonly notes: readonly string[];
  /** Numbers of runs, of the baseline and of the measurement. */
  readonly runs: readonly [number, number];
  /** The most seconds at stake first. At most `mostChangeRows`. */
  readonly rows: readonly ChangeRow[];
}

export const mostChangeRows = 5000;

/** All differences, and the functions whose time changed by no more than noise. */
export function changeRows(
  compared: ComparedSides,
  { differences, changes, shift }: Comparison,
): readonly ChangeRow[] {
  const named = new Set(
    differences.filter(({ kind }) => kind === 'slower' || kind === 'faster').map((one) => one.function),
  );
  const rows = [
    ...differences.map((one) => rowOf(one, compared, shift)),
    ...changes
      .filter((change) => !named.has(change.function))
      .map((change) => noiseRow(change, compared, shift)),
  ];
  return rows.sort((a, b) => b.stake - a.stake).slice(0, mostChangeRows);
}

function rowOf(difference: Difference, compared: ComparedSides, shift: number): ChangeRow {
  const { kind, path, sides, stake, isConsequence, byChance } = difference;
  const { name, place } = at(compared.functions, difference.function);
  const { parent } = at(compared.paths, path);
  const isCall = kind === 'added-work' || kind === 'removed-work' || kind === 'changed-count';
  const caller = parent < 0 ? undefined : at(compared.functions, at(compared.paths, parent).function).name;
  const isTime = kind === 'slower' || kind === 'faster';
  const [before, after] = sides;
  return {
    kind,
    name: isCall && caller !== undefined ? `${caller} → ${name}` : name,
    region: place.name,
    ...valuesOf(sides),
    ...(isTime && before !== undefined && after !== undefined
      ? { ratio: after.value / before.value / shift }
      : {}),
    ...present({ significance: byChance }),
    stake,
    isConsequence,
    sentence: differenceSentence(difference, compared, shift),
  };
}

function noiseRow(change: FunctionChange, { functions }: ComparedSides, shift: number): ChangeRow {
  const { name, place } = at(functions, change.function);
  const [before, after] = change.sides;
  return {
    kind: 'noise',
    name,
    region: place.name,
    ...valuesOf(change.sides),
    ratio: change.ratio,
    ...present({ significance: change.byChance }),
    stake: Math.abs(after.value - before.value * shift),
    isConsequence: false,
  };
}

function valuesOf([before, after]: Difference['sides']): Partial<ChangeRow> {
  return present({
    before: before?.value,
    after: after?.value,
    visitsBefore: before?.count,
    visitsAfter: after?.count,
  });
}
