import { describe, expect, it, test } from 'vitest';
import { compareRuns } from '../../../../src/core/compare/differences';
import { compareSides, type ComparedSides, type Side } from '../../../../src/core/compare/sides';
import { comparisonNotes } from '../../../../src/workflows/comparing/notes';
import { sideOf } from '../../core/compare/planted';

const [first, second] = [sideOf('a', 1), sideOf('b', 2)];
const sides = compareSides(first, second);
const notesOf = (compared: ComparedSides): string =>
  comparisonNotes([first, second], compared, compareRuns(compared)).join('\n');

/** Functions take 20 % longer or less time on the second side. */
const changed: ComparedSides = {
  ...sides,
  paths: sides.paths.map((path) => {
    const seconds = path.seconds.map((value, run) =>
      run < 5 ? value : value * (path.function % 2 === 0 ? 1.2 : 0.8),
    );
    return { ...path, seconds, values: seconds };
  }),
};

test('of a machine that changed say by how much functions differ, and what to do', () => {
  expect(notesOf(sides)).not.toContain('changed between the measurements');
  expect(notesOf(changed)).toMatch(
    /changed between the measurements: that moves functions by about (1[5-9]|2\d)(\.\d)? %, and in half of them hides changes of less than about .*; in functions whose runs differ less, smaller changes are certain, too\. .*by turns/,
  );
  expect(notesOf({ ...changed, isOneAfterOther: false })).not.toContain('changed between the measurements');
});

test('what a machine that changed is said to hide, is hidden, and what is larger is named', () => {
  const { hidden, changes } = compareRuns(changed);
  const one = changes[0]?.function ?? -1;
  const isNamed = (change: number): boolean => {
    const paths = changed.paths.map((path) => {
      const seconds = path.seconds.map((value, run) =>
        path.function === one && run >= 5 ? value * (1 + change) : value,
      );
      return { ...path, seconds, values: seconds };
    });
    return compareRuns({ ...changed, paths }).changes.some((row) => row.function === one && row.isSure);
  };
  expect(hidden).toBeGreaterThan(0.3);
  expect(isNamed(0.5 * hidden)).toBe(false);
  expect(isNamed(2 * hidden)).toBe(true);
});

test('of a load that differs name the side with more of it', () => {
  expect(notesOf({ ...changed, load: Math.log(1.5) })).toContain(
    'runs of b took 50.0 % more wall time for their processor time',
  );
  expect(notesOf({ ...changed, load: -Math.log(1.5) })).toContain('runs of a took 50.0 % more wall time');
});

test('of functions that wait give the whole, if that changed', () => {
  const waiting = (own: ComparedSides): ComparedSides => ({
    ...own,
    functions: own.functions.map((function_, at) => ({ ...function_, isWaiting: at % 2 === 0 })),
  });
  expect(notesOf(changed)).not.toContain('In MPI');
  expect(notesOf(waiting(sides))).not.toContain('In MPI');
  expect(notesOf(waiting(changed))).toMatch(/In MPI and at barriers: [\d.]+ m?s → [\d.]+ m?s\./);
});

test('of two parts of one run are none of a machine that changed', () => {
  const measured = (startedAt: string, host: string): Side['measured'] => [
    { ...{ buildId: '1', host, command: ['a'] }, startedAt, wallSeconds: 1, cpuSeconds: 1 },
  ];
  const notes = (one: Side['measured'], other: Side['measured']): string =>
    comparisonNotes(
      [
        { ...first, measured: one ?? [] },
        { ...sideOf('b', 2, { slower: 3 }), measured: other ?? [] },
      ],
      slower,
      compareRuns(slower),
    ).join('\n');
  const slower = compareSides(first, sideOf('b', 2, { slower: 3 }));
  const [then, later] = ['2026-11-27T10:00:00.000Z', '2026-11-27T11:00:00.000Z'];
  expect(notes(measured(then, 'x'), measured(then, 'x'))).toContain('Both are parts of the same run');
  expect(notes(measured(then, 'x'), measured(then, 'x'))).not.toContain('same build');
  expect(notes(measured(then, 'x'), measured(later, 'x'))).toContain('Both are the same build');
  expect(notes(measured(then, 'x'), measured(later, 'y'))).not.toMatch(/same (build|run)/);
});

test('of functions that were switched while the program ran name them, and the side', () => {
  const switched: Side = {
    ...second,
    runs: second.runs.map((run) => ({
      ...run,
      regions: run.regions.map((region, index) =>
        index === 1
          ? {
              ...region,
              name: 'solve(int)',
              attributes: new Map([['kymo::recordedPart', '10.000 20.000 10.000 1 20.000']]),
            }
          : region,
      ),
    })),
  };
  const notes = comparisonNotes([first, switched], sides, compareRuns(sides)).join('\n');
  expect(notes).toContain('solve was recorded in a part of the run only in b: differences there');
  expect(notesOf(sides)).not.toContain('in a part of the run only');
});

describe('what all functions have in common', () => {
  const notes = (second: Side): string => {
    const compared = compareSides(first, second);
    return comparisonNotes([first, second], compared, compareRuns(compared)).join('\n');
  };

  it('is no note where it is noise and no function is listed', () => {
    const noisy = { runNoise: 0.3, drift: 0.1 };
    const both = [sideOf('a', 1, {}, noisy), sideOf('b', 2, {}, noisy)] as const;
    const compared = compareSides(...both);
    const comparison = compareRuns(compared);
    expect(comparison.differences).toEqual([]);
    expect(Math.abs(Math.log(comparison.shift))).toBeGreaterThan(0.02);
    const text = comparisonNotes(both, compared, comparison).join('\n');
    expect(text).toContain('runs of one side differ too much');
    expect(text).not.toMatch(/Most functions|listed functions/);
  });

  it('does not speak of listed functions where none is listed', () => {
    const text = notes(sideOf('b', 2, {}, { drift: 0.3 }));
    expect(text).toMatch(/Most functions take about \d.*machine that is slower: no function stands out/);
    expect(text).not.toContain('listed functions');
  });

  it('is what listed functions changed otherwise than', () => {
    const text = notes(sideOf('b', 2, { slower: 2 }, { drift: 0.3 }));
    expect(text).toMatch(/Most functions take about .*: the listed functions changed differently/);
  });
});
