import { describe, expect, test } from 'vitest';
import { findings, mayBeFound, type Finding } from '../../../../src/editor/words/findings';
import type { FunctionRow } from '../../../../src/core/functions/functionRow';

const hot: FunctionRow = {
  key: 'hot',
  name: 'hot(int)',
  file: '/w/a.cpp',
  line: 3,
  selected: true,
  hasSite: true,
  visits: 1_200_000,
  inclusiveShare: 0.31,
  overheadPercent: 14,
};
const inlined: FunctionRow = {
  key: 'inlined',
  name: 'inlined(int)',
  file: '/w/a.cpp',
  line: 9,
  selected: false,
  hasSite: false,
  timeIn: [0],
  missed: true,
};
const rules = { overheadPercent: 5, inlinedAway: true };
const found = (
  functions: readonly FunctionRow[],
  options: Partial<typeof rules> & { readonly pinned?: string; readonly stale?: boolean } = {},
): readonly Finding[] =>
  findings(
    [{ line: 30, endLine: 40, measuredLine: 3, stale: options.stale ?? false, functions }],
    { ...rules, ...options },
    new Map(options.pinned === undefined ? [] : [[options.pinned, 'in' as const]]),
    (positions) => positions.map((at) => [hot, { ...hot, key: 'cold', inclusiveShare: 0.001 }][at] ?? hot),
  );

describe('what is warned of', () => {
  test('a function whose recording costs more than the limit', () => {
    const [one] = found([hot]);
    expect(one?.rule).toBe('excessive-overhead');
    expect(one?.message).toBe('Recording hot(int) costs 14 % of the run time (1.2 M visits).');
  });

  test('not at the limit, not when it is not recorded, not when it is pinned', () => {
    expect(found([{ ...hot, overheadPercent: 5 }])).toEqual([]);
    expect(found([{ ...hot, selected: false }])).toEqual([]);
    expect(found([hot], { pinned: 'hot' })).toEqual([]);
    expect(mayBeFound({ ...hot, overheadPercent: 5 }, rules)).toBe(false);
  });

  test('says when the function changed since', () =>
    expect(found([hot], { stale: true })[0]?.message).toMatch(/\(changed since the run\)\.$/));

  test('several instances of a template are one warning', () => {
    const [one, ...others] = found([
      { ...hot, overheadPercent: 6 },
      { ...hot, key: 'hot2', overheadPercent: 40 },
    ]);
    expect(one?.message).toBe(
      'Recording hot(int) costs 40 % of the run time (1.2 M visits); so does one more instance.',
    );
    expect(others).toEqual([]);
  });

  test('an inlined function with its callers, where these matter', () => {
    const [one] = found([inlined]);
    expect(one?.rule).toBe('inlined-away');
    expect(one?.message).toBe(
      'inlined(int) was inlined and cannot be recorded; its time is seen in hot(int).',
    );
    expect(one?.callers.map(({ key }) => key)).toEqual(['hot']);
    expect(found([{ ...inlined, timeIn: [1] }])).toEqual([]);
    expect(found([inlined, { ...hot, overheadPercent: 0 }])).toEqual([]);
    expect(found([inlined], { inlinedAway: false })).toEqual([]);
  });

  test('a name of 10 kB is cut', () =>
    expect(found([{ ...hot, name: 'n'.repeat(10_000) }])[0]?.message.length).toBeLessThan(250));
});
