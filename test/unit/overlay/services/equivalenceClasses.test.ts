import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fromClassArrays,
  hashOfRecords,
  mergeClasses,
  toClassArrays,
  type EquivalenceClass,
} from '../../../../src/overlay/services/equivalenceClasses';
import { Representatives } from '../../../../src/overlay/services/representatives';
import { ServiceError } from '../../../../src/overlay/services/serviceError';

const own = (rank: number, value: number): readonly EquivalenceClass[] => [
  { value: BigInt(value), members: [rank] },
];
const example = [0x11, 0x11, 0x22, 0x11, 0x11, 0x33, 0x22, 0x11];

/** The classes of a process with these back ends. */
function under(ranks: readonly number[], values: readonly number[]): readonly EquivalenceClass[] {
  return mergeClasses(ranks.map((rank) => own(rank, values[rank]!)));
}

describe('equivalence classes', () => {
  test('S2: the example has the classes {11: 5, 22: 2, 33: 1}, at two inner processes and the front end', () => {
    const first = under([0, 1, 2, 3], example);
    const second = under([4, 5, 6, 7], example);
    expect(first).toEqual([
      { value: 0x11n, members: [0, 1, 3] },
      { value: 0x22n, members: [2] },
    ]);
    expect(second).toEqual([
      { value: 0x11n, members: [4, 7] },
      { value: 0x22n, members: [6] },
      { value: 0x33n, members: [5] },
    ]);
    const merged = mergeClasses([second, first]);
    expect(toClassArrays(merged)).toEqual({
      values: [0x11n, 0x22n, 0x33n],
      counts: [5, 2, 1],
      members: [0, 1, 3, 4, 7, 2, 6, 5],
    });
    expect(merged).toEqual(under([0, 1, 2, 3, 4, 5, 6, 7], example));
    expect(fromClassArrays(toClassArrays(merged))).toEqual(merged);
  });

  test('S2: a tree has the classes of a flat one, whatever the order of arrival', () => {
    const values = fc.array(fc.nat({ max: 5 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(
        values,
        fc.integer({ min: 1, max: 5 }),
        fc.infiniteStream(fc.nat()),
        (given, width, order) => {
          const ranks = given.map((_, rank) => rank);
          const shuffled = ranks
            .map((rank) => ({ rank, key: order.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ rank }) => rank);
          const parts = Array.from({ length: width }, (_, i) =>
            shuffled.filter((rank) => rank % width === i),
          ).filter((part) => part.length > 0);
          const merged = mergeClasses(parts.map((part) => under(part, given)));
          expect(merged).toEqual(under(ranks, given));
        },
      ),
    );
  });

  test('S2: the hash value does not depend on the order, and separates records; no records are a class too', () => {
    expect(hashOfRecords(['b', 'a', 'c'])).toBe(hashOfRecords(['c', 'b', 'a']));
    const different = [
      [],
      [''],
      ['', ''],
      ['ab', 'c'],
      ['a', 'bc'],
      ['abc'],
      ['a', 'b'],
      ['a', 'a', 'b'],
      ['1:a'],
    ];
    expect(new Set(different.map(hashOfRecords)).size).toBe(different.length);
    expect(hashOfRecords(['x']) < 2n ** 64n).toBe(true);
  });

  test('S2: arrays that do not belong together are refused', () => {
    for (const arrays of [
      { values: [1n], counts: [2], members: [1] },
      { values: [1n, 2n], counts: [1], members: [1] },
      { values: [1n, 2n], counts: [2, -1], members: [1] },
      { values: [1n], counts: [NaN], members: [1] },
    ])
      expect(() => fromClassArrays(arrays)).toThrow(ServiceError);
  });
});

describe('representatives', () => {
  const classes = toClassArrays(under([0, 1, 2, 3, 4, 5, 6, 7], example));

  test('S2: the full data are requested exactly once per class, and used for all members', () => {
    const front = new Representatives<string>();
    const { requests } = front.push(fromClassArrays(classes));
    expect(requests).toEqual([
      { value: 0x11n, rank: 0 },
      { value: 0x22n, rank: 2 },
      { value: 0x33n, rank: 5 },
    ]);
    expect(front.push(fromClassArrays(classes))).toEqual({ requests: [], uses: [] });
    expect(front.answer(0, 0x11n, 'data').uses).toEqual([{ ranks: [0, 1, 3, 4, 7], data: 'data' }]);
    expect(front.answer(0, 0x11n, 'again').uses).toEqual([]);
    expect(front.answer(6, 0x22n, 'not asked').uses).toEqual([]);
    expect(front.answer(6, 0x99n, 'unknown').uses).toEqual([]);
  });

  test('S2: late daemons use the data that are there, or wait for them, and no second request is made', () => {
    const front = new Representatives<string>();
    front.push(own(0, 1));
    expect(front.push(own(8, 1))).toEqual({ requests: [], uses: [] });
    expect(front.answer(0, 1n, 'data').uses).toEqual([{ ranks: [0, 8], data: 'data' }]);
    expect(front.push(own(9, 1))).toEqual({ requests: [], uses: [{ ranks: [9], data: 'data' }] });
    expect(front.push(own(10, 2)).requests).toEqual([{ value: 2n, rank: 10 }]);
  });

  test('S2: if the representative is lost before it answers, another member is asked', () => {
    const front = new Representatives<string>();
    front.push(fromClassArrays(classes));
    expect(front.lose(0).requests).toEqual([{ value: 0x11n, rank: 1 }]);
    expect(front.lose(3).requests).toEqual([]);
    expect(front.answer(0, 0x11n, 'too late').uses).toEqual([]);
    expect(front.answer(1, 0x11n, 'data').uses).toEqual([{ ranks: [1, 4, 7], data: 'data' }]);
    expect(front.lose(1).requests).toEqual([]);
    expect(front.lose(5).requests).toEqual([]);
    expect(front.push(own(12, 0x33)).requests).toEqual([{ value: 0x33n, rank: 12 }]);
  });
});
