import { atUint } from '../../at';

/** A set of small numbers, 32 in a word. Sets that are compared have the same number of words. */
export type BitSet = Uint32Array;

/** @param size numbers are below this */
export function emptySet(size: number): BitSet {
  return new Uint32Array((size + 31) >>> 5);
}

export function bitSetOf(members: Iterable<number>, size: number): BitSet {
  const set = emptySet(size);
  for (const member of members) addMember(set, member);
  return set;
}

export function addMember(set: BitSet, member: number): void {
  const word = member >>> 5;
  set[word] = atUint(set, word) | (1 << (member & 31));
}

export function hasMember(set: BitSet, member: number): boolean {
  return ((atUint(set, member >>> 5) >>> (member & 31)) & 1) === 1;
}

export function membersOf(set: BitSet): number[] {
  const members: number[] = [];
  for (let word = 0; word < set.length; word++)
    for (let bits = atUint(set, word); bits !== 0; bits &= bits - 1)
      members.push(word * 32 + (31 - Math.clz32(bits & -bits)));
  return members;
}

export function sizeOf(set: BitSet): number {
  let size = 0;
  for (let word = 0; word < set.length; word++) size += bitsIn(atUint(set, word));
  return size;
}

/** |a ∩ b| */
export function commonSize(a: BitSet, b: BitSet): number {
  let size = 0;
  for (let word = 0; word < a.length; word++) size += bitsIn(atUint(a, word) & atUint(b, word));
  return size;
}

/** Number of members of one of the sets only. */
export function distanceOf(a: BitSet, b: BitSet): number {
  let size = 0;
  for (let word = 0; word < a.length; word++) size += bitsIn(atUint(a, word) ^ atUint(b, word));
  return size;
}

/** a ∩ b */
export function commonOf(a: BitSet, b: BitSet): BitSet {
  return a.map((bits, word) => bits & atUint(b, word));
}

/** a ∪ b */
export function unionOf(a: BitSet, b: BitSet): BitSet {
  return a.map((bits, word) => bits | atUint(b, word));
}

/** a without b */
export function withoutOf(a: BitSet, b: BitSet): BitSet {
  return a.map((bits, word) => bits & ~atUint(b, word));
}

/** Whether all members of `a` are in `b`. */
export function isPartOf(a: BitSet, b: BitSet): boolean {
  for (let word = 0; word < a.length; word++) if ((atUint(a, word) & ~atUint(b, word)) !== 0) return false;
  return true;
}

export function isSameSet(a: BitSet, b: BitSet): boolean {
  for (let word = 0; word < a.length; word++) if (a[word] !== b[word]) return false;
  return true;
}

/** Number of ones, by adding neighbours (Warren, Hacker's Delight, 5-1). */
function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
