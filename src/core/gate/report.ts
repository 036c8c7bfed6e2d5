import type { DifferenceOfSides } from './differences';
import type { GateEntry } from './gate';
import type { GateFacts } from './side';
import type { Verdict } from './verdict';

/** A judged criterion as it is reported. */
export type ReportedEntry = GateEntry & { readonly sentence: string };

/** The output of `kymo gate --json` (docs/INTERFACES.md). */
export interface GateReport {
  readonly target: string;
  readonly verdict: Verdict;
  readonly sentence: string;
  readonly sides: readonly [GatedSide, GatedSide];
  readonly byTurns: boolean;
  /** Regressions first, then what cannot be told, improvements, and what did not change. */
  readonly entries: readonly ReportedEntry[];
  /** Why the sides cannot be compared; then the verdict is `cannot-tell`, and there are no entries. */
  readonly incomparable: readonly string[];
  /** What the user may allow (`--allow`) so that they are compared all the same; empty: they are compared, or nothing helps. */
  readonly allowable: readonly DifferenceOfSides[];
  readonly notes: readonly string[];
}

export interface GatedSide {
  /** What was given, or the commit. */
  readonly name: string;
  /** Folder or file with the runs. */
  readonly input: string;
  readonly runs: number;
  readonly facts?: GateFacts;
}
