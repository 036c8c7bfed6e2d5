import { costFactor, costFactorDoubt } from '../cost/costScale';
import { median, overheadOfPairs } from '../cost/overhead';
import { lowCosts, type PairCosts } from '../cost/pairCost';
import { recordingCost } from '../cost/regionCost';
import { decisionClock, secondsBy, type DecisionClock, type RunTime } from '../cost/runTime';
import { getOrMake } from '../getOrMake';
import { dataVerdict, GrowthModeler, type Prediction } from './choice';
import { measuredPoint, type MeasuredPoint } from './measurements';
import { recordingSeconds, type RecordedRun } from './recordedRun';

/** A run beside one of the same point with nothing recorded. */
export interface RecordedPair extends RecordedRun {
  readonly baseline: RunTime;
}

/** The overhead of recording at a point, percent of the time of a run with nothing recorded; the range has a probability of 95 %. */
export interface PredictedOverhead {
  readonly overheadPercent: number;
  readonly low: number;
  readonly high: number;
  /** The part of each function, the most expensive first. */
  readonly functions: readonly FunctionOverhead[];
}

export interface FunctionOverhead {
  readonly key: string;
  readonly overheadPercent: number;
  /** Those that are charged to the clock. */
  readonly visits: number;
}

export interface RecordingModel {
  readonly clock: DecisionClock;
  /** By what a visit costs more in this program than calibrated; 1 without pairs. */
  readonly costFactor: number;
  /**
   * @param isRecorded default: all functions that the runs recorded
   * @returns undefined where the models predict nothing, such as between two regimes
   */
  predict(point: readonly number[], isRecorded?: (key: string) => boolean): PredictedOverhead | undefined;
}

/** Deviation of the factor, as a part of it, where no run without recording shows it. */
const unknownFactorDoubt = 0.6;
/** A run consists of more than the cost of its recording, whatever the calibration says. */
const leastOwnPart = 0.05;

/**
 * The overhead of runs that were not made: visits × cost of a visit ÷ time with nothing recorded. Visits and time are growth models; the cost
 * is that of the calibrations, times a factor that pairs of runs with and without recording show. By the clock that decides about overheads,
 * so with ranks of the one that computes most.
 * @param runs at several points
 * @returns undefined when there are too few points, and without CPU time of any kind
 */
export function recordingModel(
  runs: readonly RecordedRun[],
  pairs: readonly RecordedPair[] = [],
): RecordingModel | undefined {
  const [first] = runs;
  if (first === undefined) return undefined;
  const clock = decisionClock([...runs.map(({ time }) => time), ...pairs.map(({ baseline }) => baseline)]);
  const costs = lowCosts([...runs, ...pairs].map((run) => run.costs));
  const { factor, doubt } = inThisProgram(pairs, clock, costs);
  const points = atPoints(runs);
  const modeler = new GrowthModeler('mean');
  const times = ownTimes(points, clock, (run) => factor * recordingSeconds(run, costs, clock));
  if (times.some((series) => dataVerdict(series, 'mean') !== undefined)) return undefined;
  const timeModels = times.map((series) => modeler.model(series));
  const regions = new Map(
    runs.flatMap(({ functions }) => [...functions].map(([key, { region }]) => [key, region])),
  );
  const functions = [...regions].map(([key, region]) => ({
    key,
    seconds: factor * recordingCost(region, costs),
    model: modeler.model(
      points.map(({ point, runs: same }): MeasuredPoint =>
        measuredPoint(
          point,
          same.map((run) => run.functions.get(key)?.visits[clock] ?? 0),
        ),
      ),
    ),
  }));
  return {
    clock,
    costFactor: factor,
    predict: (point, isRecorded = () => true) =>
      together(
        sumOf(timeModels.map((model) => model.predict(point))),
        functions
          .filter(({ key }) => isRecorded(key))
          .map(({ key, seconds, model }) => ({ key, seconds, visits: model.predict(point) })),
        doubt,
      ),
  };
}

interface CostFactor {
  readonly factor: number;
  /** Standard deviation, as a part of it. */
  readonly doubt: number;
}

function inThisProgram(pairs: readonly RecordedPair[], clock: DecisionClock, costs: PairCosts): CostFactor {
  if (pairs.length === 0) return { factor: 1, doubt: unknownFactorDoubt };
  const baselines = pairs.map(({ baseline }) => secondsBy(clock, baseline));
  const shown = overheadOfPairs(
    pairs.map(({ time }) => secondsBy(clock, time)),
    baselines,
  );
  const predictedPercent =
    (100 * median(pairs.map((pair) => recordingSeconds(pair, costs, clock)))) / median(baselines);
  if (!(predictedPercent > 0)) return { factor: 1, doubt: unknownFactorDoubt };
  const seen = { ...shown, predictedPercent };
  return { factor: costFactor(undefined, seen), doubt: costFactorDoubt(undefined, seen) };
}

