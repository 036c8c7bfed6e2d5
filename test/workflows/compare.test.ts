import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompareReport } from '../../src/workflows/compare';
import { measure, type MeasureResult } from '../../src/workflows/measure';
import { baselines, comparisonInSource, profileChanges } from '../../src/workflows/views/comparisonView';
import { compareContradictions } from '../consistency/compare';
import { expectNone } from '../refineProgram';

const built = existsSync(path.resolve('dist/wrapper.js'));
let base: string;
let before: MeasureResult;
let after: MeasureResult;
let coarse: MeasureResult;

/** Iteration i relaxes 1 + i/10 times. */
const program = (relaxes: string, save: string, more: string): string => `
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
NOINLINE double relax(double *a, int n) { double s = 0; for (int i = 1; i < n - 1; ++i) { a[i] = 0.5 * (a[i-1] + a[i+1]); s += a[i]; } return s; }
NOINLINE double ${save}(double *a, int n) { double s = 0; for (int k = 0; k < 20; ++k) for (int i = 0; i < n; ++i) s += a[i] * k; return s; }
NOINLINE double verify(double *a, int n) { double s = 0; for (int k = 0; k < 20; ++k) for (int i = 0; i < n; ++i) s += a[i] / (k + 1); return s; }
NOINLINE double step(double *a, int n, int i) { double s = 0; for (int k = 0; k < ${relaxes}; ++k) s += relax(a, n); if (i % 5 == 4) s += ${save}(a, n); return s; }
int main(void) { int n = 2000; double *a = calloc(n, sizeof *a), s = 0; a[0] = 1; for (int i = 0; i < 60; ++i) s += step(a, n, i); ${more} printf("%g\\n", s); return 0; }
`;

