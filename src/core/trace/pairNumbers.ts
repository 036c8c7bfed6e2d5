import { atUint } from '../at';

const empty = 0;

/** Pairs for which there is room at first. */
const leastRoom = 512;

/** Numbers pairs of unsigned 32-bit integers from 0 on, in the order in which they come: a hash table with open addressing. */
export class PairNumbers {
  /** Number of pairs. */
  size = 0;
  /** The pairs one after the other: a look-up reads both numbers at one place of the memory. */
  #pairs: Uint32Array;
  /** By hash: number + 1. */
  #slots: Uint32Array;

  /** @param expected number of pairs for which there is room before the table grows */
  constructor(expected = 0) {
    let room = leastRoom;
    while (room <= expected) room *= 2;
    this.#pairs = new Uint32Array(2 * room);
    this.#slots = new Uint32Array(2 * room);
  }

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

  /** No pair has a number. The room stays, unless it is much more than was needed. */
  clear(): void {
    if (this.#slots.length > 64 * Math.max(leastRoom, this.size)) {
      this.#pairs = new Uint32Array(2 * leastRoom);
      this.#slots = new Uint32Array(2 * leastRoom);
    } else this.#slots.fill(empty);
    this.size = 0;
  }

  /** The first number of the pair with this number. */
  first(number: number): number {
    return atUint(this.#pairs, 2 * number);
  }

  second(number: number): number {
    return atUint(this.#pairs, 2 * number + 1);
  }

  #slot(first: number, second: number): number {
    const slots = this.#slots;
    const pairs = this.#pairs;
    const mask = slots.length - 1;
    let slot = hash(first, second) & mask;
    for (;;) {
      const known = slots[slot] ?? empty;
      if (known === empty || (pairs[2 * known - 2] === first && pairs[2 * known - 1] === second)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #add(first: number, second: number, slot: number): number {
    const number = this.size++;
    this.#slots[slot] = number + 1;
    this.#pairs[2 * number] = first;
    this.#pairs[2 * number + 1] = second;
    if (2 * this.size === this.#pairs.length) this.#grow();
    return number;
  }

  #grow(): void {
    const pairs = new Uint32Array(this.#pairs.length * 2);
    pairs.set(this.#pairs);
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = hash(pairs[2 * number] ?? 0, pairs[2 * number + 1] ?? 0) & mask;
      while (slots[slot] !== empty) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#pairs = pairs;
    this.#slots = slots;
  }
}

function hash(first: number, second: number): number {
  let mixed = Math.imul(first ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(second ^ (second >>> 15), 0xc2b2ae35);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0x27d4eb2f);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
