import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatLines } from '../../../../../src/formats/scorep-filter/editing/formatLines';
import { parseFilterSyntax } from '../../../../../src/formats/scorep-filter/syntax/parse';

/** The text after the layout of some of its lines. */
function laidOut(text: string, first: number, last = first): string {
  const edit = formatLines(parseFilterSyntax(text), first, last);
  return edit === undefined
    ? text
    : text.slice(0, edit.offset) + edit.text + text.slice(edit.offset + edit.length);
}

const filter = `SCOREP_REGION_NAMES_BEGIN
EXCLUDE *
      INCLUDE   MANGLED _Za _Zb
INCLUDE c
SCOREP_REGION_NAMES_END
`;

describe('formatting of selected lines', () => {
  test('only these lines change', () => {
    const lines = laidOut(filter, 3).split('\n');
    expect(lines.filter((line) => line.includes('MANGLED'))).toEqual([
      '  INCLUDE MANGLED _Za',
      '  INCLUDE MANGLED _Zb',
    ]);
    expect(lines).toContain('EXCLUDE *');
    expect(lines).toContain('INCLUDE c');
  });

  test('a line with a block’s BEGIN means the whole block', () => {
    expect(laidOut(filter, 1)).toBe(`SCOREP_REGION_NAMES_BEGIN
  EXCLUDE *
  INCLUDE MANGLED _Za
  INCLUDE MANGLED _Zb
  INCLUDE c
SCOREP_REGION_NAMES_END
`);
  });

  test('a pattern in a later line takes its INCLUDE with it', () => {
    const text = 'SCOREP_REGION_NAMES_BEGIN\nINCLUDE a\n b\n c\nSCOREP_REGION_NAMES_END\n';
    expect(laidOut(text, 3)).toBe(
      'SCOREP_REGION_NAMES_BEGIN\n  INCLUDE a\n  INCLUDE b\n c\nSCOREP_REGION_NAMES_END\n',
    );
  });

  test('a rule in the middle of a line gets a line of its own', () => {
    const text = 'SCOREP_REGION_NAMES_BEGIN EXCLUDE a INCLUDE b\n INCLUDE c\nSCOREP_REGION_NAMES_END\n';
    expect(laidOut(text, 2)).toContain('\n  INCLUDE c\n');
  });

  test('empty lines, laid out lines and what Score-P refuses stay', () => {
    expect(formatLines(parseFilterSyntax('\n\n'), 1, 2)).toBeUndefined();
    expect(laidOut(laidOut(filter, 1), 1, 6)).toBe(laidOut(filter, 1));
    const broken = 'SCOREP_REGION_NAMES_BEGIN\n  x\n INCLUDE a\\\n b\nSCOREP_REGION_NAMES_END\n';
    expect(laidOut(broken, 2, 4)).toBe(broken);
  });

  test('the rules mean the same, whichever lines are chosen', () => {
    const word = fc.constantFrom(
      'INCLUDE',
      'EXCLUDE',
      'INCLUDE MANGLED',
      'a',
      'b*',
      '\n',
      'DEMANGLED c',
      '# d\n',
    );
    const rulesOf = (text: string): readonly string[] =>
      parseFilterSyntax(text).filter.rules.map(
        ({ action, mangled, pattern }) => `${action} ${mangled ? 'mangled ' : ''}${pattern}`,
      );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), fc.nat(12), fc.nat(12), (words, first, more) => {
        const text = `SCOREP_REGION_NAMES_BEGIN\nEXCLUDE ${words.join(' ')}\nSCOREP_REGION_NAMES_END\n`;
        expect(rulesOf(laidOut(text, first + 1, first + 1 + more))).toEqual(rulesOf(text));
      }),
      { numRuns: 500 },
    );
  });
});
