import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GateReport } from '../../src/core/gate/report';
import { lockStudy } from '../../src/measurement/experiments/studyLock';

const built = existsSync(path.resolve('dist/wrapper.js'));
let workspace = '';
const at = (...parts: readonly string[]): string => path.join(workspace, ...parts);

/** Three functions of about a half, a quarter and a quarter of the time. */
const program = (smoothed: number): string => `#include <stdio.h>
#include <stdlib.h>
static double grid[1 << 16];
__attribute__((noinline)) void assemble(int n) { for (int i = 0; i < n; i++) grid[i & 0xffff] = grid[(i * 7) & 0xffff] * 0.999 + i * 1e-9; }
__attribute__((noinline)) void smooth(int n) { for (int i = 1; i < n; i++) { int k = i & 0xfffe; grid[k] = 0.5 * (grid[k] + grid[k ? k - 1 : 0]); } }
__attribute__((noinline)) double norm(int n) { double s = 0; for (int i = 0; i < n; i++) s += grid[i & 0xffff] * grid[i & 0xffff]; return s; }
int main(int argc, char **argv) {
  double s = 0;
  for (int t = 0; t < atoi(argv[1]); t++) { assemble(600000); smooth(${smoothed}); s += norm(400000); }
  printf("%g\\n", s);
  return 0;
}
`;
const target = {
  ...{ name: 'prog', executable: 'prog' },
  build: { command: '${cc} -O2 -g -o prog main.c', clean: 'rm -f prog' },
  run: { arguments: ['250', 'input.dat'] },
  gate: { repetitions: 5, filter: 'recorded.txt' },
};

function configure(more: object = {}): void {
  writeFileSync(at('kymo.json'), JSON.stringify({ version: 1, targets: [{ ...target, ...more }] }));
}

function kymo(...words: readonly string[]): {
  status: number | null;
  stdout: string;
  stderr: string;
  report: GateReport;
} {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.resolve('dist/cli.js'), ...words, '--json'],
    {
      cwd: workspace,
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr, report: JSON.parse(stdout) as GateReport };
}

function git(...words: readonly string[]): string {
  const own = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main'];
  return spawnSync('git', [...own, ...words], { cwd: workspace, encoding: 'utf8' }).stdout;
}

const ofFunctions = ({ entries }: GateReport): Readonly<Record<string, string>> =>
  Object.fromEntries(entries.flatMap(({ name, verdict }) => (name === undefined ? [] : [[name, verdict]])));

beforeAll(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo gate ü '));
  writeFileSync(at('main.c'), program(300_000));
  writeFileSync(at('recorded.txt'), 'assemble\nsmooth\nnorm\n');
  // The program does not read it: nothing but its absence in a checkout is to be said.
  writeFileSync(at('input.dat'), '');
  writeFileSync(at('.gitignore'), '.kymo/\nprog\ninput.dat\n');
  configure();
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'base');
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

