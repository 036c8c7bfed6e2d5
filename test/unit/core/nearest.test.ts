import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { firstPosition } from '../../../src/core/firstPosition';
import { editDistance, nearestName, suggestion } from '../../../src/core/nearest';

it('nearest names', () => {
  expect(nearestName('reptitions', ['repetitions', 'refinement'])).toBe('repetitions');
  expect(nearestName('x', ['repetitions'])).toBeUndefined();
  expect(nearestName('CWD', ['cwd'])).toBe('cwd');
});

describe('a name that was misspelled', () => {
  it('may differ in a third of the longer name, or in one letter of a short one', () => {
    expect(nearestName('abcxyz', ['abcdef'])).toBeUndefined();
    expect(nearestName('abcdxy', ['abcdef'])).toBe('abcdef');
    expect(nearestName('abcdefxyz', ['abcdefghi'])).toBe('abcdefghi');
    expect(nearestName('xb', ['ab'])).toBe('ab');
    expect(nearestName('x', ['a'])).toBe('a');
    expect(nearestName('abc', ['abcd', 'abcde'])).toBe('abcd');
  });
  it('is the first of those that are equally near, the nearest of others', () => {
    expect(nearestName('cat', ['car', 'bat'])).toBe('car');
    expect(nearestName('color', ['colours', 'colour', 'collar'])).toBe('colour');
    expect(nearestName('a', [])).toBeUndefined();
  });
  it('is not looked for where it is longer than any name', () => {
    expect(nearestName('x'.repeat(200), ['x'.repeat(199)])).toBe('x'.repeat(199));
    expect(nearestName('x'.repeat(201), ['x'.repeat(201)])).toBeUndefined();
  });
  it('is asked for in quotes', () => {
    expect(suggestion('cwt', ['cwd'])).toBe('; did you mean "cwd"?');
    expect(suggestion('', ['cwd'])).toBe('');
  });
});

describe('the edit distance', () => {
  test.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['saturday', 'sunday', 3],
    ['ab', 'ba', 1],
    ['abcd', 'acbd', 1],
    ['abcd', 'badc', 2],
    // Not 2: nothing is changed again after a swap (optimal string alignment).
    ['ca', 'abc', 3],
    ['aab', 'aba', 1],
  ])('of “%s” and “%s” is %d', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
  it('is at most the length of the longer text, and at least what one is longer', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        expect(distance === 0).toBe(a === b);
      }),
    );
  });
});

it('the first position of which something holds is that of a search from the front', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(45), (count, first) => {
      const asked: number[] = [];
      const found = firstPosition(count, (position) => {
        asked.push(position);
        return position >= first;
      });
      expect(found).toBe(Math.min(count, first));
      expect(asked.every((position) => position >= 0 && position < count)).toBe(true);
      expect(asked.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count + 1)));
    }),
  );
});
