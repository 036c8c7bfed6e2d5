import { describe, expect, test } from 'vitest';
import {
  exclusive,
  exclusivePerLocation,
  inclusive,
  inclusivePerLocation,
} from '../../../../src/core/profile/values';
import { CubeValues } from '../../../../src/formats/cube4/cubeValues';
import { openCube, readCube } from '../../../../src/formats/cube4/read';
import { bytesSource } from '../../../../src/formats/byteSource';
import { writeCube } from '../../../../src/formats/cube4/write';
import { profileJson } from '../../../../src/formats/exports/json';
import { concat, pack, utf8 } from './archive';

/** main → (a, b), two locations; six numbers as bits of the type, rows in pre-order (which is the wide order, too). */
function file(type: string, dtype: string, bytesEach: number, numbers: readonly bigint[]): Uint8Array {
  const anchor = `<cube><metrics><metric id="0" type="${type}"><uniq_name>m</uniq_name><dtype>${dtype}</dtype></metric></metrics>
    <program><region id="0"/><cnode id="0" calleeId="0"><cnode id="1" calleeId="0"/><cnode id="2" calleeId="0"/></cnode></program>
    <system><process><location Id="0"/><location Id="1"/></process></system></cube>`;
  const data = new DataView(new ArrayBuffer(8 * numbers.length + 8));
  numbers.forEach((number, i) => {
    data.setBigUint64(i * bytesEach, BigInt.asUintN(64, number), true);
  });
  const bytes = new Uint8Array(data.buffer, 0, bytesEach * numbers.length);
  return pack([
    ['anchor.xml', utf8(anchor)],
    ['0.index', concat([utf8('CUBEX.INDEX'), new Uint8Array([1, 0, 0, 0, 0, 0, 3])])],
    ['0.data', concat([utf8('CUBEX.DATA'), bytes])],
  ]);
}

type Kind = 'INCLUSIVE' | 'EXCLUSIVE';

/** As the Cube library computes: in the type itself, modulo its size. By call path and location, then over all locations. */
function truth(
  numbers: readonly bigint[],
  stored: Kind,
  wanted: Kind,
  wrap: (value: bigint) => bigint,
): { readonly each: bigint[]; readonly all: bigint[] } {
  const at = (callPath: number, l: number): bigint => numbers[callPath * 2 + l] ?? 0n;
  const sign = stored === wanted ? 0n : wanted === 'INCLUSIVE' ? 1n : -1n;
  const value = (callPath: number, l: number): bigint =>
    callPath > 0 ? at(callPath, l) : at(0, l) + sign * (at(1, l) + at(2, l));
  return {
    each: [0, 1, 2].flatMap((c) => [0, 1].map((l) => wrap(value(c, l)))),
    all: [0, 1, 2].map((c) => wrap(value(c, 0) + value(c, 1))),
  };
}

/** Doubles that were added up are one rounding step away at most. */
function close(found: Float64Array, expected: readonly bigint[]): void {
  expect(found.length).toBe(expected.length);
  found.forEach((value, i) => {
    const right = Number(expected[i]);
    expect(Math.abs(value - right)).toBeLessThanOrEqual(1e-15 * Math.abs(right));
  });
}

const json = (value: bigint): number | string =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

