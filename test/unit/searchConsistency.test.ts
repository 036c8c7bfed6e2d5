import { describe, expect, test } from 'vitest';
import { readProfileInput } from '../../src/cli/arguments/inputs';
import { publishedHypotheses } from '../../src/core/diagnosis/hypotheses/published';
import type { SearchNode, SearchRecord } from '../../src/core/diagnosis/search/searchRecord';
import { diagnose, type DiagnosisRequest } from '../../src/workflows/diagnose';
import { asMeasured } from '../../src/workflows/studies/profileOrigin';
import { contradictionsOf, printed, type Printed } from '../consistency/search/searchChecks';
import { searchContradictions } from '../consistency/search/searchOutput';
import { sharedData } from '../shared';

const lulesh = 'test/fixtures/cube4/lulesh-mpi.cubex';
const files = [
  lulesh,
  'test/fixtures/cube4/tiny.cubex',
  'test/data/scorep/nbody.cubex',
  ...[
    'scorep/lulesh-mpi-trace/lulesh.p8.s4.i20.trace/profile.cubex',
    'scorep/lulesh-dynamic/lulesh.s10.i250.dynamic/profile.cubex',
    'scorep/lulesh-mpi/lulesh.p8.s5/profile.cubex',
    'scorep/lulesh-omp/lulesh.p1.t3.s6/profile.cubex',
    'scorep/lulesh-tuple/lulesh.s10.tuple/profile.cubex',
    'scorep/foreign/blast.p64.r1/profile.cubex',
    'scorep/foreign/kripke.p8.d2.g32.r1/profile.cubex',
    'scorep/milc/milc.serial.8888.ic/profile.cubex',
    'scorep/tiny/tiny.256.unfiltered/profile.cubex',
    'cube-tasks/tasks.p1.t2.r1/profile.cubex',
  ].flatMap((file) => sharedData(file) ?? []),
];

async function searched(
  inputs: readonly string[],
  more: Omit<DiagnosisRequest, 'inputs'> = {},
): Promise<SearchRecord> {
  const read = [];
  for (const input of inputs) {
    const { profile, origin } = await readProfileInput(input);
    read.push(asMeasured(profile, origin));
  }
  return diagnose({ inputs: read, ...more }).record;
}

describe('a search in finished measurements', () => {
  test.each(files)('of %s contradicts itself nowhere', async (file) => {
    expect(contradictionsOf(await searched([file]))).toEqual([]);
  });

  test('of several runs, with the published hypotheses, and with thresholds that much or nothing exceeds', async () => {
    const all = await Promise.all([
      searched([lulesh, lulesh]),
      searched([lulesh], { hypotheses: publishedHypotheses }),
      searched([lulesh], { thresholds: { CPUBound: 0.01, ExcessiveSyncWaitingTime: 0.001 } }),
      searched([lulesh], { thresholds: { CPUBound: 1, ExcessiveSyncWaitingTime: 1, LoadImbalance: 1 } }),
    ]);
    expect(all.flatMap(contradictionsOf)).toEqual([]);
  });
});

const record = await searched([lulesh], { thresholds: { ExcessiveSyncWaitingTime: 0.05 } });
const recorded = printed(record);
/** As if the program had been searched while it ran. */
const live = printed({
  ...record,
  ...{ strategy: 'partially distributed', clock: 'wall', costLimit: 1 / 0.97, end: 60 },
  largestCost: { share: 0.012, time: 4 },
  nodes: record.nodes.map((node) => ({ ...node, ...(node.data && { data: [0, 60] as const }) })),
});

test('what is changed below was right before', () => {
  expect(
    [recorded, live].flatMap(({ record: of, output, text }) => searchContradictions(of, output, text)),
  ).toEqual([]);
  expect(recorded.output.findings.length).toBeGreaterThan(2);
});

const isRefined = ({ focus, truth }: SearchNode): boolean => truth === 'true' && focus.Code.length > 0;
/** The first experiment at a function that is true. */
const chosen = record.nodes.findIndex(isRefined);
const parentOf = (of: SearchNode | undefined): number => of?.parents[0]?.node ?? -1;

const ofNode =
  (change: (node: SearchNode) => Partial<SearchNode>, id = chosen) =>
  (of: Printed): Printed => ({
    ...of,
    record: {
      ...of.record,
      nodes: of.record.nodes.map((node) => (node.id === id ? { ...node, ...change(node) } : node)),
    },
  });
const ofRecord =
  (change: Partial<SearchRecord>) =>
  (of: Printed): Printed => ({ ...of, record: { ...of.record, ...change } });
const ofOutput =
  (change: (output: Printed['output']) => Partial<Printed['output']>) =>
  (of: Printed): Printed => ({ ...of, output: { ...of.output, ...change(of.output) } });
const ofProperty = (change: (property: Printed['output']['properties'][number]) => object) =>
  ofOutput(({ properties }) => ({
    properties: properties.map((one, at) => (at === 0 ? { ...one, ...change(one) } : one)),
  }));
