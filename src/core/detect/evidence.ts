/** Whether a series is more than constant, and by which shapes: likelihoods under first-order autoregressive noise. */
import { atInt } from '../at';
import { remembered } from '../remembered';
import { bendsOf, brokenLine } from './brokenLines';
import { Whitened, type FittedShape, type Shape } from './whitened';

export interface Noise {
  readonly weights?: Float64Array;
  /** Clocks are rounded: no variance of innovations is smaller. */
  readonly leastVariance: number;
}

export interface Evidence {
  /** One for each autocorrelation that is considered. */
  readonly whitened: readonly Whitened[];
  /** Of a constant: autocorrelation of its noise, and logarithm of its likelihood. */
  readonly constant: { readonly rho: number; readonly likelihood: number };
  /** Of the best line, ramp, box and broken line: evidence by the evidence that is in one of a hundred constant series. From 1 on, something changes. */
  readonly ratio: number;
  /** The lines that explain the series best (`brokenLine`). */
  readonly lines: (white: Whitened) => readonly Shape[];
}

/** Memory of a series that is considered. A short series says nothing of long memory. */
function rhosFor(length: number): readonly number[] {
  const most = length < 16 ? 0 : length < 30 ? 0.45 : length < 60 ? 0.85 : 0.94;
  return [0, 0.15, 0.3, 0.45, 0.6, 0.7, 0.78, 0.85, 0.9, 0.94].filter((rho) => rho <= most);
}

/** Up to constants that are the same for each model of the series. */
export function logLikelihood(rss: number, length: number, rho: number, leastVariance: number): number {
  return -0.5 * length * Math.log(Math.max(rss / length, leastVariance)) + 0.5 * Math.log(1 - rho * rho);
}

export function evidenceOf(values: Float64Array, { weights, leastVariance }: Noise): Evidence {
  const { length } = values;
  const whitened = rhosFor(length).map((rho) => new Whitened(values, rho, weights));
  const likelihoodOf = (one: Whitened, gain: number): number =>
    logLikelihood(one.constantRss - gain, length, one.rho, leastVariance);
  const constant = whitened
    .map((one) => ({ rho: one.rho, likelihood: likelihoodOf(one, 0) }))
    .reduce((best, one) => (one.likelihood > best.likelihood ? one : best));
  // A few values are described well by anything.
  const freedom = length < 30 ? Math.max(1, length - 4) / length : 1;
  const gained = (likelihood: number): number => 2 * (likelihood - constant.likelihood) * freedom;
  const ratios = (['ramp', 'box'] as const).map((kind) => {
    const shapes = whitened.flatMap((own) => {
      const shape = bestShape(own, kind);
      return shape === undefined ? [] : [{ own, shape, likelihood: likelihoodOf(own, shape.gain) }];
    });
    if (shapes.length === 0) return 0;
    const { own, shape } = shapes.reduce((most, one) => (one.likelihood > most.likelihood ? one : most));
    const fine = finer(own, shape);
    return gained(likelihoodOf(own, fine.gain)) / shapeEvidence(length, constant.rho, kind);
  });
  const rising = whitened
    .flatMap((one) => {
      const line = one.fit('ramp', 0, length - 1);
      return line === undefined ? [] : [{ isUp: line.height > 0, likelihood: likelihoodOf(one, line.gain) }];
    })
    .reduce((best, one) => (one.likelihood > best.likelihood ? one : best), {
      isUp: false,
      likelihood: -Infinity,
    });
  const line = rising.isUp ? gained(rising.likelihood) / lineEvidence(length, constant.rho) : 0;
  const found = new Map<Whitened, readonly Shape[]>();
  const lines = (white: Whitened): readonly Shape[] => remembered(found, white, () => brokenLine(white));
  const broken = (one: Whitened): number => {
    const own = lines(one);
    const numbers = bendsOf(own, length) + own.length;
    const gain = own.length === 0 ? 0 : one.constantRss - one.rampsRss(own);
    return gained(likelihoodOf(one, gain)) - numbers * Math.log(length);
  };
  const hasBends =
    length >= fewestBent && whitened.some((one) => gained(likelihoodOf(one, bentGain(one))) >= bentEvidence);
  const bent = hasBends
    ? Math.max(...considered({ whitened, constant }).map(broken)) / linesEvidence(length)
    : 0;
  return { whitened, constant, ratio: Math.max(line, bent, ...ratios), lines };
}

/** Of what is left of a series that changes, noise mostly has less memory than the series itself seems to have. */
const middleRho = 0.6;

