import { median, overheadOfPairs } from '../../cost/overhead';
import { lowCosts, type PairCosts } from '../../cost/pairCost';
import { recordingCost } from '../../cost/regionCost';
import { decisionClock, secondsBy, type DecisionClock, type RunTime } from '../../cost/runTime';
import { getOrMake } from '../../getOrMake';
import { dataVerdict, GrowthModeler, type Prediction } from '../choice';
import { measuredPoint, type MeasuredPoint } from '../measurements';
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

/** Deviation of the factor's logarithm where no run without recording shows it. */
const unknownFactorDoubt = 0.6;
const leastDoubtPercent = 0.1;
/** Other factors have other causes: a pair of runs that did not do the same. */
const factors = { least: 0.5, largest: 10 };
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
  const { factor, doubt } = inThisProgram(runs, pairs, clock, costs);
  const points = atPoints(runs);
  const modeler = new GrowthModeler('mean');
  const times = runTimes(points, clock);
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
        functions.map(({ key, seconds, model }) => ({ key, seconds, visits: model.predict(point) })),
        isRecorded,
        doubt,
      ),
  };
}

interface CostFactor {
  readonly factor: number;
  /** Standard deviation of its logarithm. */
  readonly doubt: number;
}

/**
 * What a visit costs in this program, as a factor of the calibration: 1 to within a factor of two before pairs are known, and what these show,
 * each with the weight of its precision. By logarithms, because the noise of a large overhead is in proportion to it: in programs that wait for
 * memory, where reading the clock ends what the processor did ahead, a visit costs three to four times as much, beyond doubt.
 * The overhead of the pairs is the part of the runs of the same point that their recording takes.
 */
function inThisProgram(
  runs: readonly RecordedRun[],
  pairs: readonly RecordedPair[],
  clock: DecisionClock,
  costs: PairCosts,
): CostFactor {
  const [first] = pairs;
  const assumed = { factor: 1, doubt: unknownFactorDoubt };
  if (first === undefined) return assumed;
  const alone = runs.filter(({ point }) => point.join() === first.point.join());
  const compared = alone.length > 0 ? alone : pairs;
  const { percent, doubtPercent } = overheadOfPairs(
    pairs.map(({ time }) => secondsBy(clock, time)),
    pairs.map(({ baseline }) => secondsBy(clock, baseline)),
  );
  // The doubt is half an interval of 95 %; 0 of it is a chance.
  const deviation = Math.max(leastDoubtPercent, doubtPercent) / 200;
  const overhead = Math.max(percent / 100, deviation);
  const seconds = median(compared.map(({ time }) => secondsBy(clock, time)));
  const calibrated = median(compared.map((run) => recordingSeconds(run, costs, clock)));
  const shown = (seconds * overhead) / (1 + overhead) / calibrated;
  if (!(Number.isFinite(shown) && shown > 0)) return assumed;
  const weight = ((overhead * (1 + overhead)) / deviation) ** 2;
  const assumedWeight = unknownFactorDoubt ** -2;
  const logarithm = (weight * Math.log(shown)) / (weight + assumedWeight);
  return {
    factor: Math.min(factors.largest, Math.max(factors.least, Math.exp(logarithm))),
    doubt: (weight + assumedWeight) ** -0.5,
  };
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
 * The time of runs: that of the recorded functions, and the rest. The start of a program takes its time in steps and jumps, which would hide how
 * the functions grow in a sum of both. The cost of recording is in them, because the small rest of a large cost has no growth that could be seen.
 */
function runTimes(
  points: readonly RunsAtPoint[],
  clock: DecisionClock,
): readonly (readonly MeasuredPoint[])[] {
  const series = (value: (run: RecordedRun) => number): readonly MeasuredPoint[] =>
    points.map(({ point, runs }) => measuredPoint(point, runs.map(value)));
  const recorded = ({ recordedSeconds }: RecordedRun): number => recordedSeconds?.[clock] ?? Infinity;
  const whole = ({ time }: RecordedRun): number => secondsBy(clock, time);
  // Clocks differ by microseconds.
  const isDivided = points.every(({ runs }) => runs.every((run) => recorded(run) <= 1.01 * whole(run)));
  return isDivided
    ? [series(recorded), series((run) => Math.max(0, whole(run) - recorded(run)))]
    : [series(whole)];
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

/** Errors of visits are independent, and so are those of visits, of the time and of the factor: those of logarithms add up as squares. */
function together(
  all: Prediction,
  everything: readonly PredictedVisits[],
  isRecorded: (key: string) => boolean,
  factorDoubt: number,
): PredictedOverhead | undefined {
  const functions = everything.filter(({ key }) => isRecorded(key));
  const cost = costSeconds(functions);
  // The runs recorded everything.
  const own = Math.max(leastOwnPart * all.value, all.value - costSeconds(everything));
  const percentOf = (seconds: number): number => (100 * seconds) / own;
  const overheadPercent = percentOf(cost);
  if (!(own > 0) || !Number.isFinite(overheadPercent)) return undefined;
  const aside = (distance: (one: Prediction) => number): number =>
    Math.hypot(...functions.map(({ seconds, visits }) => seconds * distance(visits)));
  // A part more of the cost is as much less of the rest, so a large overhead is less certain than its cost.
  const spread = (visits: number, time: number): number =>
    Math.exp((all.value / own) * Math.hypot(Math.log(visits), Math.log(time), 2 * factorDoubt));
  const ofCost = (seconds: number): number => (cost > 0 ? Math.max(0, seconds / cost) : 1);
  const less = spread(ofCost(cost - aside(({ value, low }) => value - low)), all.high / all.value);
  const more = spread(ofCost(cost + aside(({ value, high }) => high - value)), all.low / all.value);
  return {
    overheadPercent,
    low: overheadPercent / less,
    // Nothing recorded costs nothing.
    high: overheadPercent === 0 ? 0 : overheadPercent * more,
    functions: functions
      .map(({ key, seconds, visits }) => ({
        key,
        overheadPercent: percentOf(seconds * visits.value),
        visits: visits.value,
      }))
      .sort((a, b) => b.overheadPercent - a.overheadPercent || (a.key < b.key ? -1 : 1)),
  };
}

function costSeconds(functions: readonly PredictedVisits[]): number {
  return functions.reduce((sum, { seconds, visits }) => sum + seconds * visits.value, 0);
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
