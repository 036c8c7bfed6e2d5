/** Lines that bend: the places where a continuous series of lines changes its slope. */
import { at, atFloat } from '../at';
import { dropColumn, type ColumnsFit } from './leastSquares';
import type { Shape, Whitened } from './whitened';

/** Bends at first, and values between them at least. */
const mostBends = 24;
const leastDistance = 5;
/** A bend has a place, which many were tried for, and a slope. */
const numbersOfBend = 3;
/** A line that is not flat has a slope, and is one of several that may have one. */
const numbersOfLine = 2;
const mostRounds = 4;

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
    places = moved(reduced(places, white), Math.ceil(spacing / 2), white);
  }
  return places.length === 0 ? [] : lines(places, white);
}

/** Without those that are not worth their numbers. */
function reduced(places: readonly number[], white: Whitened): readonly number[] {
  const price = numbersOfBend * Math.log(white.length) + 3;
  const fit = white.hinges([0, ...places]);
  let { rss } = fit;
  const left = places.map((place, i) => ({ place, column: i + 2 }));
  while (left.length > 0) {
    const losses = left.map(({ column }) => lossOf(fit, column, rss, white.length));
    const least = Math.min(...losses);
    if (!(least <= price)) break;
    const [worst] = left.splice(losses.indexOf(least), 1);
    if (worst !== undefined) rss = dropColumn(fit, worst.column, rss);
  }
  return left.map(({ place }) => place);
}

/** What a column is worth: twice the logarithm of the likelihood without it. */
function lossOf({ coefficients, inverse }: ColumnsFit, column: number, rss: number, length: number): number {
  const own = atFloat(at(inverse, column), column);
  return own > 0 ? length * Math.log1p(atFloat(coefficients, column) ** 2 / own / Math.max(rss, 1e-300)) : 0;
}

/** To the best places near them, one after the other, in smaller and smaller steps. */
function moved(places: readonly number[], reach: number, white: Whitened): readonly number[] {
  const rssOf = (own: readonly number[]): number => white.hingesRss([0, ...own]);
  let [best, least] = [places, rssOf(places)];
  const isMoved = (i: number, way: number): boolean => {
    const next = best.with(i, at(best, i) + way);
    if (!isInOrder(next, white.length)) return false;
    const rss = rssOf(next);
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
    const losses = shapes.map((_, i) => lossOf(fit, i + 1, fit.rss, length));
    const least = Math.min(...losses);
    if (least > numbersOfLine * Math.log(length)) break;
    shapes = shapes.filter((_, i) => losses[i] !== least);
  }
  return shapes;
}

function isInOrder(places: readonly number[], length: number): boolean {
  return [0, ...places, length - 1].every((place, i, all) => i === 0 || place > at(all, i - 1));
}
