import { at } from '../at';
import type { Quantity } from '../compare/significance';
import type { ComparedSides } from '../compare/sides';
import { KymoError } from '../errors';
import { largestOf } from '../sums';
import { nearestName } from '../nearest';
import type { RegionPlace } from '../profile/place';
import { effectsOf, effectsOfFigure, type Effects, type FunctionEffect } from './effects';
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
  /** Of the largest process. */
  readonly memoryBytes?: number;
  /** Largest computing time of a rank ÷ mean of all, − 1. */
  readonly imbalance?: number;
}

/** Of the mean of the candidate's runs. */
export interface TimeBudget {
  readonly seconds?: number;
  /** Relative change from which on it matters, in place of `minimumChange`. */
  readonly change?: number;
}

export type GateCriterion = 'total' | 'time' | 'memory' | 'imbalance' | 'scaling' | 'budget';

/** A figure of whole runs; `values` of all runs, those of the baseline first. */
export interface RunFigure {
  readonly criterion: 'memory' | 'imbalance';
  readonly values: Float64Array;
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
  readonly unit: 'sec' | 'bytes' | 'share';
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
  figures: readonly RunFigure[],
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
  const functions = effects.functions.map((one): GateEntry => ({
    ...judge(one.effect, mattersFor(one, sides, limits), halves * effects.functions.length),
    ...{ criterion: 'time', values: one.seconds, unit: 'sec', share: one.share },
    ...ofFunction(one.function, sides),
  }));
  const others = figures.map((figure) => figureEntry(figure, sides, byTurns, minimumChange, whole));
  return {
    entries: [total, ...functions, ...others, ...budgetEntries(sides, effects, figures, budgets)],
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

function figureEntry(
  { criterion, values }: RunFigure,
  { runs: [first] }: ComparedSides,
  byTurns: boolean,
  minimumChange: number,
  count: number,
): GateEntry {
  // An imbalance of 0 is as good as one of a small part of the run: what is compared is the time of the slowest rank as a multiple of the mean.
  const compared = criterion === 'imbalance' ? values.map((value) => 1 + value) : values;
  const matters =
    criterion === 'memory' ? Math.max(minimumChange, leastMemory / largestOf(values, 1)) : minimumChange;
  const quantity: Quantity = { values: compared.map((value) => Math.max(value, 1e-12)) };
  return {
    ...judge(effectsOfFigure(quantity, first, byTurns), matters, count),
    ...{ criterion, values: meansOfSides(values, first), unit: criterion === 'memory' ? 'bytes' : 'share' },
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
  { seconds: whole, functions, memoryBytes, imbalance }: GateBudgets,
): readonly GateEntry[] {
  const [first] = sides.runs;
  const entry = (
    values: Float64Array,
    budget: number | undefined,
    unit: GateEntry['unit'],
    own: Partial<GateEntry> = {},
  ): readonly GateEntry[] => {
    if (budget === undefined) return [];
    const candidate = values.subarray(first);
    const mean = candidate.reduce((sum, value) => sum + value, 0) / candidate.length;
    return [{ ...judgeBudget(candidate, budget), criterion: 'budget', values: [budget, mean], unit, ...own }];
  };
  const figure = (criterion: RunFigure['criterion'], budget: number | undefined): readonly GateEntry[] => {
    const values = figures.find((one) => one.criterion === criterion)?.values;
    if (budget !== undefined && values === undefined)
      throw new KymoError(
        'not-comparable',
        `The budget of the ${criterion} cannot be judged: the runs do not say what theirs is. ${criterion === 'memory' ? 'Measure with this version of Kymo.' : 'It takes several ranks.'}`,
      );
    return values === undefined ? [] : entry(values, budget, criterion === 'memory' ? 'bytes' : 'share');
  };
  return [
    ...entry(runs.whole, whole, 'sec'),
    ...Object.entries(functions).flatMap(([name, { seconds }]) =>
      sides.functions.flatMap((one, own) =>
        one.name === name ? entry(runs.of(own), seconds, 'sec', ofFunction(own, sides)) : [],
      ),
    ),
    ...figure('memory', memoryBytes),
    ...figure('imbalance', imbalance),
  ];
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
