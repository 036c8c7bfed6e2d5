import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPartOf, isWithin } from '../../../../../src/core/diagnosis/resources/containment';
import { wholeProgram, type Focus } from '../../../../../src/core/diagnosis/resources/focus';
import { parseFocus, printFocus, printResource } from '../../../../../src/core/diagnosis/resources/focusText';

/** Names with what separates, escapes, is invisible or would be cut off. */
const names = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      ...Array.from('/,<>%{} \n\u0000aé'),
      '\u202e',
      '\ud800',
      '\u2028',
      '💥',
      '\u{e0001}',
    ),
  }),
  fc.string({ unit: 'binary' }),
);
const paths = fc.array(names, { maxLength: 3 });
const foci: fc.Arbitrary<Focus> = fc.record({ Code: paths, Machine: paths, SyncObject: paths });

describe('texts of foci', () => {
  test('P1: the examples of the field', () => {
    const deep: Focus = { Code: ['om3.c', 'main'], Machine: ['c2-047', 'om3{1374}'], SyncObject: [] };
    expect(printFocus(deep)).toBe('< /Code/om3.c/main, /Machine/c2-047/om3{1374}, /SyncObject >');
    expect(parseFocus('< /Code/om3.c/main, /Machine/c2-047/om3{1374}, /SyncObject >')).toEqual(deep);
    expect(parseFocus('< /Code/setup.c, /Machine/lc01.cs.wisc.edu, /SyncObject >')).toEqual({
      Code: ['setup.c'],
      Machine: ['lc01.cs.wisc.edu'],
      SyncObject: [],
    });
    expect(printFocus(wholeProgram)).toBe('< /Code, /Machine, /SyncObject >');
    expect(parseFocus('  </Code,/Machine,/SyncObject/Message/1>\n')).toEqual({
      ...wholeProgram,
      SyncObject: ['Message', '1'],
    });
  });

  test('P1: any names come back from the text, which is one line without invisible characters', () => {
    fc.assert(
      fc.property(foci, (focus) => {
        const text = printFocus(focus);
        expect(parseFocus(text)).toEqual(focus);
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test('P1: readable names stay as they are, and hostile ones are escaped', () => {
    expect(printResource('Code', ['a.cpp', 'std::map<int, A<B> >::at(int const&)'])).toBe(
      '/Code/a.cpp/std::map<int%2C A<B> >::at(int const&)',
    );
    expect(printResource('Machine', ['a/b', ' ', '\u202e', ''])).toBe('/Machine/a%2Fb/%20/%u202E/');
  });

  test.each([
    ['', 'begin with "<"'],
    ['/Code, /Machine, /SyncObject', 'begin with "<"'],
    ['< /Code, /Machine, /SyncObject', 'end with ">"'],
    ['< /Code, /Machine >', '3 resources'],
    ['< /Code, /Machine, /SyncObject, /Code >', '3 resources'],
    ['< /Machine, /Code, /SyncObject >', '"/Machine" must begin with /Code'],
    ['< Code, /Machine, /SyncObject >', '"Code" must begin with /Code'],
    ['< /Code/a%b, /Machine, /SyncObject >', '"%" in "a%b" must be followed'],
    ['< /Code/a%u12, /Machine, /SyncObject >', 'must be followed'],
    [`< ${'x'.repeat(100_000)}`, '…'],
  ])('P1: %s is refused with the reason', (text, reason) => {
    expect(() => parseFocus(text)).toThrow(reason);
    expect(() => parseFocus(text)).toThrow(expect.objectContaining({ reason: 'focus-invalid' }));
  });
});

describe('parts', () => {
  test('P1: a resource stands for everything below it', () => {
    expect(isWithin(['c1', 'p1'], ['c1'])).toBe(true);
    expect(isWithin(['c1'], ['c1'])).toBe(true);
    expect(isWithin(['c1'], [])).toBe(true);
    expect(isWithin(['c1'], ['c1', 'p1'])).toBe(false);
    expect(isWithin(['c10'], ['c1'])).toBe(false);
  });

  test('P1: a focus is part of another one if each of its resources is', () => {
    const part = parseFocus('< /Code/a.c/main, /Machine/c1, /SyncObject >');
    expect(isPartOf(part, wholeProgram)).toBe(true);
    expect(isPartOf(part, parseFocus('< /Code/a.c, /Machine/c1, /SyncObject >'))).toBe(true);
    expect(isPartOf(part, parseFocus('< /Code/a.c, /Machine/c2, /SyncObject >'))).toBe(false);
    expect(isPartOf(wholeProgram, part)).toBe(false);
    fc.assert(
      fc.property(foci, foci, (a, b) =>
        isPartOf(a, b) && isPartOf(b, a) ? printFocus(a) === printFocus(b) : true,
      ),
    );
  });
});
