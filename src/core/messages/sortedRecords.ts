/** Part of a file of records. */
export interface ScratchPlace {
  readonly offset: number;
  readonly length: number;
}

/** Where records are that do not fit into memory. Both may throw. */
export interface Scratch {
  write(bytes: Uint8Array): ScratchPlace;
  read(place: ScratchPlace): Uint8Array;
}

/** The record at `at`, until the next one is asked for. */
export interface SortedRecord {
  readonly numbers: Float64Array;
  readonly at: number;
}

/** Numbers in memory before they are written away: 8 MB, and once more while they are sorted. */
const mostNumbers = 2 ** 20;
/** Records that are read at once. */
const blockRecords = 512;

/** Sorts records of some numbers each by the first ones of them; a bounded part of them is in memory. */
export class SortedRecords {
  count = 0;
  #numbers = new Float64Array(0);
  #used = 0;
  readonly #runs: Iterator<Float64Array>[] = [];

  /**
   * @param width numbers of a record
   * @param keys how many of them order the records, the first one above all
   * @param most numbers in memory
   */
  constructor(
    private readonly scratch: Scratch,
    private readonly width: number,
    private readonly keys: number,
    private readonly most = mostNumbers,
  ) {}

  add(record: readonly number[]): void {
    if (this.#used + this.width > this.#numbers.length) this.#makeRoom();
    for (const value of record) this.#numbers[this.#used++] = value;
    this.count++;
  }

  #makeRoom(): void {
    if (this.#used + this.width > this.most) {
      const place = this.scratch.write(new Uint8Array(this.#ordered().buffer));
      this.#runs.push(this.#written(place));
      this.#used = 0;
      return;
    }
    const larger = new Float64Array(Math.min(this.most, Math.max(64 * this.width, this.#used * 2)));
    larger.set(this.#numbers.subarray(0, this.#used));
    this.#numbers = larger;
  }

  #ordered(): Float64Array {
    const { width, keys } = this;
    const numbers = this.#numbers;
    const offsets = Array.from({ length: this.#used / width }, (_, record) => record * width);
    // Runs that are in order already take no time.
    offsets.sort((one, other) => compare(numbers, one, numbers, other, keys));
    const ordered = new Float64Array(this.#used);
    for (let to = 0; to < ordered.length; to += width) {
      const from = offsets[to / width] ?? 0;
      for (let field = 0; field < width; field++) ordered[to + field] = numbers[from + field] ?? 0;
    }
    return ordered;
  }

  *#written({ offset, length }: ScratchPlace): Generator<Float64Array> {
    const step = blockRecords * this.width * 8;
    for (let at = 0; at < length; at += step) {
      const bytes = this.scratch.read({ offset: offset + at, length: Math.min(step, length - at) });
      yield new Float64Array(bytes.buffer);
    }
  }

  /** All records in their order, once. */
  *sorted(): Generator<SortedRecord> {
    const last = [this.#ordered()].values();
    this.#numbers = new Float64Array(0);
    this.#used = 0;
    const heap = [...this.#runs, last]
      .map((blocks) => new Run(blocks, this.width))
      .filter((run) => run.next())
      .sort((one, other) => compare(one.numbers, one.at, other.numbers, other.at, this.keys));
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      yield top;
      if (!top.next()) {
        const moved = heap.pop();
        if (moved === undefined || moved === top) continue;
        heap[0] = moved;
      }
      sink(heap, this.keys);
    }
  }
}

/** Records in their order, block by block. */
class Run implements SortedRecord {
  numbers: Float64Array = new Float64Array(0);
  at = 0;

  constructor(
    private readonly blocks: Iterator<Float64Array>,
    private readonly width: number,
  ) {}

  /** @returns whether there is one more */
  next(): boolean {
    this.at += this.width;
    if (this.at < this.numbers.length) return true;
    const block = this.blocks.next();
    if (block.done === true) return false;
    this.numbers = block.value;
    this.at = 0;
    return this.numbers.length > 0;
  }
}

function sink(heap: Run[], keys: number): void {
  const moved = heap[0];
  const isBefore = (one: Run | undefined, other: Run | undefined): boolean =>
    one !== undefined &&
    (other === undefined || compare(one.numbers, one.at, other.numbers, other.at, keys) < 0);
  for (let at = 0; moved !== undefined;) {
    const child = isBefore(heap[2 * at + 2], heap[2 * at + 1]) ? 2 * at + 2 : 2 * at + 1;
    const next = heap[child];
    if (next === undefined || !isBefore(next, moved)) return;
    heap[at] = next;
    heap[child] = moved;
    at = child;
  }
}

/** @returns less than 0 where the record at `from` is first */
export function compare(
  one: Float64Array,
  from: number,
  other: Float64Array,
  at: number,
  keys: number,
): number {
  for (let key = 0; key < keys; key++) {
    const difference = (one[from + key] ?? 0) - (other[at + key] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
