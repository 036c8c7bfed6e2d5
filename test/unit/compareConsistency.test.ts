import { expect, test } from 'vitest';
import { compareText } from '../../src/cli/terminal/compare/compareText';
import { compareInputs, type CompareInput, type CompareReport } from '../../src/workflows/compare';
import { compareContradictions } from '../consistency/compare';
import { runOf, type Call } from './core/problems/runs';

const call = (name: string, seconds: number, visits: number, calls: readonly Call[] = []): Call => ({
  region: { name, file: `/src/${name}.c`, firstLine: 10 },
  seconds: [seconds],
  visits: [visits],
  calls,
});
const input = (name: string, ...calls: readonly Call[]): CompareInput => ({
  name,
  runs: [1, 2, 3].map((run) => ({ profile: runOf(call('main', 0.1, 1, calls), 1), run: `${name}${run}` })),
});
const [before, after] = [
  input('before', call('solve', 1, 10, [call('dot', 0.5, 100)]), call('old', 0.2, 1)),
  input('after', call('solve', 1.2, 10, [call('dot', 1, 200)]), call('completely', 0.1, 7)),
];
const report = compareInputs([before, after]);
const back = compareInputs([after, before]);

function contradictionsIn(changed: CompareReport): readonly string[] {
  return compareContradictions(changed, { back, text: compareText(report) });
}

test('a comparison agrees with itself, its mirror image, and what is printed', () => {
  expect(report.differences.map(({ kind }) => kind).sort()).toEqual([
    ...['added-work', 'changed-count', 'removed-work', 'slower', 'slower'],
  ]);
  expect(contradictionsIn(report)).toEqual([]);
});

test.each<[string, (given: CompareReport) => CompareReport]>([
  ['a pair', (given) => ({ ...given, pairs: given.pairs.map((pair) => ({ ...pair, unchanged: 0 })) })],
  [
    'a kind',
    (given) => ({ ...given, differences: given.differences.map((one) => ({ ...one, kind: 'faster' })) }),
  ],
  ['a finding', (given) => ({ ...given, properties: given.properties.slice(1) })],
  [
    'a number',
    (given) => ({
      ...given,
      differences: given.differences.map((one) => ({
        ...one,
        sides: one.sides.map((side) => (side === null ? null : { ...side, seconds: side.seconds * 1.5 })),
      })),
    }),
  ],
  ['a note', (given) => ({ ...given, notes: [...given.notes, 'It is new.'] })],
])('%s that is changed is found', (_, change) => {
  expect(contradictionsIn(change(report))).not.toEqual([]);
});
