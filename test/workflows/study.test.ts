import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent, type ProgressSink } from '../../src/core/progress';
import { interleavedRuns } from '../../src/core/study/order';
import { readExperiment } from '../../src/measurement/experiments/experimentFile';
import { measure } from '../../src/workflows/measure';
import { makeModels } from '../../src/workflows/models';
import { deleteStudy, listDamagedStudies, listStudies } from '../../src/workflows/studies/studies';
import { forecastStudy } from '../../src/workflows/study/forecastStudy';
import { newestParameterStudy } from '../../src/workflows/models/newestParameterStudy';
import { listParameterStudies, type StudyPointSummary } from '../../src/workflows/study/listParameterStudies';
import { study, type StudyOptions, type StudyResult } from '../../src/workflows/study';

const built = existsSync(path.resolve('dist/wrapper.js'));
const cli = path.resolve('dist/cli.js');

/** Counts n passes; fails for n = 13 unless there is a file “cured”, and sleeps as long as it is asked to. */
const program = `#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile double sum;
void __attribute__((noinline)) pass(int i) { sum += 1.0 / (i + 1); }
int main(int count, char **words) {
  int n = atoi(words[1]);
  const char *threads = getenv("OMP_NUM_THREADS");
  printf("threads %s\\n", threads ? threads : "none");
  usleep(1000 * atoi(words[2]));
  if (!access("hang", F_OK)) sleep(600);
  if (n == 13 && access("cured", F_OK)) return 3;
  for (int i = 0; i < n; ++i) pass(i);
  return 0;
}
`;
const signal = new AbortController().signal;