const ofText =
  (from: RegExp, to: string) =>
  (of: Printed): Printed => {
    expect(of.text).toMatch(from);
    return { ...of, text: of.text.replace(from, to) };
  };

test.each<[string, (of: Printed) => Printed, Printed]>([
  ['a share above 1', ofNode(() => ({ value: 1.5 })), recorded],
  ['a true value below its threshold', ofNode(({ threshold }) => ({ value: threshold / 2 })), recorded],
  ['a false value above its threshold', ofNode(() => ({ truth: 'false' })), recorded],
  [
    'a child of what was never true',
    ofNode(() => ({ truth: 'unknown', conclusions: [] }), parentOf(record.nodes[chosen])),
    recorded,
  ],
  [
    'a child that began before its parent was true',
    ofNode(
      ({ conclusions }) => ({ conclusions: conclusions.map((one) => ({ ...one, time: 30 })) }),
      parentOf(record.nodes[chosen]),
    ),
    live,
  ],
  [
    'a part that is somewhere else',
    ofNode(({ focus }) => ({ focus: { ...focus, Machine: ['elsewhere'] } })),
    recorded,
  ],
  [
    'a function that the program has not',
    ofNode(({ focus }) => ({ focus: { ...focus, Code: ['a.c', 'none'] } })),
    recorded,
  ],
  ['a rank that the run has not', ofNode(() => ({ ranks: [77] })), recorded],
  [
    'an experiment twice',
    (of) =>
      ofRecord({ nodes: [...of.record.nodes, { ...of.record.nodes[chosen]!, id: of.record.nodes.length }] })(
        of,
      ),
    recorded,
  ],
  ['data after the end', ofNode(() => ({ data: [0, 61] })), live],
  [
    'a conclusion after the end',
    ofNode(({ conclusions }) => ({ conclusions: conclusions.map((one) => ({ ...one, time: 61 })) })),
    live,
  ],
  ['a cost above the limit', ofRecord({ largestCost: { share: 0.031, time: 4 } }), live],
  ['a cost after the end', ofRecord({ largestCost: { share: 0.012, time: 61 } }), live],
  [
    'parts that have more than all',
    (of) =>
      ofNode(
        ({ value = 0 }) => ({ value: Math.min(1, value + 0.5) }),
        of.record.nodes.find(({ hypothesis }) => hypothesis === 'ExcessiveSyncWaitingTime')?.id,
      )(of),
    live,
  ],
  ['a number of experiments', ofOutput(({ experiments }) => ({ experiments: experiments + 1 })), recorded],
  ['a number of processes', ofOutput(({ processes }) => ({ processes: processes + 1 })), recorded],
  ['a cost', ofOutput(() => ({ largestCost: { share: 0.013, time: 4 } })), live],
  [
    'an experiment of a finding',
    ofOutput(({ findings }) => ({ findings: findings.map((one) => ({ ...one, nodes: [0] })) })),
    recorded,
  ],
  [
    'the time of a finding',
    ofOutput(({ findings }) => ({ findings: findings.map((one) => ({ ...one, data: [0, 59] as const })) })),
    live,
  ],
  [
    'a finding twice',
    ofOutput(({ findings, properties }) => ({
      findings: [...findings, findings[0]!],
      properties: [...properties, properties[0]!],
    })),
    recorded,
  ],
  ['ranks of a finding', ofProperty(() => ({ ranks: '1' })), recorded],
  ['a part that is more than its whole', ofProperty(() => ({ severity: 0.001 })), recorded],
  [
    'a threshold of a finding',
    ofProperty(({ evidence }) => ({ evidence: { ...evidence, thresholdShare: 0.01 } })),
    recorded,
  ],
  [
    'a hypothesis that is found and was left out',
    ofOutput(({ notes, findings }) => ({
      notes: [...notes, `${findings[0]!.hypothesis} was not searched. It is hard.`],
    })),
    recorded,
  ],
  ['a note', ofOutput(({ notes }) => ({ notes: [...notes, 'Nobody knows.'] })), recorded],
  ['a line of a finding', ofText(/\n2\. /, '\n3. '), recorded],
  ['a share in the text', ofText(/[\d.]+ % of the run/, '1.7 % of the run'), recorded],
  ['a threshold in the text', ofText(/threshold [\d.]+ %/, 'threshold 1.7 %'), recorded],
  ['a time in the text', ofText(/measured from 0 s/, 'measured from 1 s'), live],
  ['a result in the tree', ofText(/\n( *)\+ Exc/, '\n$1- Exc'), recorded],
  ['a relation in the tree', ofText(/ % > /, ' % ≤ '), recorded],
  ['a number in the tree', ofText(/ [\d.]+ % ≤ /, ' 99.0 % ≤ '), recorded],
  ['a line of the tree', ofText(/\n +- [^\n]*/, ''), recorded],
  ['the heading', ofText(/^(\d+) process/, '77 process'), recorded],
])('%s that is changed is found', (_, change, of) => {
  const { record: changed, output, text } = change(of);
  expect(searchContradictions(changed, output, text)).not.toEqual([]);
});
