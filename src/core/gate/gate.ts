import { at, atFloat } from '../at';
import type { Quantity } from '../compare/significance';
import type { ComparedSides } from '../compare/sides';
import { KymoError } from '../errors';
import { largestOf } from '../sums';
import { nearestName } from '../nearest';
import type { RegionPlace } from '../profile/place';
import { commonFactors, commonFactorsOfPairs } from '../compare/functionTimes';
import { effectsOf, effectsOfFigures, type Effects, type FunctionEffect } from './effects';
import { figureNames, figureWords, type FigureName } from './figures';
import type { FunctionGrowth } from './growth';
import { judge, judgeBudget, type Judged, type Verdict } from './verdict';

/** What must not be exceeded, and from which change on the rest matters. */
export interface GateLimits {
  /** Relative change from which on a time matters, such as 0.03. */
  readonly minimumChange: number;
  /** Changes of a function by a smaller share of the run do not matter. */
  readonly leastStake: number;
  readonly budgets: GateBudgets;
}

export interface GateBudgets {
  /** Of all functions together. */
  readonly seconds?: number;
  /** By a function's name. */
  readonly functions: Readonly<Record<string, TimeBudget>>;
  readonly figures: Readonly<Partial<Record<FigureName, number>>>;
}

/** Of the mean of the candidate's runs. */
export interface TimeBudget {
  readonly seconds?: number;
  /** Relative change from which on it matters, in place of `minimumChange`. */
  readonly change?: number;
}

export type GateCriterion = 'total' | 'time' | 'scaling' | 'budget' | FigureName;

/** `growth`: a share by which something is larger or smaller later. */
export type GateUnit = 'sec' | 'bytes' | 'share' | 'growth';

const unitOf: Readonly<Record<FigureName, GateUnit>> = {
  memory: 'bytes',
  imbalance: 'share',
  overhead: 'share',
  dynamics: 'growth',
};

/** A figure of whole runs; `values` of all runs, those of the baseline first. */
export interface RunFigure {
  readonly criterion: FigureName;
  readonly values: Float64Array;
}

/** What is judged beside times. */
export interface MeasuredFigures {
  readonly whole: readonly RunFigure[];
  readonly growth: readonly FunctionGrowth[];
}

/** What was judged, and how. */
export interface GateEntry extends Judged {
  readonly criterion: GateCriterion;
  /** Name of the function; absent: the run as a whole. */
  readonly name?: string;
  /** Where it is defined. */
  readonly place?: RegionPlace;
  /** Means of the baseline's and of the candidate's runs, or the budget and the candidate's, in the unit. */
  readonly values: readonly [number, number];
  readonly unit: GateUnit;
  /** Of a budget: the figure that has it; absent: a time. */
  readonly figure?: FigureName;
  /** Share of the run. */
  readonly share?: number;
  /** Of `scaling`: how both grow, and the probability that the candidate grows faster; `values` are predictions. */
  readonly growth?: { readonly baseline: string; readonly candidate: string; readonly probability: number };
}

export interface Gate {
  readonly entries: readonly GateEntry[];
  readonly effects: Pick<Effects, 'shift' | 'dependence'>;
  /** Names of functions that wait for others, and are not judged. */
  readonly waiting: readonly string[];
}

/** Bytes: smaller changes are those of the loader and of libraries. */
const leastMemory = 1 << 20;

/** Half of the errors that are allowed for the whole and its figures, and half for functions: the whole has few tests. */
const halves = 2;

/**
 * Judges all criteria.
 * @param byTurns the runs of both sides were made by turns, in pairs of the same positions
 * @throws KymoError `unknown-function` for a budget of a function that the candidate does not have
 */
export function gateOf(
  sides: ComparedSides,
  byTurns: boolean,
  { whole: figures, growth }: MeasuredFigures,
  limits: GateLimits,
): Gate {
  requireKnown(sides, limits.budgets);
  const effects = effectsOf(sides, byTurns);
  const { budgets, minimumChange } = limits;
  const whole = halves * (1 + figures.length);
  const total: GateEntry = {
    ...judge(effects.total, minimumChange, whole),
    ...{ criterion: 'total', values: effects.totals, unit: 'sec' },
  };
  const growing = growingFunctions(effects, growth);
  const tests = halves * (effects.functions.length + growing.length);
  const functions = effects.functions.map((one): GateEntry => ({
    ...judge(one.effect, mattersFor(one, sides, limits), tests),
    ...{ criterion: 'time', values: one.seconds, unit: 'sec', share: one.share },
    ...ofFunction(one.function, sides),
  }));
  const others = figures.map((figure) => figureEntry(figure, sides, byTurns, minimumChange, whole));
  return {
    entries: [
      ...[total, ...functions, ...others],
      ...growthEntries(growing, sides, byTurns, limits, tests),
      ...budgetEntries(sides, effects, figures, budgets),
    ],
    effects: { shift: effects.shift, dependence: effects.dependence },
    waiting: effects.waiting.map((own) => at(sides.functions, own).name),
  };
}

/** A small function matters only where it changes by so much that the run does. */
function mattersFor(
  { function: own, share }: FunctionEffect,
  { functions }: ComparedSides,
  { minimumChange, leastStake, budgets }: GateLimits,
): number {
  const wanted = budgets.functions[at(functions, own).name]?.change;
  return wanted ?? Math.max(minimumChange, leastStake / share);
}

function ofFunction(own: number, { functions }: ComparedSides): Pick<GateEntry, 'name' | 'place'> {
  const { name, place } = at(functions, own);
  return { name, place };
}

