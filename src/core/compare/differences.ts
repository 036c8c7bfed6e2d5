import { at, atFloat } from '../at';
import { foldTemplates } from '../names/foldTemplates';
import { unqualifiedName } from '../names/unqualifiedName';
import { present } from '../present';
import { commonFactors, functionSums, type FunctionSums } from './functionTimes';
import { certain, meansOf, sidesOf, type Difference, type SideValues } from './difference';
import { callDifferences, type CallDifferences } from './calls';
import { changesOf, type Change } from './significance';
import { timeMetric } from './run';
import type { ComparedFunction, ComparedPath, ComparedSides } from './sides';

/** How a function changed itself, over all of its paths, whether or not that is a difference. */
export interface FunctionChange {
  /** Position of the function. */
  readonly function: number;
  readonly sides: readonly [SideValues, SideValues];
  /** Second ÷ first, beside what all functions have in common. */
  readonly ratio: number;
  readonly byChance?: number;
  /** It is too large, and too sure, to be noise. */
  readonly isSure: boolean;
}

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
  /** Number of call paths of both sides, of the second only, and of the first only. */
  readonly matched: number;
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

/** What differs between two sides beyond the noise of their repetitions. */
export function compareRuns(sides: ComparedSides, options: ComparisonOptions = {}): Comparison {
  const { sensitivity = 0.05, leastShare = 0.005 } = options;
  const [first] = sides.runs;
  const sums = functionSums(sides);
  const wholes = totalsOf(sides);
  const totals = meansOf(wholes, first);
  const whole = Math.max(...totals);
  const calls = callDifferences(sides, { sensitivity, leastStake: leastStake * whole });
  const { changes, shift } = functionChanges(sums, first, sensitivity, leastShare * whole);
  const times = changes
    .filter((change) => change.isSure)
    .map((change) => timeDifference(sides, calls, change, { shift, sensitivity }));
  const [total = { ratio: 1 }] = changesOf(
    [{ values: wholes.map((value) => Math.max(value, 1e-12)) }],
    first,
  );
  return {
    differences: [
      ...calls.differences,
      ...times.filter(({ stake }) => stake >= leastStake * whole),
      ...renamed(sides, sums),
    ].sort((a, b) => b.stake - a.stake || a.path - b.path),
    changes,
    totals,
    total,
    shift,
    ...calls.numbers,
  };
}

function totalsOf({ paths, runs }: ComparedSides): Float64Array {
  const totals = new Float64Array(runs[0] + runs[1]);
  for (const { values } of paths)
    values.forEach((value, run) => (totals[run] = atFloat(totals, run) + value));
  return totals;
}

/** Of functions, over all of their paths; those that are new or gone have no time to compare. */
function functionChanges(
  sums: readonly FunctionSums[],
  first: number,
  sensitivity: number,
  least: number,
): Pick<Comparison, 'changes' | 'shift'> {
  const compared = [...sums.keys()].filter((own) => {
    const { values } = at(sums, own);
    return values.every((value) => value > 0) && Math.max(...meansOf(values, first)) >= least;
  });
  const rows = compared.map((own) => at(sums, own).values);
  const factors = commonFactors(rows);
  const logs = meansOf(factors.map(Math.log), first);
  const quantities = rows.map((values) => ({
    values: values.map((value, run) => value / atFloat(factors, run)),
  }));
  const changes = changesOf(quantities, first).map(({ ratio, byChance }, row): FunctionChange => {
    const own = at(compared, row);
    return {
      function: own,
      sides: sidesOf(at(sums, own), first),
      ratio,
      ...present({ byChance }),
      isSure:
        Math.abs(Math.log(ratio)) >= Math.log1p(sensitivity) &&
        (byChance === undefined || byChance <= certain),
    };
  });
  return { changes, shift: Math.exp(logs[1] - logs[0]) };
}

function timeDifference(
  { paths, metric, runs: [first] }: ComparedSides,
  { isMoreOften }: CallDifferences,
  { function: own, sides, ratio, byChance }: FunctionChange,
  { shift, sensitivity }: { readonly shift: number; readonly sensitivity: number },
): Difference {
  const [a, b] = sides;
  const perVisit = ratio / (b.count / a.count);
  const kinds =
    metric.name === timeMetric.name ? (['slower', 'faster'] as const) : (['increased', 'decreased'] as const);
  return {
    kind: kinds[ratio > 1 ? 0 : 1],
    path: pathOfMost(paths, own, first),
    function: own,
    sides,
    stake: Math.abs(b.value - a.value * shift),
    isConsequence: isMoreOften.has(own) && Math.abs(Math.log(perVisit)) < Math.log1p(sensitivity),
    ...present({ byChance }),
  };
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

function pathOfMost(paths: readonly ComparedPath[], own: number, first: number): number {
  let [most, found] = [-1, 0];
  paths.forEach(({ function: function_, values }, position) => {
    if (function_ !== own) return;
    const [a, b] = meansOf(values, first);
    if (Math.abs(b - a) > most) [most, found] = [Math.abs(b - a), position];
  });
  return found;
}
