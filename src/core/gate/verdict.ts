import { quantileOfT } from '../compare/studentT';
import { present } from '../present';

export const verdicts = ['regression', 'cannot-tell', 'improvement', 'no-change'] as const;

export type Verdict = (typeof verdicts)[number];

/** By how much the logarithm of a quantity differs, candidate − baseline, and how uncertain that is. */
export interface Effect {
  readonly difference: number;
  /** Standard error that more repetitions make smaller, of so many of each side. */
  readonly runError: number;
  /** Standard error that they do not make smaller: between two measurements, the machine changed. */
  readonly otherError: number;
  /** Degrees of freedom behind both; 0: nothing was repeated, and nothing is known of the error. */
  readonly freedom: number;
  /** Of each side; of sides of other numbers the smaller one. */
  readonly repetitions: number;
}

export interface Judged {
  /** Candidate ÷ baseline. */
  readonly ratio: number;
  /** Confidence interval of the ratio, for all effects that were judged together; absent: nothing was repeated. */
  readonly interval?: readonly [number, number];
  /** The ratio from which on it matters. */
  readonly matters: number;
  readonly verdict: Verdict;
  /** Where the verdict is `cannot-tell`: so many repetitions of each side would tell, if the noise stays as it is; absent: more of them would not. */
  readonly repetitions?: number;
}

/** Probability that any of the intervals that are judged together misses its true value. */
export const missed = 0.01;

/** Half of an interval of logarithms that is shown: the ends of wider ones would be no numbers. */
const widest = Math.log(100);

/** More are never asked for. */
const mostRepetitions = 1000;

/**
 * The verdict of an effect. A change is one if the interval has only changes of one direction, and the estimate is as large as matters; there is none if the
 * interval has only changes that do not matter. All else cannot be told.
 * @param matters relative change from which on it matters, such as 0.02
 * @param count number of effects that are judged together (C. E. Bonferroni: intervals for all of them)
 */
export function judge(effect: Effect, matters: number, count: number): Judged {
  const { difference, runError, otherError, freedom, repetitions } = effect;
  const least = Math.log1p(matters);
  const known = { ratio: Math.exp(difference), matters: 1 + matters };
  if (freedom === 0) return { ...known, verdict: 'cannot-tell', repetitions: 3 };
  const factor = quantileOfT(missed / Math.max(1, count), freedom);
  const half = factor * Math.hypot(runError, otherError);
  const shown = Math.min(widest, half);
  const interval = [Math.exp(difference - shown), Math.exp(difference + shown)] as const;
  const verdict = verdictOf(difference, half, least);
  if (verdict !== 'cannot-tell') return { ...known, interval, verdict };
  const wanted = repetitionsFor(Math.abs(difference), least, factor, effect);
  return {
    ...known,
    interval,
    verdict,
    ...(wanted === undefined ? {} : { repetitions: Math.max(wanted, repetitions + 1) }),
  };
}

/**
 * Whether values exceed a budget on average: `regression` if the whole interval of their mean does, `no-change` if nothing of it does.
 * @param values of the candidate's runs
 */
export function judgeBudget(values: Float64Array, budget: number): Judged {
  const logs = values.map((value) => Math.log(Math.max(value, 1e-12) / budget));
  const count = logs.length;
  const difference = logs.reduce((sum, value) => sum + value, 0) / count;
  const known = { ratio: Math.exp(difference), matters: 1 };
  if (count < 2) return { ...known, verdict: 'cannot-tell', repetitions: 3 };
  const squares = logs.reduce((sum, value) => sum + (value - difference) ** 2, 0);
  const error = Math.sqrt(squares / (count - 1) / count);
  const factor = quantileOfT(missed, count - 1);
  const interval = [Math.exp(difference - factor * error), Math.exp(difference + factor * error)] as const;
  if (interval[0] > 1) return { ...known, interval, verdict: 'regression' };
  if (interval[1] <= 1) return { ...known, interval, verdict: 'no-change' };
  const effect = { difference, runError: error, otherError: 0, freedom: count - 1, repetitions: count };
  return {
    ...{ ...known, interval, verdict: 'cannot-tell' },
    ...present({ repetitions: repetitionsFor(Math.abs(difference), 0, factor, effect) }),
  };
}

function verdictOf(difference: number, half: number, least: number): Verdict {
  if (Math.abs(difference) + half < least) return 'no-change';
  if (Math.abs(difference) < least || Math.abs(difference) <= half) return 'cannot-tell';
  return difference > 0 ? 'regression' : 'improvement';
}

/** As many as make the interval so short that it is a change, or none; undefined: no number does. */
function repetitionsFor(
  size: number,
  least: number,
  factor: number,
  { runError, otherError, repetitions }: Effect,
): number | undefined {
  const wanted = (size >= least ? size : least - size) / factor;
  const left = wanted ** 2 - otherError ** 2;
  const count = Math.ceil((repetitions * runError ** 2) / left);
  return left > 0 && count <= mostRepetitions ? Math.max(count, repetitions + 1) : undefined;
}
