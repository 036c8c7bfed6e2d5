import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readExperiment } from '../../src/measurement/experiments/experimentFile';
import { listExperiments, listStudyFolders } from '../../src/measurement/experiments/studies';
import { measure } from '../../src/workflows/measure';

const built = existsSync(path.resolve('dist/wrapper.js'));
let workspace: string;
beforeAll(() => {
  if (!built) process.stderr.write('skipped: run "npm run build" first\n');
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo measure ü '));
  execFileSync('cp', ['-r', `${path.resolve('examples/stencil')}/.`, workspace]);
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));
const common = { repetitions: 2, parameters: { cells: '200' }, signal: new AbortController().signal };

describe.skipIf(!built)('measure', () => {
  it('records what the filter includes, and keeps every run', async () => {
    const filter = path.join(workspace, 'only main.filter');
    writeFileSync(filter, 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE *\nINCLUDE main\nSCOREP_REGION_NAMES_END\n');
    const result = await measure({ ...common, workspace, filter });
    expect(result).toMatchObject({ target: 'heat', instrumented: 1, parameters: { cells: '200' }, ranks: 1 });
    expect(result.seconds).toHaveLength(2);
    expect(existsSync(result.profile)).toBe(true);
    expect((await readExperiment(path.dirname(result.profile))).instrumented).toBe(1);
    const variants = (await listExperiments(result.directory)).map((entry) =>
      entry.kind === 'complete' ? entry.experiment.variant : entry.message,
    );
    expect(variants).toEqual(['baseline', 'baseline', 'measured', 'measured']);
    expect((await listStudyFolders(workspace))[0]?.directory).toBe(result.directory);
    expect(readdirSync(path.join(workspace, '.kymo', 'heat'))).not.toContain('lock');
  });
  it('takes the first selection of a refinement without a filter', async () => {
    const result = await measure({ ...common, repetitions: 1, workspace });
    expect(result.instrumented).toBeGreaterThan(1);
  });
  it('refuses a parameter, a filter and a target that are not there before anything is built', async () => {
    await expect(measure({ ...common, workspace, parameters: { cell: '1' } })).rejects.toMatchObject({
      reason: 'usage',
    });
    await expect(
      measure({ ...common, workspace, filter: path.join(workspace, 'none') }),
    ).rejects.toMatchObject({ reason: 'file-missing' });
    await expect(measure({ ...common, workspace, target: 'haet' })).rejects.toMatchObject({
      reason: 'unknown-target',
    });
  });
});
