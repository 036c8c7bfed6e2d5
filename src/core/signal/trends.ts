/**
 * Trends and steps: runs of rising episodes, bridged over short dips, with the rise itself recovered by a fit (specification of performance
 * dynamics, §8.2). Falling runs are found as rising runs of the mirrored signal.
 */
import { costsOf } from './fits/costs';
import type { LetteredPart } from './episodes';
import { rangeOf, type PreparedSignal } from './prepare';
import { findRuns, isSignificant, levelShare, Levels, type Run } from './runs';
import type { SignalOptions } from './signal';
import { findStairs } from './fits/stairs';
import { fitTrend, type TrendFit } from './fits/trendFit';
import { heightAt, type Direction } from './fits/direction';

/** In samples; levels in the prepared signal's units, low < high also for a falling run (of the mirrored signal). */
export interface Trend {
  readonly type: 'trend' | 'step';
  readonly from: number;
  readonly to: number;
  readonly core: readonly [number, number];
  readonly low: number;
  readonly high: number;
  readonly fit: number;
  readonly excess: number;
  readonly aftermath: number;
  readonly stability: number;
}

/** The signal and the thresholds of a search for rises. */
interface Search {
  /** The signal without narrow spikes, and its range: one large spike must not hide a drift. */
  readonly cleaned: Float64Array;
  readonly range: number;
  readonly noise: number;
  readonly direction: Direction;
  readonly thresholds: Thresholds;
}

type Thresholds = Pick<SignalOptions, 'bridgeDrop' | 'trendAmplitude' | 'trendFit'>;

/** By position. `parts` were read from `cleaned`, the signal without narrow spikes; costs are counted in the signal itself. */
export function findTrends(
  parts: readonly LetteredPart[],
  cleaned: Float64Array,
  { noise, values }: PreparedSignal,
  thresholds: Thresholds,
): { readonly rises: Trend[]; readonly falls: Trend[] } {
  const runs = findRuns(parts, cleaned, thresholds.bridgeDrop);
  const range = rangeOf(cleaned);
  const inDirection = (list: readonly Run[], direction: Direction): Trend[] => {
    const levels = new Levels(cleaned, direction);
    const search = { cleaned, range, noise, direction, thresholds };
    const rises = apart(list.flatMap((run) => risesIn(run, widened(run, parts, levels, noise), search)));
    return rises.map((rise, index) => ({
      ...rise,
      ...costsOf(rise, rises.slice(index + 1), values, direction),
    }));
  };
  return { rises: inDirection(runs.rises, 1), falls: inDirection(runs.falls, -1) };
}

/** The run and what is level with its ends: the flat stretches before and after a rise say where it starts and ends. */
function widened(
  run: Run,
  parts: readonly LetteredPart[],
  levels: Levels,
  noise: number,
): readonly [number, number] {
  const before = parts.filter(({ to }) => to < run.from).reverse();
  const after = parts.filter(({ from }) => from > run.to);
  const [start, end] = levels.around(run);
  const allowed = Math.max(levelShare * (end - start), levels.offBy(levelNoise * noise));
  const first = run.closedBefore ? undefined : lastLevel(before, start, allowed, levels);
  const last = run.closedAfter ? undefined : lastLevel(after, end, allowed, levels);
  return [first?.from ?? run.from, last?.to ?? run.to];
}

/** Standard deviations that levels may differ by. */
const levelNoise = 2.5;

/** The last of the parts up to which all are level: by their own changes, or by the medians at their ends and middle. */
function lastLevel(
  parts: readonly LetteredPart[],
  level: number,
  allowed: number,
  levels: Levels,
): LetteredPart | undefined {
  let change = 0;
  const end = parts.findIndex(({ from, to, net }) => {
    change += net;
    if (Math.max(Math.abs(net), Math.abs(change)) <= allowed) return false;
    return [from, (from + to) >> 1, to].some((place) => Math.abs(levels.at(place) - level) > allowed);
  });
  return end < 0 ? parts.at(-1) : parts[end - 1];
}

type Rise = Omit<Trend, 'excess' | 'aftermath'>;

