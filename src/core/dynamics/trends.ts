/**
 * Trends and steps: runs of rising episodes, bridged over short dips, with the rise itself recovered by a fit (specification of performance
 * dynamics, §8.2). Falling runs are found as rising runs of the mirrored signal.
 */
import type { LetteredPart } from './episodes';
import { rangeOf, type PreparedSignal } from './prepare';
import { findRuns, isSignificant, levelShare, Levels, type Run } from './runs';
import type { SignalOptions } from './signal';
import { fitTrend } from './trendFit';

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

type Thresholds = Pick<SignalOptions, 'bridgeDrop' | 'trendAmplitude' | 'trendFit'>;

/** By position. `parts` were read from `cleaned`, the signal without narrow spikes; costs are counted in the signal itself. */
export function findTrends(
  parts: readonly LetteredPart[],
  cleaned: Float64Array,
  signal: PreparedSignal,
  thresholds: Thresholds,
): { readonly rises: Trend[]; readonly falls: Trend[] } {
  const runs = findRuns(parts, cleaned, thresholds.bridgeDrop);
  // Not of the signal itself: one large spike must not hide a drift.
  const cleanedRange = rangeOf(cleaned);
  const inDirection = (list: readonly Run[], direction: 1 | -1): Trend[] => {
    const levels = new Levels(cleaned, direction);
    const found = list.flatMap((run) => {
      const window = widened(run, parts, levels);
      return riseIn(run, window, cleaned, cleanedRange, signal.noise, thresholds, direction);
    });
    const rises = apart(found);
    return rises.map((rise, at) => withCosts(rise, rises.slice(at + 1), signal.values, direction));
  };
  return { rises: inDirection(runs.rises, 1), falls: inDirection(runs.falls, -1) };
}

/** The run and what is level with its ends: the flat stretches before and after a rise say where it starts and ends. */
function widened(run: Run, parts: readonly LetteredPart[], levels: Levels): readonly [number, number] {
  const before = parts.filter(({ to }) => to < run.from).reverse();
  const after = parts.filter(({ from }) => from > run.to);
  const allowed = levelShare * (levels.at(run.to) - levels.at(run.from));
  const first = run.closedBefore ? undefined : lastLevel(before, levels.at(run.from), allowed, levels);
  const last = run.closedAfter ? undefined : lastLevel(after, levels.at(run.to), allowed, levels);
  return [first?.from ?? run.from, last?.to ?? run.to];
}

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

/** The rise in a run, as a list of at most one. */
function riseIn(
  run: Run,
  [first, last]: readonly [number, number],
  cleaned: Float64Array,
  cleanedRange: number,
  noise: number,
  thresholds: Thresholds,
  direction: 1 | -1,
): Rise[] {
  const fit = fitTrend(cleaned, first, last, direction);
  if (fit === undefined || fit.fit < thresholds.trendFit) return [];
  if (!isSignificant(fit.fit, last - first + 1)) return [];
  const core = [first + fit.from, first + fit.to] as const;
  // The best fit of the level stretches beside the run is another one's.
  if (core[0] >= run.to || core[1] <= run.from) return [];
  const shortestSide = Math.min(fit.from + 1, last - first + 1 - fit.to);
  const least = Math.max(thresholds.trendAmplitude * cleanedRange, (3 * noise) / Math.sqrt(shortestSide));
  const { low, high } = fit;
  if (high - low < least) return [];
  const isStep = fit.to - fit.from <= Math.max(2, 0.02 * cleaned.length);
  // A step is where it happens: how far its run reaches says how much was smoothed to see it.
  const from = isStep ? core[0] : Math.min(run.from, core[0]);
  const to = isStep ? core[1] : Math.max(run.to, core[1]);
  const { stability } = run;
  return [{ type: isStep ? 'step' : 'trend', from, to, core, low, high, fit: fit.fit, stability }];
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

/** @param later the rises after it, by position */
function withCosts(rise: Rise, later: readonly Rise[], values: Float64Array, direction: 1 | -1): Trend {
  const excess = excessOf(values, rise.from, rise.to, rise.low, direction);
  return { ...rise, excess, aftermath: aftermathOf(rise, later, values, direction) };
}

function excessOf(values: Float64Array, from: number, to: number, low: number, direction: 1 | -1): number {
  let sum = 0;
  for (let i = from; i <= to; i++) sum += Math.max(0, (values[i] ?? 0) * direction - low);
  return sum;
}

/**
 * What is above the level from before the rise, until the signal (its median over five samples) is back near it, or ends. Where a later
 * rise has begun, only up to the level that this one began at: what is above costs that one, and nothing is counted twice.
 */
function aftermathOf(
  { to, low, high }: Rise,
  later: readonly Rise[],
  values: Float64Array,
  direction: 1 | -1,
): number {
  const back = low + (high - low) / 4;
  const isBack = (i: number): number => (i < values.length && (values[i] ?? 0) * direction < back ? 1 : 0);
  let [sum, below, ceiling, next] = [0, 0, Infinity, 0];
  for (let i = to - 1; i <= to + 2; i++) below += isBack(i);
  for (let i = to + 1; i < values.length; i++) {
    below += isBack(i + 2);
    // The median is below where most of the values are.
    if (2 * below > Math.min(5, values.length - i + 2)) break;
    for (let rise = later[next]; rise !== undefined && rise.from <= i; rise = later[++next])
      ceiling = Math.min(ceiling, rise.low);
    sum += Math.max(0, Math.min((values[i] ?? 0) * direction, ceiling) - low);
    below -= isBack(i - 2);
  }
  return sum;
}
