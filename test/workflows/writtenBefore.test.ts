import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const built = existsSync(path.resolve('dist/cli.js'));
const archives = path.resolve('test/data/written-by');

/**
 * All files that a version wrote for one program: a refinement that was accepted, a pin, a measurement of two runs, a study over five sizes, a search and a
 * baseline. An archive is never changed, and each release that changes a format adds one: what users have measured is read by all later versions.
 */
describe.skipIf(!built).each(
  readdirSync(archives)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => name.replace('.tgz', '')),
)('files that version %s wrote', (version) => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kymo-written-'));
    execFileSync('tar', ['-xzf', path.join(archives, `${version}.tgz`), '-C', folder]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function kymo(...words: readonly string[]): unknown {
    const all = [path.resolve('dist/cli.js'), ...words, '--json'];
    const { status, stdout, stderr } = spawnSync(process.execPath, all, { cwd: folder, encoding: 'utf8' });
    expect([0, 4], `${words.join(' ')}: ${stdout}${stderr}`).toContain(status);
    return JSON.parse(stdout);
  }
  const result = (kind: string): string => {
    const [name = ''] = readdirSync(path.join(folder, '.kymo/prog')).filter((one) => one.startsWith(kind));
    return path.join('.kymo/prog', name);
  };

  it('have the functions, lines and times of the measurement', () => {
    expect(kymo('properties', result('measure'))).toMatchObject({
      properties: expect.arrayContaining([
        expect.objectContaining({
          id: 'hot-spot:relax',
          severity: expect.closeTo(0.996, 3) as number,
          region: { name: 'relax', file: '/tmp/program/main.c', line: 4 },
        }),
      ]) as unknown,
    });
    expect(kymo('compare', result('refine'), result('measure'))).toMatchObject({
      inputs: [{ runs: 3 }, { runs: 2 }],
      pairs: [{ matched: 5, changed: 0, totals: [expect.closeTo(0.4015, 3), expect.closeTo(0.402, 3)] }],
    });
  });

  it('have the iterations, and what rises over them', () => {
    expect(kymo('dynamics', result('measure'))).toMatchObject({
      iterations: 40,
      phase: 'step',
      series: expect.arrayContaining([expect.objectContaining({ region: 'relax' })]) as unknown,
    });
  });

  it('have what was selected, and what the user decided', () => {
    expect(kymo('pins')).toMatchObject({ pins: [{ name: 'relax' }] });
    expect(kymo('accept')).toMatchObject({ target: 'prog' });
  });

  it('are a study over parameters with its models', () => {
    const models = kymo('model', result('study'));
    expect(JSON.stringify(models)).not.toContain('kymo_child_events');
    expect(models).toMatchObject({
      parameters: ['size'],
      models: expect.arrayContaining([
        expect.objectContaining({ callPath: 'prog->main->step', metric: 'visits', formula: '40' }),
      ]) as unknown,
    });
  });

  it('are a search, and a baseline of a gate', () => {
    expect(kymo('diagnose', 'search.json')).toMatchObject({ strategy: 'recorded', state: 'ended' });
    expect(kymo('gate', '--baseline', 'baseline.json', '--candidate', result('measure'))).toMatchObject({
      verdict: 'cannot-tell',
      incomparable: [expect.stringContaining('does not differ from itself')],
    });
  });

  it('are judged by what both sides have: the rest is named', () => {
    const file = path.join(folder, 'baseline.json');
    // As measured before: years have four digits.
    const earlier = readFileSync(file, 'utf8').replaceAll(/("startedAt": ")\d/g, '$11');
    const content = JSON.parse(earlier) as { runs: Record<string, unknown>[] };
    for (const run of content.runs) delete run.growth;
    writeFileSync(path.join(folder, 'earlier.json'), JSON.stringify(content));
    const report = kymo('gate', '--baseline', 'earlier.json', '--candidate', 'baseline.json');
    expect(report).toMatchObject({ incomparable: [] });
    expect((report as { readonly notes: readonly string[] }).notes.join()).toContain(
      'The baseline has no iterations, or fewer than four',
    );
  });

  it('are what a report is written of', () => {
    expect(kymo('report', result('refine'), '--out', 'report.html')).toMatchObject({});
    expect(existsSync(path.join(folder, 'report.html'))).toBe(true);
  });
});
