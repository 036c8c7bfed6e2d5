import { atByte, atUint } from '../../at';

/** Siblings of the longest sequence whose repetition is found, usually. */
export const longestSequence = 128;

/** The finished siblings of each open call, those of the innermost on top: their first rows and their structures. */
export class Siblings {
  rows = new Uint32Array(64);
  structures = new Uint32Array(64);
  /** 1: a folded sequence has both this one and the one before it. */
  #joined = new Uint8Array(64);
  length = 0;
  /** Where those of the innermost call begin. */
  base = 0;
  #bases = new Uint32Array(64);
  #depth = 0;

  /** There are none, and no call is open. */
  clear(): void {
    this.length = 0;
    this.base = 0;
    this.#depth = 0;
  }

  /** A call begins. */
  open(): void {
    if (this.#depth === this.#bases.length) this.#bases = longer(this.#bases);
    this.#bases[this.#depth++] = this.base;
    this.base = this.length;
  }

  /** The innermost call ends: its children are siblings no more. */
  close(): void {
    this.length = this.base;
    this.base = atUint(this.#bases, --this.#depth);
  }

  push(row: number, structure: number): void {
    if (this.length === this.rows.length) {
      this.rows = longer(this.rows);
      this.structures = longer(this.structures);
      const next = new Uint8Array(this.#joined.length * 2);
      next.set(this.#joined);
      this.#joined = next;
    }
    this.rows[this.length] = row;
    this.structures[this.length] = structure;
    this.#joined[this.length++] = 0;
  }

  /** How many of the last siblings repeat as many before them, the fewest; 0: none do. Sequences do not overlap others partly. */
  repeated(longest: number): number {
    const { structures, length, base } = this;
    const last = structures[length - 1];
    const most = Math.min(longest, (length - base) >> 1);
    for (let width = 1; width <= most; width++) {
      if (structures[length - 1 - width] !== last) continue;
      let same = 1;
      while (same < width && structures[length - 1 - same] === structures[length - 1 - width - same]) same++;
      if (same === width && (width === 1 || this.#isWhole(width))) return width;
    }
    return 0;
  }

  #isWhole(width: number): boolean {
    return (
      atByte(this.#joined, this.length - width) === 0 && atByte(this.#joined, this.length - 2 * width) === 0
    );
  }

  /** The last siblings become one with those before them. */
  fold(width: number): void {
    this.length -= width;
    for (let sibling = this.length - width + 1; sibling < this.length; sibling++) this.#joined[sibling] = 1;
  }
}

function longer(column: Uint32Array): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(column.length * 2);
  next.set(column);
  return next;
}
