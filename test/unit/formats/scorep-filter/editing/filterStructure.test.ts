import { describe, expect, test } from 'vitest';
import { foldedLines, outlineOf } from '../../../../../src/formats/scorep-filter/editing/filterStructure';
import { parseFilterSyntax } from '../../../../../src/formats/scorep-filter/syntax/parse';

const text = `# Initial filter file
# of scorep-score
SCOREP_REGION_NAMES_BEGIN
  EXCLUDE
    # type=USR
    # file='heap.cc'
    MANGLED _ZNK4Heap4lessEii
    _ZN4Heap4swapEii
  INCLUDE *keep* # why
SCOREP_REGION_NAMES_END
SCOREP_FILE_NAMES_BEGIN
  EXCLUDE */lib/*`;

describe('folding', () => {
  test('blocks keep their END, an open one goes to its last word; rules and comments of several lines fold', () => {
    expect(foldedLines(parseFilterSyntax(text))).toEqual([
      { first: 2, last: 8, isComment: false },
      { first: 3, last: 7, isComment: false },
      { first: 10, last: 11, isComment: false },
      { first: 0, last: 1, isComment: true },
      { first: 4, last: 5, isComment: true },
    ]);
  });

  test('a filter in one line has nothing to fold', () => {
    expect(
      foldedLines(parseFilterSyntax('SCOREP_REGION_NAMES_BEGIN EXCLUDE * SCOREP_REGION_NAMES_END')),
    ).toEqual([]);
  });
});

describe('the outline', () => {
  const [regions, files] = outlineOf(parseFilterSyntax(text));

  test('has the blocks with their patterns', () => {
    expect(regions).toMatchObject({ name: 'Region names', detail: '3 rules', kind: 'block' });
    expect(regions?.children.map(({ name, detail }) => `${detail} ${name}`)).toEqual([
      'EXCLUDE MANGLED _ZNK4Heap4lessEii',
      'EXCLUDE MANGLED _ZN4Heap4swapEii',
      'INCLUDE *keep*',
    ]);
    expect(files).toMatchObject({ name: 'File names', detail: '1 rule' });
  });

  test('what is named lies in what it is a part of', () => {
    for (const block of [regions, files]) {
      if (block === undefined) expect.fail('a block is missing');
      expect(text.slice(block.nameBegin, block.nameEnd)).toMatch(/_BEGIN$/);
      for (const { begin, end, name } of block.children) {
        expect(text.slice(begin, end)).toBe(name);
        expect(begin).toBeGreaterThan(block.begin);
        expect(end).toBeLessThanOrEqual(block.end);
      }
    }
  });

  test('of very many rules it shows the first ones', () => {
    const rules = Array.from({ length: 9000 }, (_, at) => `INCLUDE f${at}`).join('\n');
    const [block] = outlineOf(
      parseFilterSyntax(`SCOREP_REGION_NAMES_BEGIN\n${rules}\nSCOREP_REGION_NAMES_END`),
    );
    expect(block?.children).toHaveLength(2000);
    expect(block?.detail).toBe('9000 rules');
  });
});
