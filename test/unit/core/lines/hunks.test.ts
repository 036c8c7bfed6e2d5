import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { uniqueAnchors } from '../../../../src/core/lines/lineAnchors';
import { hashLines } from '../../../../src/core/lines/lineHashes';
import {
  differences,
  forward,
  packHunks,
  reversed,
  sameHunks,
  unpackHunks,
} from '../../../../src/core/lines/lineHunks';
import { mayBeSource, movedSource } from '../../../../src/core/lines/movedSource';

const text = fc
  .array(fc.integer({ min: 1, max: 6 }), { maxLength: 30 })
  .map((list) => Uint32Array.from(list));

describe('the hunks between two texts', () => {
  it('lead from one to the other, ascend, and come back from numbers', () => {
    fc.assert(
      fc.property(text, text, (measured, current) => {
        const hunks = differences(measured, current);
        const rebuilt: number[] = [];
        let at = 0;
        for (const hunk of hunks) {
          expect(hunk.measured).toBeGreaterThanOrEqual(at);
          rebuilt.push(...measured.subarray(at, hunk.measured));
          expect(rebuilt).toHaveLength(hunk.current);
          rebuilt.push(...current.subarray(hunk.current, hunk.current + hunk.added));
          expect(hunk.removed + hunk.added).toBeGreaterThan(0);
          at = hunk.measured + hunk.removed;
        }
        rebuilt.push(...measured.subarray(at));
        expect(rebuilt).toEqual([...current]);
        expect(unpackHunks(packHunks(hunks))).toEqual(hunks);
        expect(sameHunks(hunks, unpackHunks(packHunks(hunks)))).toBe(true);
        // A line that is in both goes there and back.
        const back = hunks.map(reversed);
        for (let line = 0; line < measured.length; line++) {
          if (hunks.some((hunk) => line >= hunk.measured && line < hunk.measured + hunk.removed)) continue;
          expect(current[forward(hunks, line)]).toBe(measured[line]);
          expect(forward(back, forward(hunks, line))).toBe(line);
        }
      }),
    );
  });

  it('are the same only in all of their numbers', () => {
    const hunk = { measured: 1, removed: 2, current: 3, added: 4 };
    expect(sameHunks([hunk], [{ ...hunk }])).toBe(true);
    expect(sameHunks([], [])).toBe(true);
    expect(sameHunks([hunk], [])).toBe(false);
    expect(sameHunks([], [hunk])).toBe(false);
    for (const key of ['measured', 'removed', 'current', 'added'] as const)
      expect(sameHunks([hunk], [{ ...hunk, [key]: 9 }])).toBe(false);
  });

  it('move lines of a rewritten part to those that stand in their place, and deleted ones to what came up', () => {
    const hunks = [
      { measured: 2, removed: 3, current: 2, added: 2 },
      { measured: 8, removed: 0, current: 7, added: 5 },
    ];
    expect([0, 1, 2, 3, 4, 5, 7, 8].map((line) => forward(hunks, line))).toEqual([0, 1, 2, 3, 4, 4, 6, 12]);
  });
});

describe('lines that occur once in each text', () => {
  it('are anchors as far as they are in the same order, as many as possible', () => {
    const anchors = (a: readonly number[], b: readonly number[]) =>
      uniqueAnchors(Uint32Array.from(a), Uint32Array.from(b)).map(({ measured, current }) => [
        measured,
        current,
      ]);
    expect(anchors([1, 2, 3], [1, 2, 3])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
    expect(anchors([1, 1, 2], [2, 1])).toEqual([[2, 0]]);
    expect(anchors([1, 2], [2, 2, 1])).toEqual([[0, 2]]);
    expect(anchors([9, 1, 2, 3], [1, 2, 3, 9])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
    expect(anchors([1, 2], [3])).toEqual([]);
  });

  it('are the longest common subsequence of two orders of the same lines', () => {
    const order = fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7], { minLength: 7 });
    const longest = (a: readonly number[], b: readonly number[]): number => {
      if (a.length === 0) return 0;
      const at = b.indexOf(a[0] ?? 0);
      return Math.max(longest(a.slice(1), b), at < 0 ? 0 : 1 + longest(a.slice(1), b.slice(at + 1)));
    };
    fc.assert(
      fc.property(order, order, (a, b) => {
        const anchors = uniqueAnchors(Uint32Array.from(a), Uint32Array.from(b));
        expect(anchors).toHaveLength(longest(a, b));
        anchors.forEach(({ measured, current }, i) => {
          expect(a[measured]).toBe(b[current]);
          if (i > 0) expect(current).toBeGreaterThan(anchors[i - 1]?.current ?? -1);
        });
      }),
      { numRuns: 50 },
    );
  });
});

describe('lines as numbers', () => {
  it('end as in VS Code; indentation and line ends do not count', () => {
    const lines = [...hashLines('a\n  a \r\na\r\tb\n\n')];
    expect(lines).toHaveLength(6);
    expect(lines[0]).toBe(lines[1]);
    expect(lines[0]).toBe(lines[2]);
    expect(lines[3]).not.toBe(lines[0]);
    expect(lines.slice(4)).toEqual([0, 0]);
    expect([...hashLines('')]).toEqual([0]);
    expect([...hashLines('x y')]).not.toEqual([...hashLines('xy')]);
    // FNV-1a of “a” (Fowler, Noll, Vo).
    expect(hashLines('a')[0]).toBe(0xe40c292c);
  });

  const lines = (count: number, from = 0) => Uint32Array.from({ length: count }, (_, i) => from + i + 1);
  it('tell a moved file by nine tenths of its lines, or by its name and half of them', () => {
    const gone = [{ file: '/old/a.c', lines: lines(10) }];
    expect(movedSource('b.c', lines(9), gone)).toBe('/old/a.c');
    expect(movedSource('b.c', lines(8), gone)).toBeUndefined();
    expect(movedSource('a.c', lines(5), gone)).toBe('/old/a.c');
    expect(movedSource('a.c', lines(4), gone)).toBeUndefined();
    expect(movedSource('a.c', lines(5), [{ file: '/old/a.c', lines: lines(5) }])).toBe('/old/a.c');
    expect(movedSource('a.c', lines(4), [{ file: '/old/a.c', lines: lines(4) }])).toBeUndefined();
    // Three alike are as bad as two.
    const alike = ['/x/m.c', '/y/m.c', '/z/m.c'].map((file) => ({ file, lines: lines(9) }));
    expect(movedSource('m.c', lines(9), alike)).toBeUndefined();
    expect(movedSource('m.c', lines(10), [...alike, { file: '/w/m.c', lines: lines(5) }])).toBeUndefined();
  });
});

test('sources are told by the ends of their names', () => {
  for (const end of [
    'c',
    'cc',
    'cpp',
    'cxx',
    'c++',
    'cu',
    'cuh',
    'h',
    'hh',
    'hpp',
    'hxx',
    'h++',
    'inc',
    'inl',
    'ipp',
    'tpp',
    'txx',
    'f',
    'for',
    'ftn',
    'fpp',
    'f90',
    'F08',
    'CPP',
  ])
    expect(mayBeSource(`/w/a.${end}`), end).toBe(true);
  for (const name of ['a.py', 'ac', 'a.c.txt', 'a.f9', 'a.md', 'Makefile'])
    expect(mayBeSource(name)).toBe(false);
});
