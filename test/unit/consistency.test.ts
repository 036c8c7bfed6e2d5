import { expect, test } from 'vitest';
import { treeContradictions } from '../consistency/callTree';
import { efficiencyContradictions } from '../consistency/efficiencyFactors';
import { findingContradictions } from '../consistency/findings';
import { flatContradictions, type FlatOutput } from '../consistency/flatProfile';
import { messageContradictions, type Messages } from '../consistency/messages';
import { dynamicsContradictions, type DynamicsOutput } from '../consistency/overTime';
import { roundContradictions, type StudyOutputs } from '../consistency/rounds';
import {
  efficiencyTextContradictions,
  findingsTextContradictions,
  profileTextContradictions,
} from '../consistency/texts';
import { profileText } from '../../src/cli/terminal/profileText';
import { propertyTable } from '../../src/cli/commands/properties';
import { makeContext } from '../../src/core/problems/context/makeContext';
import { findProperties } from '../../src/core/problems/findProperties';
import { profileFunctions } from '../../src/core/problems/profileFunctions';
import { standardMetrics } from '../../src/core/profile/metrics';
import type { Metric, Profile } from '../../src/core/profile/profile';
import { profileJson, type ProfileJson } from '../../src/formats/exports/json';
import { efficiencyReport, type EfficiencyReport } from '../../src/workflows/efficiency';
import { ranksReport } from '../../src/workflows/ranks';
import type { RefineRound } from '../../src/workflows/studies/refine.types';
import { ProfileBuilder } from '../profileBuilder';

const bytes = (name: string): Metric => ({
  ...standardMetrics.visits,
  ...{ name, displayName: name, unit: 'bytes', description: '' },
});

/** Two ranks: main → step → solve and MPI_Send, MPI_Recv. */
function profileOfRun(): Profile {
  const builder = new ProfileBuilder();
  const wait: Metric = { ...standardMetrics.time, name: 'mpi_latesender', stored: 'exclusive' };
  for (const metric of [
    ...Object.values(standardMetrics),
    bytes('bytes_sent'),
    bytes('bytes_received'),
    wait,
  ])
    builder.metric(metric);
  for (const rank of [0, 1]) {
    const process = builder.systemNode({ name: `rank ${rank}`, kind: 'process', rank });
    builder.location({ name: 'Master thread', rank, thread: 0, process, kind: 'thread' });
  }
  const path = (above: number | undefined, name: string, paradigm = 'compiler', role = 'function'): number =>
    builder.callPath(above, builder.region({ name, paradigm, role }));
  const main = path(undefined, 'main');
  const step = path(main, 'step');
  const solve = path(step, 'solve');
  const send = path(step, 'MPI_Send', 'mpi', 'point2point');
  const receive = path(step, 'MPI_Recv', 'mpi', 'point2point');
  for (const [node, seconds, visits] of [
    [main, [10, 10], 1],
    [step, [9, 9], 4],
    [solve, [7, 3], 4],
    [send, [0.5, 0.5], 4],
    [receive, [1, 5], 4],
  ] as const)
    for (const rank of [0, 1]) {
      const own = seconds[rank] ?? 0;
      builder.set('visits', node, rank, visits);
      builder.set('time', node, rank, own);
      builder.set('min_time', node, rank, own / visits / 2);
      builder.set('max_time', node, rank, own);
    }
  builder.set('mpi_latesender', receive, 1, 4);
  for (const rank of [0, 1]) {
    builder.set('bytes_sent', send, rank, 800);
    builder.set('bytes_received', receive, rank, 800);
  }
  return builder.build();
}

const profile = profileOfRun();
const context = makeContext({ profile });
const combined = profileJson(profile);
const perLocation = profileJson(profile, { perLocation: true });
const spreads = ranksReport(context);
const flat: FlatOutput = {
  ...combined,
  base: context.base,
  functions: profileFunctions(context).map((own) => {
    const ranks = spreads.spreads.get(own.key);
    return { ...own, ...(ranks === undefined ? {} : { ranks }) };
  }),
  ranks: spreads.ranks,
};
const findings = findProperties({ profile });
const report = efficiencyReport({ profile });
const messages: Messages = {
  ranks: 2,
  from: [0, 1],
  to: [1, 0],
  messages: [4, 4],
  bytes: [800, 800],
  seconds: [4, 0],
};
const dynamics: DynamicsOutput = {
  iterations: 4,
  phase: 'step',
  series: [
    {
      ...{ region: 'solve', metric: 'time', rank: 0, thread: 0, patterns: [{ from: 1, to: 4 }] },
      ...{ impact: 7, impactShare: 7 / 9, phaseTime: 9 },
    },
  ],
  rows: [],
  properties: [],
};

