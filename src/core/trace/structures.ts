import { atUint } from '../at';
import type { CallTrace } from './callTrace';
import { PairNumbers } from './pairNumbers';

const noChild = 2 ** 32 - 1;

/** Numbers of subtrees: those with the same keys in the same order have the same number, whatever the number of repetitions. */
export class Structures {
  readonly #pairs = new PairNumbers();
  /** By key. */
  readonly #leaves: number[] = [];

  /** No subtree has a number. */
  clear(): void {
    this.#pairs.clear();
    this.#leaves.length = 0;
  }

  /** Of an entry without children. */
  leaf(key: number): number {
    return (this.#leaves[key] ??= this.#pairs.number(key, noChild));
  }

  /** Of an entry that has a further child in addition. */
  withChild(structure: number, child: number): number {
    return this.#pairs.number(structure, child);
  }

  /** By row. */
  of({ size, key, end }: Pick<CallTrace, 'size' | 'key' | 'end'>): Uint32Array {
    const structures = new Uint32Array(size);
    for (let row = size - 1; row >= 0; row--) {
      let structure = this.leaf(atUint(key, row));
      const last = atUint(end, row);
      for (let child = row + 1; child < last; child = atUint(end, child))
        structure = this.withChild(structure, atUint(structures, child));
      structures[row] = structure;
    }
    return structures;
  }
}
