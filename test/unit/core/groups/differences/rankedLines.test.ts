import { expect, test } from 'vitest';
import { rankedLines } from '../../../../../src/core/groups/differences/rankedLines';
import { groupNames } from '../../../../../src/core/groups/differences/readings';
import { contextOf } from '../contexts';

test('what a thread begins with, and another one calls, is told from the call', () => {
  const context = contextOf([
    { rank: 0, thread: 0, has: ['main', 'main>!$omp parallel @a.c:3', '!$omp parallel @a.c:3>work'] },
    { rank: 0, thread: 1, has: ['!$omp parallel @a.c:3', '!$omp parallel @a.c:3>work'] },
  ]);
  const attribute = context.attributes.findIndex(
    ({ caller, callee }) => caller === undefined && callee.startsWith('!$omp'),
  );
  const lines = rankedLines(context, groupNames(context));
  expect(lines.block({ group: 1, without: 0, attributes: [attribute], share: 0.25 })).toBe(
    'Thread 1, not the main thread: !$omp parallel @a.c:3 (without a caller); 1 of 4 pairs (25.0 %)',
  );
  const spread = { percentiles: { p2: 1, lower: 1, median: 1, upper: 1, p98: 2 }, seconds: 3 };
  expect(lines.spread({ ...spread, attribute: 0 })).toBe('main: 1 s to 2 s exclusive, 3 s together');
  // Functions have no callers.
  const functions = rankedLines({ ...context, kind: 'functions' }, groupNames(context));
  expect(functions.spread({ ...spread, attribute })).toBe(
    '!$omp parallel @a.c:3: 1 s to 2 s exclusive, 3 s together',
  );
});