describe.skipIf(!built)('a study', () => {
  let workspace: string;
  const settings = (changes: object = {}): void => {
    const target = {
      name: 'passes',
      build: { command: '${cc} -O2 -g prog.c -o prog', clean: 'rm -f prog' },
      executable: 'prog',
      run: { arguments: ['${n}', '${pause}'] },
      parameters: { n: [1], pause: [0] },
      study: { parameters: { n: [10, 20, 40, 80, 160] }, repetitions: 2 },
      ...changes,
    };
    writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
  };
  const run = (options: Partial<StudyOptions> = {}): Promise<StudyResult> =>
    study({ workspace, filter: path.join(workspace, 'passes.filter'), signal, ...options });
  const startOf = (
    result: Pick<StudyResult, 'directory' | 'points'>,
  ): Promise<readonly { folder: string; startedAt: string }[]> =>
    Promise.all(
      result.points
        .flatMap(({ runs }) => runs)
        .map(async ({ folder }) => {
          const { startedAt } = await readExperiment(path.join(result.directory, folder));
          return { folder, startedAt };
        }),
    );
  const pointsIn = (directory: string): StudyResult['points'] => {
    const text = readFileSync(path.join(directory, 'parameter-study.json'), 'utf8');
    return (JSON.parse(text) as Pick<StudyResult, 'points'>).points;
  };

  beforeAll(() => {
    workspace = mkdtempSync(path.join(tmpdir(), 'kymo study ü '));
    writeFileSync(path.join(workspace, 'prog.c'), program);
    writeFileSync(
      path.join(workspace, 'passes.filter'),
      'SCOREP_REGION_NAMES_BEGIN\nINCLUDE *\nSCOREP_REGION_NAMES_END\n',
    );
    settings();
  });
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  let first: StudyResult;
  it('measures all points repetition by repetition in random order, and models them', async () => {
    const lines: string[] = [];
    const progress: ProgressSink = { report: () => undefined, log: (line) => void lines.push(line) };
    first = await run({ progress });
    expect(first).toMatchObject({ target: 'passes', done: 5, failed: 0, remaining: 0, runs: 10 });
    expect(
      readdirSync(first.directory)
        .filter((name) => name.includes('.r'))
        .sort(),
    ).toEqual([10, 160, 20, 40, 80].flatMap((n) => [1, 2].map((r) => `measured.n${n}pause0.r${r}`)));
    const started = [...(await startOf(first))].sort((a, b) => a.startedAt.localeCompare(b.startedAt));
    const { seed } = JSON.parse(readFileSync(path.join(first.directory, 'parameter-study.json'), 'utf8')) as {
      readonly seed: number;
    };
    const order = interleavedRuns(5, 2, seed, [0, 1]).map(
      ({ point, repetition }) => `measured.n${10 * 2 ** point}pause0.r${repetition}`,
    );
    expect(started.map(({ folder }) => folder)).toEqual(order);
    expect(first.notes).toEqual([]);
    expect(lines).toContain('5 points, 2 repetitions: 10 runs.');
    expect(lines.join('\n')).toMatch(/Still to do: 8 runs, about [\d.]+ m?s by the times so far\./);
    const { models, constants } = await makeModels(
      { paths: [first.directory], metric: 'visits' },
      { progress },
    );
    expect(constants).toEqual([['pause', 0]]);
    const pass = models.find(({ callPath }) => callPath.endsWith('->pass'));
    expect(pass?.formula.constant).toBeCloseTo(0, 9);
    expect(pass?.predictions[0]?.value).toBeCloseTo(1600, 6);
  });

  it('is not a study of a refinement, and does not disturb their list', async () => {
    expect(await listStudies(workspace)).toEqual([]);
    expect(await listDamagedStudies(workspace)).toEqual([]);
    const { directory } = await measure({ workspace, signal, repetitions: 1 });
    expect((await listStudies(workspace)).map((entry) => entry.directory)).toEqual([directory]);
  });

  it('measures only what is new when points and repetitions are added, and nothing twice', async () => {
    const before = await startOf(first);
    const same = await run();
    expect(await startOf(same)).toEqual(before);
    const more = await run({ values: { n: ['160', '320'] }, repetitions: 3 });
    expect(more).toMatchObject({ directory: first.directory, done: 2, remaining: 0, runs: 8 + 3 + 3 });
    expect(await startOf(more)).toEqual(expect.arrayContaining([...before]));
    expect(more.points.filter(({ planned }) => !planned)).toHaveLength(4);
    expect(await run({ fresh: true, values: { n: ['1', '2'] } })).toMatchObject({ runs: 4 });
  });

  it('goes on after a failed point, and runs it again with “retry”', async () => {
    const values = { n: ['12', '13', '14'] };
    const failed = await run({ values, fresh: true });
    expect(failed).toMatchObject({ done: 2, failed: 1, remaining: 0, runs: 4 });
    const point = failed.points.find(({ coordinates }) => coordinates.n === '13');
    expect(point).toMatchObject({ runs: [], failure: { repetition: 1, reason: 'program-failed' } });
    expect(point?.failure?.message).toMatch(/status 3/);
    const words = ['study', '--workspace', workspace, '--filter', path.join(workspace, 'passes.filter')];
    const status = (): number | null =>
      spawnSync(process.execPath, [cli, ...words, '--values', 'n=12:14:+1'], { stdio: 'ignore' }).status;
    expect(status()).toBe(4);
    writeFileSync(path.join(workspace, 'cured'), '');
    expect(await run({ values })).toMatchObject({ done: 2, failed: 1, runs: 4 });
    const cured = await run({ values, retry: true });
    expect(cured).toMatchObject({ directory: failed.directory, done: 3, failed: 0, runs: 6 });
    expect(await startOf(cured)).toEqual(expect.arrayContaining([...(await startOf(failed))]));
    expect(status()).toBe(0);
  });

  it('goes on with a study by its name, and measures single points of it', async () => {
    const values = { n: ['12', '13', '14'] };
    rmSync(path.join(workspace, 'cured'), { force: true });
    const failed = await run({ values, fresh: true });
    const { study: name, directory } = failed;
    // Other settings and a newer study change nothing of a study that is named.
    settings({ study: { parameters: { n: [7, 8] }, repetitions: 1 } });
    const newer = await run({ fresh: true });
    writeFileSync(path.join(workspace, 'cured'), '');
    const forecast = (options: object) =>
      forecastStudy({ workspace, target: 'passes', study: name, ...options });
    expect((await forecast({})).plan).toMatchObject({
      points: 3,
      failed: 1,
      runsDone: 4,
      runsToDo: 0,
      continues: name,
    });
    const retried = await forecast({ retry: true });
    expect(retried.plan).toMatchObject({ failed: 0, runsToDo: 2 });
    expect(retried.plan?.seconds).toBeGreaterThan(0);
    const far = { n: '200', pause: '0' };
    expect((await forecast({ points: [far], repetitions: 3 })).plan).toMatchObject({
      points: 4,
      runsToDo: 3,
    });
    const more = await run({ study: name, points: [far], repetitions: 3 });
    expect(more).toMatchObject({ directory, done: 3, failed: 1, runs: 7, design: 'all', repetitions: 2 });
    const [listed] = (await listParameterStudies(workspace)).studies.filter((one) => one.study === name);
    expect(listed).toMatchObject({ state: 'complete', done: 3, failed: 1, remaining: 0 });
    expect(listed?.points.find(({ coordinates }) => coordinates.n === '200')).toMatchObject({
      runs: 3,
      repetitions: 3,
      standing: 'done',
    });
    expect(listed?.points.find(({ coordinates }) => coordinates.n === '13')?.failure?.message).toMatch(
      /status 3/,
    );
    const point = { n: '13', pause: '0' };
    expect(await run({ study: name, points: [point] })).toMatchObject({ done: 4, failed: 0, runs: 9 });
    expect(await run({ study: name, points: [point], repetitions: 1 })).toMatchObject({ runs: 10 });
    settings();
    const whole = await run({ study: name });
    expect(whole).toMatchObject({
      directory,
      runs: 10,
      points: expect.not.arrayContaining([expect.objectContaining({ planned: false })]) as unknown,
    });
    expect(pointsIn(newer.directory)).toEqual(newer.points);
    await expect(run({ study: '../other' })).rejects.toMatchObject({ reason: 'no-study' });
    settings({ run: { arguments: ['${n}', '${pause}', 'more'] } });
    await expect(run({ study: name })).rejects.toMatchObject({ reason: 'study-outdated' });
    settings();
  });

  it('is listed as interrupted after a stop, with the point that is run while it runs', async () => {
    const abort = new AbortController();
    const seen: (readonly StudyPointSummary['standing'][])[] = [];
    const running = run({
      values: { n: ['1', '2'], pause: ['300'] },
      fresh: true,
      signal: abort.signal,
      progress: {
        report: ({ message }) => {
          if (!message.includes('repetition 2')) return;
          void listParameterStudies(workspace).then(({ studies: [first] }) => {
            seen.push([
              ...(first?.points ?? []).map(({ standing }) => standing),
              first?.state ?? 'failed',
            ] as never);
            abort.abort();
          });
        },
        log: () => undefined,
      },
    });
    await expect(running).rejects.toThrow();
    expect([...(seen[0] ?? [])].sort()).toEqual(['remaining', 'running', 'running']);
    const [stopped] = (await listParameterStudies(workspace)).studies;
    expect(stopped).toMatchObject({ state: 'interrupted', done: 0, remaining: 2 });
    expect(await run({ study: stopped?.study ?? '' })).toMatchObject({ done: 2, runs: 4 });
    expect(await newestParameterStudy(workspace)).toBe(stopped?.directory);
    await deleteStudy(stopped?.directory ?? '');
    expect(existsSync(stopped?.directory ?? '')).toBe(false);
  });

  it('knows beforehand what it would measure, and that nothing changes without values', async () => {
    settings({ study: {} });
    const request = { workspace, target: 'passes' };
    const { variables, plan } = await forecastStudy(request);
    expect(plan).toBeUndefined();
    expect(variables.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'parameter n',
      'parameter pause',
      'threads threads',
    ]);
    const given = { ...request, values: { n: ['3', '5'] }, repetitions: 4, fresh: true };
    expect((await forecastStudy(given)).plan).toEqual({
      points: 2,
      failed: 0,
      repetitions: 4,
      values: { n: ['3', '5'], pause: ['0'] },
      runsDone: 0,
      runsToDo: 8,
    });
    settings();
  });

  it('predicts what recording costs, with runs that record nothing beside it, and what is worth measuring next', async () => {
    const values = { n: ['20000', '40000', '80000', '160000'] };
    const four = await run({ values, fresh: true, repetitions: 1 });
    const stored = JSON.parse(readFileSync(path.join(four.directory, 'parameter-study.json'), 'utf8')) as {
      readonly pairs: readonly { readonly baseline: string; readonly measured: string }[];
    };
    expect(stored.pairs.length).toBeGreaterThanOrEqual(5);
    for (const { baseline, measured } of stored.pairs) {
      const folder = path.join(four.directory, 'baseline');
      expect(await readExperiment(path.join(folder, baseline))).toMatchObject({ variant: 'baseline' });
      expect(await readExperiment(path.join(folder, measured))).toMatchObject({ variant: 'measured' });
    }
    const few = await makeModels({ paths: [four.directory] }, { progress: silent });
    expect(few.recording).toBeUndefined();
    expect(few.next).toMatchObject({ coordinates: { n: '320000', pause: '0' }, repetitions: 1 });
    const lines: string[] = [];
    const progress: ProgressSink = { report: () => undefined, log: (line) => void lines.push(line) };
    const more = await run({ next: true, progress });
    expect(lines).toContain('A formula needs 5 values of n, and 4 are measured.');
    expect(more).toMatchObject({ directory: four.directory, done: 5, remaining: 0, runs: 5 });
    const request = { paths: [more.directory], overheadPercent: 0.01 };
    const { recording } = await makeModels(request, { progress: silent });
    expect(recording?.functions[0]).toMatchObject({ key: 'pass' });
    expect(recording?.functions[0]?.visits).toBeCloseTo(3_200_000, -1);
    expect(recording?.leaveOut?.functions.map(({ key }) => key)).toContain('pass');
    await run({ values: { n: ['320000', '640000'] }, repetitions: 1, progress });
    expect(lines.join('\n')).toMatch(
      /Recording at n = 640000.*: [\d.<]+ % overhead predicted .*: pass [\d.<]+ %/,
    );
    expect(pointsIn(more.directory)).toHaveLength(6);
  });

  it('has nothing to measure next without a study', async () => {
    await expect(run({ next: true, fresh: true })).rejects.toMatchObject({ reason: 'usage' });
  });

  it('refuses another program or selection half-way, and begins anew after a complete study', async () => {
    const values = { n: ['1', '2'] };
    const abort = new AbortController();
    const stopping: ProgressSink = {
      report: ({ message }) => {
        if (message.includes('repetition 2')) abort.abort();
      },
      log: () => undefined,
    };
    const folders: string[] = [];
    const onStudy = (directory: string): void => void folders.push(directory);
    const interrupted = run({ values, fresh: true, signal: abort.signal, progress: stopping, onStudy });
    await expect(interrupted).rejects.toThrow();
    const filter = path.join(workspace, 'main.filter');
    writeFileSync(filter, 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE *\nINCLUDE main\nSCOREP_REGION_NAMES_END\n');
    const stored = pointsIn(folders[0] ?? '');
    await expect(run({ values, filter })).rejects.toMatchObject({ reason: 'study-outdated' });
    writeFileSync(path.join(workspace, 'prog.c'), program.replace('return 3', 'return 4'));
    await expect(run({ values })).rejects.toMatchObject({ reason: 'study-outdated' });
    expect(pointsIn(folders[0] ?? '')).toEqual(stored);
    writeFileSync(path.join(workspace, 'prog.c'), program);
    const complete = await run({ values });
    expect(complete).toMatchObject({ directory: folders[0], done: 2, runs: 4 });
    const other = await run({ values, filter });
    expect(other.directory).not.toBe(complete.directory);
    expect(other.notes.join(' ')).toMatch(/a new study has begun/);
    expect(existsSync(path.join(complete.directory, 'parameter-study.json'))).toBe(true);
  });

  it('leaves nothing behind when it cannot be built', async () => {
    const before = readdirSync(path.join(workspace, '.kymo/passes'));
    writeFileSync(path.join(workspace, 'prog.c'), `${program}\n#error no\n`);
    await expect(run({ fresh: true })).rejects.toMatchObject({ reason: 'build-failed' });
    writeFileSync(path.join(workspace, 'prog.c'), program);
    expect(readdirSync(path.join(workspace, '.kymo/passes')).sort()).toEqual(before.sort());
  });

  it('makes runs again whose folders were removed, and begins anew with other settings', async () => {
    const values = { n: ['1', '2'] };
    const whole = await run({ values, fresh: true });
    const before = await startOf(whole);
    rmSync(path.join(whole.directory, 'measured.n2pause0.r1'), { recursive: true });
    const again = await run({ values });
    expect(again).toMatchObject({ directory: whole.directory, done: 2, runs: 4 });
    const kept = (await startOf(again)).filter(({ folder }) => folder !== 'measured.n2pause0.r1');
    expect(before).toEqual(expect.arrayContaining(kept));
    expect(existsSync(path.join(whole.directory, 'measured.n2pause0.r1/profile.cubex'))).toBe(true);
    settings({ run: { arguments: ['${n}', '${pause}'], timeoutSeconds: 50 } });
    expect((await run({ values })).directory).toBe(whole.directory);
    settings({ run: { arguments: ['${n}', '${pause}', 'more'] } });
    expect((await run({ values })).directory).not.toBe(whole.directory);
    settings();
  });

  it('sets the number of threads', async () => {
    const result = await run({ values: { n: ['5'] }, threads: [1, 3], repetitions: 1 });
    expect(readdirSync(result.directory)).toContain('measured.t3n5pause0.r1');
    const folder = path.join(result.directory, 'measured.t3n5pause0.r1');
    expect(readFileSync(path.join(folder, 'output.txt'), 'utf8')).toBe('threads 3\n');
    expect((await readExperiment(folder)).threads).toBe(3);
    expect(result.notes.join(' ')).toMatch(/t has 2 values, and formulas need at least 5/);
  });

  it('writes files of each point from templates, and begins anew when one has changed', async () => {
    const template = path.join(workspace, 'in.template');
    const reading = path.join(workspace, 'reading.c');
    writeFileSync(template, 'passes ${n} in ${file:run.in}\n');
    writeFileSync(
      reading,
      `#include <stdio.h>
void __attribute__((noinline)) pass(void) { __asm__ volatile(""); }
int main(void) {
  int n = 0;
  FILE *in = fopen("run.in", "r"), *out = fopen("result", "w");
  if (!in || !out || fscanf(in, "passes %d", &n) != 1) return 9;
  for (int i = 0; i < n; ++i) pass();
  return fclose(out);
}
`,
    );
    const build = { command: '${cc} -O2 -g reading.c -o reading', clean: 'rm -f reading' };
    const run0 = { files: { 'run.in': 'in.template' }, cwd: '${files}' };
    settings({ name: 'reads', build, executable: 'reading', run: run0, parameters: { n: [1] } });
    const measured = await run({ target: 'reads', repetitions: 1 });
    expect(measured).toMatchObject({ done: 5, failed: 0 });
    const point = path.join(measured.directory, 'measured.n40.r1');
    expect(readFileSync(path.join(point, 'files/run.in'), 'utf8')).toBe(
      `passes 40 in ${point}/files/run.in\n`,
    );
    expect(existsSync(path.join(point, 'files/result'))).toBe(true);
    expect(existsSync(path.join(workspace, 'result'))).toBe(false);
    const { models } = await makeModels(
      { paths: [measured.directory], metric: 'visits' },
      { progress: silent },
    );
    const pass = models.find(({ callPath }) => callPath.endsWith('->pass'));
    expect(pass?.predictions[0]?.value).toBeCloseTo(1600, 6);
    expect((await run({ target: 'reads', repetitions: 1 })).directory).toBe(measured.directory);
    writeFileSync(template, 'passes ${n}\n');
    expect((await run({ target: 'reads', repetitions: 1 })).directory).not.toBe(measured.directory);
    writeFileSync(template, 'passes ${m}\n');
    await expect(run({ target: 'reads' })).rejects.toThrow(/in\.template:1:8: \$\{m\} is no parameter/);
    settings();
  });

  it('measures run times of a program that was built without Kymo', async () => {
    const result = await run({
      vanilla: true,
      values: { n: ['1'], pause: ['20', '40', '80', '160', '320'] },
      repetitions: 2,
    });
    expect(result).toMatchObject({ done: 5, failed: 0 });
    expect(existsSync(path.join(result.directory, 'vanilla.n1pause20.r1/profile.cubex'))).toBe(false);
    const [model] = (await makeModels({ paths: [result.directory] }, { progress: silent })).models;
    expect(model).toMatchObject({ callPath: 'passes', metric: 'time' });
    expect(model?.measured).toHaveLength(5);
  });

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'goes on where %s ended a command, and nothing runs on',
    async (end) => {
      const hang = path.join(workspace, 'hang');
      const filter = path.join(workspace, 'passes.filter');
      const words = [
        'study',
        '--workspace',
        workspace,
        '--filter',
        filter,
        '--fresh',
        '--values',
        'n=3,6,9',
        '--repetitions',
        '5',
      ];
      const child = spawn(process.execPath, [cli, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
      let printed = '';
      child.stderr.on('data', (piece: Buffer) => {
        printed += piece.toString();
        if (printed.includes('repetition 2')) writeFileSync(hang, '');
      });
      const ended = new Promise((resolve) => child.on('close', resolve));
      const runs = (): readonly string[] =>
        readdirSync('/proc').filter((pid) => {
          try {
            return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/exe`) === path.join(workspace, 'prog');
          } catch {
            return false;
          }
        });
      while (!(existsSync(hang) && runs().length > 0) && child.exitCode === null) await sleep(20);
      // It may be a run that began before the file was there.
      await sleep(500);
      expect(runs()).toHaveLength(1);
      child.kill(end);
      expect(await ended).toBe(end === 'SIGINT' ? 130 : null);
      while (runs().length > 0) await sleep(20);
      rmSync(hang);
      const parent = path.join(workspace, '.kymo/passes');
      const name =
        readdirSync(parent)
          .filter((entry) => entry.startsWith('study-'))
          .sort()
          .at(-1) ?? '';
      const directory = path.join(parent, name);
      const before = await startOf({ directory, points: pointsIn(directory) });
      expect(before.length).toBeGreaterThanOrEqual(3);
      expect(before.length).toBeLessThan(15);
      const result = await run({ values: { n: ['3', '6', '9'] }, repetitions: 5 });
      expect(result).toMatchObject({ directory, done: 3, failed: 0, runs: 15 });
      expect(await startOf(result)).toEqual(expect.arrayContaining([...before]));
      expect(printed).toContain('3 points, 5 repetitions: 15 runs.');
    },
  );
});
