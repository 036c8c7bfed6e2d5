import { atFloat } from '../at';
import { present } from '../present';
import { ofHundred } from './explain';
import { isMultiplied, LogScale } from './logScale';
import { Parts } from './parts';
import { valuesAt } from './robust';

/** A change of the level. Positions count values from 0. */
export interface Change {
  /** A step is over within a few values; a box is another level for a while. */
  readonly kind: 'step' | 'ramp' | 'box' | 'curve';
  /** The last value before it, and the first one of the new level; of a box its last value. */
  readonly from: number;
  readonly to: number;
  /** Negative: it falls. */
  readonly height: number;
}

export interface Spike {
  readonly at: number;
  /** What the series is without it. */
  readonly base: number;
  readonly height: number;
}

/** What a series does over its values: larger is worse. */
export interface Detection {
  /** Too short: nothing can be told. Levels: it changes to and fro between them. */
  readonly shape: 'short' | 'constant' | 'falling' | 'trend' | 'steps' | 'box' | 'levels';
  readonly changes: readonly Change[];
  /** By position, what the series is without noise and spikes; NaN where there is no value. */
  readonly model: Float64Array;
  /** The level before the first rise; absent without one. */
  readonly level?: number;
  readonly spikes: readonly Spike[];
  /** Values between repetitions: of spikes, or of a wave. */
  readonly period?: number;
  /** What all rises cost, in units of the values, with its standard deviation. */
  readonly excess?: { readonly value: number; readonly deviation: number };
  /** Range of the last value before the only rise, which contains it with a probability of 95 %; absent for several changes and curves. */
  readonly onset?: readonly [first: number, last: number];
  /** The same of the first value of the new level. */
  readonly end?: readonly [first: number, last: number];
  /** What the heights of the spikes do. */
  readonly spikesGrow?: true;
  /** From 1 on, something changes. */
  readonly ratio: number;
  readonly rho: number;
  /** Standard deviation of the noise. */
  readonly noise: number;
}

/** Fewer values say nothing. */
const fewestValues = 5;
/** Values that are zero at the beginning: it starts late. */
const latestStart = 5;
export interface DetectOptions {
  /** Share of constant series in which a change is told. */
  readonly alarm: number;
  /** Series that are analysed together: in all of them, spikes and spikes that grow are found by chance as rarely as in one. */
  readonly series: number;
  /** Whether ranges of places and deviations of costs are looked for, which takes as long as all else. */
  readonly ranges: boolean;
}

/** One of a hundred. */
export const usualAlarm = 0.01;
const usualOptions: DetectOptions = { alarm: usualAlarm, series: 1, ranges: true };

/**
 * Explains a series of values by a constant, or what is more than that: rises and falls, steps, boxes, curves, beside spikes and repeating parts, under noise with memory,
 * tails and skew.
 * @param values not finite: missing; zero: it was not executed
 */
export function detect(values: Float64Array, given: Partial<DetectOptions> = {}): Detection {
  const options = { ...usualOptions, ...given };
  let unit = 0;
  for (const value of values) if (isValue(value)) unit = Math.max(unit, Math.abs(value));
  // Squares of huge and of tiny numbers are no numbers any more.
  if (unit > 0 && (unit > hugest || unit < 1 / hugest))
    return inUnit(
      detect(
        values.map((value) => value / unit),
        options,
      ),
      unit,
    );
  return detectIn(values, options, true);
}

/** @param mayScale whether the values, and not their logarithms */
function detectIn(values: Float64Array, options: DetectOptions, mayScale: boolean): Detection {
  const executed: number[] = [];
  for (let i = 0; i < values.length; i++) if (isValue(atFloat(values, i))) executed.push(i);
  if (mayScale && isMultiplied(valuesAt(values, executed))) {
    const scale = new LogScale(values);
    return scale.ofValues(detectIn(scale.logarithms, options, false));
  }
  const start = lateStart(values, executed);
  const parts = new Parts(values, executed, options);
  if (start === undefined && isRare(values, executed)) return parts.rare();
  parts.takeSpikes();
  if (parts.length < fewestValues) return { ...parts.nothing('short') };
  const detection = parts.explained();
  return start === undefined ? detection : withLateStart(detection, start);
}

const hugest = 1e75;

function inUnit(detection: Detection, unit: number): Detection {
  const { changes, model, level, excess, spikes, noise } = detection;
  return {
    ...detection,
    changes: changes.map((change) => ({ ...change, height: change.height * unit })),
    model: model.map((value) => value * unit),
    ...present({
      level: level === undefined ? undefined : level * unit,
      excess: excess && { value: excess.value * unit, deviation: excess.deviation * unit },
    }),
    spikes: spikes.map((spike) => ({ ...spike, base: spike.base * unit, height: spike.height * unit })),
    noise: noise * unit,
  };
}

function isValue(value: number): boolean {
  return Number.isFinite(value) && value !== 0;
}

/** Something that is executed in few iterations is a spike each time. */
const rareShare = 1 / 3;
const fewestRare = 12;

function isRare(values: Float64Array, executed: readonly number[]): boolean {
  const known = countFinite(values);
  return known >= fewestRare && executed.length > 0 && executed.length <= rareShare * known;
}

function countFinite(values: Float64Array): number {
  let count = 0;
  for (const value of values) if (Number.isFinite(value)) count++;
  return count;
}

/** The first value of a series that is zero for a while and then hardly ever. */
function lateStart(values: Float64Array, executed: readonly number[]): number | undefined {
  const [first] = executed;
  if (first === undefined) return undefined;
  const known = countFinite(values);
  const before = countFinite(values.subarray(0, first));
  const after = known - before - executed.length;
  const isLate = before >= latestStart && before >= 0.03 * known && after < 0.05 * executed.length;
  return isLate ? first : undefined;
}

function withLateStart(detection: Detection, start: number): Detection {
  // What is known of a later rise says nothing of this one.
  const { model, changes, spikes, period, spikesGrow, ratio, rho, noise } = detection;
  const height = atFloat(model, start);
  // Of all orders of what is executed and what is not, one begins so: k of n are the first ones with a chance of less than (k / n)^k.
  const certain = (start * Math.log(start / model.length)) / Math.log(ofHundred);
  return {
    shape: 'steps',
    changes: [{ kind: 'step', from: start - 1, to: start, height }, ...changes],
    model: model.map((value, i) => (i < start ? 0 : value)),
    level: 0,
    ...{ spikes, ratio: Math.max(ratio, certain), rho, noise },
    ...present({ period, spikesGrow }),
  };
}
