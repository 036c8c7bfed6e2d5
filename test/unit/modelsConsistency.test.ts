import { expect, test } from 'vitest';
import { standardMetrics } from '../../src/core/profile/metrics';
import { modelContradictions, type ModelsElsewhere, type ModelsOutput } from '../consistency/models';
import type { ProfileJson } from '../../src/formats/exports/json';

const exact = { smape: 0, verdict: { kind: 'clear', message: '' } };
const factor = { parameter: 'n', exponent: '3/2', logExponent: '1' };
const output: ModelsOutput = {
  parameters: ['n'],
  constants: { p: 2 },
  models: [
    {
      ...{ callPath: 'main->solve', metric: 'visits', ...exact, share: 0.75 },
      ...{ constant: 8, terms: [{ coefficient: 2, factors: [factor] }] },
      predictions: [{ point: [4], value: 40, low: 39, high: 41 }],
    },
    {
      ...{
        callPath: 'main',
        metric: 'visits',
        smape: 50,
        share: 0.25,
        verdict: { kind: 'not-enough-data', message: '' },
      },
      ...{ constant: 40 / 3, terms: [] },
      predictions: [{ point: [4], value: 40 / 3, low: null, high: null }],
    },
  ],
  properties: [],
  notes: ['p has 2 values.'],
};
const profile = {
  callTree: [
    { parent: -1, region: 0 },
    { parent: 0, region: 1 },
  ],
  regions: [{ name: 'main' }, { name: 'solve' }],
  metrics: [standardMetrics.visits],
  values: {
    visits: {
      exclusive: [
        [13, 0],
        [40, 40],
      ],
    },
  },
} as unknown as ProfileJson;
const text = `visits, predicted for n = 4:

 share  predicted  95 % range  SMAPE  model                      call path    verdict
75.0 %         40    39 … 41   0.0 %  8 + 2 · n^(3/2) · log₂ n   main->solve
                              50.0 %  mean 13.3                  main         not-enough-data

p has 2 values.`;
const elsewhere: ModelsElsewhere = {
  text,
  csv: 'call path\na\nb\n',
  points: 5,
  profiles: [{ coordinates: { n: '4', p: '2' }, perLocation: profile }],
};

function changed(change: (model: Record<string, unknown>) => void): ModelsOutput {
  const copy = structuredClone(output);
  change(copy.models[0] as unknown as Record<string, unknown>);
  return copy;
}

test('models, their predictions, profiles and texts agree', () => {
  expect(modelContradictions(output, elsewhere)).toEqual([]);
});

test.each<[string, (model: Record<string, unknown>) => void, RegExp]>([
  [
    'a prediction that its formula does not give',
    (model) => (model.constant = 9),
    /solve: the prediction, and its formula there: 40 and 41/,
  ],
  [
    'a range without the prediction',
    (model) => (model.predictions = [{ point: [4], value: 40, low: 41, high: 42 }]),
    /solve: 40 is not between 41 and 42/,
  ],
  ['another share', (model) => (model.share = 0.8), /solve: share of all predictions/],
])('%s', (_, change, sentence) => {
  expect(modelContradictions(changed(change), elsewhere)).toContainEqual(expect.stringMatching(sentence));
});

test.each<[string, Partial<ModelsElsewhere>, RegExp]>([
  [
    'other visits in the profile',
    { profiles: [{ coordinates: { n: '8', p: '2' }, perLocation: profile }] },
    /solve: .* by its formula, 40 measured/,
  ],
  [
    'another formula in the text',
    { text: text.replace('3/2', '5/2') },
    /solve: formula is 8 \+ 2 · n\^\(5\/2\)/,
  ],
  [
    'another prediction in the text',
    { text: text.replace(' 40 ', ' 41 ') },
    /solve: prediction is 41 in the text and 40/,
  ],
  [
    'a model that is not printed',
    { text: text.replace(/^.*mean.*\n/m, '') },
    /1 of 2 models of visits are printed/,
  ],
  ['a note that is not printed', { text: text.replace('p has', '') }, /“p has 2 values.” is not printed/],
  ['fewer models in the CSV', { csv: 'call path\na\n' }, /lines of their CSV: 2 and 1/],
])('%s', (_, change, sentence) => {
  expect(modelContradictions(output, { ...elsewhere, ...change })).toContainEqual(
    expect.stringMatching(sentence),
  );
});

test('points that models are not made of tell nothing', () => {
  const other = { coordinates: { n: '8', p: '1' }, perLocation: profile };
  expect(modelContradictions(output, { ...elsewhere, profiles: [other] })).toEqual([]);
});
