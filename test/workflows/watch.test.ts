import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { bytesSource } from '../../src/formats/byteSource';
import { openIterations, type IterationsFile } from '../../src/formats/kymo-iterations/read';
import { measure, type MeasureResult } from '../../src/workflows/measure';
import {
  followRun,
  runsUnderWay,
  suspendRun,
  type RunUnderWay,
  type RunUpdate,
} from '../../src/workflows/watch';

/** Each step calls `solve`, and `extra` from the 400th on; it stops when there is a file `stop`. */
const source = `#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) static double work(double x, int n) { for (int i = 0; i < n; i++) { x = x * 0.999 + i; x -= 1 / x; if (x > 9) x = 1; } return x; }
__attribute__((noinline)) static double solve(double x) { return work(x, 200000); }
__attribute__((noinline)) static double extra(double x) { return work(x, 100000); }
__attribute__((noinline)) static double step(double x, int i) { x = solve(x); if (i >= 400) x = extra(x) + 1; return x * 0.5; }
int main(void) {
  double x = 1;
  int i = 0;
  for (; access("stop", F_OK) != 0 && i < 1000000; i++) x = step(x, i);
  printf("%d %g\\n", i, x);
  return 0;
}
`;

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
let workspace = '';
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function prepare(more: object = {}): void {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo watch Größe-'));
  writeFileSync(path.join(workspace, 'main.c'), source);
  const build = { command: '${cc} -O2 -g -o program main.c', clean: 'rm -f program' };
  const run = { timeoutSeconds: 1200 };
  const targets = [{ name: 'it', build, executable: 'program', run, phase: 'step', ...more }];
  writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets }));
}

const signal = new AbortController().signal;
const run = (more: object = {}): Promise<MeasureResult> =>
  measure({ workspace, watched: true, signal, filter: path.join(workspace, 'all.txt'), ...more });

async function begun(): Promise<RunUnderWay> {
  for (;;) {
    const [found] = await runsUnderWay(workspace);
    if (found !== undefined && (found.live.iterations?.written ?? 0) > 60) return found;
    await pause(100);
  }
}

function open(file: string): IterationsFile {
  return openIterations(bytesSource(readFileSync(file)), file);
}

/** By region: visits and seconds of each iteration. */
function values(file: IterationsFile): Record<string, readonly (readonly [number, number])[]> {
  const all: Record<string, [number, number][]> = {};
  const { contexts, regions, iterations } = file.directory;
  let iteration = 0;
  for (const { count, contexts: of, visits, seconds } of file.samples()) {
    for (let i = 0; i < count; i++) {
      const name = regions[contexts[of[i] ?? 0]?.region ?? 0]?.name ?? '?';
      const own = (all[name] ??= Array.from({ length: iterations }, () => [0, 0] as [number, number]));
      own[iteration] = [visits[i] ?? 0, seconds[i] ?? 0];
    }
    iteration++;
  }
  return all;
}