/** The memory with which explanations are looked for. */
export function considered({
  whitened,
  constant,
}: Pick<Evidence, 'whitened' | 'constant'>): readonly Whitened[] {
  return whitened.filter(({ rho }) => rho === 0 || rho === constant.rho || rho === middleRho);
}

/** Bends at equal distances, and twice the gain in log-likelihood of lines between them that few constant series without memory have: where it is less, bends are not looked for. */
const equalBends = 8;
const bentEvidence = 22;
const fewestBent = 32;

function bentGain(white: Whitened): number {
  const spacing = white.length / (equalBends + 1);
  const places = Array.from({ length: equalBends + 1 }, (_, i) => Math.round(i * spacing));
  return white.constantRss - white.hingesRss(places);
}

/**
 * Twice the gain in log-likelihood of lines that bend, less what their numbers cost, in one of five hundred constant series with the autocorrelation (up to 0.95) that
 * favours them most, by simulation.
 */
function linesEvidence(length: number): number {
  return 20 + 640 / length;
}

/** Twice the gain in log-likelihood of a rising line in one of two hundred constant series, by simulation. */
function lineEvidence(length: number, rho: number): number {
  const own = length < 8 ? 3.5 : length < 12 ? 4.5 : length < 30 ? 6 : 8;
  return own + 8 * Math.max(0, rho - 0.7);
}

/** The same of the best ramp or box. */
function shapeEvidence(length: number, rho: number, kind: Shape['kind']): number {
  if (length < 16) return 10;
  const long = Math.log(Math.max(1, length / 100));
  return kind === 'ramp' ? 13.5 + 0.6 * long + 7 * rho : 17.5 + 1.5 * long + 9 * rho;
}

/** Places of shapes that are looked at first. */
const coarsePlaces = 48;

/** The shape that explains most, between places on a grid. */
export function bestShape(whitened: Whitened, kind: Shape['kind']): FittedShape | undefined {
  const places = gridOf(whitened.length);
  let best = { gain: -1, from: 0, to: 0 };
  for (let i = 0; i < places.length; i++)
    for (let j = i + 1; j < places.length; j++) {
      const [from, to] = [atInt(places, i), atInt(places, j)];
      if (!isPossible(kind, from, to, whitened.length)) continue;
      const gain = whitened.gain(kind, from, to);
      if (gain > best.gain) best = { gain, from, to };
    }
  return best.gain < 0 ? undefined : whitened.fit(kind, best.from, best.to);
}

/** The same shape at the places near it that explain most. */
export function finer(whitened: Whitened, shape: FittedShape): FittedShape {
  let best = shape;
  for (let step = Math.max(1, Math.round(whitened.length / coarsePlaces / 2)); ; step = Math.ceil(step / 2)) {
    for (let last: FittedShape | undefined; last !== best;) {
      last = best;
      for (const [left, right] of neighbours) {
        const [from, to] = [last.from + left * step, last.to + right * step];
        if (from < 0 || to >= whitened.length || to <= from) continue;
        if (!isPossible(best.kind, from, to, whitened.length)) continue;
        const own = whitened.fit(best.kind, from, to);
        if (own !== undefined && own.gain > best.gain * (1 + 1e-12)) best = own;
      }
    }
    if (step === 1) return best;
  }
}

const neighbours = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
  [1, 1],
  [-1, -1],
  [-1, 1],
  [1, -1],
] as const;

/** The step that explains most. */
export function bestStep(whitened: Whitened): FittedShape | undefined {
  let best = { gain: -1, from: 0 };
  for (let from = 0; from + 1 < whitened.length; from++) {
    if (!isPossible('ramp', from, from + 1, whitened.length)) continue;
    const gain = whitened.gain('ramp', from, from + 1);
    if (gain > best.gain) best = { gain, from };
  }
  return best.gain < 0 ? undefined : whitened.fit('ramp', best.from, best.from + 1);
}

/** There are enough values of each level: one or two at an end are outliers, and no level. */
function isPossible(kind: Shape['kind'], from: number, to: number, length: number): boolean {
  if (kind === 'ramp') {
    const least = length < 16 ? 2 : 3;
    return to >= least && from + least < length;
  }
  const least = Math.max(3, Math.round(length / 50));
  return from + 1 >= least && length - 1 - to >= least && to - from >= least;
}

function gridOf(length: number): Int32Array {
  const step = Math.max(1, (length - 1) / coarsePlaces);
  const count = Math.floor((length - 1) / step + 1e-9) + 1;
  return Int32Array.from({ length: count }, (_, i) => Math.round(i * step));
}
