import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../../src/core/progress';
import { modelDocument } from '../../src/formats/model-exports/document';
import { findProgram } from '../../src/measurement/launch/findProgram';
import { makeModels } from '../../src/workflows/models';
import { study } from '../../src/workflows/study';
import { modelsContradictions } from '../consistency';
import { cliOutputs, expectNone } from '../refineProgram';

const built = existsSync(path.resolve('dist/wrapper.js'));
const hasMpi = (await findProgram('mpicc')) !== undefined && (await findProgram('mpirun')) !== undefined;
const { signal } = new AbortController();

describe.skipIf(!built || !hasMpi)('a study over a parameter and ranks', () => {
  let workspace: string;
  beforeAll(() => {
    workspace = mkdtempSync(path.join(tmpdir(), 'kymo growth ü '));
    cpSync(path.resolve('examples/growth'), workspace, { recursive: true });
  });
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  it('finds the known growth of visits exactly', async () => {
    const filter = path.join(workspace, 'everything.filter');
    const { directory, done } = await study({ workspace, filter, repetitions: 1, signal });
    expect(done).toBe(25);
    const report = await makeModels({ paths: [directory], metric: 'visits' }, { progress: silent });
    const document = modelDocument(report) as {
      readonly models: readonly {
        readonly callPath: string;
        readonly constant: number;
        readonly terms: readonly { readonly coefficient: number; readonly factors: unknown }[];
      }[];
    };
    const truth = JSON.parse(readFileSync(path.join(workspace, 'truth.json'), 'utf8')) as {
      readonly parameters: readonly string[];
      readonly visits: Readonly<Record<string, (typeof document.models)[number]>>;
    };
    expect(report.parameters).toEqual(truth.parameters);
    for (const [callPath, { constant, terms }] of Object.entries(truth.visits)) {
      const model = document.models.find((candidate) => candidate.callPath === callPath);
      expect(model?.constant, callPath).toBeCloseTo(constant, 6);
      const byFactors = (of: typeof terms = []): ReadonlyMap<string, number> =>
        new Map(of.map(({ coefficient, factors }) => [JSON.stringify(factors), coefficient] as const).sort());
      const found = byFactors(model?.terms);
      expect([...found.keys()], callPath).toEqual([...byFactors(terms).keys()]);
      for (const [factors, coefficient] of byFactors(terms))
        expect(found.get(factors), callPath).toBeCloseTo(coefficient, 6);
    }
    expectNone(modelsContradictions(directory, cliOutputs));
  });
});
