const empty = 0;

/** Numbers pairs of unsigned 32-bit integers from 0 on, in the order in which they come: a hash table with open addressing. */
export class PairNumbers {
  /** Number of pairs. */
  size = 0;
  #first = new Uint32Array(512);
  #second = new Uint32Array(512);
  /** By hash: number + 1. */
  #slots = new Uint32Array(1024);

  /** The number of the pair, which is new where it is the `size` of before. */
  number(first: number, second: number): number {
    const slot = this.#slot(first, second);
    const known = this.#slots[slot] ?? empty;
    if (known !== empty) return known - 1;
    return this.#add(first, second, slot);
  }

  /** −1: the pair has none. */
  find(first: number, second: number): number {
    return (this.#slots[this.#slot(first, second)] ?? empty) - 1;
  }

  #slot(first: number, second: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash(first, second) & mask;
    for (;;) {
      const known = slots[slot] ?? empty;
      if (known === empty || (this.#first[known - 1] === first && this.#second[known - 1] === second))
        return slot;
      slot = (slot + 1) & mask;
    }
  }

  #add(first: number, second: number, slot: number): number {
    const number = this.size++;
    this.#slots[slot] = number + 1;
    this.#first[number] = first;
    this.#second[number] = second;
    if (this.size === this.#first.length) this.#grow();
    return number;
  }

  #grow(): void {
    const wider = (column: Uint32Array): Uint32Array<ArrayBuffer> => {
      const next = new Uint32Array(column.length * 2);
      next.set(column);
      return next;
    };
    this.#first = wider(this.#first);
    this.#second = wider(this.#second);
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = hash(this.#first[number] ?? 0, this.#second[number] ?? 0) & mask;
      while (this.#slots[slot] !== empty) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}

function hash(first: number, second: number): number {
  let mixed = Math.imul(first ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(second ^ (second >>> 15), 0xc2b2ae35);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0x27d4eb2f);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
