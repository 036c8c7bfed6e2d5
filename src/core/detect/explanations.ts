/** What may explain a series that is more than constant, and which of it does so best. */
import { at, atFloat } from '../at';
import { present } from '../present';
import { bendsOf } from './brokenLines';
import { bestShape, bestStep, considered, finer, logLikelihood, type Evidence, type Noise } from './evidence';
import { Columns, type ColumnsFit } from './leastSquares';
import { levelEnds } from './levels';
import { innovationVariance } from './noise';
import type { Shape, Whitened } from './whitened';

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

/** The best explanation by its score. */
export function bestExplanation(values: Float64Array, evidence: Evidence, noise: Noise): Explanation {
  return families(values, evidence, noise)
    .map((family) => explained(values, family, evidence, noise))
    .reduce((best, one) => (one.score > best.score ? one : best));
}

function families(values: Float64Array, evidence: Evidence, { weights }: Noise): readonly Family[] {
  const { length } = values;
  const one = new Float64Array(length).fill(1);
  const made = (kind: Family['kind'], shapes: readonly Shape[], choices: number): Family => ({
    ...{ kind, shapes, choices },
    columns: [one, ...shapes.map((shape) => columnOf(shape, length))],
  });
  const found: Family[] = [made('line', [{ kind: 'ramp', from: 0, to: length - 1 }], 0)];
  for (const white of considered(evidence)) {
    const { rho } = white;
    const ramp = bestShape(white, 'ramp');
    if (ramp !== undefined) {
      const fine = finer(white, ramp);
      found.push(made('ramp', [fine], 2.5));
    }
    const lines = evidence.lines(white);
    if (lines.length > 0) found.push(made('ramps', lines, bendsOf(lines, length) + lines.length));
    const steeper = withSteps(lines, white);
    const steps = steeper.filter(isStep).length;
    if (steps > 0)
      found.push(
        made(
          steps === steeper.length ? 'steps' : 'ramps',
          steeper,
          bendsOf(steeper, length) + steeper.length - 2 * steps,
        ),
      );
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
    if (changes.length > 0 && ends.length <= mostLevels)
      found.push(made('steps', placed(changes, white), changes.length));
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

/** A line over this part of a series may as well be a step, and one of a few values always. */
const steepPart = 1 / 12;
const longestSteep = 5;
/** A line has two numbers more than a step, and there are many of them. */
const numbersSaved = 3;

function isStep({ from, to }: Shape): boolean {
  return to - from === 1;
}

/** With steps in the place of steep lines, where these explain as much. */
function withSteps(lines: readonly Shape[], white: Whitened): readonly Shape[] {
  const { length } = white;
  const longest = Math.max(longestSteep, length * steepPart);
  let shapes = lines;
  let rss = lines.length === 0 ? 0 : white.rampsRss(lines);
  for (const line of lines) {
    if (line.to - line.from > longest) continue;
    const tried = Array.from({ length: line.to - line.from + 2 }, (_, i) => {
      const from = Math.min(length - 2, Math.max(0, line.from - 1 + i));
      const all = shapes.map((own): Shape => (own === line ? { kind: 'ramp', from, to: from + 1 } : own));
      return { all, rss: white.rampsRss(all) };
    });
    const best = tried.reduce((least, one) => (one.rss < least.rss ? one : least));
    if (length * Math.log(best.rss / Math.max(rss, 1e-300)) < numbersSaved * Math.log(length))
      [shapes, rss] = [best.all, best.rss];
  }
  return shapes;
}

/** Each step where all of them together leave least: optimal partitioning leaves out the value at a step, and may be one off. */
function placed(steps: readonly Shape[], white: Whitened): readonly Shape[] {
  let best = steps;
  let least = white.rampsRss(best);
  for (let i = 0; i < best.length; i++)
    for (const way of [-1, 1]) {
      const { from, to } = at(best, i);
      const own: Shape = { kind: 'ramp', from: from + way, to: to + way };
      const isFree = own.from > (best[i - 1]?.from ?? -1) && own.to < (best[i + 1]?.to ?? white.length);
      const next = isFree ? best.with(i, own) : best;
      const rss = isFree ? white.rampsRss(next) : Infinity;
      if (rss < least) [best, least] = [next, rss];
    }
  return best;
}

function columnOf({ kind, from, to }: Shape, length: number): Float64Array {
  return Float64Array.from({ length }, (_, t) =>
    kind === 'box' ? Number(t > from && t <= to) : Math.min(1, Math.max(0, (t - from) / (to - from))),
  );
}

/** Of the last length, which the next series mostly has as well. */
let lastCurves: readonly Float64Array[] = [];

/** Growth over the whole series that slows down or speeds up, by the part of the series in which it does. */
function curves(length: number): readonly Float64Array[] {
  if (lastCurves[0]?.length === length) return lastCurves;
  const column = (of: (x: number) => number): Float64Array =>
    Float64Array.from({ length }, (_, t) => of(t / length));
  return (lastCurves = [
    column(Math.sqrt),
    ...[0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8].map((part) => column((x) => Math.log1p(x / part))),
    ...[0.05, 0.1, 0.2, 0.4, 0.8].map((part) => column((x) => part * Math.expm1(x / part))),
  ]);
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