function write(folder: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'program.c'), text);
  const target = {
    ...{ name: 'program', phase: 'step', executable: './program' },
    build: { command: '${cc} -g -O2 program.c -o program' },
  };
  writeFileSync(path.join(folder, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
}

function measured(workspace: string, filter: string): Promise<MeasureResult> {
  const file = path.join(workspace, 'some.filter');
  writeFileSync(file, `SCOREP_REGION_NAMES_BEGIN\n${filter}\nSCOREP_REGION_NAMES_END\n`);
  return measure({
    workspace,
    filter: file,
    repetitions: 2,
    parameters: {},
    signal: new AbortController().signal,
  });
}

beforeAll(async () => {
  if (!built) {
    process.stderr.write('skipped: run "npm run build" first\n');
    return;
  }
  base = mkdtempSync(path.join(tmpdir(), 'kymo compare ü '));
  const [a, b] = [path.join(base, 'a'), path.join(base, 'b')];
  write(a, program('1 + i / 10', 'checkpoint', ''));
  write(b, program('2 + i / 10', 'write_checkpoint', 's += verify(a, n);'));
  before = await measured(a, 'INCLUDE *');
  after = await measured(b, 'INCLUDE *');
  coarse = await measured(b, 'EXCLUDE *\nINCLUDE main step');
});
afterAll(() => {
  if (built) rmSync(base, { recursive: true, force: true });
});

function cli(...words: readonly string[]): {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
} {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli.js', 'compare', ...words], {
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
}

function compare(...words: readonly string[]): CompareReport {
  const { status, out, err } = cli(...words, '--json');
  if (status !== 0) throw new Error(err);
  return JSON.parse(out) as CompareReport;
}

const countsOf = ({ differences }: CompareReport): readonly string[] =>
  differences
    .filter(({ kind }) => !['slower', 'faster'].includes(kind))
    .map(({ kind, callPath, sides, consequence }) => {
      const counts = sides.map((side) => side?.count ?? '–').join(' → ');
      return `${consequence === true ? '↳ ' : ''}${kind} ${callPath.at(-1) ?? ''} ${counts}`;
    })
    .sort();

describe.skipIf(!built)('two builds of a program', () => {
  it('differ in what was changed, at its lines', () => {
    const report = compare(before.directory, after.directory);
    expect(report.inputs.map(({ runs, processes }) => [runs, processes])).toEqual([
      [2, 1],
      [2, 1],
    ]);
    expect(countsOf(report)).toEqual([
      'added-work verify – → 1',
      'changed-count relax 210 → 270',
      'renamed write_checkpoint 12 → 12',
    ]);
    const relax = report.differences.find(({ kind }) => kind === 'changed-count');
    expect(relax?.region).toMatchObject({ line: 5 });
    expect(report.properties.find(({ kind }) => kind === 'added-work')).toMatchObject({
      region: { name: 'verify', line: 7 },
      evidence: { visitsAfter: 1 },
    });
  });
  it('agree with themselves, the other way round, and what is printed', () => {
    const [a, b] = [before.directory, after.directory];
    const text = cli(a, b);
    expect(text.status).toBe(0);
    expectNone(compareContradictions(compare(a, b), { back: compare(b, a), text: text.out }));
  });
  it('measured with other functions: what one did not record is neither new nor gone', () => {
    const report = compare(coarse.directory, after.directory);
    expect(countsOf(report)).toEqual([]);
    expect(report.notes.join('\n')).toMatch(
      /Recorded in .* only, and neither new nor gone: (?=.*relax)(?=.*verify)(?=.*write_checkpoint)/,
    );
  });
  it('differ between iterations of one input, and between its ranges', () => {
    const report = compare(before.directory, '--iterations', '1-10:51-60');
    expect(countsOf(report)).toEqual(['changed-count relax 10 → 60']);
    expect(report.inputs.map(({ name }) => name.replace(/^[^,]*/, ''))).toEqual([
      ', iterations 1–10',
      ', iterations 51–60',
    ]);
    expect(countsOf(compare(before.directory, after.directory, '--iterations', '1-10'))).toEqual([
      'changed-count relax 10 → 20',
      'renamed write_checkpoint 2 → 2',
    ]);
  });
  it('are compared by rounds, experiments, profiles, and several measurements as one side', () => {
    const round = path.dirname(path.dirname(before.profile));
    expect(compare(round, after.directory).inputs[0]?.runs).toBe(2);
    const single = compare(path.dirname(before.profile), after.profile);
    expect(single.inputs.map(({ runs }) => runs)).toEqual([1, 1]);
    expect(single.notes.join('\n')).toContain('Each was measured once');
    expect(single.differences.every(({ significance }) => significance === undefined)).toBe(true);
    const joined = compare(`${before.directory},${before.profile}`, after.directory);
    expect(joined.inputs[0]?.runs).toBe(3);
  });
  it('of a profile that lies anywhere, it is not known what was recorded', () => {
    const elsewhere = path.join(base, 'elsewhere.cubex');
    copyFileSync(before.profile, elsewhere);
    expect(compare(elsewhere, after.directory).notes.join('\n')).toContain(
      'has no list of the functions to record',
    );
  });
});

describe.skipIf(!built)('what cannot be compared', () => {
  it.each<[string, () => readonly string[], RegExp]>([
    ['one input', () => [before.directory], /two inputs at least.*--ranks 1:2/s],
    ['an input that is missing', () => [before.directory, path.join(base, 'none')], /none” cannot be read/],
    ['a folder without profiles', () => [before.directory, base], /has no profile/],
    ['ranks that are not there', () => [before.directory, '--ranks', '0:7'], /no rank 7: its ranks are 0\./],
    [
      'iterations that are not there',
      () => [before.directory, after.directory, '--iterations', '61'],
      /iterations 1–60 and no iteration 61/,
    ],
    [
      'a metric that is not there',
      () => [before.directory, after.directory, '--metric', 'PAPI_TOT_INS'],
      /no metric “PAPI_TOT_INS”/,
    ],
    [
      'parts of three for two inputs',
      () => [before.directory, after.directory, '--ranks', '0:0:0'],
      /2 inputs, and --ranks of 3/,
    ],
    ['ranges that are none', () => [before.directory, '--iterations', '0-3'], /no range/],
    ['ranges that go backwards', () => [before.directory, '--ranks', '3-1'], /no range/],
    ['a truncated profile', () => [truncated(), after.directory], /truncated\.cubex/],
  ])('%s is refused with what to do', (_, words, message) => {
    const { status, out, err } = cli(...words());
    expect(err).toMatch(message);
    expect(status).not.toBe(0);
    expect(out).toBe('');
  });
  it('is named where an input is given twice', () => {
    const report = compare(before.directory, before.directory);
    expect(report.differences).toEqual([]);
    expect(report.notes[0]).toMatch(/is given twice/);
  });
});

function truncated(): string {
  const file = path.join(base, 'truncated.cubex');
  writeFileSync(file, Buffer.alloc(3000, 7));
  return file;
}

describe.skipIf(!built)('the comparison that the editor shows', () => {
  const files = (): { readonly file: string; readonly baseline: string } => ({
    file: after.profile,
    baseline: before.profile,
  });
  it('is of all repetitions, with functions that changed by no more than noise', async () => {
    const { runs, rows, notes } = await profileChanges(files());
    expect(runs).toEqual([2, 2]);
    expect(rows.map(({ stake }) => stake)).toEqual(rows.map(({ stake }) => stake).sort((a, b) => b - a));
    expect(rows.find(({ kind }) => kind === 'added-work')).toMatchObject({
      name: 'main → verify',
      visitsAfter: 1,
    });
    expect(rows.some(({ region }) => region === 'relax')).toBe(true);
    expect(notes.length).toBeGreaterThan(0);
  });
  it('has its findings at the lines of the later sources', async () => {
    const found = await comparisonInSource({ ...files(), sources: { folders: [], sourcePaths: [] } });
    expect(found.studyDirectory).toBe(after.directory);
    expect(found.properties.find(({ kind }) => kind === 'renamed')?.region).toMatchObject({ line: 6 });
  });
  it('offers other rounds of the program, and not itself', async () => {
    const offered = await baselines({ file: after.profile });
    expect(offered.map(({ file }) => file)).toEqual([coarse.profile]);
    expect(offered[0]).toMatchObject({ runs: 2, round: 0 });
    expect(await baselines({ file: path.join(base, 'elsewhere.cubex') })).toEqual([]);
  });
});
