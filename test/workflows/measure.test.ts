import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readExperiment } from '../../src/measurement/experiments/experimentFile';
import { listExperiments, listStudyFolders } from '../../src/measurement/experiments/studies';
import { acceptOfTarget } from '../../src/workflows/accept';
import { readCube } from '../../src/formats/cube4/read';
import { diagnose } from '../../src/workflows/diagnose';
import { doctor } from '../../src/workflows/doctor';
import { measure } from '../../src/workflows/measure';
import { functionRows } from '../../src/workflows/studies/functionsFile';
import { listDamagedStudies, listStudies } from '../../src/workflows/studies/studies';
import { studyProperties } from '../../src/workflows/studies/studyProperties';

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
  it('is a result like a study: of one round, with functions and properties, and no refinement continues it', async () => {
    const [measurement] = await listStudies(workspace);
    expect(measurement).toMatchObject({ kind: 'measurement', target: 'heat', state: 'complete' });
    expect(measurement?.iterations).toMatchObject([{ index: 0, runs: 2, instrumented: 1 }]);
    expect(await listDamagedStudies(workspace)).toEqual([]);
    const directory = measurement?.directory ?? '';
    const main = (await functionRows(directory)).find(({ name }) => name === 'main');
    expect(main).toMatchObject({ selected: true, visits: 1 });
    expect(main?.base?.run).toMatch(/^i0\.r[12]$/);
    expect(main?.inclusiveShare).toBeGreaterThan(0.95);
    const { properties, missing } = await studyProperties(directory);
    expect(missing).toBeUndefined();
    expect(properties.map(({ kind }) => kind)).toContain('hot-spot');
    await expect(acceptOfTarget({ workspace })).rejects.toMatchObject({ reason: 'study-missing' });
  });
  it('leaves nothing behind when it cannot be built', async () => {
    const before = await listStudies(workspace);
    const solver = readdirSync(workspace).find((name) => /\.c(pp)?$/.test(name)) ?? '';
    const text = readFileSync(path.join(workspace, solver), 'utf8');
    writeFileSync(path.join(workspace, solver), `${text}\n#error no\n`);
    await expect(measure({ ...common, workspace })).rejects.toMatchObject({ reason: 'build-failed' });
    writeFileSync(path.join(workspace, solver), text);
    expect(await listStudies(workspace)).toEqual(before);
    expect(await listDamagedStudies(workspace)).toEqual([]);
  });
  it('takes the first selection of a refinement without a filter, and says that none of its selections is accepted', async () => {
    const [measured] = await listStudies(workspace);
    const study = 'refine-2026-01-01T00-00-00';
    const folder = path.join(workspace, '.kymo', 'heat', study);
    cpSync(measured?.directory ?? '', folder, { recursive: true });
    const file = path.join(folder, 'study.json');
    const content = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...content, study, kind: undefined }));
    const result = await measure({ ...common, repetitions: 1, workspace });
    rmSync(folder, { recursive: true });
    expect(result.instrumented).toBeGreaterThan(1);
    expect(result.notes.join('\n')).toMatch(
      /No selection is accepted, .* To record the selection of refine-2026-01-01T00-00-00: kymo accept,/,
    );
  });
  it('counts instructions and cache misses, or ends well and says why not, as the doctor and the diagnosis do', async () => {
    const file = path.join(workspace, 'kymo.json');
    const before = readFileSync(file, 'utf8');
    const config = JSON.parse(before) as { readonly targets: readonly object[] };
    const targets = config.targets.map((asked) => ({ ...asked, counters: true }));
    writeFileSync(file, JSON.stringify({ ...config, targets }));
    const { profile, notes, target } = await measure({ ...common, repetitions: 1, workspace });
    const { counters, problems } = await doctor(workspace);
    writeFileSync(file, before);
    const run = readCube(readFileSync(profile), profile);
    const counted = run.metrics
      .map(({ name }) => name)
      .filter((name) => /^instructions|cache_misses$/.test(name));
    const { record } = diagnose({ inputs: [{ profile: run, run: 'run' }] });
    const unsearched = record.notices.filter(({ message }) => /CacheMisses|MemoryTraffic/.test(message));
    if (counters?.readable === true) {
      expect(counted).toEqual(['instructions', 'cache_misses']);
      expect(unsearched).toEqual([]);
      return;
    }
    const reason = counters?.reason ?? '';
    expect(reason).toMatch(/^The processor’s counters .* cannot be read: /);
    expect(counted).toEqual([]);
    expect(notes).toContain(`1 of 1 processes: ${reason}`);
    expect(problems).toContain(`${target} is measured without "counters". ${reason}`);
    expect(unsearched).toHaveLength(2);
    for (const { message } of unsearched) expect(message).toContain(reason);
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