type Values = Record<string, { inclusive: (number | number[])[]; exclusive: (number | number[])[] }>;

/** A copy with one value changed. */
function changed(of: ProfileJson, change: (values: Values) => void): ProfileJson {
  const copy = structuredClone(of) as ProfileJson & { values: Values };
  change(copy.values);
  return copy;
}

function cell(values: Values, metric: string, path: number): number[] {
  return values[metric]?.exclusive[path] as number[];
}

function withRow(name: string, row: object): FlatOutput {
  const functions = (flat.functions ?? []).map((own) => (own.name === name ? { ...own, ...row } : own));
  return { ...flat, functions };
}

test('outputs of one run agree', () => {
  expect(treeContradictions({ combined, perLocation })).toEqual([]);
  expect(flatContradictions(flat, perLocation)).toEqual([]);
  expect(findings.length).toBeGreaterThan(3);
  expect(findingContradictions(findings, flat)).toEqual([]);
  expect(efficiencyContradictions(report, flat, findings, [])).toEqual([]);
  expect(messageContradictions(messages, perLocation)).toEqual([]);
  expect(dynamicsContradictions(dynamics, flat, perLocation, findings)).toEqual([]);
});

test.each<[string, (values: Values) => void, RegExp]>([
  [
    'callees with more than their caller',
    (values) => (cell(values, 'time', 1)[0] = -1),
    /^time of main > step at rank 0, thread 0: its callees have/,
  ],
  [
    'parts that do not make the whole',
    (values) => ((values.visits!.inclusive[1] as number[])[1] = 3),
    /^visits of main > step at rank 1, thread 0: 3, its parts are 16/,
  ],
  [
    'locations that do not add up',
    (values) => (cell(values, 'time', 2)[0] = 6),
    /^exclusive time of main > step > solve: 10, and its locations have 9 together/,
  ],
  [
    'a least value of none of the locations',
    (values) => (cell(values, 'min_time', 2)[1] = 0.1),
    /^exclusive min_time of main > step > solve/,
  ],
  [
    'own time without a visit',
    (values) => (cell(values, 'visits', 2)[0] = 0),
    /solve at rank 0, thread 0 takes 7 s itself, and was never visited/,
  ],
  [
    'a mean above the most',
    (values) => (cell(values, 'max_time', 2)[0] = 1),
    /solve at rank 0, thread 0: 1.75 s per visit, between 0.875 and 1 s/,
  ],
  [
    'a mean below the least',
    (values) => (cell(values, 'min_time', 2)[0] = 2),
    /solve at rank 0, thread 0: 1.75 s per visit, between 2 and 7 s/,
  ],
  [
    'more waiting than time',
    (values) => (cell(values, 'mpi_latesender', 4)[1] = 6),
    /MPI_Recv at rank 1, thread 0: 6 s mpi_latesender in 5 s/,
  ],
])('in the call tree: %s', (_, change, sentence) => {
  expect(treeContradictions({ combined, perLocation: changed(perLocation, change) })).toContainEqual(
    expect.stringMatching(sentence),
  );
});

test('in the call tree: bytes that nobody receives', () => {
  const lost = changed(combined, (values) => ((values.bytes_received!.exclusive as number[])[4] = 0));
  expect(treeContradictions({ combined: lost, perLocation })).toContainEqual(
    'the job sends 1600 bytes and receives 0',
  );
});

test.each<[string, FlatOutput, RegExp]>([
  [
    'a share of other seconds',
    withRow('solve', { exclusiveShare: 0.4 as never }),
    /^exclusive share of solve, and its seconds/,
  ],
  [
    'an inclusive share of other seconds',
    withRow('solve', { inclusiveShare: 0.4 as never }),
    /^inclusive share of solve/,
  ],
  [
    'other visits than in the call tree',
    withRow('solve', { visits: 9 }),
    /^visits of solve, and of its call paths: 9 and 8/,
  ],
  [
    'functions that do not add up',
    withRow('solve', { exclusiveSeconds: 8 }),
    /^exclusive seconds of all functions, and the base: 18 and 20/,
  ],
  [
    'ranks that do not add up',
    { ...flat, ranks: flat.ranks?.map((own) => ({ ...own, computingSeconds: 1 })) ?? [] },
    /^time of all ranks, and computing time/,
  ],
  [
    'a rank that the run lacks',
    withRow('solve', {
      ranks: { leastSeconds: 3, meanSeconds: 5, mostSeconds: 7, leastRanks: '1', mostRanks: '0,2' },
    }),
    /^solve: computation of the ranks: ranks 0,2, and the run has 0,1/,
  ],
  [
    'a mean above the most',
    withRow('solve', {
      ranks: { leastSeconds: 3, meanSeconds: 8, mostSeconds: 7, leastRanks: '1', mostRanks: '0' },
    }),
    /at least 3, on average 8, at most 7 s/,
  ],
  [
    'a base that is not the measured time',
    { ...flat, base: { ...context.base, leftOut: [{ what: 'recording', seconds: 1 }] } },
    /^the base with what it leaves out, and the measured time: 21 and 20/,
  ],
])('in the flat profile: %s', (_, output, sentence) => {
  expect(flatContradictions(output, perLocation)).toContainEqual(expect.stringMatching(sentence));
});