describe('a run that is watched', () => {
  it('has its iterations, functions and findings in its folder while it runs, and the same in the end', async () => {
    prepare();
    writeFileSync(path.join(workspace, 'all.txt'), 'solve\nextra\n');
    const measuring = run();
    const { folder, live } = await begun();
    expect(live).toMatchObject({ target: 'it', state: 'running', iterations: { phase: 'step' } });
    expect(live.processes).toMatchObject([{ rank: 0, threads: 1, isWatched: true }]);

    // Two watch at once.
    const follow = async (until: (update: RunUpdate) => boolean): Promise<RunUpdate> => {
      for await (const update of followRun({ folder, workspace, interval: 0 }, { signal }))
        if (until(update)) return update;
      throw new Error('the run ended');
    };
    const [functions, findings] = await Promise.all([
      follow((update) => update.functions !== undefined && update.live.profileSeconds > 0),
      follow((update) => update.dynamics !== undefined && update.dynamics.iterations > 800),
    ]);
    expect(functions.functions?.rows[0]?.name).toBe('solve');
    expect(functions.functions?.base.run).toBe('i0.r1 so far');
    const early = path.join(workspace, 'early.kymo');
    copyFileSync(path.join(folder, 'iterations.kymo'), early);
    await suspendRun(folder, true);
    const suspended = await follow(({ live: now }) => now.state === 'suspended');
    const later = await follow(({ live: now }) => now.seconds > suspended.live.seconds + 1);
    expect(later.live.processes[0]?.iterations).toBe(suspended.live.processes[0]?.iterations);
    await suspendRun(folder, false);
    await follow(({ live: now }) => now.state === 'running');

    writeFileSync(path.join(workspace, 'stop'), '');
    const { iterations, window } = await measuring;
    const steps = Number(readFileSync(path.join(folder, 'output.txt'), 'utf8').split(' ')[0]);
    expect(iterations).toMatchObject({ count: steps });
    expect(window).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('live') || name.endsWith('.tmp'))).toEqual(
      [],
    );
    expect(await runsUnderWay(workspace)).toEqual([]);

    // What was shown early is a part of the result: the last of its iterations.
    const [whole, part] = [values(open(path.join(folder, 'iterations.kymo'))), values(open(early))];
    const missing = open(early).directory.notes.join(' ');
    const skipped = Number(/first (\d+) iterations of the run are missing/.exec(missing)?.[1] ?? 0);
    // What gets slower begins where the program says.
    const slower = findings.dynamics?.properties.filter(({ title }) => title.includes('egradation')) ?? [];
    const begins = slower.flatMap(({ iterations: ranges = [] }) => ranges.map(([from]) => from + skipped));
    expect(
      begins.some((from) => Math.abs(from - 400) <= 10),
      JSON.stringify(slower),
    ).toBe(true);
    expect(Object.keys(part).sort()).toEqual(['extra', 'solve', 'step']);
    for (const [name, own] of Object.entries(part)) {
      const same = whole[name]?.slice(skipped, skipped + own.length) ?? [];
      expect(own.map(([visits]) => visits)).toEqual(same.map(([visits]) => visits));
      // The length of a tick is known better in the end.
      own.forEach(([, seconds], i) => {
        expect(seconds).toBeCloseTo(same[i]?.[1] ?? 0, 5);
      });
    }
  });

  it('leaves nothing behind when it is cancelled, and does what it would do alone', async () => {
    prepare();
    writeFileSync(path.join(workspace, 'all.txt'), 'solve\n');
    const abort = new AbortController();
    const measuring = run({ signal: abort.signal });
    const failed = expect(measuring).rejects.toThrow();
    const { folder, live } = await begun();
    abort.abort();
    await failed;
    expect(existsSync(path.join(folder, 'live.json'))).toBe(false);
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(live.processes[0]?.pid)], {
      encoding: 'utf8',
    });
    expect(stdout.trim()).toMatch(/^(Z.*)?$/);
  });

  it('leaves its output and what was known last, and no run under way, when the program crashes', async () => {
    prepare();
    writeFileSync(path.join(workspace, 'all.txt'), 'solve\n');
    const measuring = run();
    const failed = expect(measuring).rejects.toThrow(/SIGSEGV/);
    const { folder, live } = await begun();
    process.kill(live.processes[0]?.pid ?? 0, 'SIGSEGV');
    await failed;
    expect(readdirSync(folder).filter((name) => name.startsWith('live'))).toEqual([]);
    expect(open(path.join(folder, 'iterations.kymo')).directory.phase).toBe('step');
  });

  it('goes on when its terminal is closed, and is complete in the end', async () => {
    prepare();
    writeFileSync(path.join(workspace, 'all.txt'), 'solve\n');
    const words = ['run', '--workspace', workspace, '--filter', path.join(workspace, 'all.txt')];
    const command = spawn(process.execPath, [cli, ...words], { stdio: 'ignore' });
    const ended = new Promise((resolve) => command.once('exit', resolve));
    const { folder, live } = await begun();
    command.kill('SIGHUP');
    for (;;) {
      const [now] = await runsUnderWay(workspace);
      if ((now?.live.seconds ?? 0) > live.seconds + 1) break;
      await pause(100);
    }
    writeFileSync(path.join(workspace, 'stop'), '');
    expect(await ended).toBe(0);
    expect(existsSync(path.join(folder, 'experiment.json'))).toBe(true);
  });

  it('is refused where it cannot be, before anything is built', async () => {
    prepare({ run: { launcher: { kind: 'slurm', ranks: 2 } } });
    writeFileSync(path.join(workspace, 'all.txt'), 'solve\n');
    await expect(run()).rejects.toThrow(/batch job run on other machines/);
    await expect(run({ repetitions: 2 })).rejects.toThrow();
    expect(existsSync(path.join(workspace, '.kymo'))).toBe(false);
    await expect(suspendRun(workspace, true)).rejects.toThrow(/is over/);
  });
});
