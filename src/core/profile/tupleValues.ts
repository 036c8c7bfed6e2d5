import { atFloat } from '../at';

/** How one number is made of the parts of a value, after each of them was combined over call paths and locations, as the Cube library does. */
export interface TupleValue {
  /** Positions of the parts that the number is made of; undefined: of all. */
  readonly parts?: readonly number[];
  readonly of: (parts: readonly Float64Array[]) => Float64Array;
}

const tuples: ReadonlyMap<string, TupleValue> = new Map([
  ['RATE', { parts: [0, 1], of: quotient }],
  ['COMPLEX', { parts: [0, 1], of: modulus }],
  // The mean of what was recorded: the sum by the number.
  ['TAU_ATOMIC', { parts: [3, 0], of: quotient }],
  ['NDOUBLES', { of: sums }],
]);

/** Undefined for types whose values are one number. */
export function tupleValue(dtype: string): TupleValue | undefined {
  return tuples.get(family(dtype));
}

/** Types of Cube with combinations of their own, which are not supported. */
export function isUnsupported(dtype: string): boolean {
  return ['HISTOGRAM', 'SCALE_FUNC'].includes(family(dtype));
}

function family(dtype: string): string {
  return dtype
    .trim()
    .toUpperCase()
    .replace(/ ?\(.*$/, '');
}

/** 0 where there is nothing to divide by. */
function quotient([numerator = new Float64Array(), denominator]: readonly Float64Array[]): Float64Array {
  return numerator.map((value, i) => {
    const by = denominator?.[i] ?? 0;
    return by === 0 ? 0 : value / by;
  });
}

function modulus([real = new Float64Array(), imaginary]: readonly Float64Array[]): Float64Array {
  return real.map((value, i) => {
    const other = imaginary?.[i] ?? 0;
    return Math.sqrt(value * value + other * other);
  });
}

function sums([first = new Float64Array(), ...others]: readonly Float64Array[]): Float64Array {
  const result = first.slice();
  for (const part of others)
    for (let i = 0; i < result.length; i++) result[i] = atFloat(result, i) + atFloat(part, i);
  return result;
}
