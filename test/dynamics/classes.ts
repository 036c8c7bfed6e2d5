/**
 * Series whose noise-free truth is known: 102 classes of the specification of detection, with and without a degradation. Larger is worse; a value that is not
 * a number is missing.
 */
import { randomNumbers } from '../../src/core/randomNumbers';

export interface SignalClass {
  readonly name: string;
  readonly group: 'null' | 'trend' | 'step' | 'periodic';
  readonly make: (seed: number) => GeneratedSignal;
}

export interface GeneratedSignal {
  readonly values: Float64Array;
  /** What lies above the level before the change, without noise; 0 everywhere where nothing changes. */
  readonly excess: Float64Array;
  readonly truth: Truth;
}

export type Truth =
  /** Peaks may be there all the same: outliers of the machine, a first iteration, a signal between two levels. */
  | { readonly kind: 'none'; readonly allowsPeaks?: true }
  | { readonly kind: 'trend' }
  /** Last positions before each change, from 0. */
  | { readonly kind: 'steps'; readonly after: readonly number[] }
  | { readonly kind: 'box'; readonly from: number; readonly to: number }
  | { readonly kind: 'peaks'; readonly count: number };

/** Random numbers of the distributions that the classes need. */
class Random {
  readonly uniform: () => number;

  constructor(seed: number) {
    this.uniform = randomNumbers(seed * 7919 + 17);
  }

  readonly normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());

  readonly exponential = (): number => -Math.log(1 - this.uniform());

  /** Less one: from 0. */
  readonly pareto = (shape: number): number => (1 - this.uniform()) ** (-1 / shape) - 1;

  readonly poisson = (mean: number): number => {
    if (mean > 200) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    let count = -1;
    for (let left = Math.exp(mean); left > 1; count++) left *= this.uniform();
    return Math.max(0, count);
  };

  /** First-order autoregressive, of this marginal standard deviation. */
  autoregressive(length: number, rho: number, sd: number): Float64Array {
    const noise = new Float64Array(length);
    let state = sd * this.normal();
    for (let i = 0; i < length; i++) {
      noise[i] = state;
      state = rho * state + sd * Math.sqrt(1 - rho * rho) * this.normal();
    }
    return noise;
  }
}

type Shape = (i: number, length: number) => number;
type Noise = (random: Random, clean: Float64Array) => Float64Array;

const additive =
  (sd: number): Noise =>
  (random, clean) =>
    clean.map((value) => value + sd * random.normal());
const multiplied =
  (sd: number): Noise =>
  (random, clean) =>
    clean.map((value) => value * (1 + sd * random.normal()));
const autoregressive =
  (rho: number, sd: number): Noise =>
  (random, clean) => {
    const noise = random.autoregressive(clean.length, rho, sd);
    return clean.map((value, i) => value + (noise[i] ?? 0));
  };
const paretoAll: Noise = (random, clean) =>
  clean.map((value) => value + 0.03 * random.normal() + 0.05 * random.pareto(1.1));
const systemNoise: Noise = (random, clean) =>
  clean.map(
    (value) =>
      value + 0.03 * random.normal() + (random.uniform() < 0.03 ? 0.5 + 0.5 * random.pareto(1.5) : 0),
  );
const counts =
  (scale: number): Noise =>
  (random, clean) =>
    clean.map((value) => random.poisson(value * scale) / scale);
const missing =
  (share: number, replaced: number, sd = 0.03): Noise =>
  (random, clean) =>
    clean.map((value) => (random.uniform() < share ? replaced : value + sd * random.normal()));

function generated(
  seed: number,
  length: number,
  { shape, noise, truth }: { readonly shape: Shape; readonly noise: Noise; readonly truth: Truth },
): GeneratedSignal {
  const clean = Float64Array.from({ length }, (_, i) => shape(i, length));
  const base = truth.kind === 'none' ? Infinity : clean.reduce((least, value) => Math.min(least, value));
  const values = noise(new Random(seed), clean).map((value) => (value < 0 ? 0 : value));
  // What was not executed costs nothing.
  const ran = (i: number): boolean => (values[i] ?? 0) > 0;
  return { values, excess: clean.map((value, i) => (ran(i) ? Math.max(0, value - base) : 0)), truth };
}

