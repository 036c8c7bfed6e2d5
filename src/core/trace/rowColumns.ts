import { atFloat, atUint } from '../at';

const uintColumns = ['key', 'depth', 'end', 'marks'] as const;
const floatColumns = ['count', 'seconds', 'squares', 'bytes', 'leastBytes', 'mostBytes'] as const;

/** The values of rows, in columns that grow: what `CallTrace` has for each row. */
export class RowColumns {
  size = 0;
  key: Uint32Array;
  depth: Uint32Array;
  end: Uint32Array;
  marks: Uint32Array;
  count: Float64Array;
  seconds: Float64Array;
  squares: Float64Array;
  bytes: Float64Array;
  leastBytes: Float64Array;
  mostBytes: Float64Array;
  readonly counters: Float64Array[];

  /**
   * @param counters number of counters
   * @param room rows before the columns grow, from 1
   */
  constructor(counters: number, room = 64) {
    [this.key, this.depth, this.end, this.marks] = [
      new Uint32Array(room),
      new Uint32Array(room),
      new Uint32Array(room),
      new Uint32Array(room),
    ];
    [this.count, this.seconds, this.squares, this.bytes, this.leastBytes, this.mostBytes] = [
      new Float64Array(room),
      new Float64Array(room),
      new Float64Array(room),
      new Float64Array(room),
      new Float64Array(room),
      new Float64Array(room),
    ];
    this.counters = Array.from({ length: counters }, () => new Float64Array(room));
  }

  /** A row without values. */
  push(key: number, depth: number): number {
    if (this.size === this.key.length) this.#grow();
    const row = this.size++;
    this.key[row] = key;
    this.depth[row] = depth;
    this.marks[row] = 0;
    this.count[row] = 0;
    this.seconds[row] = 0;
    this.squares[row] = 0;
    this.bytes[row] = 0;
    this.leastBytes[row] = 0;
    this.mostBytes[row] = 0;
    for (const counter of this.counters) counter[row] = 0;
    return row;
  }

  /** A call that took this. */
  addCall(row: number, seconds: number, counters: ArrayLike<number>): void {
    this.count[row] = atFloat(this.count, row) + 1;
    this.seconds[row] = atFloat(this.seconds, row) + seconds;
    this.squares[row] = atFloat(this.squares, row) + seconds * seconds;
    for (let number = 0; number < this.counters.length; number++) {
      const column = this.counters[number];
      if (column !== undefined) column[row] = atFloat(column, row) + (counters[number] ?? 0);
    }
  }

  /** A message of this size. */
  addMessage(row: number, bytes: number, marks: number): void {
    const count = atFloat(this.count, row);
    this.leastBytes[row] = count === 0 ? bytes : Math.min(bytes, atFloat(this.leastBytes, row));
    this.mostBytes[row] = count === 0 ? bytes : Math.max(bytes, atFloat(this.mostBytes, row));
    this.count[row] = count + 1;
    this.bytes[row] = atFloat(this.bytes, row) + bytes;
    this.marks[row] = atUint(this.marks, row) | marks;
  }

  /** Adds the values of a row of these or other columns. */
  add(row: number, from: RowValues, source: number): void {
    const count = atFloat(this.count, row);
    const more = atFloat(from.count, source);
    if (more > 0) {
      const [least, most] = [atFloat(from.leastBytes, source), atFloat(from.mostBytes, source)];
      this.leastBytes[row] = count === 0 ? least : Math.min(least, atFloat(this.leastBytes, row));
      this.mostBytes[row] = count === 0 ? most : Math.max(most, atFloat(this.mostBytes, row));
    }
    this.count[row] = count + more;
    this.seconds[row] = atFloat(this.seconds, row) + atFloat(from.seconds, source);
    this.bytes[row] = atFloat(this.bytes, row) + atFloat(from.bytes, source);
    if (from.squares !== undefined)
      this.squares[row] = atFloat(this.squares, row) + atFloat(from.squares, source);
    if (from.marks !== undefined)
      this.marks[row] = (atUint(this.marks, row) | atUint(from.marks, source)) >>> 0;
    for (let number = 0; number < this.counters.length; number++) {
      const column = this.counters[number];
      const other = from.counters[number];
      if (column !== undefined && other !== undefined)
        column[row] = atFloat(column, row) + atFloat(other, source);
    }
  }

  /** The rows without the room for more. */
  copy(): RowColumns {
    return this.#columnwise(
      (column) => column.slice(0, this.size),
      (column) => column.slice(0, this.size),
    );
  }

  /** The rows in another order. @param position of each row */
  placed(position: Uint32Array): RowColumns {
    const { size } = this;
    const place = <Column extends Uint32Array | Float64Array>(
      from: ArrayLike<number>,
      to: Column,
    ): Column => {
      for (let row = 0; row < size; row++) to[atUint(position, row)] = from[row] ?? 0;
      return to;
    };
    return this.#columnwise(
      (column) => place(column, new Uint32Array(size)),
      (column) => place(column, new Float64Array(size)),
    );
  }

  #columnwise(
    uints: (column: Uint32Array) => Uint32Array<ArrayBuffer>,
    floats: (column: Float64Array) => Float64Array<ArrayBuffer>,
  ): RowColumns {
    const rows = new RowColumns(0, 0);
    rows.size = this.size;
    for (const name of uintColumns) rows[name] = uints(this[name]);
    for (const name of floatColumns) rows[name] = floats(this[name]);
    rows.counters.push(...this.counters.map(floats));
    return rows;
  }

  #grow(): void {
    const length = this.key.length * 2;
    for (const name of uintColumns) {
      const next = new Uint32Array(length);
      next.set(this[name]);
      this[name] = next;
    }
    for (const name of floatColumns) this[name] = wider(this[name], length);
    this.counters.forEach((column, number) => (this.counters[number] = wider(column, length)));
  }
}

/** What rows add up of. */
export interface RowValues {
  readonly count: Float64Array;
  readonly seconds: Float64Array;
  readonly squares?: Float64Array;
  readonly bytes: Float64Array;
  readonly leastBytes: Float64Array;
  readonly mostBytes: Float64Array;
  readonly marks?: Uint32Array;
  readonly counters: readonly (Float64Array | undefined)[];
}

function wider(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const next = new Float64Array(length);
  next.set(column);
  return next;
}
