/** Whether a series is more than constant, and by which shapes: likelihoods under first-order autoregressive noise. */
import { at } from '../at';
import { remembered } from '../remembered';
import { bendsOf, brokenLine, equalLinesRss, rampsRss } from './brokenLines';
import { fitsOf, Whitened, type Fits, type FittedShape, type Shape } from './whitened';

export interface Noise {
  readonly weights?: Float64Array;
  /** Clocks are rounded: no variance of innovations is smaller. */
  readonly leastVariance: number;
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

export class Evidence {
  /** One for each autocorrelation that is considered. */
  readonly whitened: readonly Whitened[];
  /** Of a constant: autocorrelation of its noise, and logarithm of its likelihood. */
  readonly constant: { readonly rho: number; readonly likelihood: number };
  readonly #leastVariance: number;
  readonly #lines = new Map<Whitened, readonly Shape[]>();
  readonly #shapes = { ramp: new Map<Whitened, Found>(), box: new Map<Whitened, Found>() };

  constructor(values: Float64Array, { weights, leastVariance }: Noise) {
    this.#leastVariance = leastVariance;
    this.whitened = rhosFor(values.length).map((rho) => new Whitened(values, rho, weights));
    this.constant = this.whitened
      .map((one) => ({ rho: one.rho, likelihood: this.#likelihood(one, 0) }))
      .reduce((best, one) => (one.likelihood > best.likelihood ? one : best));
  }

  /** Of the best line, ramp, box and broken line: evidence by the evidence that is in one of a hundred constant series. From 1 on, something changes. */
  ratio(): number {
    const { length } = at(this.whitened, 0);
    // A few values are described well by anything.
    const freedom = length < 30 ? Math.max(1, length - 4) / length : 1;
    const gained = (likelihood: number): number => 2 * (likelihood - this.constant.likelihood) * freedom;
    const { rho } = this.constant;
    const ratios = (['ramp', 'box'] as const).map((kind) => {
      const best = this.#mostLikely((white) => this.bestShape(white, kind));
      if (best === undefined) return 0;
      const { gain } = finer(best.white, best.shape);
      return gained(this.#likelihood(best.white, gain)) / shapeEvidence(length, rho, kind);
    });
    const line = this.#mostLikely((white) => white.fit('ramp', 0, length - 1));
    const isUp = line !== undefined && line.shape.height > 0;
    const bent = this.#hasBends(gained)
      ? Math.max(...this.considered.map((white) => this.#bentGain(white, gained))) / linesEvidence(length)
      : 0;
    return Math.max(isUp ? gained(line.likelihood) / lineEvidence(length, rho) : 0, bent, ...ratios);
  }

  /** The memory with which explanations are looked for. */
  get considered(): readonly Whitened[] {
    return this.whitened.filter(({ rho }) => rho === 0 || rho === this.constant.rho || rho === middleRho);
  }

  /** The lines that explain the series best (`brokenLine`). */
  lines(white: Whitened): readonly Shape[] {
    return remembered(this.#lines, white, () => brokenLine(white));
  }

  #hasBends(gained: (likelihood: number) => number): boolean {
    const gains = (white: Whitened): number =>
      gained(this.#likelihood(white, white.constantRss - equalLinesRss(white, equalBends)));
    return (
      at(this.whitened, 0).length >= fewestBent && this.whitened.some((white) => gains(white) >= bentEvidence)
    );
  }

  #bentGain(white: Whitened, gained: (likelihood: number) => number): number {
    const lines = this.lines(white);
    const numbers = bendsOf(lines, white.length) + lines.length;
    const gain = lines.length === 0 ? 0 : white.constantRss - rampsRss(lines, white);
    return gained(this.#likelihood(white, gain)) - numbers * Math.log(white.length);
  }

  /** The shape that explains most, between places on a grid. */
  bestShape(white: Whitened, kind: Shape['kind']): Found {
    return remembered(this.#shapes[kind], white, () => white.best(kind, pairsOf(white.length)[kind]));
  }

  #mostLikely(
    shapeOf: (white: Whitened) => Found,
  ): { readonly white: Whitened; readonly shape: FittedShape; readonly likelihood: number } | undefined {
    return this.whitened
      .flatMap((white) => {
        const shape = shapeOf(white);
        return shape === undefined ? [] : [{ white, shape, likelihood: this.#likelihood(white, shape.gain) }];
      })
      .reduce<{ white: Whitened; shape: FittedShape; likelihood: number } | undefined>(
        (best, one) => (best === undefined || one.likelihood > best.likelihood ? one : best),
        undefined,
      );
  }

  #likelihood({ constantRss, length, rho }: Whitened, gain: number): number {
    return logLikelihood(constantRss - gain, length, rho, this.#leastVariance);
  }
}

/** Undefined where nothing is left of any shape beside a constant. */
type Found = FittedShape | undefined;

/** Of what is left of a series that changes, noise mostly has less memory than the series itself seems to have. */
const middleRho = 0.6;

/** Bends at equal distances, and twice the gain in log-likelihood of lines between them that few constant series without memory have: where it is less, bends are not looked for. */
const equalBends = 8;
const bentEvidence = 22;
const fewestBent = 32;

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
export function bestStep(white: Whitened): FittedShape | undefined {
  return white.best('ramp', pairsOf(white.length).step);
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

/** Of shapes that are possible in a series of this length: ramps and boxes on a grid, and all steps. */
type PairsOfLength = Readonly<Record<Shape['kind'] | 'step', Fits>>;

/** Of the last lengths, some of which the next series mostly has as well. */
const knownPairs = new Map<number, PairsOfLength>();
const mostKnown = 64;

function pairsOf(length: number): PairsOfLength {
  if (knownPairs.size > mostKnown) knownPairs.clear();
  return remembered(knownPairs, length, () => makePairs(length));
}

function makePairs(length: number): PairsOfLength {
  const step = Math.max(1, (length - 1) / coarsePlaces);
  const count = Math.floor((length - 1) / step + 1e-9) + 1;
  const grid = Array.from({ length: count }, (_, i) => Math.round(i * step));
  const pairs = grid.flatMap((from, i) => grid.slice(i + 1).map((to) => [from, to] as const));
  const steps = Array.from({ length: length - 1 }, (_, i) => [i, i + 1] as const);
  const possible = (kind: Shape['kind'], all: readonly (readonly [number, number])[]): Fits => {
    const own = all.filter(([from, to]) => isPossible(kind, from, to, length));
    return fitsOf({
      from: Int32Array.from(own, ([from]) => from),
      to: Int32Array.from(own, ([, to]) => to),
    });
  };
  return { ramp: possible('ramp', pairs), box: possible('box', pairs), step: possible('ramp', steps) };
}
