/** What may explain a series that is more than constant, and which of it does so best. */
import { at, atFloat } from '../at';
import { present } from '../present';
import { bendsOf, rampsRss } from './brokenLines';
import { bestStep, finer, logLikelihood, type Evidence, type Noise } from './evidence';
import { fitColumns, type ColumnsFit } from './leastSquares';
import { levelEnds } from './levels';
import { innovationVariance } from './noise';
import { placesOf, Polyline } from './polyline';
import type { Shape, Whitened } from './whitened';

/** The series is a constant, plus each shape or the curve times its coefficient, plus noise. */
interface Family {
  readonly kind: 'line' | 'ramp' | 'ramps' | 'step' | 'steps' | 'box' | 'curve';
  readonly shapes: readonly Shape[];
  readonly curve?: Float64Array;
  /** Positions and other numbers that were chosen, beside the coefficients. */
  readonly choices: number;
}

/** A curve with a constant beside it. */
export interface WeighedCurve {
  readonly curve: Float64Array;
  readonly weight: number;
  readonly fit: ColumnsFit;
}

export interface Explanation extends Family {
  /** Those that `curve` is the mean of. */
  readonly curves?: readonly WeighedCurve[];
  /** Of the constant, and of each shape or the curve. */
  readonly columns: readonly Float64Array[];
  readonly rho: number;
  readonly fit: ColumnsFit;
  /** Twice the log-likelihood less what its numbers cost (Schwarz, 1978). */
  readonly score: number;
}

const mostLevels = 40;

/** The best explanation by its score. */
export function bestExplanation(values: Float64Array, evidence: Evidence, noise: Noise): Explanation {
  const { length } = values;
  const all = families(values, evidence, noise).map((one) => explained(one, evidence, noise));
  const best = all.reduce((most, one) => (one.score > most.score ? one : most));
  const { rho, score } = best;
  if (best.family.curve !== undefined) return averaged(values, best, noise);
  const { family } = best;
  const columns = [
    new Float64Array(length).fill(1),
    ...family.shapes.map((shape) => columnOf(shape, length)),
  ];
  return { ...family, columns, rho, score, fit: fitColumns(values, columns, rho, noise.weights) };
}

/** How fast growth is at its beginning is seen badly: all curves, weighed by how well they explain the series. */
function averaged(values: Float64Array, best: Scored, { weights, leastVariance }: Noise): Explanation {
  const { family, rho, score } = best;
  const { length } = values;
  const one = new Float64Array(length).fill(1);
  const known = fineCurves(length).map(({ curve, prior }) => {
    const fit = fitColumns(values, [one, curve], rho, weights);
    return { curve, fit, likelihood: Math.log(prior) + logLikelihood(fit.rss, length, rho, leastVariance) };
  });
  const most = Math.max(...known.map(({ likelihood }) => likelihood));
  const curves = known.map(({ curve, fit, likelihood }) => ({
    curve,
    fit,
    weight: Math.exp(likelihood - most),
  }));
  const whole = curves.reduce((sum, { weight }) => sum + weight, 0);
  const curve = new Float64Array(length);
  for (const { curve: own, weight, fit } of curves)
    for (let t = 0; t < length; t++)
      curve[t] = atFloat(curve, t) + (weight / whole) * atFloat(fit.coefficients, 1) * atFloat(own, t);
  const columns = [one, curve];
  return { ...family, curve, curves, columns, rho, score, fit: fitColumns(values, columns, rho, weights) };
}

