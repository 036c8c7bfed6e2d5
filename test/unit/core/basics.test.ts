import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at, atByte, atFloat, atInt, atUint } from '../../../src/core/at';
import { csvText, unguarded } from '../../../src/core/csv';
import { isRecord, present } from '../../../src/core/present';

describe('an element at a position', () => {
  const columns = [
    [[1, 2], at],
    [Float64Array.of(1, 2), atFloat],
    [Int32Array.of(1, 2), atInt],
    [Uint32Array.of(1, 2), atUint],
    [Uint8Array.of(1, 2), atByte],
  ] as const;
  test.each(columns)('%o', (values, access) => {
    const read = access as (values: ArrayLike<number>, position: number) => number;
    expect(read(values, 1)).toBe(2);
    for (const wrong of [-1, 2, 0.5, NaN])
      expect(() => read(values, wrong)).toThrow(`position ${wrong} of 2`);
  });
  test('may be undefined where it exists', () => {
    expect(at<unknown>([undefined], 0)).toBeUndefined();
    expect(() => at<unknown>([undefined], 1)).toThrow(RangeError);
  });
});

test('present leaves out what is undefined and nothing else', () => {
  expect(Object.keys(present({ a: undefined, b: 0, c: '', d: false, e: null }))).toEqual([
    'b',
    'c',
    'd',
    'e',
  ]);
});

test('records are objects with named fields', () => {
  expect([{}, { a: 1 }].every(isRecord)).toBe(true);
  expect([null, undefined, [], 'a', 1].some(isRecord)).toBe(false);
});

describe('CSV', () => {
  test('quotes what RFC 4180 wants quoted', () => {
    expect(csvText([['a,b', 'say "x"', 'c\nd', 1.5]])).toBe('"a,b","say ""x""","c\nd",1.5\r\n');
  });
  test('no text is a formula, numbers stay', () => {
    expect(csvText([['=1+1', '+1', '-1', '@sum', '\tx', -1]])).toBe("'=1+1,'+1,'-1,'@sum,'\tx,-1\r\n");
    fc.assert(
      fc.property(fc.string(), (text) => !/^"?[=+\-@\t\r]/.test(csvText([[text]]).replace(/\r\n$/, ''))),
    );
  });
  test('a reader can take the guard away again, whatever the text was', () => {
    const unquoted = fc.stringMatching(/^'*[=+@\t-]?[^",\r\n]*$/);
    fc.assert(fc.property(unquoted, (text) => unguarded(csvText([[text]]).slice(0, -2)) === text));
  });
});