/** The rise in a run, if it has one, or its steps. */
function risesIn(run: Run, window: readonly [number, number], search: Search): readonly Rise[] {
  const { cleaned, direction, thresholds } = search;
  const [first, last] = window;
  const fit = fitTrend(cleaned, first, last, direction);
  if (fit === undefined || fit.fit < thresholds.trendFit) return [];
  if (!isSignificant(fit.fit, independentSamples(cleaned, window, fit, direction))) return [];
  const steps = stepsIn(run, window, fit.fit, search);
  if (steps.length > 0) return steps;
  const core = [first + fit.from, first + fit.to] as const;
  // The best fit of the level stretches beside the run is another one's.
  if (core[0] > run.to || core[1] < run.from) return [];
  const { low, high } = fit;
  if (high - low < leastAmplitude(Math.min(fit.from + 1, last - first + 1 - fit.to), search)) return [];
  const isStep = fit.to - fit.from <= longestStep(cleaned.length);
  // One or two samples at an end are an exception, not a level.
  if (isStep && Math.min(core[0] + 1, cleaned.length - core[1]) < shortestSide) return [];
  // A step is where it happens: how far its run reaches says how much was smoothed to see it.
  const from = isStep ? core[0] : Math.min(run.from, core[0]);
  const to = isStep ? core[1] : Math.max(run.to, core[1]);
  const { stability } = run;
  return [{ type: isStep ? 'step' : 'trend', from, to, core, low, high, fit: fit.fit, stability }];
}

/**
 * How many samples without memory tell as much as those of the window do: noise that lasts from one sample to the next (autocorrelation of
 * what the fit leaves) tells less. What is left of a curve lasts, too, and is no noise: at least `leastIndependent` are counted.
 */
function independentSamples(
  cleaned: Float64Array,
  [first, last]: readonly [number, number],
  { from, to, low, high }: TrendFit,
  direction: Direction,
): number {
  const samples = last - first + 1;
  let [squares, products, before] = [0, 0, 0];
  for (let n = 0; n < samples; n++) {
    const along = Math.min(1, Math.max(0, (n - from) / (to - from)));
    const left = heightAt(cleaned, first + n, direction) - low - along * (high - low);
    squares += left * left;
    products += left * before;
    before = left;
  }
  const memory = squares > 0 ? products / squares : 0;
  return memory <= 0
    ? samples
    : Math.max(Math.min(samples, leastIndependent), (samples * (1 - memory)) / (1 + memory));
}

const leastIndependent = 24;

/** Steps that explain the run, and what is level with its ends, clearly better than one rise with the given fit does. */
function stepsIn(
  { stability }: Run,
  window: readonly [number, number],
  trendFit: number,
  search: Search,
): readonly Rise[] {
  const { cleaned, direction } = search;
  const shortest = Math.max(shortestLevel, Math.ceil(cleaned.length / 64));
  const stairs = findStairs(cleaned, window, direction, trendFit, shortest);
  if (stairs === undefined) return [];
  const places = [window[0] - 1, ...stairs.steps.map(({ at }) => at), window[1]];
  const isLarge = stairs.steps.every(({ low, high }, n) => {
    const [before, place, after] = places.slice(n, n + 3) as [number, number, number];
    return high - low >= leastAmplitude(Math.min(place - before, after - place), search);
  });
  if (!isLarge) return [];
  return stairs.steps.map(({ at, low, high }) => {
    const core = [at, at + 1] as const;
    return { type: 'step', from: at, to: at + 1, core, low, high, fit: stairs.fit, stability };
  });
}

/** Samples from the beginning of a rise to its end, in a signal of this length, up to which it is a step and no trend. */
export function longestStep(length: number): number {
  return Math.max(2, 0.02 * length);
}

/** Before the first or after the last step, and between two. */
const shortestSide = 3;
const shortestLevel = 4;

/** Least amplitude of a rise. `side`: number of samples of the shorter level beside it. */
function leastAmplitude(side: number, { thresholds, range, noise }: Search): number {
  return Math.max(thresholds.trendAmplitude * range, (3 * noise) / Math.sqrt(side));
}

/** Rises of one direction do not overlap: of two with one core the larger stays, and extents end where the next core begins. */
function apart(rises: readonly Rise[]): Rise[] {
  const result: Rise[] = [];
  for (const rise of rises) {
    const last = result.at(-1);
    if (last === undefined || last.to < rise.from) result.push(rise);
    else if (last.core[1] > rise.core[0]) {
      if (rise.high - rise.low > last.high - last.low) result[result.length - 1] = rise;
    } else {
      const to = Math.max(last.core[1], Math.min(last.to, rise.core[0] - 1));
      result[result.length - 1] = { ...last, to };
      result.push({ ...rise, from: Math.min(rise.core[0], Math.max(rise.from, to + 1)) });
    }
  }
  return result;
}
