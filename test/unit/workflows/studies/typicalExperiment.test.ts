import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  typicalExperiment,
  type CompleteExperiment,
} from '../../../../src/workflows/studies/typicalExperiment';
import { iterationOf, studyFileOf } from '../studyFiles';

let study = '';
beforeAll(async () => {
  const workspace = await mkdtemp(path.join(tmpdir(), 'kymo-typical-'));
  study = path.join(workspace, '.kymo', 't', 's');
  await mkdir(study, { recursive: true });
});
afterAll(() => rm(path.resolve(study, '../../..'), { recursive: true, force: true }));

/** Three runs of iteration 1; the second has the median wall time. */
const runs = (): readonly CompleteExperiment[] =>
  [3, 4, 5].map((wallSeconds, position) => {
    const repetition = position + 1;
    const directory = path.join(study, 'i1', `measured.r${repetition}`);
    const experiment = { iteration: 1, repetition, wallSeconds, variant: 'measured' };
    return { kind: 'complete', directory, experiment } as unknown as CompleteExperiment;
  });

test.each([
  ['the one that the study names', { typicalRun: 3 }, 3],
  ['in a study of an earlier version the one in the middle', {}, 2],
  ['the one in the middle where the named one is gone', { typicalRun: 9 }, 2],
])('the run that stands for an iteration: %s', async (_, change, repetition) => {
  const iterations = [iterationOf(0, { typicalRun: 1 }), iterationOf(1, change)];
  await writeFile(path.join(study, 'study.json'), JSON.stringify(studyFileOf({ iterations })));
  expect((await typicalExperiment(runs()))?.experiment.repetition).toBe(repetition);
});

test('without a study it is the one in the middle, and none of nothing', async () => {
  await rm(path.join(study, 'study.json'));
  expect((await typicalExperiment(runs()))?.experiment.repetition).toBe(2);
  expect(await typicalExperiment([])).toBeUndefined();
});
