import { describe, expect, test } from 'vitest';
import type { Property } from '../../../../src/core/properties/property';
import type { FunctionRow } from '../../../../src/core/functions/functionRow';
import { findRecordingProblems } from '../../../../src/core/problems/recordingProblems';

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
const quiet: FunctionRow = { ...hot, overheadPercent: 0 };
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
const found = (functions: readonly FunctionRow[], limit = 5): readonly Property[] =>
  findRecordingProblems(functions, limit).map(({ property }) => property);

describe('what is wrong with a recording', () => {
  test('a function whose recording costs more than the limit', () =>
    expect(found([hot])).toEqual([
      {
        id: 'excessive-overhead:hot',
        kind: 'excessive-overhead',
        title: 'Recording hot(int) costs 14 % of the run time (1.2 M visits)',
        severity: 0.14,
        confidence: 1,
        region: { name: 'hot(int)', file: '/w/a.cpp', line: 3 },
        evidence: { visits: 1_200_000, overheadPercent: 14, thresholdPercent: 5 },
      },
    ]));

  test('not at the limit, and not when it is not recorded', () => {
    expect(found([{ ...hot, overheadPercent: 5 }])).toEqual([]);
    expect(found([{ ...hot, selected: false }])).toEqual([]);
    expect(found([hot], 14)).toEqual([]);
  });

  test('an inlined function with its callers, where these matter', () => {
    const [problem] = findRecordingProblems([quiet, inlined], 5);
    expect(problem?.property.id).toBe('inlined-away:inlined');
    expect(problem?.property.title).toBe(
      'inlined(int) was inlined and cannot be recorded; its time is seen in hot(int)',
    );
    expect(problem?.callers).toEqual([0]);
    expect(found([{ ...quiet, inclusiveShare: 0.001 }, inlined])).toEqual([]);
  });

  test('not when another instance at the same line can be recorded', () =>
    expect(found([quiet, inlined, { ...quiet, key: 'other', line: 9 }])).toEqual([]));

  test('a function that the back-end leaves out, for its reason', () =>
    expect(found([quiet, { ...inlined, notRecorded: 'runs before main' }])).toMatchObject([
      { id: 'not-recorded:inlined', title: 'inlined(int) runs before main; its time is seen in hot(int)' },
    ]));
});
