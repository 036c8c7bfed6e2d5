import { expect, test } from 'vitest';
import { compareRuns } from '../../../../src/core/compare/differences';
import { compareSides, type ComparedSides } from '../../../../src/core/compare/sides';
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
  expect(notesOf(sides)).not.toContain('beyond the noise of the repetitions');
  expect(notesOf(changed)).toMatch(
    /Functions differ by about (1[5-9]|2\d)(\.\d)? % beyond the noise of the repetitions.*changed between the measurements: only.*by turns/,
  );
  expect(notesOf({ ...changed, isOneAfterOther: false })).not.toContain(
    'beyond the noise of the repetitions',
  );
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
