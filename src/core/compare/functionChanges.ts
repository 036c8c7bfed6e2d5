import { at, atFloat } from '../at';
import { present } from '../present';
import { certain, meansOf, sidesOf, type SideValues } from './difference';
import { commonFactors, commonFactorsOfPairs, type FunctionSums } from './functionTimes';
import { betweenVariance } from './between';
import type { OwnVariance } from './moderation';
import { changesOf, leastShift, medianOf, shiftsOf, type Change, type Quantity } from './significance';

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
  /** How its value per visit changed, and whether that is too large, and too sure, to be noise. */
  readonly perVisit: { readonly ratio: number; readonly isSure: boolean };
}

export interface JudgedHow {
  /** By how much functions may be expected to differ between the sides beyond the noise of the runs (`changesOf`). */
  readonly expected?: OwnVariance;
  /** Of a position: its time is that of others, and so it is never sure that it changed itself. */
  readonly isWaiting?: (own: number) => boolean;
}

/**
 * How functions changed, and by what all of them alike. Those that are new or gone have no values to compare.
 * @param first number of runs of the first side
 * @param least functions with smaller values on both sides are left out
 */
export function functionChanges(
  sums: readonly FunctionSums[],
  first: number,
  sensitivity: number,
  least: number,
  { expected, isWaiting = () => false }: JudgedHow = {},
): {
  readonly changes: readonly FunctionChange[];
  readonly shift: number;
  /** Whether the shift is more than the runs of a side differ in it. */
  readonly isShiftSure: boolean;
  /** By how much functions differ between the sides beyond the noise of the runs: a standard deviation of logarithms. */
  readonly between: number;
  /** The smallest relative change that would be sure, of the median function; 0: not known. */
  readonly hidden: number;
} {
  const { judged, waiting: apart, factors, quantities } = comparedQuantities(sums, first, least, isWaiting);
  const logs = meansOf(factors.map(Math.log), first);
  const isSure = (change: Change): boolean =>
    Math.abs(Math.log(change.ratio)) >= Math.log1p(sensitivity) && isCertain(change);
  const perVisit = changesOf(
    quantities.map(({ values, ...others }, row) => {
      const { visits } = at(sums, at(judged, row));
      return {
        values: values.map((value, run) => value / Math.max(atFloat(visits, run), 1)),
        ...others,
      };
    }),
    first,
    expected,
  );
  const changes = changesOf(quantities, first, expected).map((change, row): FunctionChange => {
    const { ratio, byChance } = change;
    const [own, visit] = [at(judged, row), at(perVisit, row)];
    return {
      function: own,
      sides: sidesOf(at(sums, own), first),
      ratio,
      ...present({ byChance }),
      isSure: isSure(change),
      perVisit: { ratio: visit.ratio, isSure: isSure(visit) },
    };
  });
  const waiting = apart.map((own): FunctionChange => {
    const sides = sidesOf(at(sums, own), first);
    const ratio = sides[1].value / sides[0].value;
    return { function: own, sides, ratio, isSure: false, perVisit: { ratio, isSure: false } };
  });
  return {
    changes: [...changes, ...waiting],
    shift: Math.exp(logs[1] - logs[0]),
    isShiftSure: changesOf([{ values: factors }], first).every(isCertain),
    ...betweenSides(quantities, first, expected),
  };
}

/** What a machine that changed between the sides did to the functions, and what that hides. */
function betweenSides(
  quantities: readonly Quantity[],
  first: number,
  expected: OwnVariance | undefined,
): { readonly between: number; readonly hidden: number } {
  if (expected === undefined || quantities.length === 0) return { between: 0, hidden: 0 };
  const shifts = shiftsOf(quantities, first);
  const between = betweenVariance(shifts, expected);
  const least = shifts.map((shift) => leastShift(shift, between, certain / shifts.length));
  return {
    between: Math.sqrt(between.variance),
    hidden: Math.expm1(medianOf(Float64Array.from(least))),
  };
}

/** What can be compared of functions, and what all of their runs have in common. */
export interface ComparedQuantities {
  /** Positions of the functions that are judged, and of those whose time is that of others. */
  readonly judged: readonly number[];
  readonly waiting: readonly number[];
  /** Of each run (`commonFactors`). */
  readonly factors: Float64Array;
  /** Of each judged function, without what its runs have in common with others. */
  readonly quantities: readonly Quantity[];
}

/**
 * Of the functions that every run visited, and whose values are not below `least` on both sides.
 * @param byTurns both sides met the same machine at the same time
 */
export function comparedQuantities(
  sums: readonly FunctionSums[],
  first: number,
  least: number,
  isWaiting: (own: number) => boolean,
  byTurns = false,
): ComparedQuantities {
  const compared = [...sums.keys()].filter((own) => {
    const { values } = at(sums, own);
    return values.every((value) => value > 0) && Math.max(...meansOf(values, first)) >= least;
  });
  const judged = compared.filter((own) => !isWaiting(own));
  const rows = judged.map((own) => at(sums, own).values);
  const factors = byTurns ? commonFactorsOfPairs(rows, first) : commonFactors(rows);
  const quantities = judged.map((own): Quantity => {
    const { values, doubts } = at(sums, own);
    return {
      values: values.map((value, run) => value / atFloat(factors, run)),
      doubt: doubtOf(values, doubts, first, byTurns),
    };
  });
  return { judged, waiting: compared.filter(isWaiting), factors, quantities };
}

function isCertain({ byChance }: Change): boolean {
  return byChance === undefined || byChance <= certain;
}

/**
 * By turns, the cost in a place differs between builds by this part of what it differs between places. Measured: seven files of zopfli with
 * more functions in front moved the times of three functions with 7 to 20 % of recording by less than 0.5 %.
 */
const differsByBuild = 0.1;

/**
 * Recording costs more in one place than in another, and each build has places of its own. By turns, a place costs nearly the same on both
 * sides: what was subtracted alike from both is in their ratio no error.
 */
function doubtOf(values: Float64Array, doubts: Float64Array, first: number, byTurns: boolean): number {
  const [valueA, valueB] = meansOf(values, first);
  const [doubtA, doubtB] = meansOf(doubts, first);
  const [a, b] = [doubtA / valueA, doubtB / valueB];
  return byTurns ? (a - b) ** 2 + differsByBuild ** 2 * (a ** 2 + b ** 2) : a ** 2 + b ** 2;
}
