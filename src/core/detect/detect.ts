import { at, atByte, atFloat } from '../at';
import { present } from '../present';
import { explain, type Explained } from './explain';
import { modelOf, type Explanation } from './explanations';
import { isMultiplied, LogScale } from './logScale';
import { medianOfOthers, quantileInPlace } from './robust';
import { findSpikes, flagged } from './spikes';
import type { Shape } from './whitened';
import { findTemplate, spikePhases, type Template } from './template';

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
  /** What the rise costs, in units of the values, with its standard deviation; absent for several changes. */
  readonly excess?: { readonly value: number; readonly deviation: number };
  /** Range of the last value before the rise, which contains it with a probability of 95 %. */
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
/** In a shorter series a spike leaves no trace. */
const shortSeries = 40;
const fewestHeights = 8;

export interface DetectOptions {
  /** Share of constant series in which a change is told. */
  readonly alarm: number;
  /** Series that are analysed together: in all of them, spikes and spikes that grow are found by chance as rarely as in one. */
  readonly series: number;
}

/** One of a hundred. */
export const usualAlarm = 0.01;
const usualOptions: DetectOptions = { alarm: usualAlarm, series: 1 };

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
  if (mayScale && isMultiplied(Float64Array.from(executed, (i) => atFloat(values, i)))) {
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

/** The spacings of a tail are exponential in few series; with many of them, those in which they are not would be told. */
function alarmOfSpikes({ alarm, series }: DetectOptions): number {
  return series === 1 ? alarm : alarm / series / 10;
}

function inUnit(detection: Detection, unit: number): Detection {
  const { changes, model, level, spikes, noise } = detection;
  return {
    ...detection,
    changes: changes.map((change) => ({ ...change, height: change.height * unit })),
    model: model.map((value) => value * unit),
    ...present({ level: level === undefined ? undefined : level * unit }),
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
  const known = values.filter((value) => Number.isFinite(value)).length;
  return known >= fewestRare && executed.length > 0 && executed.length <= rareShare * known;
}

const fewestDistances = 8;

/** Values between neighbours where nearly all are as far from each other, to a third; undefined: irregular, or too few. */
function regularDistance(positions: readonly number[]): number | undefined {
  if (positions.length < 4) return undefined;
  const distances = Float64Array.from(positions.slice(1), (position, i) => position - at(positions, i));
  const usual = quantileInPlace(distances.slice(), 0.5);
  // A few may be near each other's distance by chance.
  const isFew = distances.length < fewestDistances;
  const regular = distances.filter(
    (distance) => Math.abs(distance - usual) <= Math.max(1, (isFew ? 0.1 : 0.34) * usual),
  ).length;
  return regular >= (isFew ? 1 : 0.75) * distances.length ? usual : undefined;
}

/** The first value of a series that is zero for a while and then hardly ever. */
function lateStart(values: Float64Array, executed: readonly number[]): number | undefined {
  const [first] = executed;
  if (first === undefined) return undefined;
  const known = values.filter((value) => Number.isFinite(value));
  const before = values.subarray(0, first).filter((value) => value === 0).length;
  const after = known.length - before - executed.length;
  const isLate = before >= latestStart && before >= 0.03 * known.length && after < 0.05 * executed.length;
  return isLate ? first : undefined;
}

function withLateStart(detection: Detection, start: number): Detection {
  const { model, changes } = detection;
  const height = atFloat(model, start);
  const begun = model.map((value, i) => (i < start ? 0 : value));
  return {
    ...detection,
    shape: 'steps',
    changes: [{ kind: 'step', from: start - 1, to: start, height }, ...changes],
    model: begun,
    level: 0,
  };
}

/** A series that is taken apart: what was executed, without spikes that repeat. */
class Parts {
  private readonly spikes: Spike[] = [];
  private period: number | undefined;
  private wave: Template | undefined;
  private series: Float64Array;
  /** Values with spikes that were taken out. */
  private readonly executed: number;

  constructor(
    private readonly values: Float64Array,
    private positions: readonly number[],
    private readonly options: DetectOptions,
  ) {
    this.series = new Float64Array(positions.length);
    for (const [i, position] of positions.entries()) this.series[i] = atFloat(values, position);
    this.executed = positions.length;
  }

  get length(): number {
    return this.series.length;
  }

  takeSpikes(): void {
    const template = findTemplate(this.series);
    const phases = template === undefined ? undefined : spikePhases(template);
    if (phases === undefined) this.wave = template;
    else {
      this.period = phases.length;
      const flags = new Uint8Array(this.length);
      for (let i = 0; i < flags.length; i++) flags[i] = atByte(phases, i % phases.length);
      this.take(flags);
      this.positions = this.positions.filter((_, i) => atByte(flags, i) === 0);
      this.series = this.series.filter((_, i) => atByte(flags, i) === 0);
    }
    // Others stay in the series, where their size does not count.
    const flags = findSpikes(this.series, alarmOfSpikes(this.options));
    const base = this.take(flags);
    this.period ??= regularDistance(this.spikes.map((spike) => spike.at));
    if (this.length < shortSeries)
      this.series = this.series.map((value, i) => (atByte(flags, i) === 1 ? atFloat(base, i) : value));
  }

  private take(flags: Uint8Array): Float64Array {
    if (!flags.includes(1)) return this.series;
    const bases = medianOfOthers(this.series, flags);
    for (const i of flagged(flags)) {
      const base = atFloat(bases, i);
      this.spikes.push({
        at: at(this.positions, i),
        base,
        height: Math.max(0, atFloat(this.series, i) - base),
      });
    }
    return bases;
  }

  /** With a wave, or without one. */
  explained(): Detection {
    const plain = explain(this.series, this.options.alarm);
    const { wave } = this;
    if (wave === undefined || isStairs(plain.explanation)) return this.detection(plain);
    const { phases, period } = wave;
    const other = explain(
      this.series.map((value, i) => value - atFloat(phases, i % period)),
      this.options.alarm,
    );
    // A number for each phase, which as many values tell as there are periods.
    const cost = (period * Math.log(this.length / period)) / plain.width;
    if (other.score - cost <= plain.score) return this.detection(plain);
    return { ...this.detection(other), period };
  }

  /** Only spikes, above nothing. */
  rare(): Detection {
    for (const position of this.positions)
      this.spikes.push({ at: position, base: 0, height: atFloat(this.values, position) });
    this.period = regularDistance(this.positions);
    return {
      ...this.nothing('constant'),
      model: this.values.map((value) => (Number.isFinite(value) ? 0 : NaN)),
    };
  }

  nothing(shape: 'short' | 'constant'): Detection {
    const model = this.values.map(() => NaN);
    for (const [i, position] of this.positions.entries()) model[position] = atFloat(this.series, i);
    return { shape, changes: [], model, ratio: 0, rho: 0, noise: 0, ...this.facts() };
  }

  private facts(): Pick<Detection, 'spikes' | 'period' | 'spikesGrow'> {
    const spikes = [...this.spikes].sort((a, b) => a.at - b.at);
    const heights = Float64Array.from(spikes, ({ height }) => height);
    const canGrow = this.period !== undefined && heights.length >= fewestHeights;
    // With many series, one of them grows by chance.
    const { alarm, series } = this.options;
    const grown = canGrow ? explain(heights, alarm / series).explanation : undefined;
    const isGrowing = grown !== undefined && grown.shapes.length > 0 && allRise(grown);
    return {
      spikes,
      ...present({ period: this.period, spikesGrow: isGrowing ? (true as const) : undefined }),
    };
  }

  /** The last value of the first of two levels, near a place: where values are nearest to their level, outliers counting no more than the difference. */
  private edge(place: number, reach: number, levels: readonly number[]): number {
    const [before, after] = [at(levels, 0), at(levels, 1)];
    const most = Math.abs(after - before);
    let [sum, least, best] = [0, Infinity, place];
    for (let i = Math.max(0, place - reach); i < Math.min(this.length - 1, place + reach); i++) {
      const value = atFloat(this.series, i);
      sum += Math.min(most, Math.abs(value - before)) - Math.min(most, Math.abs(value - after));
      if (sum < least) [least, best] = [sum, i];
    }
    return best;
  }

  /** What is below spikes: as before them. */
  private fillSpikes(model: Float64Array): void {
    for (const { at: position } of this.spikes) {
      let before = position - 1;
      while (before >= 0 && !Number.isFinite(atFloat(model, before))) before--;
      if (Number.isNaN(atFloat(model, position)) && before >= 0) model[position] = atFloat(model, before);
    }
  }

  private noise(model: Float64Array): number {
    const sizes = new Float64Array(this.length);
    for (let i = 0; i < sizes.length; i++)
      sizes[i] = Math.abs(atFloat(this.series, i) - atFloat(model, at(this.positions, i)));
    return quantileInPlace(sizes, 0.6827);
  }

  private detection({ explanation, width, ratio, rho, uncertain: uncertaintyOf }: Explained): Detection {
    const { length } = this;
    const model = this.values.map(() => NaN);
    if (explanation === undefined) {
      const middle = this.series.reduce((sum, value) => sum + value / length, 0);
      for (const position of this.positions) model[position] = middle;
      return { shape: 'constant', changes: [], model, ratio, rho, noise: this.noise(model), ...this.facts() };
    }
    const blocks = modelOf(explanation);
    for (const [i, position] of this.positions.entries())
      model[position] = atFloat(blocks, Math.min(blocks.length - 1, Math.floor(i / width)));
    this.fillSpikes(model);
    // Of a block, its last value; what begins with the first block begins with the series.
    const lastOf = (block: number): number => Math.min(length - 1, (block + 1) * width - 1);
    const placeOf = (block: number): number => at(this.positions, block === 0 ? 0 : lastOf(block));
    const longest = Math.max(2, Math.min(5, Math.round(blocks.length / 40)));
    const changes = piecesOf(explanation).map((shape): Change => {
      const { from, to, height } = shape;
      if (shape.kind === 'ramp' && to - from > longest)
        return { kind: 'ramp', from: placeOf(from), to: placeOf(to), height };
      const edge = (block: number, next: number): number => {
        const levels = [block, Math.min(blocks.length - 1, next)].map((one) => atFloat(blocks, one));
        return width === 1 ? lastOf(block) : this.edge(lastOf(block), 2 * width, levels);
      };
      const last = edge(from, shape.kind === 'box' ? from + 1 : to);
      if (shape.kind === 'box')
        return {
          kind: 'box',
          from: at(this.positions, last),
          to: at(this.positions, edge(to, to + 1)),
          height,
        };
      if (width > 1) {
        // Blocks have the mean of both levels; the values have the one or the other.
        const [first, end] = [from * width, lastOf(to)];
        for (let i = first; i <= end; i++)
          model[at(this.positions, i)] = atFloat(blocks, i <= last ? from : to);
      }
      const next = to - from === 1 || width > 1 ? Math.min(length - 1, last + 1) : lastOf(to);
      return { kind: 'step', from: at(this.positions, last), to: at(this.positions, next), height };
    });
    if (explanation.kind === 'curve')
      changes.push({
        kind: 'curve',
        from: placeOf(0),
        to: placeOf(blocks.length - 1),
        height: atFloat(blocks, blocks.length - 1) - atFloat(blocks, 0),
      });
    const shape = shapeOf(explanation, changes);
    const uncertain = uncertaintyOf?.();
    const isKnown = uncertain !== undefined && uncertain.excess > 0;
    // Below spikes that were taken out, the rise costs as much.
    const unit = (width * this.executed) / length;
    const excess = isKnown
      ? { value: uncertain.excess * unit, deviation: uncertain.deviation * unit }
      : undefined;
    const rangeOf = (border: 'onset' | 'end'): readonly [number, number] | undefined =>
      isKnown ? [placeOf(uncertain[border][0]), placeOf(uncertain[border][1])] : undefined;
    const [onset, end] = [rangeOf('onset'), rangeOf('end')];
    const firstRise = Math.min(
      ...piecesOf(explanation)
        .filter(({ height }) => height > 0)
        .map(({ from }) => from),
    );
    const level =
      shape === 'falling' || shape === 'levels'
        ? undefined
        : atFloat(blocks, Number.isFinite(firstRise) ? firstRise : 0);
    return {
      shape,
      changes,
      model,
      ratio,
      rho,
      noise: this.noise(model),
      ...present({ level, excess, onset, end }),
      ...this.facts(),
    };
  }
}

/** Two levels and more that a series changes between, to and fro, are no degradation. */
const fewestSwitches = 2;

function shapeOf({ kind }: Explanation, changes: readonly Change[]): Detection['shape'] {
  const rises = changes.filter(({ height }) => height > 0).length;
  if (rises === 0) return 'falling';
  if (kind === 'steps' && rises >= fewestSwitches && changes.length - rises >= fewestSwitches)
    return 'levels';
  if (kind === 'box') return 'box';
  return changes.every((change) => change.kind === 'step') ? 'steps' : 'trend';
}

interface Piece extends Shape {
  readonly height: number;
}

/** In order; lines that go on in the same direction are one. */
function piecesOf({ shapes, fit }: Explanation): readonly Piece[] {
  const pieces: Piece[] = [];
  const sorted = shapes
    .map((shape, i): Piece => ({ ...shape, height: atFloat(fit.coefficients, i + 1) }))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  for (const piece of sorted) {
    const last = pieces.at(-1);
    const goesOn = last?.kind === 'ramp' && piece.kind === 'ramp' && last.to === piece.from;
    // A step within a block looks like two.
    const areAlike = last !== undefined && last.to - last.from > 1 === piece.to - piece.from > 1;
    if (goesOn && areAlike && Math.sign(last.height) === Math.sign(piece.height))
      pieces[pieces.length - 1] = { ...last, to: piece.to, height: last.height + piece.height };
    else pieces.push(piece);
  }
  return pieces;
}

/** Several steps up, which a line and a saw tooth describe as well. */
function isStairs(explanation: Explanation | undefined): boolean {
  return (
    explanation !== undefined &&
    explanation.kind !== 'line' &&
    explanation.shapes.every(
      ({ from, to }) => to - from <= Math.max(5, at(explanation.columns, 0).length / 12),
    ) &&
    allRise(explanation)
  );
}

function allRise({ shapes, fit }: Explanation): boolean {
  return shapes.every((_, i) => atFloat(fit.coefficients, i + 1) > 0);
}
