import { at, atFloat } from '../../at';
import { Design } from './design';
import type { Negative } from './gram';
import type { Observed } from './noise';
import { candidateValue } from './prediction';
import { ChoiceSearch, type Candidate, type SearchResult } from './search';

/** What describes the two parts of the only parameter's range, with the largest value of the first and the smallest of the second. */
export interface Regimes {
  readonly first: SearchResult;
  readonly until: number;
  readonly second: SearchResult;
  readonly from: number;
}

const fewest = { part: 3, all: 7 };
/** A single formula that misses the points by less than this share of their values, on average, is good enough. */
const goodEnough = 0.05;
/** How much better two formulas have to be, in Schwarz's information criterion: very strong evidence in the scale of Kass and Raftery (1995). */
const evidence = 10;
const formulaFreedom = 3;

/** Where behaviour changes, if two formulas describe the points much better than one. */
export function regimes(data: Observed, whole: Candidate): Regimes | undefined {
  const count = data.ys.length;
  const misses = relativeMisses(data, whole);
  if (at(data.points, 0).length > 1 || count < fewest.all || misses < count * goodEnough ** 2)
    return undefined;
  const order = data.points.map((_, i) => i).sort((a, b) => x(data, a) - x(data, b));
  let best: (Regimes & { readonly misses: number }) | undefined;
  for (let border = fewest.part; border <= count - fewest.part; border++) {
    const [low, high] = [part(data, order.slice(0, border)), part(data, order.slice(border))];
    if (x(low, border - 1) === x(high, 0)) continue;
    // What begins later need not begin at 0.
    const [first, second] = [searched(low), searched(high, 'all')];
    if (first === undefined || second === undefined) continue;
    const sum = relativeMisses(low, at(first.candidates, 0)) + relativeMisses(high, at(second.candidates, 0));
    if (best === undefined || sum < best.misses)
      best = { first, until: x(low, border - 1), second, from: x(high, 0), misses: sum };
  }
  if (best === undefined) return undefined;
  // Repetitions show how close a formula can come; below that nothing is gained.
  const noise = data.squares.reduce(
    (sum, square, i) => sum + square / atFloat(data.repetitions, i) / sizeAt(data, i) ** 2,
    0,
  );
  const floor = noise + count * 1e-12;
  const criterion = (missed: number, freedom: number) =>
    count * Math.log(missed + floor) + freedom * Math.log(count);
  const gained = criterion(misses, formulaFreedom) - criterion(best.misses, 2 * formulaFreedom + 1);
  return gained > evidence ? best : undefined;
}

function x({ points }: Observed, i: number): number {
  return at(at(points, i), 0);
}

function part(data: Observed, chosen: readonly number[]): Observed {
  return {
    ...data,
    points: chosen.map((i) => at(data.points, i)),
    ys: Float64Array.from(chosen, (i) => atFloat(data.ys, i)),
    repetitions: Float64Array.from(chosen, (i) => atFloat(data.repetitions, i)),
    squares: Float64Array.from(chosen, (i) => atFloat(data.squares, i)),
  };
}

function searched(data: Observed, negative?: Negative): SearchResult | undefined {
  return new ChoiceSearch(new Design(data.points), data, negative).search();
}

function relativeMisses(data: Observed, candidate: Candidate): number {
  return data.points.reduce(
    (sum, point, i) =>
      sum + ((candidateValue(candidate, point) - atFloat(data.ys, i)) / sizeAt(data, i)) ** 2,
    0,
  );
}

function sizeAt({ ys, floor }: Observed, i: number): number {
  return Math.max(Math.abs(atFloat(ys, i)), floor);
}