const none = (name: string, noise: Noise, length = 200, shape: Shape = () => 1, allowsPeaks = false): SignalClass => ({
  name,
  group: 'null',
  make: (seed) =>
    generated(seed, length, {
      ...{ shape, noise },
      truth: allowsPeaks ? { kind: 'none', allowsPeaks } : { kind: 'none' },
    }),
});
const trend = (name: string, shape: Shape, noise: Noise, length = 200): SignalClass => ({
  name,
  group: 'trend',
  make: (seed) => generated(seed, length, { shape, noise, truth: { kind: 'trend' } }),
});
const step = (
  name: string,
  after: readonly number[],
  by: number,
  noise: Noise,
  length = 200,
): SignalClass => ({
  name,
  group: 'step',
  make: (seed) =>
    generated(seed, length, {
      shape: (i) => 1 + by * after.filter((last) => i >= last).length,
      ...{ noise, truth: { kind: 'steps', after: after.map((last) => last - 1) } },
    }),
});
const box = (name: string, from: number, to: number): SignalClass => ({
  name,
  group: 'step',
  make: (seed) =>
    generated(seed, 200, {
      shape: (i) => (i >= from && i < to ? 2 : 1),
      ...{ noise: additive(0.1), truth: { kind: 'box', from, to: to - 1 } },
    }),
});

interface Output {
  readonly every: number;
  readonly jitter?: number;
  readonly length?: number;
  readonly cost?: (random: Random) => number;
}

const output = (name: string, { every, jitter = 0, length = 200, cost = () => 2 }: Output): SignalClass => ({
  name,
  group: 'periodic',
  make: (seed) => {
    const random = new Random(seed);
    const values = Float64Array.from({ length }, () => 1 + 0.05 * random.normal());
    const excess = new Float64Array(length);
    const places = new Set<number>();
    for (let i = every - 1; i < length; i += every) {
      const moved = i + Math.floor((2 * jitter + 1) * random.uniform()) - jitter;
      if (moved >= 0 && moved < length) places.add(moved);
    }
    for (const place of places) excess[place] = cost(random);
    return {
      ...{ values: values.map((value, i) => value + (excess[i] ?? 0)), excess },
      truth: { kind: 'peaks', count: places.size },
    };
  },
});

const ramp =
  (to: number): Shape =>
  (i, length) =>
    1 + ((to - 1) * i) / (length - 1);
const hinge =
  (from: number): Shape =>
  (i, length) =>
    i < from ? 1 : 1 + (i - from) / (length - 1 - from);

/** Two levels, with a switch with this probability. */
const telegraph =
  (probability: number): Noise =>
  (random, clean) => {
    let isHigh = random.uniform() < 0.5;
    return clean.map(() => {
      if (random.uniform() < probability) isHigh = !isHigh;
      return (isHigh ? 1.6 : 1) + 0.05 * random.normal();
    });
  };

