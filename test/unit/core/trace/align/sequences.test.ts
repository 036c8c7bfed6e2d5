import { describe, expect, it } from 'vitest';
import { alignSequences, exactlyAligned, type Block } from '../../../../../src/core/trace/align/sequences';
import { randomNumbers } from '../../../../../src/core/randomNumbers';

const letters = (text: string): Uint32Array => Uint32Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
const blocksOf = (left: string, right: string): number[][] =>
  alignSequences(letters(left), letters(right)).map(triple);
const triple = ({ left, right, length }: Block): number[] => [left, right, length];

/** The definition, word for word. */
function naive(left: Uint32Array, right: Uint32Array): number[][] {
  const inside = (a: number, b: number, c: number, d: number): number[][] => {
    let best = [a, c, 0];
    for (let i = a; i < b; i++) {
      for (let j = c; j < d; j++) {
        let k = 0;
        while (i + k < b && j + k < d && left[i + k] === right[j + k]) k++;
        if (k > (best[2] ?? 0)) best = [i, j, k];
      }
    }
    const [i = 0, j = 0, k = 0] = best;
    return k === 0 ? [] : [...inside(a, i, c, j), best, ...inside(i + k, b, j + k, d)];
  };
  return inside(0, left.length, 0, right.length);
}

describe('the alignment of two sequences', () => {
  it('M8: gives the blocks of the toy examples exactly', () => {
    expect(blocksOf('ABCBCBCD', 'ABCBCD')).toEqual([
      [0, 0, 5],
      [7, 5, 1],
    ]);
    expect(blocksOf('ABCD', 'ABXCD')).toEqual([
      [0, 0, 2],
      [2, 3, 2],
    ]);
    expect(blocksOf('ABXCD', 'ABCD')).toEqual([
      [0, 0, 2],
      [3, 2, 2],
    ]);
  });

  it('prefers the longest block to an earlier one, and the first of those as long', () => {
    expect(blocksOf('AXYZ', 'AAXYZ')).toEqual([[0, 1, 4]]);
    expect(blocksOf('AB', 'BA')).toEqual([[0, 1, 1]]);
    expect(blocksOf('A', 'AA')).toEqual([[0, 0, 1]]);
    expect(blocksOf('AA', 'A')).toEqual([[0, 0, 1]]);
    expect(blocksOf('', 'A')).toEqual([]);
    expect(blocksOf('AB', 'CD')).toEqual([]);
  });

  it('is the definition, whatever the sequences', () => {
    const random = randomNumbers(1);
    for (let round = 0; round < 600; round++) {
      const alphabet = 1 + Math.floor(random() * 5);
      const of = (most: number): Uint32Array =>
        Uint32Array.from({ length: Math.floor(random() * most) }, () => Math.floor(random() * alphabet));
      // The second half is too long for comparing each with each.
      const most = round < 300 ? 14 : 120;
      const [left, right] = [of(most), of(most)];
      expect(alignSequences(left, right).map(triple), `round ${round}`).toEqual(naive(left, right));
    }
  });

  it('is the definition for sequences of which one is the other one with changes', () => {
    const random = randomNumbers(2);
    for (let round = 0; round < 60; round++) {
      const left = Uint32Array.from({ length: 200 }, (_, position) => position % (3 + (round % 7)));
      const right = [...left];
      for (let change = 0; change < 8; change++)
        right.splice(
          Math.floor(random() * right.length),
          Math.floor(random() * 4),
          Math.floor(random() * 10),
        );
      const others = Uint32Array.from(right);
      expect(alignSequences(left, others).map(triple), `round ${round}`).toEqual(naive(left, others));
    }
  });

  it('aligns sequences beyond the limit by their cuts, and finds every block of few changes', () => {
    const random = randomNumbers(3);
    const left = Uint32Array.from({ length: exactlyAligned }, () => Math.floor(random() * 1_000));
    const right = [...left];
    for (let change = 1; change <= 200; change++) {
      const place = change * 300;
      if (change % 2 === 0) right.splice(place, 1);
      else right.splice(place, 0, 5_000 + change);
    }
    const others = Uint32Array.from(right);
    const blocks = alignSequences(left, others);
    let [a, c, matched] = [0, 0, 0];
    for (const block of blocks) {
      expect(block.left >= a && block.right >= c).toBe(true);
      for (let offset = 0; offset < block.length; offset++)
        if (left[block.left + offset] !== others[block.right + offset]) throw new Error('not equal');
      [a, c] = [block.left + block.length, block.right + block.length];
      matched += block.length;
    }
    expect(matched).toBe(left.length - 100);
  });

  it('is the definition where cuts divide sequences of elements that each has once', () => {
    const random = randomNumbers(4);
    for (let round = 0; round < 300; round++) {
      const left = Uint32Array.from({ length: 150 }, (_, position) => position);
      const right = [...left];
      // Elements that are gone, and others that are new: the common ones ascend.
      for (let change = 0; change < round % 12; change++) {
        const place = Math.floor(random() * right.length);
        if (random() < 0.5) right.splice(place, 1 + Math.floor(random() * 8));
        else right.splice(place, 0, 1_000 + change);
      }
      const others = Uint32Array.from(right);
      for (const most of [0, 16, 100])
        expect(alignSequences(left, others, most).map(triple), `round ${round}, ${most}`).toEqual(
          naive(left, others),
        );
    }
  });

  it('ascends with equal elements where cuts divide whatever sequences, and no block can be longer', () => {
    const random = randomNumbers(5);
    for (let round = 0; round < 400; round++) {
      const alphabet = 2 + Math.floor(random() * 200);
      const of = (): Uint32Array =>
        Uint32Array.from({ length: 40 + Math.floor(random() * 200) }, () => Math.floor(random() * alphabet));
      const [left, right] = [of(), of()];
      const blocks = alignSequences(left, right, round % 50);
      let [a, c] = [0, 0];
      for (const [position, block] of blocks.entries()) {
        const { left: i, right: j, length } = block;
        expect(length > 0 && i >= a && j >= c, `round ${round}`).toBe(true);
        expect([...left.subarray(i, i + length)]).toEqual([...right.subarray(j, j + length)]);
        // What is before it in both is not the same, unless the block before it begins there.
        if (i > a && j > c) expect(left[i - 1], `round ${round}`).not.toBe(right[j - 1]);
        [a, c] = [i + length, j + length];
        const next = blocks[position + 1] ?? { left: left.length, right: right.length };
        if (a < next.left && c < next.right) expect(left[a], `round ${round}`).not.toBe(right[c]);
      }
    }
  });

  it('aligns long sequences without any element that both have once', () => {
    const length = exactlyAligned;
    const left = Uint32Array.from({ length }, (_, position) => position % 2);
    const right = Uint32Array.from({ length: length - 2 }, (_, position) => position % 2);
    expect(alignSequences(left, right).map(triple)).toEqual([[0, 0, length - 2]]);
    expect(alignSequences(left, Uint32Array.of(7, 8, ...new Uint32Array(length).fill(9)))).toEqual([]);
  });

  it('does not compare hostile sequences again and again', () => {
    // Every second element is one of its own: the definition cuts off one element after the other.
    const length = 30_000;
    const left = Uint32Array.from({ length }, (_, position) =>
      position % 2 === 0 ? position : 1e6 + position,
    );
    const right = Uint32Array.from({ length }, (_, position) =>
      position % 2 === 0 ? position : 2e6 + position,
    );
    expect(alignSequences(left, right)).toHaveLength(length / 2);
  });
});