describe.each<[string, readonly bigint[]]>([
  ['small', [10n, 20n, 3n, 4n, 5n, 6n]],
  ['children are more than their parent', [5n, 5n, 4n, 3n, 2n, 1n]],
  ['wrapped', [-3n, 7n, -5n, 2n, -1n, 4n]],
  ['above 2^53', [2n ** 53n + 1n, 2n ** 60n + 7n, 2n ** 53n - 1n, 2n ** 59n + 1n, 1n, 3n]],
  ['sums above 2^53', [2n ** 53n - 1n, 2n ** 53n - 1n, 2n ** 53n - 3n, 2n ** 53n - 1n, 2n ** 52n + 1n, 9n]],
])('numbers that are %s', (_, numbers) => {
  describe.each<[string, number, (value: bigint) => bigint]>([
    ['UINT64', 8, (value) => BigInt.asUintN(64, value)],
    ['INT64', 8, (value) => BigInt.asIntN(64, value)],
    ['UINT32', 4, (value) => BigInt.asUintN(32, value)],
    ['INT16', 2, (value) => BigInt.asIntN(16, value)],
    ['UINT8', 1, (value) => BigInt.asUintN(8, value)],
  ])('%s', (dtype, bytesEach, wrap) => {
    test.each<Kind>(['INCLUSIVE', 'EXCLUSIVE'])('stored %s', (stored) => {
      const bytes = file(stored, dtype, bytesEach, numbers);
      const held = numbers.map(wrap);
      const incl = truth(held, stored, 'INCLUSIVE', wrap);
      const excl = truth(held, stored, 'EXCLUSIVE', wrap);
      for (const profile of [
        readCube(bytes, 'm.cubex'),
        readCube(writeCube(readCube(bytes, 'm.cubex')), 'm.cubex'),
      ]) {
        close(inclusivePerLocation(profile, 'm'), incl.each);
        close(exclusivePerLocation(profile, 'm'), excl.each);
        close(inclusive(profile, 'm'), incl.all);
        close(exclusive(profile, 'm'), excl.all);
        expect(profileJson(profile).values.m).toEqual({
          inclusive: incl.all.map(json),
          exclusive: excl.all.map(json),
        });
        expect(profileJson(profile, { perLocation: true }).values.m).toEqual({
          inclusive: [0, 2, 4].map((i) => incl.each.slice(i, i + 2).map(json)),
          exclusive: [0, 2, 4].map((i) => excl.each.slice(i, i + 2).map(json)),
        });
      }
      const values = new CubeValues(openCube(bytesSource(bytes), 'm.cubex'));
      close(values.atCallPath('m', 0, 'inclusive'), incl.each.slice(0, 2));
      close(inclusive(values.combined(['m']), 'm'), incl.all);
    });
  });
});

test('what large numbers of a type that is no integer are stays a number', () => {
  const bytes = file('EXCLUSIVE', 'DOUBLE', 8, [0x4450000000000000n, 0n, 0n, 0n, 0n, 0n]);
  expect(profileJson(readCube(bytes, 'd.cubex')).values.m?.exclusive[0]).toBe(2 ** 70);
});

describe('values of several numbers', () => {
  const bits = (value: number): bigint => new DataView(Float64Array.of(value).buffer).getBigUint64(0, true);
  const of = (dtype: string, values: readonly number[]): number[] => {
    const parts = values.length / 6;
    const bytes = file('EXCLUSIVE', dtype, 8, values.map(bits));
    expect(parts).toBe(2);
    const profile = readCube(bytes, 'm.cubex');
    const values2 = new CubeValues(openCube(bytesSource(bytes), 'm.cubex'));
    expect([...values2.atCallPath('m', 0, 'inclusive')]).toEqual(
      [...inclusivePerLocation(profile, 'm')].slice(0, 2),
    );
    return [...inclusive(profile, 'm')];
  };

  test('a complex number is as large as the sums of its parts', () => {
    expect(of('COMPLEX', [3, 0, 0, 0, 0, 2, 0, 2, 0, 0, 0, 0])).toEqual([5, 4, 0]);
  });

  test('numbers without a name are added', () => {
    expect(of('NDOUBLES(2)', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])).toEqual([78, 26, 42]);
  });

  test('a rate is the quotient of sums', () => {
    expect(of('RATE', [1, 2, 3, 4, 0, 0, 0, 0, 4, 4, 0, 0])).toEqual([0.8, 0, 1]);
  });

  test('a tuple is its mean: the sum by the number', () => {
    const tuple = (number: number, sum: number): Uint8Array => {
      const view = new DataView(new ArrayBuffer(36));
      view.setUint32(0, number, true);
      view.setFloat64(20, sum, true);
      return new Uint8Array(view.buffer);
    };
    const members = new Map<string, Uint8Array>([
      ['0.index', concat([utf8('CUBEX.INDEX'), new Uint8Array([1, 0, 0, 0, 0, 0, 3])])],
      [
        '0.data',
        concat([
          utf8('CUBEX.DATA'),
          ...[tuple(2, 10), tuple(0, 0), tuple(1, 2), tuple(1, 3), tuple(0, 0), tuple(0, 0)],
        ]),
      ],
    ]);
    const anchor = `<cube><metrics><metric id="0" type="EXCLUSIVE"><uniq_name>m</uniq_name><dtype>TAU_ATOMIC</dtype></metric></metrics>
      <program><region id="0"/><cnode id="0" calleeId="0"><cnode id="1" calleeId="0"/><cnode id="2" calleeId="0"/></cnode></program>
      <system><process><location Id="0"/><location Id="1"/></process></system></cube>`;
    const profile = readCube(pack([['anchor.xml', utf8(anchor)], ...members]), 't.cubex');
    expect([...inclusive(profile, 'm')]).toEqual([15 / 4, 2.5, 0]);
    expect([...exclusivePerLocation(profile, 'm')]).toEqual([5, 0, 2, 3, 0, 0]);
  });
});