const nullClasses: readonly SignalClass[] = [
  ...[5, 10, 20, 30, 50].map((percent) => none(`white CV${percent}%`, additive(percent / 100))),
  ...[30, 12, 8, 5, 2000, 20000].map((length) => none(`white CV20% N=${length}`, additive(0.2), length)),
  ...[0.3, 0.7, 0.9, 0.97].map((rho) => none(`AR(${rho}) CV20%`, autoregressive(rho, 0.2))),
  ...[2000, 20000].map((length) => none(`AR(0.9) CV20% N=${length}`, autoregressive(0.9, 0.2), length)),
  none('Pareto1.5 OS noise 3%', systemNoise, 200, () => 1, true),
  none('Pareto1.1 every iter', paretoAll, 200, () => 1, true),
  none('exponential noise', (random, clean) => clean.map(() => 0.7 + 0.3 * random.exponential())),
  none('lognormal s=0.3', (random, clean) => clean.map(() => Math.exp(0.3 * random.normal()))),
  none('lognormal s=0.6', (random, clean) => clean.map(() => Math.exp(0.6 * random.normal()))),
  none('Poisson(20)', counts(20)),
  none('Poisson(3)', counts(3)),
  none('rounded (2-3 levels)', (random, clean) => clean.map(() => Math.round(2.5 + 0.3 * random.normal()))),
  none('constant rounding 1e-6', (random, clean) => clean.map((value) => value + 1e-6 * (random.uniform() - 0.5))),
  none('variance x4 at half', (random, clean) =>
    clean.map((value, i) => value + (i < clean.length / 2 ? 0.08 : 0.32) * random.normal()),
  ),
  ...[3, 10].map((dwell) => none(`telegraph dwell ${dwell}`, telegraph(1 / dwell), 200, () => 1, true)),
  none('20% missing, const', missing(0.2, NaN)),
  none('zeros 30% (skipped), const', missing(0.3, 0)),
  none('falling ramp 2->1', additive(0.1), 200, (i, length) => 2 - i / (length - 1)),
  none('falling step 2->1', additive(0.1), 200, (i) => (i < 100 ? 2 : 1)),
  none('first iteration x10', additive(0.05), 200, (i) => (i === 0 ? 10 : 1), true),
  none('warm-up exp decay', additive(0.05), 200, (i) => 1 + 1.5 * Math.exp(-i / 15)),
];

const trendClasses: readonly SignalClass[] = [
  ...[0.05, 0.1, 0.25, 0.5].map((sd) => trend(`ramp 1->1.5 sd${sd}`, ramp(1.5), additive(sd))),
  ...[0.1, 0.3, 0.6].map((sd) => trend(`ramp 1->2 sd${sd}`, ramp(2), additive(sd))),
  trend('ramp 1->1.3 sd0.02', ramp(1.3), additive(0.02)),
  trend('ramp 1->1.4 sd0.02', ramp(1.4), additive(0.02)),
  trend('ramp 1->2 sd0.2 N=30', ramp(2), additive(0.2), 30),
  trend('ramp 1->2 sd0.1 N=12', ramp(2), additive(0.1), 12),
  ...[8, 5].map((length) => trend(`ramp 1->3 sd0.05 N=${length}`, ramp(3), additive(0.05), length)),
  trend('ramp 1->2 sd0.3 N=20000', ramp(2), additive(0.3), 20000),
  ...[120, 160].map((from) => trend(`hinge ${from}: 1->2 sd0.1`, hinge(from), additive(0.1))),
  trend('hinge 14000/20000: 1->2 sd0.2', hinge(14000), additive(0.2), 20000),
  trend('rise 60-140 then flat sd0.1', (i) => 1 + Math.min(1, Math.max(0, (i - 60) / 80)), additive(0.1)),
  trend('exp growth e^(i/80) mult 5%', (i) => Math.exp(i / 80), multiplied(0.05)),
  trend('log growth sd0.1', (i) => 1 + 0.5 * Math.log(1 + i / 5), additive(0.1)),
  trend('sqrt growth sd0.1', (i, length) => 1 + Math.sqrt(i / length), additive(0.1)),
  trend('sigmoid c100 w8 1->2 sd0.1', (i) => 1 + 1 / (1 + Math.exp(-(i - 100) / 8)), additive(0.1)),
  ...[0.7, 0.9].map((rho) => trend(`ramp 1->2 AR${rho} sd0.15`, ramp(2), autoregressive(rho, 0.15))),
  trend('ramp 1->3 mult noise 30%', ramp(3), multiplied(0.3)),
  trend('ramp 1->2 + Pareto1.5 3%', ramp(2), systemNoise),
  trend('ramp 1->2 + Pareto1.1 all', ramp(2), paretoAll),
  trend('ramp Poisson 20->40', ramp(2), counts(20)),
  trend('ramp 1->2 20% missing', ramp(2), missing(0.2, NaN)),
  trend('ramp every 2nd iter executed', ramp(2), (random, clean) =>
    clean.map((value, i) => (i % 2 === 0 ? 0 : value + 0.03 * random.normal())),
  ),
  ...[20, 5].map((every) =>
    trend(`drift 1->2 + spike each ${every}`, ramp(2), (random, clean) =>
      clean.map((value, i) => value + 0.05 * random.normal() + (i % every === every - 1 ? 1.5 : 0)),
    ),
  ),
  trend(
    'spikes growing each 10',
    (i, length) => 1 + (i % 10 === 9 ? 0.5 + (3 * i) / length : 0),
    additive(0.05),
  ),
];