test.each<[string, Partial<EfficiencyReport['run']>, RegExp]>([
  [
    'factors that do not multiply',
    { loadBalance: 0.9 as never },
    /^the run: parallel efficiency, and load balance ×/,
  ],
  ['more than all', { communication: 1.2 as never }, /^the run: communication is 1.2/],
  [
    'serialisation and transfer',
    { transfer: 0.1 as never },
    /^the run: communication efficiency, and serialisation ×/,
  ],
  ['another run time than the base', { runSeconds: 11 }, /^run time of efficiency, and its base: 11 and 10/],
  ['a rank too many', { slowestRanks: '0-2' }, /^efficiency of the run: ranks 0-2/],
  ['a mean above the maximum', { meanSeconds: 9 }, /^the run: mean 9, maximum 8.5, run time 10 s/],
])('in efficiencies: %s', (_, change, sentence) => {
  const other = { ...report, run: { ...report.run, ...change } };
  expect(efficiencyContradictions(other, flat, findings, [])).toContainEqual(expect.stringMatching(sentence));
});

test('in efficiencies: other numbers in findings and in functions.json', () => {
  const lost = findings.map((own) => (own.kind === 'parallel-efficiency' ? { ...own, severity: 0.9 } : own));
  expect(efficiencyContradictions(report, flat, lost, [])).toContainEqual(
    expect.stringMatching(/^Parallel efficiency is .*: its severity, and what is lost: 0.9/),
  );
  const [first] = report.functions;
  const row = { key: first?.key, efficiency: { ...first, parallel: 0.1 } };
  expect(efficiencyContradictions(report, flat, findings, [row as never])).toContainEqual(
    expect.stringMatching(/^parallel of \w+ in profile, by efficiency and in functions.json/),
  );
});

test.each<[string, object, RegExp]>([
  [
    'another severity than in its title',
    { severity: 0.2 },
    /^“solve itself takes .*” has the severity 20.0 %/,
  ],
  ['a severity above all', { severity: 1.2 }, /its severity is 1.2$/],
  [
    'a place that is not there',
    { region: { name: 'solve', file: '/missing.c', line: 1 } },
    /there is no \/missing.c$/,
  ],
  [
    'a line that is not there',
    { region: { name: 'solve', file: import.meta.filename, line: 99_999 } },
    /has no line 99999$/,
  ],
  ['a rank that the run lacks', { ranks: '7' }, /ranks 7, and the run has 0,1$/],
  ['a whole that is no finding', { refines: 'nothing' }, /refines nothing, which is no finding$/],
  [
    'visits that the profile lacks',
    { evidence: { visits: 1 } },
    /visits, and those of the profile: 1 and 8$/,
  ],
  [
    'seconds of another share',
    { evidence: { exclusiveShare: 0.5, exclusiveSeconds: 1 } },
    /its exclusive seconds, and its share of 20 s: 1 and 10$/,
  ],
])('in findings: %s', (_, change, sentence) => {
  const other = findings.map((own) => (own.id === 'hot-spot:solve' ? { ...own, ...change } : own));
  expect(findingContradictions(other, flat)).toContainEqual(expect.stringMatching(sentence));
});

test.each<[string, Partial<Messages>, RegExp]>([
  [
    'bytes that no call sent',
    { bytes: [900, 800] },
    /^bytes that rank 0 sent, in the matrix and in its calls: 900 and 800$/,
  ],
  [
    'bytes that no call received',
    { to: [1, 1] },
    /^bytes that rank 1 received, in the matrix and in its calls: 1600 and 800$/,
  ],
  ['more messages than calls', { messages: [5, 4] }, /^rank 0 sent 5 messages by 4 calls$/],
  ['another waiting', { seconds: [1, 0] }, /^seconds that receives waited, .*: 1 and 4$/],
  ['ranks that are none', { ranks: 3 }, /^the matrix has 3 ranks, the profile 2$/],
])('in messages: %s', (_, change, sentence) => {
  expect(messageContradictions({ ...messages, ...change }, perLocation)).toContainEqual(
    expect.stringMatching(sentence),
  );
});

