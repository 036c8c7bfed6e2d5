import { describe, expect, test } from 'vitest';
import { matchConstructs } from '../../../../src/core/compare/matchConstructs';

interface Given {
  readonly kind?: string;
  readonly line: number;
  readonly by?: string;
}

/** Constructs of `a.f90`, each in a function. */
function side(...constructs: readonly Given[]) {
  const functions = ['f', 'g', 'h'];
  return [
    ...functions.map((key) => ({ key, name: key, callers: new Set<string>() })),
    ...constructs.map(({ kind = 'parallel', line, by = 'f' }) => {
      const key = `!$omp ${kind} @a.f90:${line}`;
      return { key, name: key, callers: new Set([by]) };
    }),
  ];
}

function pairs(
  first: readonly Given[],
  second: readonly Given[],
  match: readonly (readonly [string, string])[] = [
    ['f', 'f'],
    ['g', 'g'],
  ],
): readonly string[] {
  const text = (key: string): string => key.replace('!$omp ', '').replace(' @a.f90', '');
  return matchConstructs(side(...first), side(...second), new Map(match))
    .map(([a, b]) => `${text(a)} → ${text(b)}`)
    .sort();
}
const at = (...lines: readonly number[]): readonly Given[] => lines.map((line) => ({ line }));

describe('OpenMP constructs of two versions', () => {
  test('are the same where their lines alone moved', () => {
    expect(pairs(at(42, 63), at(45, 66))).toEqual(['parallel:42 → parallel:45', 'parallel:63 → parallel:66']);
    // One has the former line of the other.
    expect(pairs(at(10, 13), at(13, 16))).toEqual(['parallel:10 → parallel:13', 'parallel:13 → parallel:16']);
  });
  test('are those between which the fewest lines were inserted, if there is one more or less', () => {
    const lines = at(10, 20, 30, 40, 50);
    const more = at(10, 20, 23, 38, 48, 58);
    expect(pairs(lines, more)).toEqual([
      'parallel:10 → parallel:10',
      'parallel:20 → parallel:20',
      'parallel:30 → parallel:38',
      'parallel:40 → parallel:48',
      'parallel:50 → parallel:58',
    ]);
    expect(pairs(more, lines)).toEqual([
      'parallel:10 → parallel:10',
      'parallel:20 → parallel:20',
      'parallel:38 → parallel:30',
      'parallel:48 → parallel:40',
      'parallel:58 → parallel:50',
    ]);
  });
  test('are of one kind and of one function', () => {
    expect(pairs([{ line: 10, kind: 'barrier' }], at(10))).toEqual([]);
    expect(pairs([{ line: 10, by: 'f' }], [{ line: 10, by: 'g' }])).toEqual([]);
    expect(
      pairs(
        [
          { line: 10, by: 'f' },
          { line: 20, by: 'g' },
        ],
        [
          { line: 10, by: 'g' },
          { line: 20, by: 'f' },
        ],
      ),
    ).toEqual(['parallel:10 → parallel:20', 'parallel:20 → parallel:10']);
  });
  test('are of functions of other names that are the same', () => {
    expect(pairs([{ line: 10, by: 'f' }], [{ line: 12, by: 'h' }], [['h', 'f']])).toEqual([
      'parallel:10 → parallel:12',
    ]);
    expect(pairs([{ line: 10, by: 'f' }], [{ line: 10, by: 'h' }], [])).toEqual([]);
  });
  test('have the function of the construct around them', () => {
    const parallel = '!$omp parallel @a.f90:10';
    const nested = (by: string, line: number): Given => ({ kind: 'barrier', line, by });
    expect(
      pairs([{ line: 10 }, nested(parallel, 10)], [{ line: 14 }, nested('!$omp parallel @a.f90:14', 14)]),
    ).toEqual(['barrier:10 → barrier:14', 'parallel:10 → parallel:14']);
  });
  test('are matched by their order where they are too many to compare', () => {
    const many = (shift: number, count: number): readonly Given[] =>
      at(...Array.from({ length: count }, (_, i) => 2 * i + 1 + shift));
    expect(pairs(many(0, 100), many(50, 160))).toHaveLength(100);
  });
  test('are matched already', () => {
    const done: readonly (readonly [string, string])[] = [
      ['f', 'f'],
      ['!$omp parallel @a.f90:10', '!$omp parallel @a.f90:10'],
    ];
    expect(pairs(at(10, 20), at(10, 22), done)).toEqual(['parallel:20 → parallel:22']);
  });
});
