/**
 * Time of one location in bins, one after the other, with the ticks of each function in them. Functions are slots: their position + 1; slot 0 is time in
 * which no function was recorded.
 */
export class BinList {
  count = 0;
  /** Ticks. Each bin begins where the one before ends. */
  end = new Float64Array(256);
  /** The entries of bin i are [first[i], first[i + 1]). */
  first = new Uint32Array(257);
  slot = new Uint32Array(512);
  ticks = new Float64Array(512);

  clear(): void {
    this.count = 0;
  }

  get entries(): number {
    return this.first[this.count] ?? 0;
  }

  /** A bin in which one function ran. */
  addPure(slot: number, ticks: number, end: number): void {
    const entry = this.entries;
    this.reserve(1, 1);
    this.slot[entry] = slot;
    this.ticks[entry] = ticks;
    this.close(end, entry + 1);
  }

  /** Makes room for bins and entries. */
  reserve(bins: number, entries: number): void {
    if (this.count + bins > this.end.length) {
      const length = Math.max(this.end.length * 2, this.count + bins);
      this.end = grown(this.end, new Float64Array(length));
      this.first = grown(this.first, new Uint32Array(length + 1));
    }
    const needed = this.entries + entries;
    if (needed <= this.slot.length) return;
    const length = Math.max(this.slot.length * 2, needed);
    this.slot = grown(this.slot, new Uint32Array(length));
    this.ticks = grown(this.ticks, new Float64Array(length));
  }

  /** Ends a bin whose entries are in place. */
  close(end: number, entries: number): void {
    this.end[this.count] = end;
    this.first[++this.count] = entries;
  }

  append(other: BinList): void {
    const base = this.entries;
    this.reserve(other.count, other.entries);
    this.slot.set(other.slot.subarray(0, other.entries), base);
    this.ticks.set(other.ticks.subarray(0, other.entries), base);
    for (let bin = 0; bin < other.count; bin++)
      this.close(other.end[bin] ?? 0, base + (other.first[bin + 1] ?? 0));
  }

  /** Entry of the function with the most time in a bin. */
  dominating(bin: number): number {
    const to = this.first[bin + 1] ?? 0;
    let best = this.first[bin] ?? 0;
    for (let entry = best + 1; entry < to; entry++)
      if ((this.ticks[entry] ?? 0) > (this.ticks[best] ?? 0)) best = entry;
    return best;
  }
}

function grown<Column extends Float64Array | Uint32Array>(old: Column, larger: Column): Column {
  larger.set(old);
  return larger;
}

/** Parts of a node's time that bins of several functions are at most as long as. Bins of one function may be of any length. */
export const binsPerNode = 128;

/** Joins neighbouring bins. */
export class Grouping {
  readonly #sums: Float64Array;
  readonly #touched: Uint32Array;

  constructor(slots: number) {
    this.#sums = new Float64Array(slots);
    this.#touched = new Uint32Array(slots);
  }

  /** @param input bins from `begin` on, which are joined where they are together not longer than a part of the time */
  group(input: BinList, begin: number, into: BinList): void {
    into.clear();
    const isShort = input.count <= binsPerNode;
    const longest = isShort ? 0 : ((input.end[input.count - 1] ?? begin) - begin) / binsPerNode;
    let groupBegin = begin;
    let from = 0;
    let before = begin;
    for (let bin = 0; bin < input.count; bin++) {
      const end = input.end[bin] ?? 0;
      if (bin > from && end - groupBegin > longest) {
        this.#join(input, from, bin, into);
        from = bin;
        groupBegin = before;
      }
      before = end;
    }
    if (input.count > from) this.#join(input, from, input.count, into);
  }

  #join(input: BinList, from: number, to: number, into: BinList): void {
    const first = input.first[from] ?? 0;
    const last = input.first[to] ?? 0;
    const end = input.end[to - 1] ?? 0;
    into.reserve(1, last - first);
    if (to - from > 1) this.#sum(input, first, last, end, into);
    else copy(input, first, last, end, into);
  }

  #sum({ slot, ticks }: BinList, first: number, last: number, end: number, into: BinList): void {
    const base = into.entries;
    const sum = this.#sums;
    const touched = this.#touched;
    let count = 0;
    for (let entry = first; entry < last; entry++) {
      const which = slot[entry] ?? 0;
      const known = sum[which] ?? 0;
      if (known === 0) touched[count++] = which;
      sum[which] = known + (ticks[entry] ?? 0);
    }
    for (let index = 0; index < count; index++) {
      const which = touched[index] ?? 0;
      into.slot[base + index] = which;
      into.ticks[base + index] = sum[which] ?? 0;
      sum[which] = 0;
    }
    into.close(end, base + count);
  }
}

/** A bin as it is; one of a function that has the last bin for itself, too, makes that longer. */
function copy({ slot, ticks }: BinList, first: number, last: number, end: number, into: BinList): void {
  const base = into.entries;
  if (last - first === 1 && continues(into, slot[first] ?? 0)) {
    into.ticks[base - 1] = (into.ticks[base - 1] ?? 0) + (ticks[first] ?? 0);
    into.end[into.count - 1] = end;
    return;
  }
  for (let entry = first; entry < last; entry++) {
    into.slot[base + entry - first] = slot[entry] ?? 0;
    into.ticks[base + entry - first] = ticks[entry] ?? 0;
  }
  into.close(end, base + last - first);
}

/** Whether the last bin is one of this function alone. */
function continues(list: BinList, slot: number): boolean {
  const { count, first, entries } = list;
  return count > 0 && entries - (first[count - 1] ?? 0) === 1 && list.slot[entries - 1] === slot;
}
