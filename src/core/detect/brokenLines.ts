/** Lines that bend: the places where a continuous series of lines changes its slope. */
import { at } from '../at';
import { placesOf, Polyline } from './polyline';
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
  let bends: readonly number[] = Array.from({ length: count }, (_, i) => Math.round((i + 1) * spacing));
  for (let round = 0, before = -1; round < mostRounds && bends.length !== before; round++) {
    before = bends.length;
    bends = merged(moved(reduced(bends, white), Math.ceil(spacing / 2), white).bends, white);
  }
  for (let next = withMissing(bends, white); next.length > bends.length; next = withMissing(bends, white))
    bends = next;
  return bends.length === 0 ? [] : lines(bends, white);
}

/** Places inside of the series where lines begin and end. */
export function bendsOf(lines: readonly Shape[], length: number): number {
  return new Set(
    lines.flatMap(({ from, to }) => [from, to]).filter((place) => place > 0 && place < length - 1),
  ).size;
}

/** What a constant and ramps leave. */
export function rampsRss(ramps: readonly Shape[], white: Whitened): number {
  return new Polyline(white, placesOf(ramps, white.length)).rss;
}

/** What lines between equal distances leave, however many numbers they have. */
export function equalLinesRss(white: Whitened, bends: number): number {
  const spacing = white.length / (bends + 1);
  return joined(
    Array.from({ length: bends }, (_, i) => Math.round((i + 1) * spacing)),
    white,
  ).rss;
}

/** With the bend that explains most beside the others, where it is worth its numbers: while these were in wrong places, it may have seemed to say little, and was left out. */
function withMissing(bends: readonly number[], white: Whitened): readonly number[] {
  if (bends.length === 0 || bends.length >= mostBends) return bends;
  const spacing = Math.max(leastDistance, Math.round(white.length / mostTries));
  let [best, least] = [bends, Infinity];
  for (let place = spacing; place < white.length - 1; place += spacing) {
    if (bends.some((other) => Math.abs(other - place) < leastDistance)) continue;
    const next = [...bends, place].sort((a, b) => a - b);
    const { rss } = joined(next, white);
    if (rss < least) [best, least] = [next, rss];
  }
  if (best === bends) return bends;
  const fine = moved(best, Math.ceil(spacing / 2), white);
  return lossOf(joined(bends, white).rss, fine.rss, white) > priceOf(white) ? fine.bends : bends;
}

function joined(bends: readonly number[], white: Whitened): Polyline {
  return new Polyline(white, {
    places: [0, ...bends, white.length - 1],
    isFlat: new Array<boolean>(bends.length + 1).fill(false),
  });
}

/** Without those that are not worth their numbers. */
function reduced(bends: readonly number[], white: Whitened): readonly number[] {
  const price = priceOf(white);
  for (let left = bends; ;) {
    if (left.length === 0) return left;
    const line = joined(left, white);
    const losses = left.map((_, i) => lossOf(line.rssWithout(i + 1), line.rss, white));
    const least = Math.min(...losses);
    if (!(least <= price)) return left;
    const worst = losses.indexOf(least);
    left = left.filter((_, i) => i !== worst);
  }
}

/** Twice the logarithm of the likelihood that is lost. */
function lossOf(rss: number, before: number, { length, squares }: Whitened): number {
  // Both are differences of sums, which are rounded.
  const least = 1e-14 * squares + 1e-300;
  return length * Math.log(Math.max(rss, least) / Math.max(before, least));
}

interface Bends {
  readonly bends: readonly number[];
  readonly rss: number;
}

/** To the best places near them, one after the other, in smaller and smaller steps. */
function moved(bends: readonly number[], reach: number, white: Whitened): Bends {
  const line = joined(bends, white);
  const { places } = line;
  let least = line.rss;
  const isMoved = (i: number, way: number): boolean => {
    const place = at(places, i) + way;
    if (place <= at(places, i - 1) || place >= at(places, i + 1)) return false;
    const rss = line.movedRss(i, place);
    if (rss >= least * (1 - 1e-9)) return false;
    least = rss;
    line.move(i, place);
    return true;
  };
  for (let step = reach; bends.length > 0; step = Math.ceil(step / 2)) {
    for (let i = 1; i <= bends.length; i++) {
      while (isMoved(i, -step));
      while (isMoved(i, step));
    }
    if (step === 1) break;
  }
  return { bends: places.slice(1, -1), rss: least };
}

/** Between the bends; without the ones whose slope is nothing. */
function lines(bends: readonly number[], white: Whitened): readonly Shape[] {
  const line = joined(bends, white);
  const left = [0, ...bends].map((_, i) => i);
  while (left.length > 1) {
    const losses = left.map((i) => lossOf(line.flatRss(i), line.rss, white));
    const least = Math.min(...losses);
    if (least > numbersOfLine * Math.log(white.length)) break;
    for (const i of left.splice(losses.indexOf(least), 1)) line.flatten(i);
  }
  return left.map((i) => ({ kind: 'ramp', from: at(line.places, i), to: at(line.places, i + 1) }));
}

/** With one bend in the place of two neighbours, where one at the right place explains as much. */
function merged(bends: readonly number[], white: Whitened): readonly number[] {
  const price = priceOf(white);
  let best = bends;
  let least = joined(bends, white).rss;
  for (let i = 0; i + 1 < best.length;) {
    const [first, last] = [at(best, i), at(best, i + 1)];
    const others = best.filter((_, k) => k !== i + 1);
    const start = others.with(i, Math.round((first + last) / 2));
    const one = moved(start, Math.ceil((last - first) / 2), white);
    if (lossOf(one.rss, least, white) <= price) [best, least] = [one.bends, one.rss];
    else i++;
  }
  return best;
}

function priceOf({ length }: Whitened): number {
  return numbersOfBend * Math.log(length) + 3;
}
