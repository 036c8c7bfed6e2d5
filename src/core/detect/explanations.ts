/** What may explain a series that is more than constant, and which of it does so best. */
import { at, atFloat } from '../at';
import { present } from '../present';
import { bestShape, bestStep, finer, logLikelihood, type Evidence, type Noise } from './evidence';
import { Columns, type ColumnsFit } from './leastSquares';
import { levelEnds } from './levels';
import { innovationVariance } from './noise';
import { Whitened, type FittedShape, type Shape } from './whitened';

/** The series is a constant, plus each column times its coefficient, plus noise. */
interface Family {
  readonly kind: 'line' | 'ramp' | 'ramps' | 'step' | 'steps' | 'box' | 'curve';
  /** Of each column behind the constant; none of a curve. */
  readonly shapes: readonly Shape[];
  readonly columns: readonly Float64Array[];
  /** Positions and other numbers that were chosen, beside the coefficients. */
  readonly choices: number;
}

export interface Explanation extends Family {
  readonly rho: number;
  readonly fit: ColumnsFit;
  /** Twice the log-likelihood less what its numbers cost (Schwarz, 1978). */
  readonly score: number;
}

const mostLevels = 40;
/** Fewer values do not show two ramps. */
const fewestForRamps = 16;

/** The best explanation by its score. */
export function bestExplanation(values: Float64Array, evidence: Evidence, noise: Noise): Explanation {
  return families(values, evidence, noise)
    .map((family) => explained(values, family, evidence, noise))
    .reduce((best, one) => (one.score > best.score ? one : best));
}

function families(
  values: Float64Array,
  { whitened, constant }: Evidence,
  { weights }: Noise,
): readonly Family[] {
  const { length } = values;
  const one = new Float64Array(length).fill(1);
  const made = (kind: Family['kind'], shapes: readonly Shape[], choices: number): Family => ({
    ...{ kind, shapes, choices },
    columns: [one, ...shapes.map((shape) => columnOf(shape, length))],
  });
  const found: Family[] = [made('line', [{ kind: 'ramp', from: 0, to: length - 1 }], 0)];
  const considered = whitened.filter(({ rho }) => rho === 0 || rho === constant.rho || rho === middleRho);
  for (const white of considered) {
    const { rho } = white;
    const ramp = bestShape(white, 'ramp');
    if (ramp !== undefined) {
      const fine = finer(white, ramp);
      found.push(made('ramp', [fine], 2.5));
      for (const several of length < fewestForRamps ? [] : severalRamps(values, fine, white, weights))
        found.push(made('ramps', several, 3 * several.length));
    }
    const box = bestShape(white, 'box');
    if (box !== undefined) found.push(made('box', [finer(white, box)], 2));
    const step = bestStep(white);
    if (step !== undefined) found.push(made('step', [step], 1));
    const ends = levelEnds(values, {
      ...{ rho, variance: Math.max(innovationVariance(values, rho), 1e-300) },
      penalty: 3 * Math.log(length) + 3,
      ...present({ weights }),
    });
    const changes = ends.slice(0, -1).map((end): Shape => ({ kind: 'ramp', from: end - 1, to: end }));
    if (changes.length > 0 && ends.length <= mostLevels) found.push(made('steps', changes, changes.length));
  }
  return [
    ...found,
    ...curves(length).map((column): Family => ({
      kind: 'curve',
      shapes: [],
      columns: [one, column],
      choices: 2,
    })),
  ];
}

/** Of what is left of a series that changes, noise mostly has less memory than the series itself seems to have. */
const middleRho = 0.6;

