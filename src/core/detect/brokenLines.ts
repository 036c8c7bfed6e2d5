/** Lines that bend: the places where a continuous series of lines changes its slope. */
import { at, atFloat } from '../at';
import type { ColumnsFit } from './leastSquares';
import type { Shape, Whitened } from './whitened';

/** Bends at first, and values between them at least. */
const mostBends = 16;
const leastDistance = 5;
/** A bend has a place, which many were tried for, and a slope. */
const numbersOfBend = 3;
/** A line that is not flat has a slope, and is one of several that may have one. */
const numbersOfLine = 2;
const mostRounds = 4;
/** Places where a bend is looked for that is missing. */
const mostTries = 32;

/**
 * The lines between the bends that explain the series best, and that are not flat; none where no bend does. From many bends, those that say least are left out one by one (Schwarz's
 * criterion), and the others move to where all of them together leave least.
 */
export function brokenLine(white: Whitened): readonly Shape[] {
  const { length } = white;
  const count = Math.min(mostBends, Math.floor(length / leastDistance) - 1);
  if (count < 1) return [];
  const spacing = length / (count + 1);
  let places: readonly number[] = Array.from({ length: count }, (_, i) => Math.round((i + 1) * spacing));
  for (let round = 0, before = -1; round < mostRounds && places.length !== before; round++) {
    before = places.length;
    places = merged(moved(reduced(places, white), Math.ceil(spacing / 2), white), white);
  }
  for (let next = withMissing(places, white); next.length > places.length; next = withMissing(places, white))
    places = next;
  return places.length === 0 ? [] : lines(places, white);
}

/** Places inside of the series where lines begin and end. */
export function bendsOf(lines: readonly Shape[], length: number): number {
  return new Set(
    lines.flatMap(({ from, to }) => [from, to]).filter((place) => place > 0 && place < length - 1),
  ).size;
}

/** With the bend that explains most beside the others, where it is worth its numbers: while these were in wrong places, it may have seemed to say little, and was left out. */
function withMissing(places: readonly number[], white: Whitened): readonly number[] {
  if (places.length === 0 || places.length >= mostBends) return places;
  const spacing = Math.max(leastDistance, Math.round(white.length / mostTries));
  let [best, least] = [places, Infinity];
  for (let place = spacing; place < white.length - 1; place += spacing) {
    if (places.some((other) => Math.abs(other - place) < leastDistance)) continue;
    const next = [...places, place].sort((a, b) => a - b);
    const rss = white.hingesRss([0, ...next]);
    if (rss < least) [best, least] = [next, rss];
  }
  if (best === places) return places;
  const fine = moved(best, Math.ceil(spacing / 2), white);
  const gain = white.length * Math.log(rssOf(places, white) / Math.max(rssOf(fine, white), 1e-300));
  return gain > priceOf(white) ? fine : places;
}

function rssOf(places: readonly number[], white: Whitened): number {
  return white.hingesRss([0, ...places]);
}

/** Without those that are not worth their numbers. */
function reduced(places: readonly number[], white: Whitened): readonly number[] {
  const price = priceOf(white);
  for (let left = places; ;) {
    if (left.length === 0) return left;
    const fit = white.hinges([0, ...left]);
    const losses = left.map((_, i) => lossOf(fit, i + 2, white.length));
    const least = Math.min(...losses);
    if (!(least <= price)) return left;
    const worst = losses.indexOf(least);
    left = left.filter((_, i) => i !== worst);
  }
}

/** What a column is worth: twice the logarithm of the likelihood without it. */
function lossOf({ coefficients, inverse, rss }: ColumnsFit, column: number, length: number): number {
  const own = atFloat(at(inverse, column), column);
  return own > 0 ? length * Math.log1p(atFloat(coefficients, column) ** 2 / own / Math.max(rss, 1e-300)) : 0;
}

/** To the best places near them, one after the other, in smaller and smaller steps. */
function moved(places: readonly number[], reach: number, white: Whitened): readonly number[] {
  let [best, least] = [places, rssOf(places, white)];
  const isMoved = (i: number, way: number): boolean => {
    const next = best.with(i, at(best, i) + way);
    if (!isInOrder(next, white.length)) return false;
    const rss = rssOf(next, white);
    if (rss >= least * (1 - 1e-9)) return false;
    [best, least] = [next, rss];
    return true;
  };
  for (let step = reach; best.length > 0; step = Math.ceil(step / 2)) {
    for (let i = 0; i < best.length; i++) for (const way of [-step, step]) while (isMoved(i, way));
    if (step === 1) break;
  }
  return best;
}

/** Between the bends; without the ones whose slope is nothing. */
function lines(places: readonly number[], white: Whitened): readonly Shape[] {
  const { length } = white;
  const ends = [0, ...places, length - 1];
  let shapes = ends.slice(1).map((to, i): Shape => ({ kind: 'ramp', from: at(ends, i), to }));
  while (shapes.length > 1) {
    const fit = white.ramps(shapes);
    const losses = shapes.map((_, i) => lossOf(fit, i + 1, length));
    const least = Math.min(...losses);
    if (least > numbersOfLine * Math.log(length)) break;
    shapes = shapes.filter((_, i) => losses[i] !== least);
  }
  return shapes;
}

/** With one bend in the place of two neighbours, where one at the right place explains as much. */
function merged(places: readonly number[], white: Whitened): readonly number[] {
  const price = priceOf(white);
  let best = places;
  for (let i = 0; i + 1 < best.length;) {
    const [first, last] = [at(best, i), at(best, i + 1)];
    const rss = rssOf(best, white);
    const others = best.filter((_, k) => k !== i + 1);
    const start = others.with(i, Math.round((first + last) / 2));
    const one = moved(start, Math.ceil((last - first) / 2), white);
    const loss = white.length * Math.log(rssOf(one, white) / Math.max(rss, 1e-300));
    if (loss <= price) best = one;
    else i++;
  }
  return best;
}

function priceOf({ length }: Whitened): number {
  return numbersOfBend * Math.log(length) + 3;
}

function isInOrder(places: readonly number[], length: number): boolean {
  return [0, ...places, length - 1].every((place, i, all) => i === 0 || place > at(all, i - 1));
}
