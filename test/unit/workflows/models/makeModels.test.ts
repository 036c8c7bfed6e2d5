import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import { silent } from '../../../../src/core/progress';
import { writeCube } from '../../../../src/formats/cube4/write';
import { makeModels } from '../../../../src/workflows/models';
import { ProfileBuilder } from '../../../profileBuilder';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-models-'));
  for (const n of [2, 4, 8, 16, 32]) {
    mkdirSync(path.join(folder, `mm.n${n}.r1`));
    writeFileSync(path.join(folder, `mm.n${n}.r1`, 'profile.cubex'), profile(n));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A process of two threads: `main` is on the first one only. */
function profile(visits: number): Uint8Array {
  const builder = new ProfileBuilder().metric(standardMetrics.visits);
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  for (const thread of [0, 1]) builder.location({ name: 't', rank: 0, thread, process, kind: 'thread' });
  const main = builder.callPath(
    undefined,
    builder.region({ name: 'main', paradigm: 'compiler', role: 'function' }),
  );
  builder.set('visits', main, 0, visits);
  return writeCube(builder.build());
}

const largest = async (options: object) => {
  const report = await makeModels(
    { paths: [folder], predict: [{ n: 1000 }], ...options },
    { progress: silent },
  );
  return report.models[0]?.predictions[0]?.value;
};

test('threads on which a function is not called do not make it cheaper, except as in Extra-P 4.2.5', async () => {
  expect(await largest({})).toBeCloseTo(1000, 6);
  expect(await largest({ extrap: {} })).toBeCloseTo(500, 6);
  expect(await largest({ scaling: 'weak' })).toBeCloseTo(500, 6);
  expect(await largest({ scaling: 'strong', extrap: {} })).toBeCloseTo(1000, 6);
});

test('a parameter with too few values is fixed where most of the points are, and the others have formulas', async () => {
  const file = path.join(folder, 'sparse.txt');
  const line = (p: number): string => [2, 4, 8, 16, 32].map((n) => `( ${p} ${n} )`).join(' ');
  // Three points more with p = 4, which are not enough for a formula by themselves.
  const points = `${line(1)} ${line(2)} ( 4 2 ) ( 4 4 ) ( 4 8 )`;
  const values = [1, 2].flatMap((p) => [2, 4, 8, 16, 32].map((n) => `DATA ${p * n}`));
  writeFileSync(
    file,
    [
      'PARAMETER p',
      'PARAMETER n',
      `POINTS ${points}`,
      'METRIC time',
      'REGION solve',
      ...values,
      ...[8, 16, 32].map((v) => `DATA ${v}`),
      '',
    ].join('\n'),
  );
  const report = await makeModels({ paths: [file] }, { progress: silent });
  expect(report).toMatchObject({ parameters: ['n'], constants: [['p', 2]], points: [[320]] });
  expect(report.notes).toEqual(['p has 3 values, and a formula needs 5: the models are those for p = 2.']);
  expect(report.models[0]?.predictions[0]?.value).toBeCloseTo(640, 6);
  // One of the values that p has may be asked for.
  const asked = await makeModels({ paths: [file], predict: [{ n: 64, p: 1 }] }, { progress: silent });
  expect(asked).toMatchObject({ parameters: ['n'], constants: [['p', 1]], points: [[64]] });
  expect(asked.models[0]?.predictions[0]?.value).toBeCloseTo(64, 6);
  const predicted = makeModels({ paths: [file], predict: [{ n: 64, p: 3 }] }, { progress: silent });
  await expect(predicted).rejects.toThrow('n=…. p has 3 values, and a formula needs 5');
  // As Extra-P, which knows no such thing.
  const asExtrap = await makeModels({ paths: [file], extrap: {} }, { progress: silent });
  expect(asExtrap).toMatchObject({ parameters: ['p', 'n'], constants: [], notes: [] });
});
