import { describe, expect, test } from 'vitest';
import { lensesOf } from '../../../../src/engine/requests/filterLensText';
import { keywordHelp, matchesMarkdown } from '../../../../src/engine/requests/filterTexts';
import { filterKeywords } from '../../../../src/formats/scorep-filter/syntax/keywords';
import { parseFilterSyntax } from '../../../../src/formats/scorep-filter/syntax/parse';
import type { FilterInspection } from '../../../../src/workflows/filters/inspectFilter';

const text = `SCOREP_REGION_NAMES_BEGIN
  EXCLUDE *
  INCLUDE MANGLED _Za
  INCLUDE _Zb c*
SCOREP_REGION_NAMES_END
`;

const inspection: FilterInspection = {
  known: { kind: 'study', label: 'refine-1' },
  total: 10,
  instrumented: { 'compile-time': 2, 'run-time': 3 },
  matches: Uint32Array.of(10, 1, 0, 2),
  wins: Uint32Array.of(7, 1, 0, 2),
  uncertain: Uint8Array.of(0, 0, 1, 0),
  diagnostics: [],
};

describe('lenses of a filter', () => {
  const lenses = lensesOf(parseFilterSyntax(text), inspection);

  test('the whole filter, and each INCLUDE and EXCLUDE', () => {
    expect(lenses.filter(({ ofName }) => !ofName).map(({ line, title }) => `${line}: ${title}`)).toEqual([
      '0: Instruments 2 (at run time 3) of 10 functions of study refine-1',
      '1: matches 10 of 10 functions, decides 7',
      '3: 2 patterns decide 2 of 10 functions',
    ]);
  });

  test('a rule for one name is told apart: its lens is an option', () => {
    expect(lenses.filter(({ ofName }) => ofName)).toEqual([
      { line: 2, title: 'matches 1 of 10 functions', rules: [1], ofName: true },
    ]);
  });

  test('of very many there are the first ones, and wildcards are not pushed out by names', () => {
    const names = Array.from({ length: 5000 }, (_, at) => `INCLUDE MANGLED f${at}`).join('\n');
    const all = lensesOf(
      parseFilterSyntax(`SCOREP_REGION_NAMES_BEGIN\n${names}\nEXCLUDE *x\nSCOREP_REGION_NAMES_END`),
      inspection,
    );
    expect(all).toHaveLength(2000 + 2);
    expect(all.some(({ line }) => line === 5001)).toBe(true);
  });
});

describe('hovers of a filter', () => {
  test('every keyword has help', () => {
    for (const keyword of filterKeywords) expect(keywordHelp.get(keyword)?.length ?? 0).toBeGreaterThan(20);
  });

  test('names are text, whatever they contain', () => {
    const name = '<img src=x>[run](command:x)`*$(zap)';
    const found = { total: 3, matches: [{ name, instrumented: true, decided: true }] };
    const markdown = matchesMarkdown(inspection, 0, found);
    expect(markdown).toMatch(/^Matches 10 of 10 functions, decides 7:/);
    expect(markdown).toContain('… and 2 more');
    expect(markdown).not.toContain('<img');
    expect(markdown).not.toContain('[run](');
    expect(markdown).not.toContain(' $(zap)');
  });

  test('a pattern that only the compiler’s spelling may match says so', () => {
    expect(matchesMarkdown(inspection, 2, { total: 0, matches: [] })).toContain('only the compiler knows');
  });
});