/** Functions that are judged by time, with how they grow over the iterations. */
function growingFunctions({ functions }: Effects, growth: readonly FunctionGrowth[]): readonly Growing[] {
  return growth.flatMap((one) => {
    const judged = functions.find((known) => known.function === one.function);
    return judged === undefined ? [] : [{ ...one, share: judged.share }];
  });
}

interface Growing extends FunctionGrowth {
  readonly share: number;
}

function growthEntries(
  growing: readonly Growing[],
  sides: ComparedSides,
  byTurns: boolean,
  { minimumChange, leastStake }: GateLimits,
  tests: number,
): readonly GateEntry[] {
  const [first] = sides.runs;
  // A run in which all functions grow alike is that of a machine that becomes slower, or the whole that is judged by itself.
  const rows = growing.map(({ values }) => values);
  const factors = byTurns ? commonFactorsOfPairs(rows, first) : commonFactors(rows);
  const quantities = growing.map(({ values }): Quantity => ({
    values: values.map((value, run) => value / atFloat(factors, run)),
  }));
  return effectsOfFigures(quantities, first, byTurns).map((effect, row): GateEntry => {
    const { function: own, share, values } = at(growing, row);
    const [before, after] = meansOfSides(values, first);
    return {
      // The mean iteration takes half of that longer.
      ...judge(effect, Math.max(minimumChange, (2 * leastStake) / share), tests),
      ...{ criterion: 'dynamics', values: [before - 1, after - 1], unit: 'growth', share },
      ...ofFunction(own, sides),
    };
  });
}

function figureEntry(
  { criterion, values }: RunFigure,
  { runs: [first] }: ComparedSides,
  byTurns: boolean,
  minimumChange: number,
  count: number,
): GateEntry {
  // A share of 0 is as good as one of a small part of the run: compared are times, such as that of the slowest rank as a multiple of the mean.
  const compared = criterion === 'memory' ? values : values.map((value) => 1 + value);
  const matters =
    criterion === 'memory' ? Math.max(minimumChange, leastMemory / largestOf(values, 1)) : minimumChange;
  const quantity: Quantity = { values: compared.map((value) => Math.max(value, 1e-12)) };
  return {
    ...judge(at(effectsOfFigures([quantity], first, byTurns), 0), matters, count),
    ...{ criterion, values: meansOfSides(values, first), unit: unitOf[criterion] },
  };
}

function meansOfSides(values: Float64Array, first: number): readonly [number, number] {
  const mean = (own: Float64Array): number => own.reduce((sum, value) => sum + value, 0) / own.length;
  return [mean(values.subarray(0, first)), mean(values.subarray(first))];
}

function budgetEntries(
  sides: ComparedSides,
  { runs }: Effects,
  figures: readonly RunFigure[],
  { seconds: whole, functions, figures: wanted }: GateBudgets,
): readonly GateEntry[] {
  const [first] = sides.runs;
  const entry = (
    values: Float64Array,
    budget: number | undefined,
    unit: GateUnit,
    own: Partial<GateEntry> = {},
  ): readonly GateEntry[] => {
    if (budget === undefined) return [];
    const candidate = values.subarray(first);
    const mean = candidate.reduce((sum, value) => sum + value, 0) / candidate.length;
    // Growth may be 0 or less.
    const above = unit === 'growth' ? 1 : 0;
    return [
      {
        ...judgeBudget(
          candidate.map((value) => above + value),
          above + budget,
        ),
        ...{ criterion: 'budget', values: [budget, mean], unit },
        ...own,
      },
    ];
  };
  return [
    ...entry(runs.whole, whole, 'sec'),
    ...Object.entries(functions).flatMap(([name, { seconds }]) =>
      sides.functions.flatMap((one, own) =>
        one.name === name ? entry(runs.of(own), seconds, 'sec', ofFunction(own, sides)) : [],
      ),
    ),
    ...figureNames.flatMap((figure) => {
      const values = figures.find(({ criterion }) => criterion === figure)?.values;
      if (wanted[figure] === undefined) return [];
      if (values === undefined) throw unknownFigure(figure);
      return entry(values, wanted[figure], unitOf[figure], { figure });
    }),
  ];
}

function unknownFigure(figure: FigureName): KymoError {
  const need: Readonly<Partial<Record<FigureName, string>>> = {
    imbalance: 'It takes several ranks.',
    dynamics: 'It takes a “phase” of the target, whose visits are the iterations.',
  };
  return new KymoError(
    'not-comparable',
    `The budget of the ${figureWords[figure]} cannot be judged: the runs do not say what theirs is. ${need[figure] ?? 'Measure with this version of Kymo.'}`,
  );
}

/** A budget for nothing would always be kept. */
function requireKnown({ functions }: ComparedSides, { functions: budgets }: GateBudgets): void {
  const known = functions.map(({ name }) => name);
  for (const name of Object.keys(budgets)) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    throw new KymoError(
      'unknown-function',
      `"gate" in kymo.json has a budget for ${JSON.stringify(name)}, which the measurements do not have${near === undefined ? '.' : `; did you mean ${JSON.stringify(near)}?`} Correct the name, or record the function: kymo pin ${JSON.stringify(name)} --in`,
    );
  }
}

/** Of everything together: the worst. What cannot be told is no matter where it is an improvement or nothing. */
export function verdictOfAll(entries: readonly GateEntry[]): Verdict {
  if (entries.some(({ verdict }) => verdict === 'regression')) return 'regression';
  if (entries.some(mayBeRegression)) return 'cannot-tell';
  return entries.some(({ verdict }) => verdict === 'improvement') ? 'improvement' : 'no-change';
}

/** Whether the interval has changes for the worse that matter. */
export function mayBeRegression({ verdict, interval, matters }: GateEntry): boolean {
  return verdict === 'cannot-tell' && (interval?.[1] ?? Infinity) >= matters;
}
