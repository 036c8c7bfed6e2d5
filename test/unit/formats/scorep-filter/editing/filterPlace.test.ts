import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keywordsAt } from '../../../../../src/editor/words/filterKeywords';
import { placeAt } from '../../../../../src/formats/scorep-filter/editing/filterPlace';
import { parseFilterSyntax } from '../../../../../src/formats/scorep-filter/syntax/parse';

/** The place at the `|` of a text. */
function placeIn(marked: string) {
  const offset = marked.indexOf('|');
  return placeAt(parseFilterSyntax(marked.replace('|', '')), offset);
}

function wordsAt(marked: string): readonly string[] {
  return keywordsAt(placeIn(marked)).map(({ word }) => word);
}

const region = 'SCOREP_REGION_NAMES_BEGIN\n';

describe('what may be written at a place of a filter', () => {
  test('outside of blocks only blocks begin', () => {
    expect(wordsAt('|')).toEqual(['SCOREP_REGION_NAMES_BEGIN', 'SCOREP_FILE_NAMES_BEGIN']);
    expect(wordsAt('SCOREP_FILE_NAMES_BEGIN\nSCOREP_FILE_NAMES_END\nSC|')).toHaveLength(2);
    expect(placeIn('SCOREP_FILE_NAMES_BEGIN\nSCOREP_FILE_NAMES_END\n|').block).toBeUndefined();
  });

  test('in a block, rules and its own END', () => {
    expect(wordsAt(`${region}|`)).toEqual(['INCLUDE', 'EXCLUDE', 'SCOREP_REGION_NAMES_END']);
    expect(wordsAt('SCOREP_FILE_NAMES_BEGIN INCLUDE a |')).toEqual([
      'INCLUDE',
      'EXCLUDE',
      'SCOREP_FILE_NAMES_END',
    ]);
  });

  test('MANGLED only for regions, and after INCLUDE or EXCLUDE', () => {
    expect(wordsAt(`${region}INCLUDE |`)).toEqual(['MANGLED', 'DEMANGLED']);
    expect(wordsAt(`${region}|`)).not.toContain('MANGLED');
    expect(wordsAt('SCOREP_FILE_NAMES_BEGIN INCLUDE |')).toEqual([]);
  });

  test('MANGLED holds until the next rule', () => {
    expect(placeIn(`${region}INCLUDE MANGLED _Za |`).mangled).toBe(true);
    expect(placeIn(`${region}INCLUDE MANGLED _Za DEMANGLED b|`).mangled).toBe(false);
    expect(placeIn(`${region}INCLUDE MANGLED _Za EXCLUDE |`).mangled).toBe(false);
  });

  test('the word behind the cursor is the one that is written', () => {
    expect(placeIn(`${region}INCLUDE int\\ f(|int)`).word?.text).toBe('int\\ f(int)');
    expect(placeIn(`${region}INCLUDE ab|`).word?.text).toBe('ab');
    expect(placeIn(`${region}INCLUDE ab |`).word).toBeUndefined();
    expect(placeIn(`${region}INCLUDE | ab`)).toMatchObject({ beforePattern: true, afterAction: true });
  });

  test('comments are left alone', () => {
    expect(placeIn(`${region}# INC|`).isComment).toBe(true);
    expect(placeIn(`${region}INCLUDE a # b|\n`).isComment).toBe(true);
    expect(placeIn(`${region}# INCLUDE\n|`)).toMatchObject({ isComment: false, hasAction: false });
  });

  test('every place of every text has an answer', () => {
    const word = fc.constantFrom(
      'SCOREP_FILE_NAMES_BEGIN',
      'SCOREP_REGION_NAMES_END',
      'INCLUDE',
      'MANGLED',
      'a\\ b',
      '# c\n',
      '\n',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(word), fc.nat(200), (words, at) => {
        const text = words.join(' ');
        const place = placeAt(parseFilterSyntax(text), Math.min(at, text.length));
        if (place.word !== undefined) expect(place.word.kind).toBe('word');
        if (place.block === undefined) expect(place.hasAction).toBe(false);
      }),
    );
  });
});
