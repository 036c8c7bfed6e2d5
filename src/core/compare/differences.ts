import { at, atFloat } from '../at';
import { foldTemplates } from '../names/foldTemplates';
import { unqualifiedName } from '../names/unqualifiedName';
import { present } from '../present';
import { functionChanges, type FunctionChange } from './functionChanges';
import { functionSums, type FunctionSums } from './functionTimes';
import { meansOf, sidesOf, type Difference } from './difference';
import { loadVariance } from './between';
import { callDifferences, type CallDifferences } from './calls';
import { changesOf, type Change } from './significance';
import { timeMetric } from './run';
import type { ComparedFunction, ComparedPath, ComparedSides } from './sides';

export interface Comparison {
  /** The largest stake first. */
  readonly differences: readonly Difference[];
  /** Of functions that are large enough on either side and that every run visited. */
  readonly changes: readonly FunctionChange[];
  /** Mean values of all functions of a run. */
  readonly totals: readonly [number, number];
  /** How the values of all functions together changed. */
  readonly total: Change;
  /** By what functions changed alike, as a machine does that is slower; those that changed otherwise are differences. 1: by nothing. */
  readonly shift: number;
  /** Whether the shift is more than the noise of the runs. */
  readonly isShiftSure: boolean;
  /** By how much functions differ between the sides beyond the noise of the repetitions, which is taken for the machine's: a standard deviation of logarithms. */
  readonly between: number;
  /** The smallest relative change of most functions that would be named in spite of that; 0: not known. */
  readonly hidden: number;
  /** Names of functions that are visited as often as before, below other recorded callers (`CallDifferences`). */
  readonly moved: readonly string[];
  /** Number of call paths of both sides, of the second only, and of the first only. */
  readonly matched: number;
  /** Of those of both sides, where something changed. */
  readonly changed: number;
  readonly added: number;
  readonly deleted: number;
}

export interface ComparisonOptions {
  /** Changes by a smaller share are none. Default: 0.05. */
  readonly sensitivity?: number;
  /** Functions with a smaller share of the run on both sides are not compared by time. Default: 0.005. */
  readonly leastShare?: number;
}

/** Value at stake, as a share of the larger side. */
const leastStake = 0.001;

/** Of the logarithm of a ratio. */
const smallPart = 0.1;

/** What differs between two sides beyond the noise of their repetitions. */
export function compareRuns(sides: ComparedSides, options: ComparisonOptions = {}): Comparison {
  const { sensitivity = 0.05, leastShare = 0.005 } = options;
  const [first] = sides.runs;
  const sums = functionSums(sides);
  const wholes = totalsOf(sides);
  const totals = meansOf(wholes, first);
  const whole = Math.max(...totals);
  const calls = callDifferences(sides, { sensitivity, leastStake: leastStake * whole });
  const isTime = sides.metric.name === timeMetric.name;
  const { changes, shift, isShiftSure, between, hidden } = functionChanges(
    sums,
    first,
    sensitivity,
    leastShare * whole,
    {
      // Counters count the same on a busy machine.
      ...(isTime && sides.isOneAfterOther ? { expected: loadVariance(sides.load) } : {}),
      isWaiting: (own) => isTime && at(sides.functions, own).isWaiting,
    },
  );
  const times = changes
    .filter((change) => change.isSure)
    .map((change) => timeDifference(sides, calls, change, shift));
  const [total = { ratio: 1 }] = changesOf(
    [{ values: wholes.map((value) => Math.max(value, 1e-12)) }],
    first,
  );
  const changed = [...calls.differences, ...times.filter(({ stake }) => stake >= leastStake * whole)];
  return {
    differences: [...changed, ...renamed(sides, sums)].sort((a, b) => b.stake - a.stake || a.path - b.path),
    changes,
    totals,
    total,
    shift,
    isShiftSure,
    between,
    hidden,
    moved: [...calls.moved].map((own) => at(sides.functions, own).name),
    changed: new Set(changed.flatMap(({ path }) => (calls.isMatched[path] === true ? [path] : []))).size,
    ...calls.numbers,
  };
}

function totalsOf({ paths, runs }: ComparedSides): Float64Array {
  const totals = new Float64Array(runs[0] + runs[1]);
  for (const { values } of paths)
    values.forEach((value, run) => (totals[run] = atFloat(totals, run) + value));
  return totals;
}

function timeDifference(
  { paths, metric, runs: [first] }: ComparedSides,
  { isMoreOften, isMatched }: CallDifferences,
  change: FunctionChange,
  shift: number,
): Difference {
  const { function: own, sides, ratio, byChance } = change;
  const [a, b] = sides;
  const kinds =
    metric.name === timeMetric.name ? (['slower', 'faster'] as const) : (['increased', 'decreased'] as const);
  return {
    kind: kinds[ratio > 1 ? 0 : 1],
    path: pathOfMost(paths, own, first, isMatched),
    function: own,
    sides,
    // Half of the shift on each side: as much is at stake the other way round.
    stake: Math.abs(b.value / Math.sqrt(shift) - a.value * Math.sqrt(shift)),
    isConsequence: isMoreOften.has(own) && isExplainedByCount(change),
    ...present({ byChance }),
  };
}

/** The number of visits explains a change if that of a visit is noise, or a small part of it: caches help those that are called more often. */
function isExplainedByCount({ ratio, perVisit }: FunctionChange): boolean {
  const byCount = Math.log(ratio / perVisit.ratio);
  return (
    byCount * Math.log(ratio) > 0 &&
    (!perVisit.isSure || Math.abs(Math.log(perVisit.ratio)) < smallPart * Math.abs(byCount))
  );
}

/** Functions that were found again under another name. */
function renamed(
  { functions, paths, runs: [first] }: ComparedSides,
  sums: readonly FunctionSums[],
): readonly Difference[] {
  return functions.flatMap((function_, own): readonly Difference[] =>
    isRenamed(function_)
      ? [
          {
            kind: 'renamed',
            path: paths.findIndex((path) => path.function === own),
            function: own,
            sides: sidesOf(at(sums, own), first),
            stake: 0,
            isConsequence: false,
          },
        ]
      : [],
  );
}

/** Other arguments, templates or namespaces make no other name. */
function isRenamed({ name, formerName }: ComparedFunction): boolean {
  const plain = (full: string): string => unqualifiedName(foldTemplates(full));
  return formerName !== undefined && plain(formerName) !== plain(name);
}

/** Of those that both sides have, if there are such: others are differences by themselves. */
function pathOfMost(
  paths: readonly ComparedPath[],
  own: number,
  first: number,
  isMatched: readonly boolean[],
): number {
  let [most, found] = [-1, 0];
  const all = [...paths.keys()].filter((path) => at(paths, path).function === own);
  const matched = all.filter((path) => isMatched[path] === true);
  for (const path of matched.length > 0 ? matched : all) {
    const [a, b] = meansOf(at(paths, path).values, first);
    if (Math.abs(b - a) > most) [most, found] = [Math.abs(b - a), path];
  }
  return found;
}
