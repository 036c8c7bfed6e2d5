import { at, atUint } from '../../at';
import { emptySet, type BitSet } from './bitSet';

/**
 * Each different set once. Sets may grow wider as attributes become known: words that are missing at the end are empty. A hash finds the candidates,
 * and words decide: two sets with one hash stay two.
 */
export class DistinctSets {
  readonly #sets: BitSet[] = [];
  readonly #byHash = new Map<number, number[]>();

  /** @param hash of sets; equal for those that differ in empty words at the end only */
  constructor(private readonly hash: (set: BitSet) => number = hashOfSet) {}

  /** Number of the set, the same for equal ones, counted from 0 as they appear. The caller must not change the set afterwards. */
  intern(set: BitSet): number {
    const hash = this.hash(set);
    const candidates = this.#byHash.get(hash);
    const known = candidates?.find((candidate) => isSame(at(this.#sets, candidate), set));
    if (known !== undefined) return known;
    const number = this.#sets.push(set) - 1;
    if (candidates === undefined) this.#byHash.set(hash, [number]);
    else candidates.push(number);
    return number;
  }

  /** All sets by their number, with room for `attributes` attributes each. */
  sets(attributes: number): readonly BitSet[] {
    return this.#sets.map((set) => {
      const whole = emptySet(attributes);
      if (set.length === whole.length) return set;
      whole.set(set.subarray(0, whole.length));
      return whole;
    });
  }
}

/** 53 bits of two independent mixes (the finalizer of MurmurHash3) of the words that are not empty and their places. */
function hashOfSet(set: BitSet): number {
  let low = 0x9747b28c;
  let high = 0x3c6ef372;
  for (let word = 0; word < set.length; word++) {
    const bits = atUint(set, word);
    if (bits === 0) continue;
    low = mixed(low ^ mixed(bits + Math.imul(word, 0x9e3779b9)));
    high = mixed(high + mixed(bits ^ Math.imul(word + 1, 0x85ebca6b)));
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

function mixed(bits: number): number {
  let h = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function isSame(a: BitSet, b: BitSet): boolean {
  for (let word = Math.max(a.length, b.length) - 1; word >= 0; word--)
    if ((a[word] ?? 0) !== (b[word] ?? 0)) return false;
  return true;
}
