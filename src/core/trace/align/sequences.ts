import { at, atUint } from '../../at';
import { gramHashes, Grams, sameRun, type Range } from './grams';
import { longestIncreasing } from './longestIncreasing';

/** `length` elements from `left` on in the first sequence equal those from `right` on in the second one. */
export interface Block {
  readonly left: number;
  readonly right: number;
  readonly length: number;
}

/**
 * Two sequences of together more elements than this are first cut at long runs that each of them has once: the longest common block is then
 * the longest one between two such cuts.
 */
export const exactlyAligned = 1 << 16;
/** Lengths of these runs, one after the other until what is between the cuts is short. */
const cutLengths = [64, 16, 4, 1];
/** Sequences that no cut divides are compared so often at most (in elements, as a multiple of both lengths); then only their ends are. */
const mostPasses = 64;
/** Products of two lengths up to which comparing each with each is faster than hashing. */
const smallProduct = 2_048;

/** Two parts that are still to be aligned: L[a, b) and R[c, d). Their common blocks have at most `most` elements. */
interface Gap {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly most: number;
}

/**
 * Aligns two sequences of numbers by their longest common block (of several the first in `left`, of these the first in `right`), and what is
 * before and after it in the same way. Blocks ascend in both sequences and do not touch in both.
 *
 * Up to `exactlyAligned` elements the result is that of the definition; the time is that of a few passes for usual sequences and O(n √n) for
 * the worst. The memory is linear.
 * @param most elements of both together up to which nothing is cut
 */
export function alignSequences(
  left: Uint32Array,
  right: Uint32Array,
  most = exactlyAligned,
): readonly Block[] {
  const whole = { a: 0, b: left.length, c: 0, d: right.length, most: Math.min(left.length, right.length) };
  const blocks: Block[] = [];
  const isExact = left.length + right.length <= most;
  const gaps = isExact ? [whole] : cut({ left, right, most }, whole, blocks);
  let work = isExact ? Infinity : mostPasses * (left.length + right.length);
  for (let gap = gaps.pop(); gap !== undefined; gap = gaps.pop()) {
    if (gap.a === gap.b || gap.c === gap.d) continue;
    const size = gap.b - gap.a + gap.d - gap.c;
    work -= size;
    if (work < 0 && size > most) matchEnds(left, right, gap, blocks);
    else peel(left, right, gap, blocks, gaps);
  }
  return joined(blocks);
}

/** The parts between blocks that ascend, and those before and after them. */
export function between(blocks: readonly Block[], left: number, right: number): Gap[] {
  const gaps: Gap[] = [];
  let [a, c] = [0, 0];
  for (const block of [...blocks, { left, right, length: 0 }]) {
    gaps.push(gapOf(a, block.left, c, block.right));
    [a, c] = [block.left + block.length, block.right + block.length];
  }
  return gaps.filter(({ a: from, b, c: other, d }) => from < b && other < d);
}

function gapOf(a: number, b: number, c: number, d: number, most = Infinity): Gap {
  return { a, b, c, d, most: Math.min(most, b - a, d - c) };
}

/**
 * Finds all blocks of the greatest length that a gap has, in one pass. After the first of them (the smallest i, then the smallest j), the
 * definition goes on behind it, where a block of the same length is the next one; before it, all are shorter.
 */
function peel(left: Uint32Array, right: Uint32Array, gap: Gap, blocks: Block[], gaps: Gap[]): void {
  const length = longest(left, right, gap);
  if (length === 0) return;
  const shorter = length - 1;
  const leftRange = { of: left, first: gap.a, end: gap.b };
  const hashes = gramHashes(leftRange, length);
  const grams = new Grams({ of: right, first: gap.c, end: gap.d }, length);
  let { a, c } = gap;
  for (let i = gap.a; i + length <= gap.b;) {
    const j = grams.find(atUint(hashes, i - gap.a), left, i, c, true);
    if (j < 0) {
      i++;
      continue;
    }
    blocks.push({ left: i, right: j, length });
    if (shorter > 0) gaps.push(gapOf(a, i, c, j, shorter));
    [a, c] = [i + length, j + length];
    i = a;
  }
  if (shorter > 0) gaps.push(gapOf(a, gap.b, c, gap.d, shorter));
}

/** The length of the longest common block. */
function longest(left: Uint32Array, right: Uint32Array, gap: Gap): number {
  if (gap.most === 0) return 0;
  if ((gap.b - gap.a) * (gap.d - gap.c) <= smallProduct) return longestOfFew(left, right, gap);
  if (sameRun(left, gap.a, right, gap.c, gap.most)) return gap.most;
  // A block of a length has one of each shorter length in it.
  let [has, hasNot] = [0, gap.most + 1];
  for (let length = 1; length < hasNot; length *= 2) {
    if (!hasCommon(left, right, gap, length)) {
      hasNot = length;
      break;
    }
    has = length;
  }
  while (hasNot - has > 1) {
    const middle = (has + hasNot) >>> 1;
    if (hasCommon(left, right, gap, middle)) has = middle;
    else hasNot = middle;
  }
  return has;
}

