/** A series of values taken apart into spikes, repeating parts and what explains the rest. */
import { at, atByte, atFloat } from '../at';
import { present } from '../present';
import type { Change, DetectOptions, Detection, Spike } from './detect';
import { explain, type Explained } from './explain';
import { firstRise, modelOf, piecesOf, type Explanation } from './explanations';
import { medianOfOthers, quantileInPlace, runningMedian, valuesAt } from './robust';
import { findSpikes, flagged } from './spikes';
import { findTemplate, spikePhases, type Template } from './template';

/** In a shorter series a spike leaves no trace. */
const shortSeries = 40;
const fewestHeights = 8;

/** The spacings of a tail are exponential in few series; with many of them, those in which they are not would be told. */
function alarmOfSpikes({ alarm, series }: DetectOptions): number {
  return series === 1 ? alarm : alarm / series / 10;
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

/** A series that is taken apart: what was executed, without spikes that repeat. */
export class Parts {
  private readonly spikes: Spike[] = [];
  private period: number | undefined;
  private wave: Template | undefined;
  private series: Float64Array;
  /** Running median of the series. */
  private median: Float64Array | undefined;
  /** Values with spikes that were taken out. */
  private readonly executed: number;

  constructor(
    private readonly values: Float64Array,
    private positions: readonly number[],
    private readonly options: DetectOptions,
  ) {
    this.series = valuesAt(values, positions);
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
    const median = runningMedian(this.series);
    const flags = findSpikes(this.series, median, alarmOfSpikes(this.options));
    const base = this.take(flags);
    this.period ??= regularDistance(this.spikes.map((spike) => spike.at));
    if (this.length < shortSeries)
      this.series = this.series.map((value, i) => (atByte(flags, i) === 1 ? atFloat(base, i) : value));
    else this.median = median;
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
    const plain = explain(this.series, this.options.alarm, this.median);
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
    const model = new Float64Array(this.values.length).fill(NaN);
    this.positions.forEach((position, i) => (model[position] = atFloat(this.series, i)));
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
    const model = new Float64Array(this.values.length).fill(NaN);
    if (explanation === undefined) {
      let middle = 0;
      for (const value of this.series) middle += value / length;
      for (const position of this.positions) model[position] = middle;
      return { shape: 'constant', changes: [], model, ratio, rho, noise: this.noise(model), ...this.facts() };
    }
    const blocks = modelOf(explanation);
    this.positions.forEach((position, i) => {
      model[position] = atFloat(blocks, Math.min(blocks.length - 1, Math.floor(i / width)));
    });
    this.fillSpikes(model);
    // Of a block, its last value; what begins with the first block begins with the series.
    const lastOf = (block: number): number => Math.min(length - 1, (block + 1) * width - 1);
    const placeOf = (block: number): number => at(this.positions, block === 0 ? 0 : lastOf(block));
    const longest = Math.max(2, Math.min(5, Math.round(blocks.length / 40)));
    let before = -1;
    const changes = piecesOf(explanation).map((shape): Change => {
      const { from, to, height } = shape;
      if (shape.kind === 'ramp' && to - from > longest)
        return { kind: 'ramp', from: placeOf(from), to: placeOf(to), height };
      const edge = (block: number, next: number): number => {
        const levels = [block, Math.min(blocks.length - 1, next)].map((one) => atFloat(blocks, one));
        return width === 1 ? lastOf(block) : this.edge(lastOf(block), 2 * width, levels);
      };
      // Each edge is looked for by itself: that of a short level may be found before the one where it begins.
      const found = edge(from, shape.kind === 'box' ? from + 1 : to);
      const last = found > before ? found : Math.min(length - 1, Math.max(before + 1, lastOf(from)));
      before = last;
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
    const shape = shapeOf(explanation, changes, blocks);
    const uncertain = this.options.ranges ? uncertaintyOf?.(this.positions) : undefined;
    const isKnown =
      uncertain !== undefined && uncertain.excess > 0 && shape !== 'falling' && shape !== 'levels';
    // Below spikes that were taken out, the rise costs as much.
    const unit = this.executed / length;
    const excess = isKnown
      ? { value: uncertain.excess * unit, deviation: uncertain.deviation * unit }
      : undefined;
    const { onset, end } = isKnown ? uncertain : {};
    const level =
      shape === 'falling' || shape === 'levels' ? undefined : atFloat(blocks, firstRise(explanation));
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
/** Part of the range of all levels by which those after a rise are above those before it, where it is for good. */
const leastRise = 1 / 5;

function shapeOf(
  { kind }: Explanation,
  changes: readonly Change[],
  levels: Float64Array,
): Detection['shape'] {
  const rises = changes.filter(({ height }) => height > 0).length;
  if (rises === 0) return 'falling';
  const isToAndFro = kind === 'steps' && rises >= fewestSwitches && changes.length - rises >= fewestSwitches;
  if (isToAndFro && !risesForGood(levels)) return 'levels';
  if (kind === 'box') return 'box';
  return changes.every((change) => change.kind === 'step') ? 'steps' : 'trend';
}

/** Whether there is a place where what follows is higher than all before. */
function risesForGood(levels: Float64Array): boolean {
  const lowestAfter = levels.slice();
  for (let i = levels.length - 2; i >= 0; i--)
    lowestAfter[i] = Math.min(atFloat(levels, i), atFloat(lowestAfter, i + 1));
  let highest = -Infinity;
  const range = levels.reduce((most, level) => Math.max(most, level), -Infinity) - atFloat(lowestAfter, 0);
  return levels.some((level, i) => {
    highest = Math.max(highest, level);
    return i + 1 < levels.length && atFloat(lowestAfter, i + 1) - highest > leastRise * range;
  });
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
