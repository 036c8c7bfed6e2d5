import { atInt, atUint } from '../../at';
import type { CallTrace } from '../callTrace';
import { Structures } from '../structures';
import { alignSequences, between, type Block } from './sequences';

/** Which row of one trace is which row of another one. */
export interface Alignment {
  /** By row of the left trace: the row of the right one; −1: none. */
  readonly right: Int32Array;
  /** By row of the right trace: the row of the left one; −1: none. */
  readonly left: Int32Array;
}

/** Subtrees with fewer rows are aligned again faster than they are found. */
const rememberedRows = 4;
/** Pairs of structures that are remembered at most. */
const mostRemembered = 1 << 20;

/**
 * Aligns two traces of one table of keys from the roots down: the children of matched rows are aligned as sequences of keys, whatever the number of
 * repetitions. Rows below a row without a partner have none. Equal structures match at once, and a pair of structures is aligned once: a
 * long trace of repetitions takes little more than reading it.
 *
 * Where a key occurs several times among siblings, those that also have the same structure are matched first; otherwise a call that is missing
 * at the beginning would shift all after it.
 */
export function alignTraces(left: CallTrace, right: CallTrace): Alignment {
  return new Aligner(left, right).align();
}

class Aligner {
  private readonly rightOf: Int32Array;
  /** The first rows of a pair of structures, which are aligned or about to be. */
  private readonly known = new Map<number, readonly [left: number, right: number]>();
  /** Pairs of rows whose children are not aligned yet. A pair is complete, with all below it, before those under it on the stack. */
  private readonly stack: number[] = [];
  private readonly symbols: Symbols;
  /** By row of each trace. */
  private readonly structures: readonly [Uint32Array, Uint32Array];

  constructor(
    private readonly left: CallTrace,
    private readonly right: CallTrace,
  ) {
    this.rightOf = new Int32Array(left.size).fill(-1);
    const numbers = new Structures();
    this.structures = [numbers.of(left), numbers.of(right)];
    this.symbols = new Symbols(left, right, this.structures);
  }

  align(): Alignment {
    this.children(0, this.left.size, 0, this.right.size);
    while (this.stack.length > 0) {
      const j = this.stack.pop() ?? 0;
      const i = this.stack.pop() ?? 0;
      this.below(i, j);
    }
    const leftOf = new Int32Array(this.right.size).fill(-1);
    for (let i = 0; i < this.left.size; i++) {
      const j = atInt(this.rightOf, i);
      if (j >= 0) leftOf[j] = i;
    }
    return { right: this.rightOf, left: leftOf };
  }

  private below(i: number, j: number): void {
    const [end, otherEnd] = [atUint(this.left.end, i), atUint(this.right.end, j)];
    if (end === i + 1 || otherEnd === j + 1) return;
    const [mine, other] = [atUint(this.structures[0], i), atUint(this.structures[1], j)];
    const rows = end - i;
    if (mine === other && rows === otherEnd - j) {
      for (let row = 1; row < rows; row++) this.rightOf[i + row] = j + row;
      return;
    }
    if (rows >= rememberedRows) {
      const pair = mine * 2 ** 26 + other;
      const first = this.known.get(pair);
      if (first !== undefined) {
        this.copy(first, i, j, rows);
        return;
      }
      if (this.known.size < mostRemembered) this.known.set(pair, [i, j]);
    }
    this.children(i + 1, end, j + 1, otherEnd);
  }

  private copy([firstLeft, firstRight]: readonly [number, number], i: number, j: number, rows: number): void {
    for (let row = 1; row < rows; row++) {
      const partner = atInt(this.rightOf, firstLeft + row);
      if (partner >= 0) this.rightOf[i + row] = partner - firstRight + j;
    }
  }