function longestOfFew(left: Uint32Array, right: Uint32Array, { a, b, c, d, most }: Gap): number {
  const runs = new Uint32Array(d - c + 1);
  let best = 0;
  for (let i = a; i < b && best < most; i++) {
    for (let j = d - 1; j >= c; j--) {
      const run = left[i] === right[j] ? atUint(runs, j - c) + 1 : 0;
      runs[j - c + 1] = run;
      if (run > best) best = run;
    }
  }
  return Math.min(best, most);
}

function hasCommon(left: Uint32Array, right: Uint32Array, gap: Gap, length: number): boolean {
  const hashes = gramHashes({ of: left, first: gap.a, end: gap.b }, length);
  const grams = new Grams({ of: right, first: gap.c, end: gap.d }, length);
  for (let run = 0; run < hashes.length; run++)
    if (grams.find(atUint(hashes, run), left, gap.a + run, gap.c) >= 0) return true;
  return false;
}

interface Cut {
  readonly left: Uint32Array;
  readonly right: Uint32Array;
  /** Shorter parts are not cut. */
  readonly most: number;
}

/** Blocks around runs that both sequences have once, and the gaps between them. */
function cut({ left, right, most }: Cut, whole: Gap, blocks: Block[]): Gap[] {
  let gaps = [whole];
  for (const length of cutLengths) {
    gaps = gaps.flatMap((gap) => {
      if (gap.b - gap.a + gap.d - gap.c <= most) return [gap];
      const own = unique(left, right, gap, length);
      for (const block of own) blocks.push(block);
      return between(
        own.map((block) => ({ ...block, left: block.left - gap.a, right: block.right - gap.c })),
        gap.b - gap.a,
        gap.d - gap.c,
      ).map(({ a, b, c, d }) => gapOf(gap.a + a, gap.a + b, gap.c + c, gap.c + d));
    });
  }
  return gaps;
}

/** Blocks around the runs of a length that both parts have once, as many as ascend in both. */
function unique(left: Uint32Array, right: Uint32Array, gap: Gap, length: number): readonly Block[] {
  const leftRange: Range = { of: left, first: gap.a, end: gap.b };
  const hashes = gramHashes(leftRange, length);
  const [mine, others] = [
    new Grams(leftRange, length),
    new Grams({ of: right, first: gap.c, end: gap.d }, length),
  ];
  const found = { i: [] as number[], j: [] as number[] };
  for (let run = 0; run < hashes.length; run++) {
    const hash = atUint(hashes, run);
    const j = others.only(hash);
    if (j < 0 || mine.only(hash) < 0 || !sameRun(left, gap.a + run, right, j, length)) continue;
    found.i.push(gap.a + run);
    found.j.push(j);
  }
  const blocks: Block[] = [];
  let [a, c] = [gap.a, gap.c];
  for (const chosen of longestIncreasing(found.j)) {
    let [i, j] = [at(found.i, chosen), at(found.j, chosen)];
    if (i < a || j < c) continue;
    let [endLeft, endRight] = [i + length, j + length];
    while (i > a && j > c && left[i - 1] === right[j - 1]) [i, j] = [i - 1, j - 1];
    while (endLeft < gap.b && endRight < gap.d && left[endLeft] === right[endRight])
      [endLeft, endRight] = [endLeft + 1, endRight + 1];
    blocks.push({ left: i, right: j, length: endLeft - i });
    [a, c] = [endLeft, endRight];
  }
  return blocks;
}

function matchEnds(left: Uint32Array, right: Uint32Array, { a, b, c, d }: Gap, blocks: Block[]): void {
  let head = 0;
  while (a + head < b && c + head < d && left[a + head] === right[c + head]) head++;
  let tail = 0;
  while (a + head < b - tail && c + head < d - tail && left[b - tail - 1] === right[d - tail - 1]) tail++;
  if (head > 0) blocks.push({ left: a, right: c, length: head });
  if (tail > 0) blocks.push({ left: b - tail, right: d - tail, length: tail });
}

/** Ascending, with blocks that touch in both sequences as one. */
function joined(blocks: Block[]): readonly Block[] {
  blocks.sort((one, other) => one.left - other.left);
  const all: Block[] = [];
  for (const block of blocks) {
    const before = all.at(-1);
    const touches =
      before !== undefined &&
      before.left + before.length === block.left &&
      before.right + before.length === block.right;
    if (touches) all[all.length - 1] = { ...before, length: before.length + block.length };
    else all.push(block);
  }
  return all;
}
