import { expect, test } from 'vitest';
import type { Base } from '../../src/core/functions/base';
import type { ProfileFunction } from '../../src/core/problems/profileFunctions';
import type { Share } from '../../src/core/functions/share';
import type { Property } from '../../src/core/properties/property';
import type { HotFunction } from '../../src/workflows/studies/refine.types';
import type { StoredRow } from '../../src/workflows/studies/functionsFile';
import { contradictions, type Outputs } from '../outputAgreement';

const base: Base = { run: 'i2.r1', clock: 'cpu', seconds: 10, leftOut: [{ what: 'waiting', seconds: 2 }] };
const facts = { visits: 3, selected: true, hasSite: true };

function hot(key: string, exclusiveShare: number, inclusiveShare: number, of = base): HotFunction {
  return { key, name: key, exclusiveShare, inclusiveShare, base: of, ...facts };
}

function row(key: string, exclusiveShare: number, inclusiveShare: number, reason = ''): StoredRow {
  return { key, name: key, exclusiveShare, inclusiveShare, base, reason, ...facts };
}

function hotSpot(key: string, exclusiveShare: number, inclusiveShare: number): Property {
  const evidence = { exclusiveShare, inclusiveShare };
  return {
    id: `hot-spot:${key}`,
    kind: 'hot-spot',
    title: '',
    severity: exclusiveShare,
    confidence: 1,
    evidence,
    base,
  };
}

function inProfile(key: string, exclusive: number, inclusive: number, region: number): ProfileFunction {
  const shares = { exclusiveShare: exclusive as Share, inclusiveShare: inclusive as Share };
  const seconds = { exclusiveSeconds: 10 * exclusive, inclusiveSeconds: 10 * inclusive };
  return { key, name: key, visits: 1, ...seconds, ...shares, regions: [region] };
}

/** main → solve → kernel */
const callTree = [
  { parent: -1, region: 0, fileId: 0 },
  { parent: 0, region: 1, fileId: 1 },
  { parent: 1, region: 2, fileId: 2 },
];

const agreeing: Required<Outputs> = {
  refine: {
    hotFunctions: [hot('kernel', 0.6, 0.6), hot('old', 0.9, 0.9, { ...base, run: 'i0.r1', seconds: 12 })],
    properties: [hotSpot('kernel', 0.6, 0.6)],
  },
  properties: { properties: [hotSpot('kernel', 0.6, 0.6), hotSpot('solve', 0.3, 0.9)] },
  profile: {
    base,
    functions: [
      inProfile('main', 0.1, 1, 0),
      inProfile('solve', 0.3, 0.9, 1),
      inProfile('kernel', 0.6, 0.6, 2),
    ],
    callTree,
  },
  functions: {
    functions: [
      row('main', 0.1, 1),
      row(
        'solve',
        0.3,
        0.9,
        'in: 90.0 % of the computing time is spent in it and its callees (threshold 2.0 %)',
      ),
      row(
        'kernel',
        0.6,
        0.6,
        'in: 75.0 % of the run time in rounds 0–1 is spent in itself (threshold 5.0 %)',
      ),
    ],
  },
};

test('outputs that agree have nothing to say', () => {
  expect(contradictions(agreeing)).toEqual([]);
  expect(contradictions({})).toEqual([]);
});

test.each<[string, Partial<Outputs>, RegExp]>([
  [
    'two shares of one function in one run',
    { refine: { hotFunctions: [hot('kernel', 0.5, 0.6)], properties: [] } },
    /the exclusive share of kernel in i2\.r1 is 0\.5 in hotFunctions and 0\.6 in properties/,
  ],
  [
    'a property that says another share than the profile',
    { properties: { properties: [hotSpot('solve', 0.3, 0.8)] } },
    /the inclusive share of solve in i2\.r1 is 0\.8 in properties and 0\.9 in profile/,
  ],
  [
    'more in the function itself than with its callees',
    { refine: { hotFunctions: [hot('late', 0.1, 0.05)], properties: [] } },
    /hotFunctions: late has 0\.1 itself and 0\.05 with everything/,
  ],
  [
    'more than all',
    { refine: { hotFunctions: [hot('kernel', 0.6, 0.6), hot('other', 0.5, 0.5)], properties: [] } },
    /hotFunctions: exclusive shares of i2\.r1 add up to 1\.1/,
  ],
  [
    'a negative share',
    { functions: { functions: [row('main', -0.1, 1)] } },
    /main is -0\.1, which no share can be/,
  ],
  [
    'a share of nothing that is named',
    { functions: { functions: [{ key: 'f', name: 'f', reason: '', inclusiveShare: 0.4, ...facts }] } },
    /functions\.json: the inclusive share of f is 0\.4 of nothing that is named/,
  ],
  [
    'one run with two denominators',
    { refine: { hotFunctions: [hot('kernel', 0.6, 0.6, { ...base, seconds: 11 })], properties: [] } },
    /i2\.r1 has 11 s in hotFunctions and 10 s in properties/,
  ],
  [
    'a callee with more than its only caller',
    {
      profile: {
        base,
        functions: [
          inProfile('main', 0.1, 1, 0),
          inProfile('solve', 0.2, 0.5, 1),
          inProfile('kernel', 0.6, 0.6, 2),
        ],
        callTree,
      },
    },
    /profile: kernel has 0\.6, and the functions that call it 0\.5 together/,
  ],
  [
    'a reason that states another share than its row',
    {
      functions: {
        functions: [
          row('solve', 0.3, 0.9, 'in: 52.4 % of the computing time is spent in it and its callees'),
        ],
      },
    },
    /functions\.json: solve has 0\.9 in its row, and “in: 52\.4 %/,
  ],
])('%s is found', (_, changed, sentence) => {
  expect(contradictions({ ...agreeing, ...changed })).toContainEqual(expect.stringMatching(sentence));
});
