import { expect, test } from 'vitest';
import { profileJson } from '../../src/formats/exports/json';
import { compareProcesses, type GroupsReport } from '../../src/workflows/groups';
import { groupContradictions } from '../consistency/groups';
import { runOf } from './core/problems/runs';

const profile = runOf(
  {
    region: { name: 'main' },
    seconds: [1, 1, 1],
    calls: [
      {
        region: { name: 'work' },
        seconds: [0, 3, 3],
        calls: [{ region: { name: 'send' }, seconds: [0, 1, 1] }],
      },
      { region: { name: 'write' }, seconds: [5, 0, 0] },
    ],
  },
  3,
);
const report = compareProcesses([{ run: 'p.cubex', measured: { profile } }]);
const elsewhere = {
  text: [
    '3 processes in 2 groups, by 4 pairs of caller and callee:',
    '',
    'group  processes  pairs  similarity  representative  which processes',
    '    1          1      2       100 %  0:0             0',
    '    2          2      3       100 %  1:0             1–2',
    '',
    'similar     1     2',
    '      1  1.00  0.25',
    '      2  0.25  1.00',
    '',
    ...report.sentences,
  ].join('\n'),
  perLocation: profileJson(profile, { perLocation: true }),
  findings: report.properties,
};

test('groups, their processes, differences, texts and findings agree', () => {
  expect(report.groups.map(({ members }) => members)).toEqual([[0], [1, 2]]);
  expect(report.differences).not.toEqual([]);
  expect(report.properties).not.toEqual([]);
  expect(groupContradictions(report, elsewhere)).toEqual([]);
});

/** A copy that may be changed. */
type Changed = { -readonly [Key in keyof GroupsReport]: unknown } & {
  groups: Record<string, unknown>[];
  differences: Record<string, unknown>[];
};

test.each<[string, (copy: Changed) => void, RegExp]>([
  ['a process in two groups', ({ groups }) => (groups[0]!.members = [0, 1]), /in no group, or in several/],
  [
    'a representative of another group',
    ({ groups }) => (groups[0]!.representative = 2),
    /represented by a process of another/,
  ],
  ['pairs that nobody visited', ({ groups }) => (groups[1]!.attributes = [0, 3]), /1–2: member 1 calls/],
  [
    'another similarity',
    (copy) =>
      (copy.similarity = [
        [1, 0.5],
        [0.25, 1],
      ]),
    /groups 1 and 2.*0\.5 and 0\.25/,
  ],
  [
    'less work than the same',
    (copy) =>
      (copy.subsumption = [
        [0.9, 0],
        [0, 1],
      ]),
    /group 1 does 0\.9 of group 1/,
  ],
  ['another kind', ({ differences }) => (differences[0]!.kind = 'more'), /one does .* of the other/],
  [
    'a function of both',
    ({ differences }) => (differences[0]!.functions = ['main']),
    /main is not what is diff/,
  ],
  [
    'a sentence that is not printed',
    (copy) => (copy.sentences = ['Nobody works.']),
    /does not print “Nobody/,
  ],
  ['no findings', (copy) => (copy.properties = []), /groups finds , and properties different-work/],
])('%s', (_, change, sentence) => {
  const copy = structuredClone(report) as unknown as Changed;
  change(copy);
  expect(groupContradictions(copy as unknown as GroupsReport, elsewhere)).toContainEqual(
    expect.stringMatching(sentence),
  );
});
