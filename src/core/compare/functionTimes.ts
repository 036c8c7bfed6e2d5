import { at, atFloat } from '../at';
import { medianOf } from './significance';
import type { ComparedSides } from './sides';

/** Of a function, over all of its paths; a value for each run. */
export interface FunctionSums {
  readonly visits: Float64Array;
  readonly seconds: Float64Array;
  readonly values: Float64Array;
  /** By how much they may be wrong (`ComparedRun`). */
  readonly doubts: Float64Array;
  readonly instructions?: Float64Array;
}

export function functionSums({ functions, paths }: ComparedSides): readonly FunctionSums[] {
  const [first] = paths;
  const width = first?.seconds.length ?? 0;
  const column = (): Float64Array => new Float64Array(width);
  const sums = functions.map(() => {
    const seconds = column();
    return {
      ...{ visits: column(), seconds, values: first?.values === first?.seconds ? seconds : column() },
      doubts: column(),
      ...(first?.instructions === undefined ? {} : { instructions: column() }),
    };
  });
  const put = (into: Float64Array, from: Float64Array): void =>
    from.forEach((value, run) => (into[run] = atFloat(into, run) + value));
  for (const { function: own, visits, seconds, values, doubts, instructions } of paths) {
    const into = at(sums, own);
    put(into.visits, visits);
    put(into.seconds, seconds);
    put(into.doubts, doubts);
    if (into.values !== into.seconds) put(into.values, values);
    if (into.instructions !== undefined && instructions !== undefined) put(into.instructions, instructions);
  }
  return sums;
}

/** Fewer functions do not show what they have in common. */
const fewestForCommon = 10;

/**
 * By what the values of a run differ from those of the others in most functions alike, a factor for each run: as on a machine that is slower for a
 * while. The median is not moved by functions that changed otherwise.
 * @param rows all above 0
 */
export function commonFactors(rows: readonly Float64Array[]): Float64Array {
  const width = rows[0]?.length ?? 0;
  if (rows.length < fewestForCommon) return new Float64Array(width).fill(1);
  const deviations = rows.map((values) => {
    const logs = values.map(Math.log);
    const middle = medianOf(logs);
    return logs.map((value) => value - middle);
  });
  return Float64Array.from({ length: width }, (_, run) =>
    Math.exp(medianOf(Float64Array.from(deviations, (row) => atFloat(row, run)))),
  );
}

/**
 * The same of runs by turns, of which the second one of a pair has the factor. Both met the same machine: where it slows some functions down
 * and others not, a median over the functions of a run would be of neither.
 * @param pairs number of runs of each side
 */
export function commonFactorsOfPairs(rows: readonly Float64Array[], pairs: number): Float64Array {
  const factors = new Float64Array(2 * pairs).fill(1);
  if (rows.length < fewestForCommon) return factors;
  for (let pair = 0; pair < pairs; pair++) {
    const ratios = Float64Array.from(rows, (row) => atFloat(row, pairs + pair) / atFloat(row, pair));
    factors[pairs + pair] = medianOf(ratios);
  }
  return factors;
}
