import { at, atFloat } from '../at';
import { between, type Shape, type Whitened } from './whitened';

/** Places, the first and the last value among them, in order; between two of them is a line, or a level that does not change. */
export interface Places {
  readonly places: readonly number[];
  /** By the place where it begins. */
  readonly isFlat: readonly boolean[];
}

/** Of a constant and ramps: where these begin and end. Where one begins or ends within another one, both together are lines on both sides of that place. */
export function placesOf(ramps: readonly Shape[], length: number): Places {
  const places = [...new Set([0, length - 1, ...ramps.flatMap(({ from, to }) => [from, to])])];
  places.sort((a, b) => a - b);
  const isFlat = places
    .slice(1)
    .map((end, i) => !ramps.some(({ from, to }) => from < end && to > at(places, i)));
  return { places, isFlat };
}

/** Sums of each place. */
const width = 3;

/**
 * What continuous lines leave of a series. An innovation depends on two neighbouring values only: with the value at a place given, what is before it and what is behind it do not depend on each
 * other. The squared innovations that the best lines on one side leave are a parabola in that value, own·x² − 2·mixed·x + left, which goes on from place to place in constant time (elimination
 * of a tridiagonal matrix). Both sides of each place are remembered, so that changes at one place take constant time.
 */
export class Polyline {
  readonly #places: number[];
  readonly #isFlat: boolean[];
  /** Parabolas of each place; up to the one, and from the other on, they are those of the places as they are now. */
  readonly #before: Float64Array;
  readonly #behind: Float64Array;
  #beforeUpTo = 0;
  #behindFrom: number;
  /** Where the last calculation is. */
  #own = 0;
  #mixed = 0;
  #left = 0;

  constructor(
    private readonly white: Whitened,
    { places, isFlat }: Places,
  ) {
    this.#places = [...places];
    this.#isFlat = [...isFlat];
    this.#before = new Float64Array(width * places.length);
    this.#behind = new Float64Array(width * places.length);
    this.#behindFrom = places.length - 1;
    const { first, values, squares } = white;
    const start = atFloat(values, 0);
    this.#before.set([first, first * start, squares]);
  }

  /** Squared innovations that it leaves. */
  get rss(): number {
    this.#from(this.#places.length - 1);
    return this.#upTo(this.#places.length - 1);
  }

  get places(): readonly number[] {
    return this.#places;
  }

  /** What it leaves with the place elsewhere, between its neighbours. */
  movedRss(i: number, place: number): number {
    this.#from(i - 1);
    this.#piece(at(this.#places, i - 1), place, at(this.#isFlat, i - 1));
    this.#piece(place, at(this.#places, i + 1), at(this.#isFlat, i));
    return this.#upTo(i + 1);
  }

  move(i: number, place: number): void {
    this.#places[i] = place;
    this.#beforeUpTo = Math.min(this.#beforeUpTo, i - 1);
    this.#behindFrom = Math.max(this.#behindFrom, i + 1);
  }

  /** With both ends of a line elsewhere. */
  shiftedRss(i: number, from: number, to: number): number {
    this.#from(i - 1);
    this.#piece(at(this.#places, i - 1), from, at(this.#isFlat, i - 1));
    this.#piece(from, to, at(this.#isFlat, i));
    this.#piece(to, at(this.#places, i + 2), at(this.#isFlat, i + 1));
    return this.#upTo(i + 2);
  }

  /** With one line in the place of two. */
  rssWithout(i: number): number {
    this.#from(i - 1);
    this.#piece(at(this.#places, i - 1), at(this.#places, i + 1), false);
    return this.#upTo(i + 1);
  }

  /** With nothing but a level in the place of a line. */
  flatRss(i: number): number {
    this.#from(i);
    this.#piece(at(this.#places, i), at(this.#places, i + 1), true);
    return this.#upTo(i + 1);
  }

  flatten(i: number): void {
    this.#isFlat[i] = true;
    this.#beforeUpTo = Math.min(this.#beforeUpTo, i);
    this.#behindFrom = Math.max(this.#behindFrom, i + 1);
  }

  /** Begins with what is before a place. */
  #from(i: number): void {
    const table = this.#before;
    this.#load(table, Math.min(i, this.#beforeUpTo));
    while (this.#beforeUpTo < i) {
      const last = this.#beforeUpTo++;
      this.#piece(at(this.#places, last), at(this.#places, last + 1), at(this.#isFlat, last));
      this.#store(table, last + 1);
    }
  }

  /** Ends with what is behind a place. */
  #upTo(i: number): number {
    const [own, mixed, left] = [this.#own, this.#mixed, this.#left];
    const table = this.#behind;
    if (this.#behindFrom > i) {
      this.#load(table, this.#behindFrom);
      while (this.#behindFrom > i) {
        const next = --this.#behindFrom;
        this.#pieceBefore(at(this.#places, next), at(this.#places, next + 1), at(this.#isFlat, next));
        this.#store(table, next);
      }
    }
    const all = mixed + atFloat(table, width * i + 1);
    return Math.max(
      0,
      left + atFloat(table, width * i + 2) - (all * all) / (own + atFloat(table, width * i)),
    );
  }

  #load(table: Float64Array, i: number): void {
    this.#own = atFloat(table, width * i);
    this.#mixed = atFloat(table, width * i + 1);
    this.#left = atFloat(table, width * i + 2);
  }

  #store(table: Float64Array, i: number): void {
    table[width * i] = this.#own;
    table[width * i + 1] = this.#mixed;
    table[width * i + 2] = this.#left;
  }

  /** From the value at `from` to the one at `to`. */
  #piece(from: number, to: number, isFlat: boolean): void {
    if (isFlat) this.#level(from, to);
    else this.#line(from, to, false);
  }

  /** From the value at `to` to the one at `from`. */
  #pieceBefore(from: number, to: number, isFlat: boolean): void {
    if (isFlat) this.#level(from, to);
    else this.#line(from, to, true);
  }

  /** Innovations of a level x are unit·x. */
  #level(from: number, to: number): void {
    const { unit, w, wv } = this.white;
    this.#own += unit * unit * between(w, from + 1, to + 1);
    this.#mixed += unit * between(wv, from + 1, to + 1);
  }

  /** Innovations of a line that begins with the value x and has the slope s are unit·x + s·(unit·(t − from) + ρ). */
  #line(from: number, to: number, isBackwards: boolean): void {
    const { unit, rho, w, wt, wtt, wv, wvt } = this.white;
    const slope = 1 / (to - from);
    const offset = rho - unit * from;
    const one = between(w, from + 1, to + 1);
    const plain = between(wt, from + 1, to + 1);
    const rise = slope * (unit * plain + offset * one);
    const rises =
      slope *
      slope *
      (unit * unit * between(wtt, from + 1, to + 1) + 2 * unit * offset * plain + offset * offset * one);
    const v = unit * between(wv, from + 1, to + 1);
    const end = slope * (unit * between(wvt, from + 1, to + 1) + offset * between(wv, from + 1, to + 1));
    const start = v - end;
    // Products of the values at both ends with themselves and with each other.
    const startStart = unit * unit * one - 2 * unit * rise + rises;
    const startEnd = unit * rise - rises;
    const own = this.#own + (isBackwards ? rises : startStart);
    const mixed = this.#mixed + (isBackwards ? end : start);
    const factor = startEnd / own;
    this.#own = (isBackwards ? startStart : rises) - factor * startEnd;
    this.#mixed = (isBackwards ? start : end) - factor * mixed;
    this.#left -= (mixed * mixed) / own;
  }
}
