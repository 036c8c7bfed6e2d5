import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as bits from '../../../../src/core/groups/sets/bitSet';
import { deviationsFrom, majorityOf, weightOf } from '../../../../src/core/groups/sets/weightedSets';

const size = 100;
const list = fc.uniqueArray(fc.nat(size - 1)).map((members) => members.sort((a, b) => a - b));

test('sets as bit words are sets', () => {
  fc.assert(
    fc.property(list, list, (one, other) => {
      const [a, b] = [bits.bitSetOf(one, size), bits.bitSetOf(other, size)];
      const both = one.filter((member) => other.includes(member));
      const onlyOne = one.filter((member) => !other.includes(member));
      const union = [...new Set([...one, ...other])].sort((x, y) => x - y);
      expect(bits.membersOf(a)).toEqual(one);
      expect(one.every((member) => bits.hasMember(a, member))).toBe(true);
      expect(bits.hasMember(b, onlyOne[0] ?? size - 1)).toBe(
        onlyOne.length === 0 && other.includes(size - 1),
      );
      expect(bits.sizeOf(a)).toBe(one.length);
      expect(bits.membersOf(bits.commonOf(a, b))).toEqual(both);
      expect(bits.membersOf(bits.unionOf(a, b))).toEqual(union);
      expect(bits.membersOf(bits.withoutOf(a, b))).toEqual(onlyOne);
      expect(bits.commonSize(a, b)).toBe(both.length);
      expect(bits.distanceOf(a, b)).toBe(union.length - both.length);
      expect(bits.isPartOf(a, b)).toBe(onlyOne.length === 0);
      expect(bits.isSameSet(a, b)).toBe(union.length === both.length);
    }),
  );
  expect(bits.emptySet(0)).toHaveLength(0);
  expect(bits.emptySet(32)).toHaveLength(1);
  expect(bits.emptySet(33)).toHaveLength(2);
});

test('majorities and deviations count processes, whatever set they are counted from', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(list, fc.integer({ min: 1, max: 3 })), { minLength: 1 }),
      list,
      (rows, base) => {
        const sets = rows.map(([members]) => bits.bitSetOf(members, size));
        const weighted = { sets, weights: rows.map(([, weight]) => weight), attributes: size };
        const members = [...rows.keys()];
        const whole = rows.reduce((sum, [, weight]) => sum + weight, 0);
        const count = (attribute: number) =>
          rows.reduce((sum, [row, weight]) => sum + (row.includes(attribute) ? weight : 0), 0);
        const expected = Array.from({ length: size }, (_, attribute) => attribute);
        expect(weightOf(weighted, members)).toBe(whole);
        expect([...deviationsFrom(weighted, members, bits.bitSetOf(base, size))]).toEqual(
          expected.map((f) => (base.includes(f) ? whole - count(f) : count(f))),
        );
        const majority = expected.filter((f) => 2 * count(f) > whole);
        expect(bits.membersOf(majorityOf(weighted, members))).toEqual(majority);
        expect(bits.membersOf(majorityOf(weighted, members, bits.bitSetOf(base, size)))).toEqual(majority);
      },
    ),
  );
});
