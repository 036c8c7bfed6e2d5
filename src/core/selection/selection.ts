/**
 * The third narrow waist: which functions are instrumented, and for each known function why it is in or out.
 */
export interface Selection {
  /** One decision for each known function, by its key (`CallGraphFunction.key`), in the graph's order. */
  readonly decisions: ReadonlyMap<string, Decision>;
}

export interface Decision {
  readonly key: string;
  readonly selected: boolean;
  readonly reason: Reason;
}

export interface Reason {
  readonly rule: Rule;
  /** The number that was compared, e.g. inclusive statements, share of time, predicted overhead in percent. */
  readonly value?: number;
  readonly threshold?: number;
  /** Names of the functions on the way that made the rule hold, e.g. from this function to the hot spot it leads to. */
  readonly path?: readonly string[];
}

/** Why a function is in or out. Each has a sentence in `explainReason`. */
export type Rule =
  // in
  | 'entry' // the program's entry function
  | 'statements' // inclusive statements ≥ threshold (PIRA static selection)
  | 'hot-spot' // inclusive or exclusive share of run time ≥ threshold
  | 'path-to-main' // lies on a path from main to a selected function
  | 'expand' // callee of a hot function, large enough to look into
  | 'budget' // fills what the overhead target leaves
  | 'pinned-in' // the user wants it
  // out
  | 'too-small' // inclusive statements < threshold
  | 'not-hot' // measured and below the thresholds
  | 'too-expensive' // dropped (or not taken) for the overhead target
  | 'unreachable' // not reachable from the entry function
  | 'no-site' // nothing in the executable can be patched: inlined away or not compiled by the wrappers
  | 'not-executed' // selected before, and never visited
  | 'pinned-out'; // the user does not want it

/** True when both select the same functions, whatever the reasons. */
export function sameFunctions(a: Selection, b: Selection): boolean {
  const chosen = (s: Selection): string[] =>
    [...s.decisions.values()].filter((d) => d.selected).map((d) => d.key);
  const left = chosen(a);
  const right = new Set(chosen(b));
  return left.length === right.size && left.every((key) => right.has(key));
}
