import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readToExtension, readToWebview } from '../../../src/protocol/channel';
import {
  bytes,
  finiteNumber,
  listOf,
  oneOf,
  optional,
  positions32,
  record,
  text,
  wholeNumber,
} from '../../../src/protocol/guards';

describe('guards', () => {
  it('take whole numbers of lists and nothing that only looks like one', () => {
    for (const value of [0, 1, Number.MAX_SAFE_INTEGER]) expect(wholeNumber(value)).toBe(value);
    for (const value of [-1, 0.5, NaN, Infinity, 2 ** 53, '1', 1n, null, [1]])
      expect(wholeNumber(value)).toBeUndefined();
    expect(finiteNumber(-0.5)).toBe(-0.5);
    expect(finiteNumber(Infinity)).toBeUndefined();
  });

  it('take text and bytes of a bounded size', () => {
    expect(text(3)('abc')).toBe('abc');
    expect(text(3)('abcd')).toBeUndefined();
    expect(bytes(2)(Uint8Array.of(1, 2))).toEqual(Uint8Array.of(1, 2));
    expect(bytes(2)(Uint8Array.of(1, 2).buffer)).toEqual(Uint8Array.of(1, 2));
    expect(bytes(1)(Uint8Array.of(1, 2))).toBeUndefined();
    expect(bytes(9)({ byteLength: 1 })).toBeUndefined();
  });

  it('take columns of positions of a bounded length', () => {
    expect(positions32(2)(Uint32Array.of(1, 2))).toEqual(Uint32Array.of(1, 2));
    for (const value of [
      Uint32Array.of(1, 2, 3),
      [1, 2],
      Float64Array.of(0.5),
      Uint8Array.of(1),
      { length: 1 },
    ])
      expect(positions32(2)(value)).toBeUndefined();
  });

  it('take lists of a bounded length whose elements all fit', () => {
    const guard = listOf(wholeNumber, 2);
    expect(guard([])).toEqual([]);
    expect(guard([0, 7])).toEqual([0, 7]);
    for (const value of [[1, 2, 3], [1, -1], [undefined], 'ab', { length: 1 }, Uint8Array.of(1)])
      expect(guard(value)).toBeUndefined();
  });

  it('take one of a few words, and not what every object has', () => {
    const state = oneOf('in', 'out');
    expect(state('in')).toBe('in');
    for (const value of ['toString', 'IN', '', 0, undefined]) expect(state(value)).toBeUndefined();
  });

  it('copy from a record only what they know', () => {
    const guard = record({ row: wholeNumber, name: optional(text(10)) });
    expect(guard({ row: 1, name: 'a', path: '/etc/passwd' })).toEqual({ row: 1, name: { given: 'a' } });
    expect(guard({ row: 1 })).toEqual({ row: 1, name: {} });
    expect(guard({ row: 1, name: 7 })).toBeUndefined();
    expect(guard(JSON.parse('{"__proto__":{"row":1}}'))).toBeUndefined();
  });

  it('never throw, and give what passes the same guard again', () => {
    const guards = [
      wholeNumber,
      finiteNumber,
      text(5),
      bytes(5),
      oneOf('a', 'b'),
      record({ a: wholeNumber }),
    ];
    fc.assert(
      fc.property(fc.anything({ withTypedArray: true, withNullPrototype: true }), (value) => {
        for (const guard of guards) {
          const found: unknown = guard(value);
          if (found !== undefined) expect(guard(found)).toEqual(found);
        }
      }),
    );
  });
});

describe('the envelope', () => {
  it('is read from nothing but itself, in both directions', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        expect(readToExtension(value)?.kind ?? 'none').toMatch(/^(none|ready|request|cancel)$/);
        expect(readToWebview(value)?.kind ?? 'none').toMatch(/^(none|response|failure|event)$/);
      }),
    );
    expect(readToExtension({ kind: 'request', id: 1, name: 'open', parameters: {}, extra: 1 })).toEqual({
      kind: 'request',
      id: 1,
      name: 'open',
      parameters: {},
    });
    for (const id of [0, -1, 1.5, '1', NaN, 2 ** 53]) {
      expect(readToExtension({ kind: 'request', id, name: 'open' })).toBeUndefined();
      expect(readToExtension({ kind: 'cancel', id })).toBeUndefined();
      expect(readToWebview({ kind: 'response', id, result: 1 })).toBeUndefined();
    }
  });
});
