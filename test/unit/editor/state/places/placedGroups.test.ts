import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashLines } from '../../../../../src/core/lines/lineHashes';
import { LineMap } from '../../../../../src/core/lines/lineMap';
import { heatLevel, heatRanges } from '../../../../../src/editor/words/functions/heatLevels';
import { groupAt, placeGroups, type PlacedGroup } from '../../../../../src/editor/state/places/placedGroups';
import type { FunctionRow } from '../../../../../src/core/functions/functionRow';

const functionAt = (line: number, endLine?: number, exclusiveShare?: number): FunctionRow => ({
  key: `f${line}`,
  name: `f${line}`,
  file: '/w/a.f90',
  line,
  ...(endLine === undefined ? {} : { endLine }),
  ...(exclusiveShare === undefined ? {} : { exclusiveShare }),
  selected: true,
  hasSite: true,
});
const groupsOf = (...functions: readonly FunctionRow[]) =>
  functions.map((one) => ({ line: one.line ?? 1, functions: [one] }));
const source = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
const mapTo = (text: readonly string[]): LineMap =>
  LineMap.between(hashLines(source.join('\n')), hashLines(text.join('\n')));

describe('functions at the lines of today', () => {
  test('they keep their order and their number while text is typed above, between and in them', () => {
    const groups = groupsOf(functionAt(2, 4), functionAt(5, 8), functionAt(9, 12));
    fc.assert(
      fc.property(fc.array(fc.nat(12), { maxLength: 5 }), (places) => {
        const text = [...source];
        for (const at of places) text.splice(at, 0, `typed ${at}`);
        const placed = placeGroups(groups, mapTo(text), text.length);
        expect(placed.map(({ measuredLine }) => measuredLine)).toEqual([2, 5, 9]);
        for (const { line, measuredLine } of placed) expect(text[line - 1]).toBe(`line ${measuredLine}`);
      }),
    );
  });

  test('only the one that was edited is stale', () => {
    const text = source.with(5, 'other');
    const placed = placeGroups(
      groupsOf(functionAt(2, 4), functionAt(5, 8), functionAt(9)),
      mapTo(text),
      text.length,
    );
    expect(placed.map(({ stale }) => stale)).toEqual([false, true, false]);
  });

  test('without an end, a function reaches to the next one, and the last one to the end of the file', () => {
    const placed = placeGroups(groupsOf(functionAt(2), functionAt(6)), mapTo(source), source.length);
    expect(placed.map(({ line, endLine }) => [line, endLine])).toEqual([
      [2, 5],
      [6, 12],
    ]);
  });

  test('without an end, an edit before the next function makes it stale, and blank lines at its end are not its own', () => {
    const text = source.with(3, 'other').with(4, '');
    const placed = placeGroups(groupsOf(functionAt(2), functionAt(6)), mapTo(text), text.length);
    expect(placed.map(({ endLine, stale }) => [endLine, stale])).toEqual([
      [4, true],
      [12, false],
    ]);
  });

  test('what lies beyond the text, or was deleted, is left out', () => {
    const text = source.slice(0, 4);
    expect(placeGroups(groupsOf(functionAt(2, 4), functionAt(9, 12)), mapTo(text), 4)).toHaveLength(1);
    expect(placeGroups(groupsOf(functionAt(900)), LineMap.identity(new Uint32Array(4)), 4)).toHaveLength(0);
  });

  test('a line belongs to the innermost function around it', () => {
    const placed = placeGroups(groupsOf(functionAt(2, 10), functionAt(4, 5)), mapTo(source), source.length);
    const keyAt = (line: number): string | undefined => groupAt(placed, line)?.functions[0]?.key;
    expect([1, 2, 4, 5, 6, 10, 11].map(keyAt)).toEqual([undefined, 'f2', 'f4', 'f4', 'f2', 'f2', undefined]);
  });
});

describe('heat', () => {
  test('has seven levels by exclusive share, and none below 1 %', () => {
    expect([0, 0.009, 0.01, 0.03, 0.07, 0.15, 0.3, 0.4, 0.9].map(heatLevel)).toEqual([
      undefined,
      undefined,
      0,
      1,
      2,
      3,
      4,
      5,
      6,
    ]);
  });

  test('an inner function is left out of the one around it', () => {
    const placed = placeGroups(
      groupsOf(functionAt(2, 10, 0.6), functionAt(4, 5, 0.03), functionAt(11, 12, 0.001)),
      mapTo(source),
      source.length,
    );
    const ranges = heatRanges(placed);
    expect(ranges[6]).toEqual([
      [2, 3],
      [6, 10],
    ]);
    expect(ranges[1]).toEqual([[4, 5]]);
    expect(ranges.flat()).toHaveLength(3);
  });

  test('what only an earlier round measured has no heat: the last run has its time in the caller', () => {
    const earlier = { ...functionAt(4, 5, 0.9), earlier: true as const };
    const placed = placeGroups(groupsOf(functionAt(2, 3, 0.6), earlier), mapTo(source), source.length);
    expect(heatRanges(placed).flat()).toEqual([[2, 3]]);
  });

  test('no line has two levels, whatever the functions', () => {
    const group = fc
      .tuple(fc.integer({ min: 1, max: 60 }), fc.nat(20), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([line, length, share]): PlacedGroup => ({
        line,
        endLine: line + length,
        stale: false,
        measuredLine: line,
        functions: [functionAt(line, line + length, share)],
      }));
    fc.assert(
      fc.property(fc.uniqueArray(group, { selector: ({ line }) => line, maxLength: 12 }), (groups) => {
        const ordered = [...groups].sort((a, b) => a.line - b.line);
        const lines = heatRanges(ordered)
          .flat()
          .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
        expect(new Set(lines).size).toBe(lines.length);
      }),
      { numRuns: 1000 },
    );
  });
});