describe.skipIf(!built)('kymo gate', () => {
  it('names the function that a change made slower, at its line, and fails; the repository stays as it was', () => {
    writeFileSync(at('main.c'), program(600_000));
    const before = git('status', '--porcelain');
    const { status, report, stderr } = kymo(
      'gate',
      '--baseline',
      'HEAD',
      '--out',
      'v.sarif',
      'v.xml',
      'v.md',
    );
    expect([status, report.verdict, report.byTurns], stderr).toEqual([3, 'regression', true]);
    expect(report.notes.join()).toContain(
      'run with input.dat, which the commit of the baseline does not have',
    );
    expect(ofFunctions(report).smooth).toBe('regression');
    expect(Object.values(ofFunctions(report)).filter((verdict) => verdict === 'regression')).toHaveLength(1);
    const [worst] = report.entries.filter(({ name }) => name === 'smooth');
    expect(worst?.place).toEqual({ name: 'smooth', file: at('main.c'), line: 5 });
    expect(worst?.ratio).toBeGreaterThan(1.5);
    expect(worst?.ratio).toBeLessThan(2.7);
    const sarif = readFileSync(at('v.sarif'), 'utf8');
    expect(sarif).toMatch(/"uri": "main\.c"[^]*"startLine": 5/);
    expect(readFileSync(at('v.xml'), 'utf8')).toMatch(/<failure message="smooth takes longer itself/);
    expect(readFileSync(at('v.md'), 'utf8')).toMatch(/\| regression \| smooth \| \+\d+(\.\d)? % /);
    for (const file of ['v.sarif', 'v.xml', 'v.md']) rmSync(at(file));
    expect(git('status', '--porcelain')).toBe(before);
    expect(readdirSync(at('.kymo', '.gate')).filter((name) => /^[0-9a-f]{12}$/.test(name))).toHaveLength(1);
  });

  it('has no regression of the same program, and is a baseline for later', () => {
    git('commit', '-qam', 'slower');
    const { status, report } = kymo('gate', '--baseline', 'HEAD');
    expect([0, 4]).toContain(status);
    expect(Object.values(ofFunctions(report))).not.toContain('regression');
    const [, candidate] = report.sides;
    expect(kymo('gate', '--save', 'baseline.json', '--candidate', candidate.input)).toMatchObject({
      status: 0,
      report: { runs: 5 },
    });
    const itself = kymo('gate', '--baseline', 'baseline.json', '--candidate', candidate.input);
    expect([itself.status, itself.report.byTurns, itself.report.incomparable.join()]).toEqual([
      4,
      false,
      expect.stringContaining('does not differ from itself'),
    ]);

    // As measured before: years have four digits.
    const saved = readFileSync(at('baseline.json'), 'utf8').replaceAll(/("startedAt": ")\d/g, '$11');
    writeFileSync(at('baseline.json'), saved);
    const later = kymo('gate', '--baseline', 'baseline.json', '--candidate', candidate.input);
    expect(later.report.entries.every(({ ratio }) => Math.abs(ratio - 1) < 1e-4)).toBe(true);
    expect(later.report.notes.join()).toMatch(/not measured by turns/);

    writeFileSync(at('other.json'), saved.replaceAll(/"(compiler|host)": "[^"]*"/g, '"$1": "another"'));
    const other = kymo('gate', '--baseline', 'other.json', '--candidate', candidate.input);
    expect([other.status, other.report.verdict, other.report.entries]).toEqual([4, 'cannot-tell', []]);
    expect(other.report.incomparable.join()).toMatch(/another host: another.*another compiler: another/);
    expect(other.report.allowable).toEqual(['machine', 'compiler']);
    const allowed = kymo(
      'gate',
      '--baseline',
      'other.json',
      '--candidate',
      candidate.input,
      '--allow',
      'machine',
      'compiler',
    );
    expect(allowed.report.entries.length).toBeGreaterThan(0);
    expect(allowed.report.notes.join()).toMatch(/another compiler/);

    writeFileSync(at('cut.json'), saved.slice(0, saved.length / 2));
    expect(kymo('gate', '--baseline', 'cut.json', '--candidate', candidate.input)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('baseline-invalid') as string,
    });
    configure({ gate: { ...target.gate, budgets: { functions: { smoth: { seconds: 1 } } } } });
    expect(kymo('gate', '--baseline', 'baseline.json', '--candidate', candidate.input)).toMatchObject({
      status: 2,
      stdout: expect.stringMatching(/smoth.*did you mean \\"smooth\\"/) as string,
    });
    configure({
      gate: { ...target.gate, budgets: { seconds: 1e-3, functions: { smooth: { seconds: 100 } } } },
    });
    const budget = kymo('gate', '--baseline', 'baseline.json', '--candidate', candidate.input);
    expect(budget.status).toBe(3);
    expect(
      budget.report.entries
        .filter(({ criterion }) => criterion === 'budget')
        .map(({ name, verdict }) => [name, verdict]),
    ).toEqual([
      [undefined, 'regression'],
      ['smooth', 'no-change'],
    ]);
    configure();
  });

  it('of one run cannot tell', () => {
    const { status, report } = kymo('gate', '--baseline', 'HEAD', '--repetitions', '1');
    expect([status, report.verdict]).toEqual([4, 'cannot-tell']);
    expect(report.entries.every(({ interval }) => interval === undefined)).toBe(true);
  });

  it('of a revision that does not exist, and beside another gate, is an error', async () => {
    expect(kymo('gate', '--baseline', 'no-such-branch').stdout).toMatch(/baseline-missing.*git fetch/);
    const lock = await lockStudy(at('.kymo', '.gate'));
    expect(kymo('gate', '--baseline', 'HEAD')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('study-locked') as string,
    });
    await lock.release();
  });

  it('of a baseline that does not build ends with the error of its build, and nothing runs on', () => {
    writeFileSync(at('main.c'), 'this is no C');
    git('commit', '-qam', 'broken');
    writeFileSync(at('main.c'), program(300_000));
    expect(kymo('gate', '--baseline', 'HEAD')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('build-failed') as string,
    });
  });

  it('of a commit whose kymo.json is a link leaves alone what it names; typed files are relative to the current folder', () => {
    const victim = at('.kymo', 'victim.json');
    writeFileSync(victim, 'mine');
    rmSync(at('kymo.json'));
    symlinkSync(victim, at('kymo.json'));
    writeFileSync(at('main.c'), program(300_000));
    git('commit', '-qam', 'a link');
    rmSync(at('kymo.json'));
    configure();
    const words = ['gate', '--workspace', '..', '--baseline', 'HEAD', '--repetitions', '1', '--out', 'v.md'];
    const { status } = spawnSync(process.execPath, [path.resolve('dist/cli.js'), ...words], {
      cwd: at('.kymo'),
    });
    expect([status, readFileSync(victim, 'utf8'), existsSync(at('.kymo', 'v.md'))]).toEqual([
      4,
      'mine',
      true,
    ]);
    git('commit', '-qam', 'no link');
  });

  it('names the function that becomes slower over the iterations, although it takes no more time in all', () => {
    const stepping = (smoothed: string): string =>
      program(0)
        .replace(/\{ assemble\(600000\).*\}\n/, 's += step(t);\n')
        .replace(
          'int main(',
          `__attribute__((noinline)) double step(int t) { assemble(600000); smooth(${smoothed}); return norm(400000); }\nint main(`,
        );
    const phase = { phase: 'step', gate: { ...target.gate, budgets: { overheadPercent: 50 } } };
    configure(phase);
    writeFileSync(at('recorded.txt'), 'step\nassemble\nsmooth\nnorm\n');
    writeFileSync(at('main.c'), stepping('300000'));
    git('commit', '-qam', 'with a phase');
    writeFileSync(at('main.c'), stepping('100000 + 1600 * t'));
    const { status, report, stderr } = kymo('gate', '--baseline', 'HEAD');
    expect(status, stderr).toBe(3);
    const growing = report.entries.filter(({ criterion }) => criterion === 'dynamics');
    expect(growing.filter(({ verdict }) => verdict === 'regression').map(({ name }) => name)).toContain(
      'smooth',
    );
    const smooth = growing.find(({ name }) => name === 'smooth');
    // From (100,000 + 1600 · 62) to (100,000 + 1600 · 187) on average.
    expect(smooth?.values[1]).toBeGreaterThan(0.6);
    expect(smooth?.values[1]).toBeLessThan(1.4);
    expect(
      growing.filter(({ name }) => name === 'assemble' || name === 'norm').map(({ verdict }) => verdict),
    ).not.toContain('regression');
    expect(report.entries.filter(({ criterion }) => ['overhead', 'budget'].includes(criterion))).toHaveLength(
      2,
    );
    configure();
    writeFileSync(at('recorded.txt'), 'assemble\nsmooth\nnorm\n');
    git('commit', '-qam', 'without a phase');
  });

  it.each([
    ['github-actions.yml', { GITHUB_BASE_REF: 'main' }],
    ['gitlab-ci.yml', { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' }],
  ])('the scripts of %s run as they stand', (template, environment) => {
    writeFileSync(at('main.c'), program(300_000));
    git('commit', '-qam', 'works again');
    git('branch', '-M', 'main');
    git('clone', '-q', '--bare', '.', at('.kymo', 'origin.git'));
    git('remote', 'add', 'origin', at('.kymo', 'origin.git'));
    git('fetch', '-q', 'origin');
    writeFileSync(at('main.c'), program(600_000));
    writeFileSync(
      at('.kymo', 'kymo'),
      `#!/bin/sh\nexec "${process.execPath}" "${path.resolve('dist/cli.js')}" "$@"\n`,
      {
        mode: 0o755,
      },
    );
    const text = readFileSync(path.resolve('docs/ci', template), 'utf8');
    // `run: …` of GitHub, the list below `script:` of GitLab.
    const script = template.startsWith('github')
      ? [...text.matchAll(/^ +run: (.*)$/gm)].map(([, line = '']) => line)
      : [...(/ {2}script:\n((?: {4}- .*\n)+)/.exec(text)?.[1] ?? '').matchAll(/- (.*)/g)].map(
          ([, line = '']) => line,
        );
    expect(script).toHaveLength(2);
    const statuses = script.map(
      (line) =>
        spawnSync('bash', ['-c', line], {
          cwd: workspace,
          env: {
            ...process.env,
            ...environment,
            PATH: `${at('.kymo')}:${process.env.PATH}`,
            GITHUB_STEP_SUMMARY: at('.kymo', 'summary.md'),
          },
        }).status,
    );
    expect(statuses.sort()).toEqual([0, 3]);
    expect(readFileSync(at('gate.md'), 'utf8')).toMatch(/\| regression \| smooth/);
    expect(existsSync(at('gate.xml'))).toBe(true);
    for (const file of ['gate.md', 'gate.xml', 'gate.sarif']) rmSync(at(file), { force: true });
    git('remote', 'remove', 'origin');
    rmSync(at('.kymo', 'origin.git'), { recursive: true });
  });
});