function families(values: Float64Array, evidence: Evidence, { weights }: Noise): readonly Family[] {
  const { length } = values;
  const found: Family[] = [{ kind: 'line', shapes: [{ kind: 'ramp', from: 0, to: length - 1 }], choices: 0 }];
  for (const white of evidence.considered) {
    const { rho } = white;
    const ramp = evidence.bestShape(white, 'ramp');
    if (ramp !== undefined) found.push({ kind: 'ramp', shapes: [finer(white, ramp)], choices: 2.5 });
    const lines = evidence.lines(white);
    if (lines.length > 0)
      found.push({ kind: 'ramps', shapes: lines, choices: bendsOf(lines, length) + lines.length });
    const steeper = withSteps(lines, white);
    const steps = steeper.filter(isStep).length;
    if (steps > 0)
      found.push({
        kind: steps === steeper.length ? 'steps' : 'ramps',
        shapes: steeper,
        choices: bendsOf(steeper, length) + steeper.length - 2 * steps,
      });
    const box = evidence.bestShape(white, 'box');
    if (box !== undefined) found.push({ kind: 'box', shapes: [finer(white, box)], choices: 2 });
    const step = bestStep(white);
    if (step !== undefined) found.push({ kind: 'step', shapes: [step], choices: 1 });
    const ends = levelEnds(values, {
      ...{ rho, variance: Math.max(innovationVariance(values, rho), 1e-300) },
      penalty: 3 * Math.log(length) + 3,
      ...present({ weights }),
    });
    const changes = ends.slice(0, -1).map((end): Shape => ({ kind: 'ramp', from: end - 1, to: end }));
    if (changes.length > 0 && ends.length <= mostLevels)
      found.push({ kind: 'steps', shapes: placed(changes, white), choices: changes.length });
  }
  return [
    ...found,
    ...curves(length).map((curve): Family => ({ kind: 'curve', shapes: [], curve, choices: 2 })),
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
  let rss = lines.length === 0 ? 0 : rampsRss(lines, white);
  for (const line of lines) {
    if (line.to - line.from > longest) continue;
    const tried = Array.from({ length: line.to - line.from + 2 }, (_, i) => {
      const from = Math.min(length - 2, Math.max(0, line.from - 1 + i));
      const all = shapes.map((own): Shape => (own === line ? { kind: 'ramp', from, to: from + 1 } : own));
      return { all, rss: rampsRss(all, white) };
    });
    const best = tried.reduce((least, one) => (one.rss < least.rss ? one : least));
    if (length * Math.log(best.rss / Math.max(rss, 1e-300)) < numbersSaved * Math.log(length))
      [shapes, rss] = [best.all, best.rss];
  }
  return shapes;
}

/** Each step where all of them together leave least: optimal partitioning leaves out the value at a step, and may be one off. */
function placed(steps: readonly Shape[], white: Whitened): readonly Shape[] {
  // Levels, which may have one value, and steps between them.
  const line = new Polyline(white, {
    places: [0, ...steps.flatMap(({ from, to }) => [from, to]), white.length - 1],
    isFlat: Array.from({ length: 2 * steps.length + 1 }, (_, i) => i % 2 === 0),
  });
  const { places } = line;
  let least = line.rss;
  return steps.map((_, k): Shape => {
    const i = 2 * k + 1;
    for (const way of [-1, 1]) {
      const [from, to] = [at(places, i) + way, at(places, i + 1) + way];
      if (from < at(places, i - 1) || to > at(places, i + 2)) continue;
      const rss = line.shiftedRss(i, from, to);
      if (rss >= least) continue;
      least = rss;
      line.move(i, from);
      line.move(i + 1, to);
    }
    return { kind: 'ramp', from: at(places, i), to: at(places, i + 1) };
  });
}

function columnOf({ kind, from, to }: Shape, length: number): Float64Array {
  const column = new Float64Array(length);
  if (kind === 'box') return column.fill(1, from + 1, to + 1);
  for (let t = from + 1; t < to; t++) column[t] = (t - from) / (to - from);
  return column.fill(1, to);
}

/** Of the last length, which the next series mostly has as well. */
let lastCurves: readonly Float64Array[] = [];

/** Growth over the whole series that slows down or speeds up, by the part of the series in which it does. */
function curves(length: number): readonly Float64Array[] {
  if (lastCurves[0]?.length === length) return lastCurves;
  return (lastCurves = [
    root(length),
    ...[0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8].map((part) => slowing(part, length)),
    ...[0.05, 0.1, 0.2, 0.4, 0.8].map((part) => speeding(part, length)),
  ]);
}

/** Parts of curves that are weighed: so many of them while they double. */
const finePerDouble = 3;
const [leastSlowing, leastSpeeding, mostPart] = [0.005, 0.05, 1.28];

function fineCurves(length: number): readonly { readonly curve: Float64Array; readonly prior: number }[] {
  const parts = (least: number): readonly number[] =>
    Array.from(
      { length: Math.round(finePerDouble * Math.log2(mostPart / least)) + 1 },
      (_, i) => least * 2 ** (i / finePerDouble),
    );
  const prior = 1 / finePerDouble;
  return [
    { curve: root(length), prior: 1 },
    ...parts(leastSlowing).map((part) => ({ curve: slowing(part, length), prior })),
    ...parts(leastSpeeding).map((part) => ({ curve: speeding(part, length), prior })),
  ];
}

const column = (length: number, of: (x: number) => number): Float64Array =>
  Float64Array.from({ length }, (_, t) => of(t / length));
const root = (length: number): Float64Array => column(length, Math.sqrt);
const slowing = (part: number, length: number): Float64Array => column(length, (x) => Math.log1p(x / part));
const speeding = (part: number, length: number): Float64Array =>
  column(length, (x) => part * Math.expm1(x / part));

interface Scored {
  readonly family: Family;
  readonly rho: number;
  readonly score: number;
}

interface Attempt {
  readonly i: number;
  readonly rho: number;
  readonly likelihood: number;
}

/** With the autocorrelation that makes the series most likely, which has one maximum. */
function explained(family: Family, { whitened }: Evidence, { leastVariance }: Noise): Scored {
  const { length } = at(whitened, 0);
  const rssOf = rssOfFamily(family, length);
  const tried = whitened.map((): Attempt | undefined => undefined);
  const attempt = (i: number): void => {
    const white = whitened[i];
    if (white === undefined || tried[i] !== undefined) return;
    const { rho } = white;
    tried[i] = { i, rho, likelihood: logLikelihood(rssOf(white), length, rho, leastVariance) };
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
  const { rho, likelihood } = best();
  const coefficients = 1 + (family.curve === undefined ? family.shapes.length : 1);
  // A jump of noise with memory looks like a step: places are worth less then.
  const numbers = family.choices * (1 + rho) + coefficients;
  return { family, rho, score: 2 * likelihood - numbers * Math.log(length) };
}

/** Squared innovations that a family leaves. */
function rssOfFamily({ curve, shapes }: Family, length: number): (white: Whitened) => number {
  const [first] = shapes;
  if (curve !== undefined) return (white) => white.constantRss - white.gainOf(curve);
  if (first?.kind === 'box')
    return (white) => white.constantRss - (white.fit('box', first.from, first.to)?.gain ?? 0);
  const places = placesOf(shapes, length);
  return (white) => new Polyline(white, places).rss;
}

/** The series without noise. */
export function modelOf({ columns, fit }: Explanation): Float64Array {
  const model = new Float64Array(at(columns, 0).length);
  columns.forEach((column, i) => {
    const coefficient = atFloat(fit.coefficients, i);
    for (let t = 0; t < model.length; t++) model[t] = atFloat(model, t) + coefficient * atFloat(column, t);
  });
  return model;
}

export interface Piece extends Shape {
  readonly height: number;
}

/** In order; lines that go on in the same direction are one, from where it begins to where it ends in earnest. */
export function piecesOf({ shapes, fit }: Explanation): readonly Piece[] {
  const groups: Piece[][] = [];
  const sorted = shapes
    .map((shape, i): Piece => ({ ...shape, height: atFloat(fit.coefficients, i + 1) }))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  for (const piece of sorted) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const goesOn = last?.kind === 'ramp' && piece.kind === 'ramp' && last.to === piece.from;
    // A step within a block looks like two.
    const areAlike = last !== undefined && last.to - last.from > 1 === piece.to - piece.from > 1;
    if (goesOn && areAlike && Math.sign(last.height) === Math.sign(piece.height)) group?.push(piece);
    else groups.push([piece]);
  }
  return groups.map(joined);
}

/** Where a line rises by less of the whole rise than this part, and by less in each value than this part of what the whole rises by, it is hardly a beginning or an end of it. */
const hardlyHeight = 0.05;
const hardlySlope = 0.2;

function joined(pieces: readonly Piece[]): Piece {
  const [first, last] = [at(pieces, 0), at(pieces, pieces.length - 1)];
  const height = pieces.reduce((sum, piece) => sum + piece.height, 0);
  const whole = { ...first, to: last.to, height };
  const isHardly = (piece: Piece): boolean =>
    pieces.length > 1 &&
    piece.height / height < hardlyHeight &&
    slopeOf(piece) / slopeOf(whole) < hardlySlope;
  if (isHardly(first)) return joined(pieces.slice(1));
  return isHardly(last) ? joined(pieces.slice(0, -1)) : whole;
}

function slopeOf({ from, to, height }: Piece): number {
  return height / (to - from);
}

/** Where the first rise begins; a curve begins with the series. */
export function firstRise(explanation: Explanation): number {
  const rise = piecesOf(explanation).find(({ height }) => height > 0);
  return rise?.from ?? 0;
}
