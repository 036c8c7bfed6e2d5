import { at } from '../at';
import { commonSize, sizeOf, type BitSet } from './sets/bitSet';

/** A measure of two sets by their sizes: |a ∩ b|, |a| and |b|. */
export type SetMeasure = (common: number, a: number, b: number) => number;

/**
 * |a ∩ b| / (|a ∩ b| + α·|a without b| + β·|b without a|): Tversky's index. 1 where nothing counts: of two empty sets, and with α = 0 of an
 * empty `b`.
 */
export function tversky(alpha: number, beta: number): SetMeasure {
  return (common, a, b) => {
    const whole = common + alpha * (a - common) + beta * (b - common);
    return whole === 0 ? 1 : common / whole;
  };
}

/** |a ∩ b| / |a ∪ b| */
export const jaccard = tversky(1, 1);

/** Share of what the second does that the first does, too: 1 if the first subsumes the second. Not symmetric. */
export const subsumption = tversky(0, 1);

/** |a ∩ b| / min(|a|, |b|); an empty set and another one have nothing in common: 0. */
export const overlap: SetMeasure = (common, a, b) => {
  if (a === 0 && b === 0) return 1;
  return common === 0 ? 0 : common / Math.min(a, b);
};

/** 2·|a ∩ b| / (|a| + |b|) */
export const dice = tversky(0.5, 0.5);

/** 1 less the similarity. */
export const difference: SetMeasure = (common, a, b) => 1 - jaccard(common, a, b);

/** The measures to choose from, by the names that options have; the first one is the default. */
export const measures = { jaccard, dice, overlap, subsumption, difference } as const satisfies Readonly<
  Record<string, SetMeasure>
>;

/** Of two sets. */
export function measured(measure: SetMeasure, a: BitSet, b: BitSet): number {
  return measure(commonSize(a, b), sizeOf(a), sizeOf(b));
}

/** `[row * sets.length + column]`: the measure of the set of the row and that of the column. For subsumption: the degree to which the row does what the column does. */
export function measureMatrix(sets: readonly BitSet[], measure: SetMeasure = jaccard): Float64Array {
  const count = sets.length;
  const sizes = sets.map(sizeOf);
  const matrix = new Float64Array(count * count);
  sets.forEach((set, row) => {
    const size = at(sizes, row);
    for (let column = 0; column <= row; column++) {
      const common = commonSize(set, at(sets, column));
      const other = at(sizes, column);
      matrix[row * count + column] = measure(common, size, other);
      matrix[column * count + row] = measure(common, other, size);
    }
  });
  return matrix;
}
