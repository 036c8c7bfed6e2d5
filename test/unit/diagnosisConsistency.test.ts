import { expect, test } from 'vitest';
import { diagnosisText } from '../../src/cli/terminal/diagnosis/diagnosisText';
import { makeContext } from '../../src/core/problems/context/makeContext';
import { profileFunctions } from '../../src/core/problems/profileFunctions';
import { profileJson } from '../../src/formats/exports/json';
import { diagnose } from '../../src/workflows/diagnose';
import { efficiencyReport } from '../../src/workflows/efficiency';
import { diagnosisContradictions, type DiagnosisOutput } from '../consistency/diagnosis';
import type { FlatOutput } from '../consistency/flatProfile';
import { runOf, type Call } from './core/problems/runs';

const own = (name: string): Call['region'] => ({ name, file: import.meta.filename, firstLine: 1 });

/** Two processes of 10 s: rank 0 computes all the time, rank 1 receives in `exchange` for 6 s. */
const profile = runOf(
  {
    region: own('main'),
    seconds: [1, 1],
    calls: [
      { region: own('heavy'), seconds: [9, 3] },
      {
        region: own('exchange'),
        seconds: [0, 0],
        calls: [{ region: { name: 'MPI_Recv', paradigm: 'mpi', role: 'point2point' }, seconds: [0, 6] }],
      },
    ],
  },
  2,
);
const context = makeContext({ profile, run: 'i1.r1' });
const flat: FlatOutput = {
  ...profileJson(profile),
  base: context.base,
  functions: profileFunctions(context),
};
const diagnosis = diagnose({ inputs: [{ profile, run: 'i1.r1' }] });
const output: DiagnosisOutput = {
  base: diagnosis.base ?? context.base,
  processes: diagnosis.processes,
  threads: diagnosis.threads,
  findings: diagnosis.findings.map(({ hypothesis, property }) => ({ hypothesis, property: property.id })),
  properties: diagnosis.findings.map(({ property }) => property),
  hypotheses: diagnosis.record.hypotheses,
};

const contradictionsIn = (changed: DiagnosisOutput): readonly string[] =>
  diagnosisContradictions(changed, {
    flat,
    text: diagnosisText(diagnosis, false),
    efficiency: efficiencyReport({ profile, run: 'i1.r1' }),
  });

test('a diagnosis agrees with itself, the profile, the efficiency, and what is printed', () => {
  const ids = output.properties.map(({ id }) => id);
  expect(ids).toContain('diagnosis:ExcessiveSyncWaitingTime');
  expect(ids.some((id) => id.startsWith('diagnosis:ImbalanceOfProcesses'))).toBe(true);
  expect(contradictionsIn(output)).toEqual([]);
});

const withProperties = (
  given: DiagnosisOutput,
  change: (property: DiagnosisOutput['properties'][number]) => DiagnosisOutput['properties'][number],
): DiagnosisOutput => ({ ...given, properties: given.properties.map(change) });

test.each<[string, (given: DiagnosisOutput) => DiagnosisOutput]>([
  ['a number of processes', (given) => ({ ...given, processes: 3 })],
  ['a number of threads', (given) => ({ ...given, threads: 3 })],
  ['a base', (given) => ({ ...given, base: { ...given.base, seconds: 19 } })],
  ['a title', (given) => withProperties(given, (one) => ({ ...one, title: `${one.title} now` }))],
  ['a severity', (given) => withProperties(given, (one) => ({ ...one, severity: (one.severity ?? 0) / 2 }))],
  [
    'a value below its threshold',
    (given) => withProperties(given, (one) => ({ ...one, evidence: { ...one.evidence, focusShare: 0.01 } })),
  ],
  [
    'a threshold',
    (given) =>
      withProperties(given, (one) => ({ ...one, evidence: { ...one.evidence, thresholdShare: 0.01 } })),
  ],
  ['a hypothesis', (given) => ({ ...given, findings: [] })],
  ['ranks', (given) => withProperties(given, (one) => ({ ...one, ranks: '7' }))],
])('%s that is changed is found', (_, change) => {
  expect(contradictionsIn(change(output))).not.toEqual([]);
});
