/**
 * Trends and steps: runs of rising episodes, bridged over short dips, with the rise itself recovered by a fit (specification of performance
 * dynamics, §8.2). Falling runs are found as rising runs of the mirrored signal.
 */
import type { LetteredPart } from './episodes';
import { medianOf } from './median';
import type { PreparedSignal } from './prepare';
import type { Letter, SignalOptions } from './signal';
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

interface RisingRun {
  readonly from: number;
  readonly to: number;
  readonly stability: number;
}

type Thresholds = Pick<SignalOptions, 'bridgeDrop' | 'trendAmplitude' | 'trendFit'>;

/**
 * By position. `parts` were read from `cleaned`, the signal without narrow spikes; costs are counted in the signal itself.
 * `direction` -1 searches falling runs.
 */
export function findTrends(
  parts: readonly LetteredPart[],
  cleaned: Float64Array,
  signal: PreparedSignal,
  thresholds: Thresholds,
  direction: 1 | -1 = 1,
): Trend[] {
  const levels = new Levels(cleaned, direction);
  const runs = bridged(runsOf(parts, direction), parts, levels, thresholds.bridgeDrop);
  return runs.flatMap((run) => {
    const window = widened(run, parts, levelShare * (levels.at(run.to) - levels.at(run.from)));
    return trendIn(run, window, cleaned, signal, thresholds, direction);
  });
}

/** Levels of the signal around a place: medians, which spikes and noise do not move. */
class Levels {
  private readonly reach: number;

  constructor(
    private readonly values: Float64Array,
    private readonly direction: 1 | -1,
  ) {
    this.reach = Math.max(1, Math.floor(values.length / 64));
  }

  at(place: number): number {
    return this.direction * medianOf(this.values, place - this.reach, place + this.reach);
  }
}

const rising: ReadonlySet<Letter> = new Set<Letter>(['A', 'D', 'E']);
const falling: ReadonlySet<Letter> = new Set<Letter>(['B', 'C', 'F']);

function runsOf(parts: readonly LetteredPart[], direction: 1 | -1): RisingRun[] {
  const wanted = direction > 0 ? rising : falling;
  const runs: RisingRun[] = [];
  let open: RisingRun | undefined;
  for (const { letter, from, to, stability } of parts) {
    if (!wanted.has(letter)) {
      open = undefined;
      continue;
    }
    if (open?.to === from - 1) {
      runs.pop();
      open = { from: open.from, to, stability: Math.max(open.stability, stability) };
    } else open = { from, to, stability };
    runs.push(open);
  }
  return runs;
}

interface LevelledRun extends RisingRun {
  /** Levels at both ends. */
  readonly start: number;
  readonly end: number;
}

/** Joins neighbouring runs where the dip between them is small against the rise of both, until nothing changes. */
function bridged(
  runs: readonly RisingRun[],
  parts: readonly LetteredPart[],
  levels: Levels,
  bridgeDrop: number,
): RisingRun[] {
  let list = runs.map((run): LevelledRun => ({ ...run, start: levels.at(run.from), end: levels.at(run.to) }));
  for (;;) {
    const joined: LevelledRun[] = [];
    for (const run of list) {
      const last = joined.at(-1);
      const both = last === undefined ? undefined : joinedRun(last, run, parts, levels, bridgeDrop);
      if (both !== undefined) joined.pop();
      joined.push(both ?? run);
    }
    if (joined.length === list.length) return list;
    list = joined;
  }
}

/** Share of the length of two runs and what is between them from which the latter is long. */
const longGap = 0.25;
/** A change up to this share of the rise is none. */
const levelShare = 0.1;

function joinedRun(
  left: LevelledRun,
  right: LevelledRun,
  parts: readonly LetteredPart[],
  levels: Levels,
  bridgeDrop: number,
): LevelledRun | undefined {
  const allowed = bridgeDrop * (right.end - left.start);
  if (allowed <= 0 || left.end - right.start > allowed) return undefined;
  // A long level stretch between two rises keeps them apart: two steps are no trend.
  const gap = right.from - left.to - 1;
  const isLong = gap > longGap * (right.to - left.from + 1);
  if (isLong && right.start - left.end < levelShare * (right.end - left.start)) return undefined;
  // A hump between the two is a rise and a fall of its own, even if it begins and ends at one level.
  for (const { from, to } of parts) {
    if (from <= left.to || to >= right.from) continue;
    if (Math.max(levels.at(from), levels.at(to)) - right.start > allowed) return undefined;
  }
  const { from, start } = left;
  return { from, to: right.to, start, end: right.end, stability: Math.max(left.stability, right.stability) };
}

/**
 * The run and what is level with its ends, up to the next change of more than `allowed`: the flat parts before and after a rise say
 * where it starts and ends.
 */
function widened(run: RisingRun, parts: readonly LetteredPart[], allowed: number): readonly [number, number] {
  let [from, to] = [run.from, run.to];
  let change = 0;
  for (let n = parts.findIndex((part) => part.from >= run.from) - 1; n >= 0; n--) {
    const part = parts[n];
    change += part?.net ?? 0;
    if (part === undefined || Math.max(Math.abs(change), Math.abs(part.net)) > allowed) break;
    from = part.from;
  }
  change = 0;
  for (const part of parts) {
    if (part.from <= run.to) continue;
    change += part.net;
    if (Math.max(Math.abs(change), Math.abs(part.net)) > allowed) break;
    to = part.to;
  }
  return [from, to];
}

function trendIn(
  run: RisingRun,
  [first, last]: readonly [number, number],
  cleaned: Float64Array,
  signal: PreparedSignal,
  thresholds: Thresholds,
  direction: 1 | -1,
): Trend[] {
  const fit = fitTrend(cleaned, first, last, direction);
  if (fit === undefined || fit.fit < thresholds.trendFit) return [];
  const shortestSide = Math.min(fit.from + 1, last - first + 1 - fit.to);
  const least = Math.max(
    thresholds.trendAmplitude * signal.range,
    (3 * signal.noise) / Math.sqrt(shortestSide),
  );
  const { low, high } = fit;
  if (high - low < least) return [];
  const core = [first + fit.from, first + fit.to] as const;
  const from = Math.min(run.from, core[0]);
  const to = Math.max(run.to, core[1]);
  const isStep = fit.to - fit.from <= Math.max(2, 0.02 * cleaned.length);
  const excess = excessOf(signal.values, from, to, low, direction);
  const aftermath = aftermathOf(signal.values, to, low, high, direction);
  const { stability } = run;
  return [
    {
      type: isStep ? 'step' : 'trend',
      from,
      to,
      core,
      low,
      high,
      fit: fit.fit,
      excess,
      aftermath,
      stability,
    },
  ];
}

function excessOf(values: Float64Array, from: number, to: number, low: number, direction: 1 | -1): number {
  let sum = 0;
  for (let i = from; i <= to; i++) sum += Math.max(0, (values[i] ?? 0) * direction - low);
  return sum;
}

/** What is above the level from before the rise, until the signal (its median over five samples) is back near it, or ends. */
function aftermathOf(values: Float64Array, to: number, low: number, high: number, direction: 1 | -1): number {
  const back = low + (high - low) / 4;
  let sum = 0;
  for (let i = to + 1; i < values.length; i++) {
    if (direction * medianOf(values, i - 2, i + 2) < back) break;
    sum += Math.max(0, (values[i] ?? 0) * direction - low);
  }
  return sum;
}
