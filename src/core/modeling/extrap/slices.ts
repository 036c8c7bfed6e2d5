import { at } from '../../at';
import type { PointSelection } from './options';

/** Values of a series of several parameters along one of them. */
export interface Slice {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

/** A point of a series with the value that is modelled. */
export interface Value {
  readonly point: readonly number[];
  readonly y: number;
  /** Value over mean of the repetitions, where the value is their minimum or maximum. */
  readonly ofMean?: number;
}

/** What models of one parameter are made from when there are several. */
export function slice(values: readonly Value[], parameter: number, selection: PointSelection): Slice {
  return selection === 'smallest' ? smallest(values, parameter) : averaged(values, parameter);
}

/**
 * The mean over the other parameters at each value of one: over those combinations of the others that were measured at most values of the one, and
 * at its first value.
 */
function averaged(values: readonly Value[], parameter: number): Slice {
  const lines = [...grouped(values, ({ point }) => others(point, parameter)).values()];
  const longest = Math.max(...lines.map((line) => line.length));
  const kept = lines.filter((line) => line.length === longest).flat();
  const columns = [...grouped(kept, ({ point }) => String(at(point, parameter))).values()];
  const reference = new Set(columns[0]?.map(({ point }) => others(point, parameter)));
  const means = columns.flatMap((column) => {
    const compared = column.filter(({ point }) => reference.has(others(point, parameter)));
    const [first] = compared;
    if (first === undefined) return [];
    const y = average(compared, (value) => value.y);
    // Extra-P applies the ratio of minimum or maximum to mean once more to averages of several points.
    const ratio = compared.length > 1 ? average(compared, ({ ofMean = 1 }) => ofMean) : 1;
    return [{ x: at(first.point, parameter), y: y * ratio }];
  });
  return { xs: Float64Array.from(means, ({ x }) => x), ys: Float64Array.from(means, ({ y }) => y) };
}

function average(values: readonly Value[], of: (value: Value) => number): number {
  return values.reduce((sum, value) => sum + of(value), 0) / values.length;
}

/** The points where the other parameters have the smallest values that were seen. */
function smallest(values: readonly Value[], parameter: number): Slice {
  let line: Value[] = [];
  for (const value of values) {
    const [least] = line;
    if (least === undefined || others(value.point, parameter) === others(least.point, parameter))
      line.push(value);
    else if (value.point.every((x, i) => i === parameter || x <= at(least.point, i))) line = [value];
  }
  return {
    xs: Float64Array.from(line, ({ point }) => at(point, parameter)),
    ys: Float64Array.from(line, ({ y }) => y),
  };
}

function others(point: readonly number[], parameter: number): string {
  return point.filter((_, i) => i !== parameter).join(' ');
}

function grouped<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