  /** Aligns the siblings that begin at two rows. */
  private children(i: number, end: number, j: number, otherEnd: number): void {
    if (this.areSame(i, end, j, otherEnd)) return;
    const [mine, others] = [siblings(this.left, i, end), siblings(this.right, j, otherEnd)];
    const blocks = alignSequences(...this.symbols.of(mine, others));
    for (const block of blocks) this.match(mine, others, block);
    if (blocks.length === 1 && blocks[0]?.length === Math.min(mine.length, others.length)) return;
    const [keys, otherKeys] = [keysOf(this.left, mine), keysOf(this.right, others)];
    for (const { a, b, c, d } of between(blocks, mine.length, others.length)) {
      const inside = alignSequences(keys.subarray(a, b), otherKeys.subarray(c, d));
      for (const block of inside)
        this.match(mine, others, { ...block, left: block.left + a, right: block.right + c });
    }
  }

  /** Whether siblings have the same keys in the same order; they are matched then. */
  private areSame(i: number, end: number, j: number, otherEnd: number): boolean {
    const height = this.stack.length;
    while (i < end && j < otherEnd && this.left.key[i] === this.right.key[j]) {
      this.stack.push(i, j);
      i = atUint(this.left.end, i);
      j = atUint(this.right.end, j);
    }
    const are = i >= end && j >= otherEnd;
    if (!are) this.stack.length = height;
    for (let pair = height; pair < this.stack.length; pair += 2)
      this.rightOf[this.stack[pair] ?? 0] = this.stack[pair + 1] ?? 0;
    return are;
  }

  private match(mine: Uint32Array, others: Uint32Array, { left, right, length }: Block): void {
    for (let offset = 0; offset < length; offset++) {
      const [i, j] = [atUint(mine, left + offset), atUint(others, right + offset)];
      this.rightOf[i] = j;
      this.stack.push(i, j);
    }
  }
}

/** Rows of siblings. */
export function siblings({ end }: Pick<CallTrace, 'end'>, first: number, last: number): Uint32Array {
  const rows: number[] = [];
  for (let row = first; row < last; row = atUint(end, row)) rows.push(row);
  return Uint32Array.from(rows);
}

function keysOf({ key }: CallTrace, rows: Uint32Array): Uint32Array {
  return rows.map((row) => atUint(key, row));
}

/** What siblings are matched by first: their key where it is the only one of them on both sides, otherwise their structure. */
class Symbols {
  private readonly times: readonly [Uint8Array, Uint8Array];

  constructor(
    private readonly left: CallTrace,
    private readonly right: CallTrace,
    private readonly structures: readonly [Uint32Array, Uint32Array],
  ) {
    const keys = left.table.keys.length;
    this.times = [new Uint8Array(keys), new Uint8Array(keys)];
  }

  of(mine: Uint32Array, others: Uint32Array): [Uint32Array, Uint32Array] {
    const [times, otherTimes] = this.times;
    const [keys, otherKeys] = [keysOf(this.left, mine), keysOf(this.right, others)];
    for (const key of keys) times[key] = Math.min(2, (times[key] ?? 0) + 1);
    for (const key of otherKeys) otherTimes[key] = Math.min(2, (otherTimes[key] ?? 0) + 1);
    const symbol = ({ key: own }: CallTrace, structures: Uint32Array, row: number): number => {
      const key = atUint(own, row);
      const isSingle = (times[key] ?? 0) < 2 && (otherTimes[key] ?? 0) < 2;
      return isSingle ? 2 * key : 2 * atUint(structures, row) + 1;
    };
    const all: [Uint32Array, Uint32Array] = [
      mine.map((row) => symbol(this.left, this.structures[0], row)),
      others.map((row) => symbol(this.right, this.structures[1], row)),
    ];
    for (const key of keys) times[key] = 0;
    for (const key of otherKeys) otherTimes[key] = 0;
    return all;
  }
}

/** Rows of the left trace from `left` on that match as many of the right one from `right` on: what one connector connects. */
export function connectedBlocks({ right }: Alignment): readonly Block[] {
  const blocks: Block[] = [];
  let length = 0;
  for (let row = 0; row <= right.length; row++) {
    const partner = right[row] ?? -1;
    const before = row === 0 ? -1 : atInt(right, row - 1);
    if (length > 0 && (partner < 0 || partner !== before + 1)) {
      blocks.push({ left: row - length, right: before + 1 - length, length });
      length = 0;
    }
    if (partner >= 0) length++;
  }
  return blocks;
}