test.each<[string, Partial<DynamicsOutput>, RegExp]>([
  [
    'other iterations than visits of the phase',
    { iterations: 5 },
    /^iterations, and visits of the phase: 5 and 4$/,
  ],
  [
    'a share of another time',
    { series: dynamics.series.map((own) => ({ ...own, impact: 1 })) },
    /its share, and its impact/,
  ],
  [
    'a pattern outside of the run',
    { series: dynamics.series.map((own) => ({ ...own, patterns: [{ from: 3, to: 9 }] })) },
    /iterations 3 to 9 of 4$/,
  ],
  [
    'waiting that the profile calls computing',
    {
      properties: [
        {
          id: 'x',
          kind: 'synchronisation',
          title: 'Solve waits',
          confidence: 1,
          region: { name: 'solve' },
          evidence: {},
        },
      ],
    },
    /^“Solve waits” is synchronisation over time, and solve is hot-spot in the run$/,
  ],
])('over time: %s', (_, change, sentence) => {
  expect(dynamicsContradictions({ ...dynamics, ...change }, flat, perLocation, findings)).toContainEqual(
    expect.stringMatching(sentence),
  );
});

const round: RefineRound = {
  ...{ index: 0, runs: 1, instrumented: 2, executed: 2, visits: 20, changed: 0, clock: 'cpu' },
  ...{ medianSeconds: 2, baselineSeconds: 1, cpuSeconds: 4.2, baselineCpuSeconds: 4, overheadPercent: 5 },
};
const row = { name: '', reason: '', selected: true, hasSite: true, visits: 3 };
const study: StudyOutputs = {
  result: {
    iterations: [round],
    final: { instrumented: 2, predictedPercent: 1, iteration: 0 },
    hotFunctions: [],
    functionsKnown: 2,
  },
  functions: [
    { ...row, key: 'a' },
    { ...row, key: 'b' },
  ] as never,
  runs: [
    [{ variant: 'measured', ranks: 1, wallSeconds: 2, cpuSeconds: 4.2, instrumented: 2, selection: 's' }],
  ],
  selections: [{ id: 's', selected: ['a', 'b'] }],
  included: ['a', 'b'],
};

test.each<[string, Partial<RefineRound>, RegExp]>([
  ['an overhead of other times', { overheadPercent: 6 }, /^round 0: overhead, and its times: 6 and 5/],
  [
    'times of no run',
    { cpuSeconds: 4.4, overheadPercent: 10 },
    /^round 0: CPU time, and that of its run: 4.4 and 4.2$/,
  ],
  [
    'more functions than its runs',
    { instrumented: 3 },
    /^round 0: functions, and those of its run: 3 and 2$/,
  ],
  ['more executed than instrumented', { executed: 3 }, /^round 0 executed 3 of 2$/],
  ['runs that are not there', { runs: 2 }, /^round 0: runs: 2 and 1$/],
])('in rounds: %s', (_, change, sentence) => {
  expect(roundContradictions(study)).toEqual([]);
  const result = { ...study.result, iterations: [{ ...round, ...change }] };
  expect(roundContradictions({ ...study, result })).toContainEqual(expect.stringMatching(sentence));
});

test('in a study: other functions in the filter than selected', () => {
  expect(roundContradictions({ ...study, included: ['a'] })).toEqual([
    'functions of the final selection, and those of the filter: 2 and 1',
  ]);
  const selections = [{ id: 't', selected: ['a'] }];
  expect(roundContradictions({ ...study, selections })).toEqual([
    'round 0 ran with the selection s',
    'functions of the final selection, and those of round 0: 2 and 1',
  ]);
});

test('texts and documents show the same numbers', () => {
  const options = { title: 'p', perLocation: true, rows: 20, folder: '/' };
  const text = profileText(profile, context, options);
  expect(profileTextContradictions(text, flat)).toEqual([]);
  expect(profileTextContradictions(text, withRow('solve', { visits: 9 }))).toEqual([
    'profile show: solve: visits is 8 in the text and 9 in the JSON',
  ]);
  expect(profileTextContradictions(text.replace(/^ .* solve$/m, ''), flat)).not.toEqual([]);
  const table = propertyTable(findings);
  expect(findingsTextContradictions(table, findings)).toEqual([]);
  expect(findingsTextContradictions(table, findings.slice(1))).toHaveLength(1);
  expect(efficiencyTextContradictions('', report)).not.toEqual([]);
});
