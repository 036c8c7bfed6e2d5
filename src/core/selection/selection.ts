import type { ImbalanceMetric } from './imbalanceOptions';
import type { KeepRule } from './modelOptions';

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
  /**
   * The number that was compared. `statements`, `too-small`: inclusive statements; `hot-spot`, `not-hot`, `path-to-main`: share of
   * run time (0…1), exclusive or inclusive as `measure` says; `budget`, `too-expensive`, `not-measured`: overhead in percent;
   * `expand`: share (0…1) of the hot function above, exclusive unless `measure` says otherwise; `descend`: that of the caller, inclusive;
   * `imbalanced`, `balanced`: value of `metric`; `of-interest`, `total-overhead`,
   * `prolog-overhead`: overhead in percent of the function's own time without it, the largest number for infinite; `model…`: as
   * `model.judgedBy` says: predicted share (0…1) or seconds, or the probability that it grows faster than `model.growth`.
   */
  readonly value?: number;
  readonly threshold?: number;
  /**
   * `too-expensive`: what all predicted overheads together may reach, percent; less than the target (`threshold`), so that the run
   * meets it although real pairs cost a little more or less than calibrated ones.
   */
  readonly limit?: number;
  /** `too-expensive`: what idle patch points take of the target beside `threshold`, percent. */
  readonly idle?: number;
  readonly measure?: 'inclusive' | 'exclusive';
  /** `imbalanced`, `balanced`: what `value` is; `path-to-main`: the path leads to an unbalanced function. */
  readonly metric?: ImbalanceMetric;
  /** `path-to-main`: the path leads to a function that its model keeps. */
  readonly goal?: 'model';
  /** What its performance model predicts (strategy `model`). */
  readonly model?: ModelReason;
  /** `statements`, `too-small`: each statement counts as often as the loops around it would execute it. */
  readonly loops?: true;
  /** `value` is estimated from few visits: most of them were only counted. */
  readonly estimated?: true;
  /** What recording it costs, where its visits are known from a measurement. */
  readonly cost?: PredictedCost;
  /** Its visits are unknown, so that they are counted first: about one in so many is timed. */
  readonly countedFirst?: number;
  /** Names of the functions on the way that made the rule hold, e.g. from this function to the hot spot it leads to. */
  readonly path?: readonly string[];
}

/** The model of a function at the point that a decision is about. */
export interface ModelReason {
  /** For readers: `12 ns · n²`; of the call path with the most time. */
  readonly formula: string;
  /** Number of other call paths, whose models count too. */
  readonly otherPaths?: number;
  /** For readers: `n = 512, p = 32`. */
  readonly point: string;
  /** Predicted exclusive time there. */
  readonly seconds: number;
  readonly judgedBy: KeepRule;
  /** `judgedBy` is `growth`: the limit. */
  readonly growth?: string;
  /** Verdict on a model that cannot be relied on: the largest measured time counts, grown as the visits or as the program's time. */
  readonly doubt?: string;
  /** Round whose measurements made the model; absent: the last one. */
  readonly round?: number;
}

/** Exact for a deterministic program: its visits do not depend on the selection. */
export interface PredictedCost {
  /** Of the busiest location (thread or process), because that one determines the run time. */
  readonly visits: number;
  /** Of a visit; the average where not all are timed. */
  readonly pairSeconds: number;
  /** visits × pair in percent of the baseline. */
  readonly overheadPercent: number;
  /** About one in so many visits is timed, a power of two; absent: all are. The rest is counted, and their time estimated. */
  readonly interval?: number;
}

/** Why a function is in or out. Each has a sentence in `explainReason`. */
export type Rule =
  // in
  | 'entry' // the program's entry function
  | 'phase' // its visits are the iterations
  | 'statements' // inclusive statements ≥ threshold (PIRA static selection)
  | 'kernel' // small but with a loop that makes a visit worth more than it costs, by estimate
  | 'hot-spot' // inclusive or exclusive share of run time ≥ threshold
  | 'path-to-main' // lies on a path from main to a selected function
  | 'outside' // no caller is known: found by name while the program runs, or called back
  | 'expand' // callee of a hot function, large enough to look into
  | 'again' // measured before, but the cost of recording blurred its time: once more, beside little else
  | 'budget' // fills what the overhead target leaves
  | 'pinned-in' // the user wants it
  | 'switched-on' // somebody who watched the run switched it on
  | 'imbalanced' // its computation is spread unevenly over ranks and threads (LIDe)
  | 'descend' // callee of a function that is relevant for imbalance, never recorded (LIDe)
  | 'model' // its performance model predicts that it matters at a larger point
  | 'model-instead' // a function in it is too expensive, and its time is in this one
  | 'model-again' // left out, and then its caller grew by more than the models explain
  | 'model-untimed' // its visits were only counted, so that its model says nothing of its time
  | 'synchronisation' // calls MPI where others wait for an unbalanced function (LIDe)
  | 'of-interest' // everything is recorded that is not excessive (TOR, POR)
  // out
  | 'too-small' // inclusive statements < threshold
  | 'not-hot' // measured and below the thresholds
  | 'balanced' // measured, and evenly spread over ranks and threads (LIDe)
  | 'model-small' // its performance model predicts too little
  | 'model-constant' // its performance model is constant
  | 'total-overhead' // black list: excessive total overhead (TOR)
  | 'prolog-overhead' // black list: excessive overhead in its own measured time (POR)
  | 'not-needed' // the analysis does not ask for it (AGOR)
  | 'too-expensive' // dropped (or not taken) for the overhead target
  | 'not-measured' // wanted, but what it would cost is unknown and there is no run left, or too much risk, to find out
  | 'unreachable' // not reachable from the entry function
  | 'no-site' // nothing in the executable can be patched: inlined away or not compiled by the wrappers
  | 'not-executed' // selected before, and never visited
  | 'pinned-out'; // the user does not want it

/** Keys of the selected functions, in the graph's order. */
export function selectedKeys(selection: Selection): readonly string[] {
  return [...selection.decisions.values()].filter((d) => d.selected).map((d) => d.key);
}

/** By key, of the selected functions of which about one in so many visits is timed. */
export function intervalsOf(selection: Selection): ReadonlyMap<string, number> {
  const intervals = new Map<string, number>();
  for (const { key, selected, reason } of selection.decisions.values()) {
    const interval = reason.cost?.interval ?? reason.countedFirst;
    if (selected && interval !== undefined) intervals.set(key, interval);
  }
  return intervals;
}

/**
 * Number of functions that are in exactly one of the two, or recorded in another way: all visits timed or a part of them, or a part that
 * differs by more than a factor of two (less is the noise of the costs).
 */
export function changedFunctions(a: Selection, b: Selection): number {
  const left = selectedKeys(a);
  const right = new Set(selectedKeys(b));
  const common = left.filter((key) => right.has(key));
  const [before, after] = [intervalsOf(a), intervalsOf(b)];
  const otherwise = common.filter((key) => differ(before.get(key) ?? 1, after.get(key) ?? 1)).length;
  return left.length + right.size - 2 * common.length + otherwise;
}

function differ(a: number, b: number): boolean {
  return Math.max(a, b) > 2 * Math.min(a, b);
}

/** True when both select the same functions and time them alike, whatever the reasons. */
export function sameFunctions(a: Selection, b: Selection): boolean {
  return changedFunctions(a, b) === 0;
}
