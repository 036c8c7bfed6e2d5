import { atUint } from '../../at';

/** A part of a sequence. */
export interface Range {
  readonly of: Uint32Array;
  readonly first: number;
  readonly end: number;
}

/** Odd, of no pattern: the base of the rolling hash. */
const base = 0x9e3779b1;

/**
 * Where the runs of a fixed length stand in a part of a sequence, by a rolling hash. Each hit is compared element by element, so that
 * two runs with the same hash are never taken for equal.
 */
export class Grams {
  private readonly slots: Int32Array;
  private readonly hashes: Uint32Array;
  /** Position − first → the next position with the same hash, −1: none. */
  private readonly after: Int32Array;
  private readonly mask: number;

  /** @param length of a run, from 1 */
  constructor(
    private readonly range: Range,
    private readonly length: number,
  ) {
    const { first, end } = range;
    const runs = Math.max(0, end - first - length + 1);
    let size = 4;
    while (size < 2 * runs) size *= 2;
    this.mask = size - 1;
    this.slots = new Int32Array(size).fill(-1);
    this.hashes = new Uint32Array(size);
    this.after = new Int32Array(runs);
    const hashes = gramHashes(range, length);
    // Backwards, so that each list begins with its first position.
    for (let run = runs - 1; run >= 0; run--) {
      const slot = this.slotOf(atUint(hashes, run));
      this.after[run] = this.slots[slot] ?? -1;
      this.slots[slot] = run;
      this.hashes[slot] = atUint(hashes, run);
    }
  }

  private slotOf(hash: number): number {
    let slot = spread(hash) & this.mask;
    while ((this.slots[slot] ?? -1) >= 0 && this.hashes[slot] !== hash) slot = (slot + 1) & this.mask;
    return slot;
  }

  /**
   * The first position from `from` on with the run of another sequence; −1: none. With `forgets`, earlier positions are forgotten: calls with
   * ascending `from` are linear in all.
   */
  find(hash: number, other: Uint32Array, position: number, from: number, forgets = false): number {
    const slot = this.slotOf(hash);
    const { first } = this.range;
    let run = this.slots[slot] ?? -1;
    let last = run;
    while (run >= 0 && first + run < from) [last, run] = [run, this.after[run] ?? -1];
    // The last one stays: a slot that is empty again would hide those that were put behind it.
    if (forgets) this.slots[slot] = run < 0 ? last : run;
    while (run >= 0 && !sameRun(this.range.of, first + run, other, position, this.length))
      run = this.after[run] ?? -1;
    return run < 0 ? -1 : first + run;
  }

  /** The only position with a hash; −1: there is none, or there are several. */
  only(hash: number): number {
    const run = this.slots[this.slotOf(hash)] ?? -1;
    return run >= 0 && this.after[run] === -1 ? this.range.first + run : -1;
  }
}

/** The hash of each run of a length, in their order. */
export function gramHashes({ of, first, end }: Range, length: number): Uint32Array {
  const runs = Math.max(0, end - first - length + 1);
  const hashes = new Uint32Array(runs);
  if (runs === 0) return hashes;
  let gone = 1;
  for (let power = 1; power < length; power++) gone = Math.imul(gone, base);
  let hash = 0;
  for (let position = first; position < first + length - 1; position++)
    hash = Math.imul(hash, base) + spread(atUint(of, position));
  for (let run = 0; run < runs; run++) {
    hash = (Math.imul(hash, base) + spread(atUint(of, first + run + length - 1))) | 0;
    hashes[run] = hash;
    hash = (hash - Math.imul(gone, spread(atUint(of, first + run)))) | 0;
  }
  return hashes;
}

export function sameRun(
  left: Uint32Array,
  i: number,
  right: Uint32Array,
  j: number,
  length: number,
): boolean {
  for (let offset = 0; offset < length; offset++) if (left[i + offset] !== right[j + offset]) return false;
  return true;
}

/** Neighbouring numbers become ones without a pattern (the finish of MurmurHash3). */
function spread(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
