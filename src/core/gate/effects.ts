import { at, atFloat } from '../at';
import { betweenVariance, loadVariance } from '../compare/between';
import { comparedQuantities } from '../compare/functionChanges';
import { functionSums, type FunctionSums } from '../compare/functionTimes';
import { meansOf } from '../compare/difference';
import { moderated, priorOf, type OwnVariance } from '../compare/moderation';
import { timeMetric } from '../compare/run';
import type { ComparedSides } from '../compare/sides';
import { medianOf, shiftsOf, type Quantity } from '../compare/significance';
import { dependenceOf, varianceFactor } from './dependence';
import type { Effect } from './verdict';
import { shareOf } from '../functions/share';

/** A function that both sides have, and how it changed itself. */
export interface FunctionEffect {
  /** Position of the function. */
  readonly function: number;
  /** Share of the whole, of the side that has more of it. */
  readonly share: number;
  /** Mean seconds of a run. */
  readonly seconds: readonly [number, number];
  readonly effect: Effect;
}

export interface Effects {
  readonly functions: readonly FunctionEffect[];
  /** Of all functions together. */
  readonly total: Effect;
  /** Mean seconds of a run, without waiting for others. */
  readonly totals: readonly [number, number];
  /** Seconds of each run; of the whole without waiting for others. */
  readonly runs: { readonly whole: Float64Array; readonly of: (function_: number) => Float64Array };
  /** Positions of functions that wait for others: they are judged by nothing. */
  readonly waiting: readonly number[];
  /** By what most functions changed alike, candidate ÷ baseline. */
  readonly shift: number;
  /** Correlation of a run with the next one beside what is expected. */
  readonly dependence: number;
}

/** Functions with a smaller share of the run on both sides are not judged. */
const leastShare = 0.005;

/** How sides differ, and how uncertain that is. By turns: the first run of each side are a pair, and so on. */
export function effectsOf(sides: ComparedSides, byTurns: boolean): Effects {
  const [first, second] = sides.runs;
  const sums = functionSums(sides);
  const isWaiting = (own: number): boolean =>
    sides.metric.name === timeMetric.name && at(sides.functions, own).isWaiting;
  const wholes = wholesOf(
    sums.filter((_, own) => !isWaiting(own)),
    first + second,
  );
  const totals = meansOf(wholes, first);
  const { judged, waiting, factors, quantities } = comparedQuantities(
    sums,
    first,
    leastShare * Math.max(...totals),
    isWaiting,
    byTurns,
  );
  const logs = meansOf(factors.map(Math.log), first);
  const whole: Quantity = { values: wholes.map((value) => Math.max(value, 1e-12)) };
  const shift = logs[1] - logs[0];
  const functions = byTurns
    ? effectsOfPairs(quantities, first)
    : effectsOfSides(
        quantities,
        sides,
        factors.every((factor) => factor === 1),
      );
  const total = byTurns
    ? at(effectsOfPairs([whole], first).effects, 0)
    : wholeOfSides(whole, sides, functions, shift);
  return {
    functions: judged.map((own, row) => ({
      function: own,
      share: largestShare(meansOf(at(sums, own).values, first), totals),
      seconds: meansOf(at(sums, own).values, first),
      effect: at(functions.effects, row),
    })),
    runs: { whole: wholes, of: (own) => at(sums, own).values },
    ...{ total, totals, waiting, shift: Math.exp(shift) },
    dependence: functions.dependence,
  };
}

/** Of quantities that a machine which changes between the sides does not change: figures such as the memory, and ratios within a run. */
export function effectsOfFigures(
  figures: readonly Quantity[],
  first: number,
  byTurns: boolean,
): readonly Effect[] {
  if (byTurns) return effectsOfPairs(figures, first).effects;
  return shiftsOf(figures, first).map(({ difference, variance, freedom }, row) => ({
    ...{ difference, freedom, runError: Math.sqrt(variance), otherError: 0 },
    repetitions: Math.min(first, at(figures, row).values.length - first),
  }));
}

interface JudgedTogether {
  readonly effects: readonly Effect[];
  readonly dependence: number;
  /** What the effects have in common, and may be the machine's. */
  readonly common: number;
  /** Variance of the logarithms between the sides beyond the noise of the runs, and its degrees of freedom. */
  readonly between: OwnVariance;
}

