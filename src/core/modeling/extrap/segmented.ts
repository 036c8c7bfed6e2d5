import { at, atFloat } from '../../at';
import type { ModelCosts } from '../model';
import { adjusted, Costs } from '../costs';
import { singleValue, type SingleModel } from './candidates';

/** A model of one parameter whose behaviour changes: the first for x ≤ `until`, the second for x ≥ `from`. */
export interface SegmentedModel extends ModelCosts {
  readonly first: SingleModel;
  readonly until: number;
  readonly second: SingleModel;
  readonly from: number;
}

const width = 5;
/** Limits of the residuals of windows, by which behaviour counts as changed (Ilyas, Calotoiu, Wolf, ICPE 2017). */
const limits = { largest: 0.5, jump: 4, marked: 0.1 };

/** Extra-P's segmented model: windows of five points that one formula does not describe show where behaviour changes. */
export function segmented(
  unsortedXs: Float64Array,
  unsortedYs: Float64Array,
  model: (xs: Float64Array, ys: Float64Array) => SingleModel,
): SingleModel | SegmentedModel {
  const order = Array.from(unsortedXs.keys()).sort((a, b) => atFloat(unsortedXs, a) - atFloat(unsortedXs, b));
  const xs = Float64Array.from(order, (i) => atFloat(unsortedXs, i));
  const ys = Float64Array.from(order, (i) => atFloat(unsortedYs, i));
  if (xs.length < width) return model(xs, ys);
  const windows = Array.from({ length: xs.length - width + 1 }, (_, from) => {
    const part = model(xs.slice(from, from + width), ys.slice(from, from + width));
    return Math.abs(part.nrss);
  });
  const jumps = windows.map((miss, i) => (i === 0 ? -Infinity : miss / (at(windows, i - 1) + 1e-16)));
  const changes = Math.max(...windows) > limits.largest || jumps.some((jump) => jump > limits.jump);
  if (!changes) return model(xs, ys);
  const marked = windows.flatMap((miss, i) =>
    miss >= limits.marked || at(jumps, i) > limits.jump ? [i] : [],
  );
  const middle = at(marked, marked.length >> 1);
  const [last, next] = border(marked.length, middle, windows.length);
  const first = model(xs.slice(0, last + 1), ys.slice(0, last + 1));
  const second = model(xs.slice(next), ys.slice(next));
  return {
    first,
    second,
    until: atFloat(xs, last),
    from: atFloat(xs, next),
    ...costsOf(first, second, last + 1, xs, ys),
  };
}

/** The last point of the first part and the first of the second, which may be the same one. */
function border(marked: number, middle: number, windows: number): readonly [number, number] {
  if (marked === 3) return [middle + 2, middle + 2];
  const before = middle === 0 ? windows - 1 : middle - 1;
  return [before + 2, before + 3];
}

function costsOf(
  first: SingleModel,
  second: SingleModel,
  next: number,
  xs: Float64Array,
  ys: Float64Array,
): ModelCosts {
  const costs = new Costs(ys.length);
  ys.forEach((y, i) => {
    costs.add(singleValue(i < next ? first : second, atFloat(xs, i)), y);
  });
  const { smape, rss, re, rrss } = costs.values();
  return { smape, rss, re, rrss, ar2: adjusted(rss, ys) };
}