/** Two ramps, three and more: each on what the others leave, and all of these again. */
function severalRamps(
  values: Float64Array,
  first: FittedShape,
  { rho }: Whitened,
  weights: Float64Array | undefined,
): readonly (readonly Shape[])[] {
  const found: (readonly Shape[])[] = [];
  let ramps: readonly FittedShape[] = [first];
  while (ramps.length < mostRamps) {
    const white = new Whitened(ramps.reduce(without, values), rho, weights);
    const next = bestShape(white, 'ramp');
    if (next === undefined || next.gain * values.length < 4 * Math.log(values.length) * white.constantRss)
      break;
    const fine = finer(white, next);
    if (ramps.some((ramp) => Math.abs(ramp.from - fine.from) <= 1 && Math.abs(ramp.to - fine.to) <= 1)) break;
    ramps = [...ramps, fine];
    for (
      let sweep = 0, last: typeof ramps | undefined;
      sweep < mostSweeps && !areEqual(last, ramps);
      sweep++
    ) {
      last = ramps;
      ramps = ramps.reduce<readonly FittedShape[]>((own, ramp) => {
        const left = new Whitened(
          own.filter((other) => other !== ramp).reduce(without, values),
          rho,
          weights,
        );
        const better = finer(left, left.fit('ramp', ramp.from, ramp.to) ?? ramp);
        return own.map((one) => (one === ramp ? better : one));
      }, ramps);
    }
    found.push(ramps);
  }
  return found;
}

function areEqual(a: readonly Shape[] | undefined, b: readonly Shape[]): boolean {
  return b.every(({ from, to }, i) => a?.[i]?.from === from && a[i]?.to === to);
}

const mostRamps = 6;
const mostSweeps = 8;

function without(values: Float64Array, shape: FittedShape): Float64Array {
  const column = columnOf(shape, values.length);
  return values.map((value, t) => value - shape.height * atFloat(column, t));
}

function columnOf({ kind, from, to }: Shape, length: number): Float64Array {
  return Float64Array.from({ length }, (_, t) =>
    kind === 'box' ? Number(t > from && t <= to) : Math.min(1, Math.max(0, (t - from) / (to - from))),
  );
}

/** Growth over the whole series that slows down or speeds up, by the part of the series in which it does. */
function curves(length: number): readonly Float64Array[] {
  const column = (of: (x: number) => number): Float64Array =>
    Float64Array.from({ length }, (_, t) => of(t / length));
  return [
    column(Math.sqrt),
    ...[0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8].map((part) => column((x) => Math.log1p(x / part))),
    ...[0.05, 0.1, 0.2, 0.4, 0.8].map((part) => column((x) => part * Math.expm1(x / part))),
  ];
}

interface Attempt {
  readonly i: number;
  readonly rho: number;
  readonly fit: ColumnsFit;
  readonly likelihood: number;
}

/** With the autocorrelation that makes the series most likely, which has one maximum. */
function explained(
  values: Float64Array,
  family: Family,
  { whitened }: Evidence,
  { weights, leastVariance }: Noise,
): Explanation {
  const { length } = values;
  const columns = new Columns(values, family.columns, weights);
  const tried = whitened.map((): Attempt | undefined => undefined);
  const attempt = (i: number): void => {
    const rho = whitened[i]?.rho;
    if (rho === undefined || tried[i] !== undefined) return;
    const fit = columns.fit(rho);
    tried[i] = { i, rho, fit, likelihood: logLikelihood(fit.rss, length, rho, leastVariance) };
  };
  const best = (): Attempt =>
    tried
      .filter((one) => one !== undefined)
      .reduce((most, one) => (one.likelihood > most.likelihood ? one : most));
  [0, whitened.length >> 1, whitened.length - 1].forEach(attempt);
  for (let last = -1; last !== best().i;) {
    last = best().i;
    attempt(last - 1);
    attempt(last + 1);
  }
  const { rho, fit, likelihood } = best();
  // A jump of noise with memory looks like a step: places are worth less then.
  const numbers = family.choices * (1 + rho) + family.columns.length;
  return { ...family, rho, fit, score: 2 * likelihood - numbers * Math.log(length) };
}

/** The series without noise. */
export function modelOf({ columns, fit }: Explanation): Float64Array {
  const { length } = at(columns, 0);
  return Float64Array.from({ length }, (_, t) =>
    columns.reduce((sum, column, i) => sum + atFloat(fit.coefficients, i) * atFloat(column, t), 0),
  );
}