/** Of runs by turns: what both runs of a pair have in common, such as a busy machine, is not in their ratio. */
export function effectsOfPairs(quantities: readonly Quantity[], pairs: number): JudgedTogether {
  const rows = quantities.map(({ values }) =>
    Float64Array.from({ length: pairs }, (_, pair) =>
      Math.log(atFloat(values, pairs + pair) / atFloat(values, pair)),
    ),
  );
  const own = rows.map((row): OwnVariance => ({ variance: varianceOf(row), freedom: pairs - 1 }));
  const prior = priorOf(own);
  const dependence = dependenceOf(rows);
  const factor = varianceFactor(dependence);
  const effects = rows.map((row, index): Effect => {
    const { variance, freedom } = moderated(at(own, index), prior);
    return {
      difference: meanOf(row),
      runError: Math.sqrt((variance * factor) / pairs),
      otherError: Math.sqrt(at(quantities, index).doubt ?? 0),
      freedom: freedom / factor,
      repetitions: pairs,
    };
  });
  return { effects, dependence, common: 0, between: nothing };
}

/**
 * Of sides that were measured one after the other, or anyhow.
 * @param hasCommon what all functions have in common is in them, because they are too few to show it: it may be the machine's, and so they are as uncertain
 */
function effectsOfSides(
  quantities: readonly Quantity[],
  sides: ComparedSides,
  hasCommon: boolean,
): JudgedTogether {
  const [first, second] = sides.runs;
  const expected = expectedOf(sides);
  const shifts = shiftsOf(quantities, first);
  const dependence = dependenceOf(quantities.flatMap(({ values }) => residuals(values, first)));
  const factor = varianceFactor(dependence);
  const common =
    hasCommon && expected !== undefined && shifts.length > 0
      ? medianOf(Float64Array.from(shifts, ({ difference }) => difference))
      : 0;
  const betweenOf = (row: number): OwnVariance =>
    expected === undefined
      ? nothing
      : betweenVariance(
          shifts.filter((_, other) => other !== row),
          expected,
        );
  const effects = shifts.map(({ difference, variance, freedom, doubt }, row): Effect => {
    const between = betweenOf(row);
    return {
      difference,
      runError: Math.sqrt(variance * factor),
      otherError: Math.sqrt(doubt + between.variance + common ** 2),
      freedom: freedomOf({ variance: variance * factor, freedom: freedom / factor }, between),
      repetitions: Math.min(first, second),
    };
  });
  return { effects, dependence, common, between: betweenOf(-1) };
}

/**
 * Of all functions together. What most functions have in common may be the machine's, and so the whole is as uncertain as that is large, if one side was measured
 * before the other.
 */
function wholeOfSides(
  whole: Quantity,
  sides: ComparedSides,
  { between, common, dependence }: JudgedTogether,
  shift: number,
): Effect {
  const [first, second] = sides.runs;
  const factor = varianceFactor(dependence);
  const { difference, variance, freedom } = at(shiftsOf([whole], first), 0);
  return {
    difference,
    runError: Math.sqrt(variance * factor),
    otherError: Math.hypot(Math.sqrt(between.variance), common, expectedOf(sides) === undefined ? 0 : shift),
    freedom: freedomOf({ variance: variance * factor, freedom: freedom / factor }, between),
    repetitions: Math.min(first, second),
  };
}

const nothing: OwnVariance = { variance: 0, freedom: 0 };

/** What is expected of a machine that may have changed between the sides; counters count the same on it. */
function expectedOf({ metric, isOneAfterOther, load }: ComparedSides): OwnVariance | undefined {
  return metric.name === timeMetric.name && isOneAfterOther ? loadVariance(load) : undefined;
}

/** Of the sum of both variances (F. E. Satterthwaite, Biometrics Bulletin 2 (1946)); what is added makes nothing surer. */
function freedomOf(runs: OwnVariance, between: OwnVariance): number {
  if (runs.freedom === 0 || between.variance === 0) return runs.freedom;
  const spread = runs.variance ** 2 / runs.freedom + between.variance ** 2 / between.freedom;
  return Math.min(runs.freedom, (runs.variance + between.variance) ** 2 / spread);
}

function residuals(values: Float64Array, first: number): readonly Float64Array[] {
  const logs = values.map(Math.log);
  // Correlations of both sides count alike where they have as many runs; the shorter one would show less.
  const parts = [logs.subarray(0, first), logs.subarray(first)];
  const length = Math.min(...parts.map((part) => part.length));
  return parts.map((part) => part.subarray(0, length));
}

function wholesOf(sums: readonly FunctionSums[], runs: number): Float64Array {
  const wholes = new Float64Array(runs);
  for (const { values } of sums) values.forEach((value, run) => (wholes[run] = atFloat(wholes, run) + value));
  return wholes;
}

function largestShare(values: readonly [number, number], totals: readonly [number, number]): number {
  return Math.max(...values.map((seconds, side) => shareOf(seconds, { seconds: at(totals, side) })));
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** 0 of a single value. */
function varianceOf(values: Float64Array): number {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return values.length < 2 ? 0 : squares / (values.length - 1);
}