interface RunsAtPoint {
  readonly point: readonly number[];
  readonly runs: readonly RecordedRun[];
}

function atPoints(runs: readonly RecordedRun[]): readonly RunsAtPoint[] {
  const points = new Map<string, { readonly point: readonly number[]; readonly runs: RecordedRun[] }>();
  for (const run of runs)
    getOrMake(points, run.point.join(' '), () => ({ point: run.point, runs: [] })).runs.push(run);
  return [...points.values()];
}

/**
 * The time of runs with nothing recorded: that of the recorded functions, and the rest. The start of a program takes its time in steps and jumps,
 * which would hide how the functions grow in a sum of both.
 */
function ownTimes(
  points: readonly RunsAtPoint[],
  clock: DecisionClock,
  costOf: (run: RecordedRun) => number,
): readonly (readonly MeasuredPoint[])[] {
  const series = (value: (run: RecordedRun) => number): readonly MeasuredPoint[] =>
    points.map(({ point, runs }) => measuredPoint(point, runs.map(value)));
  const restOf = ({ time, recordedSeconds }: RecordedRun): number =>
    secondsBy(clock, time) - (recordedSeconds?.[clock] ?? Infinity);
  const isDivided = points.every(({ runs }) => runs.every((run) => restOf(run) >= 0));
  const own = (run: RecordedRun, seconds: number): number =>
    Math.max(leastOwnPart * seconds, seconds - costOf(run));
  if (!isDivided) return [series((run) => own(run, secondsBy(clock, run.time)))];
  return [series((run) => own(run, run.recordedSeconds?.[clock] ?? 0)), series(restOf)];
}

/** Errors are independent. */
function sumOf(parts: readonly Prediction[]): Prediction {
  const value = parts.reduce((sum, part) => sum + part.value, 0);
  const below = Math.hypot(...parts.map((part) => part.value - part.low));
  const above = Math.hypot(...parts.map((part) => part.high - part.value));
  return { value, low: value - below, high: value + above };
}

interface PredictedVisits {
  readonly key: string;
  /** Cost of a visit. */
  readonly seconds: number;
  readonly visits: Prediction;
}

/** Errors of visits are independent, and so are those of visits, of the time and of the factor: relative ones add up as squares. */
function together(
  time: Prediction,
  functions: readonly PredictedVisits[],
  factorDoubt: number,
): PredictedOverhead | undefined {
  const percentOf = (seconds: number): number => (100 * seconds) / time.value;
  const shown = functions
    .map(({ key, seconds, visits }) => ({
      key,
      overheadPercent: percentOf(seconds * visits.value),
      visits: visits.value,
    }))
    .sort((a, b) => b.overheadPercent - a.overheadPercent || (a.key < b.key ? -1 : 1));
  const overheadPercent = shown.reduce((sum, one) => sum + one.overheadPercent, 0);
  if (!(time.value > 0) || !Number.isFinite(overheadPercent)) return undefined;
  const aside = (distance: (one: Prediction) => number): number =>
    Math.hypot(...functions.map(({ seconds, visits }) => percentOf(seconds * distance(visits))));
  const relative = (visits: number, slow: number): number =>
    Math.hypot(overheadPercent === 0 ? 0 : visits / overheadPercent, slow, 2 * factorDoubt);
  const less = relative(
    aside(({ value, low }) => value - low),
    1 - time.value / time.high,
  );
  const more = relative(
    aside(({ value, high }) => high - value),
    time.value / time.low - 1,
  );
  return {
    overheadPercent,
    low: overheadPercent * Math.max(0, 1 - less),
    // Nothing recorded costs nothing.
    high: overheadPercent === 0 ? 0 : overheadPercent * (1 + more),
    functions: shown,
  };
}

/** Functions whose recording makes it too expensive, and the overhead without them. */
export interface TooExpensive {
  readonly functions: readonly FunctionOverhead[];
  readonly overheadPercent: number;
}

/** The fewest functions without which a predicted overhead is within a limit: the most expensive ones. Undefined when it is. */
export function tooExpensive(
  { overheadPercent, functions }: PredictedOverhead,
  limitPercent: number,
): TooExpensive | undefined {
  if (overheadPercent <= limitPercent) return undefined;
  const count = functions.findIndex((_, i) => costOf(functions.slice(i)) <= limitPercent);
  const kept = count < 0 ? [] : functions.slice(count);
  return { functions: functions.slice(0, functions.length - kept.length), overheadPercent: costOf(kept) };
}

function costOf(functions: readonly FunctionOverhead[]): number {
  return functions.reduce((sum, one) => sum + one.overheadPercent, 0);
}