const stepClasses: readonly SignalClass[] = [
  step('step 1->1.2 @130 sd0.02', [130], 0.2, additive(0.02)),
  step('step 1->1.3 @130 sd0.05', [130], 0.3, additive(0.05)),
  ...[0.1, 0.2, 0.3].map((sd) => step(`step 1->1.5 @130 sd${sd}`, [130], 0.5, additive(sd))),
  ...[0.3, 0.6].map((sd) => step(`step 1->2 @130 sd${sd}`, [130], 1, additive(sd))),
  ...[185, 195].map((last) => step(`step 1->2 @${last} sd0.1`, [last], 1, additive(0.1))),
  ...[0.7, 0.9].map((rho) => step(`step 1->2 AR${rho} sd0.2`, [130], 1, autoregressive(rho, 0.2))),
  step('step 1->2 + Pareto1.1 all', [130], 1, paretoAll),
  step('step 1->2 mult noise 30%', [130], 1, multiplied(0.3)),
  step('step Poisson 20->30', [130], 0.5, counts(20)),
  step('step 1->2 @10 of 12 sd0.1', [10], 1, additive(0.1), 12),
  step('step 1->3 @4 of 8 sd0.05', [4], 2, additive(0.05), 8),
  step('step @13000/20000 1->2 sd0.3', [13000], 1, additive(0.3), 20000),
  step('3 steps up sd0.1', [50, 100, 150], 0.5, additive(0.1)),
  step('2 steps up sd0.1', [70, 150], 0.5, additive(0.1)),
  step('6 steps up sd0.05', [29, 58, 87, 116, 145, 174], 0.3, additive(0.05)),
  box('box 60-140 1->2 sd0.1', 60, 140),
  box('box 90-110 1->2 sd0.1', 90, 110),
  {
    name: 'late start: 0 until 80 then 1',
    group: 'step',
    make: (seed) =>
      generated(seed, 200, {
        shape: (i) => (i < 80 ? 0 : 1),
        noise: (random, clean) => clean.map((value) => (value === 0 ? 0 : value + 0.05 * random.normal())),
        truth: { kind: 'steps', after: [79] },
      }),
  },
];

const wave = (name: string, shape: Shape): SignalClass => ({
  name,
  group: 'periodic',
  make: (seed) =>
    generated(seed, 200, { shape, noise: additive(0.05), truth: { kind: 'peaks', count: NaN } }),
});

const periodicClasses: readonly SignalClass[] = [
  ...[2, 3, 5].map((every) => output(`output each ${every} jitter 0`, { every })),
  ...[0, 1, 2].map((jitter) => output(`output each 10 jitter ${jitter}`, { every: 10, jitter })),
  ...[0, 3].map((jitter) => output(`output each 25 jitter ${jitter}`, { every: 25, jitter })),
  output('output each 50 jitter 0', { every: 50 }),
  output('output each 10 cost varies x4', { every: 10, cost: ({ uniform }) => 0.5 + 1.5 * uniform() }),
  output('output each 100 of 20000', { every: 100, length: 20000, cost: () => 5 }),
  ...[10, 25, 50].map((period) => wave(`sawtooth period ${period} 1->2`, (i) => 1 + (i % period) / (period - 1))),
  wave('sine period 20 amp 0.5', (i) => 1.5 + 0.5 * Math.sin((2 * Math.PI * i) / 20)),
];

export const signalClasses: readonly SignalClass[] = [
  ...nullClasses,
  ...trendClasses,
  ...stepClasses,
  ...periodicClasses,
];
