import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { at } from '../../src/core/at';
import { present } from '../../src/core/present';
import { foldIterations } from '../../src/core/profile/foldIterations';
import { exclusive } from '../../src/core/profile/values';
import { readCube } from '../../src/formats/cube4/read';
import { refine } from '../../src/workflows/refine';
import type { RefineResult } from '../../src/workflows/studies/refine.types';

/** `tiny` costs more to record than it takes, `solve` is most of the time, and `step` the phase; it counts the calls itself. */
const source = `#include <stdio.h>
#include <stdlib.h>
static long calls;
__attribute__((noinline)) static double tiny(double x) { calls++; return x * 0.999 + 1e-3; }
__attribute__((noinline)) static double fold(double x) { for (int i = 0; i < 20000; i++) x = tiny(x); return x; }
__attribute__((noinline)) static double solve(double x) { for (int i = 0; i < 400000; i++) { x = x * 0.999 + i; x -= 1 / x; if (x > 9) x = 1; } return x; }
__attribute__((noinline)) static double step(double x) { return fold(solve(x)); }
int main(int argc, char **argv) {
  double x = 1;
  for (int i = 0; i < atoi(argv[1]); i++) x = step(x);
  printf("%.17g %ld\\n", x, calls);
  return 0;
}
`;

let workspace = '';
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function refined(steps: number, more: object = {}): Promise<RefineResult> {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo online Größe-'));
  writeFileSync(path.join(workspace, 'main.c'), source);
  const build = { command: '${cc} -O2 -g -o program main.c', clean: 'rm -f program' };
  const run = { arguments: [String(steps)], timeoutSeconds: 1200 };
  const targets = [{ name: 'it', build, executable: 'program', run, phase: 'step', ...more }];
  writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets }));
  return refine({ workspace, signal: new AbortController().signal, windowSeconds: 0.3 });
}

/**
 * `piece` takes about 200 ns and half of the time: to time each visit costs too much (up to about 440 ns), and to count them does not (from about 100 ns). Its chains do not depend on each other, so that
 * the processor does not put off the work until after the timer was read.
 */
const sampledSource = `#include <stdio.h>
#include <stdlib.h>
typedef unsigned long word;
#define NEXT(x) x = x * 6364136223846793005u + 1442695040888963407u;
__attribute__((noinline)) static word churn(word x, long n) {
  word a = x, b = x + 1, c = x + 2, d = x + 3, e = x + 4, f = x + 5, g = x + 6, h = x + 7;
  for (long i = 0; i < n; i++) { NEXT(a) NEXT(b) NEXT(c) NEXT(d) NEXT(e) NEXT(f) NEXT(g) NEXT(h) }
  return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}
__attribute__((noinline)) static word piece(word x) {
  word a = x, b = x + 1, c = x + 2, d = x + 3, e = x + 4, f = x + 5, g = x + 6, h = x + 7;
  for (int i = 0; i < 80; i++) { NEXT(a) NEXT(b) NEXT(c) NEXT(d) NEXT(e) NEXT(f) NEXT(g) NEXT(h) }
  return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}
__attribute__((noinline)) static word pieces(word x) { for (int i = 0; i < 2000; i++) x = piece(x); return x; }
__attribute__((noinline)) static word solve(word x) { return churn(x, 160000); }
__attribute__((noinline)) static word step(word x) { return pieces(solve(x)); }
int main(int argc, char **argv) {
  word x = 1;
  for (int i = 0; i < atoi(argv[1]); i++) x = step(x);
  printf("%lx\\n", x);
  return 0;
}
`;

/** The recorded functions with a tenth of the time of their own and more: name, and whether only some visits are timed. */
function hotOf({ hotFunctions }: RefineResult): readonly string[] {
  return hotFunctions
    .filter(({ selected, exclusiveShare, earlier }) => selected && earlier !== true && exclusiveShare >= 0.1)
    .map(({ name, timedOneIn }) => (timedOneIn === undefined ? name : `${name}, sampled`))
    .sort();
}

function refinedIn(folder: string, windowSeconds: number | undefined, target: object): Promise<RefineResult> {
  writeFileSync(path.join(folder, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
  const signal = new AbortController().signal;
  return refine({ workspace: folder, signal, resume: false, ...present({ windowSeconds }) });
}

describe('refining inside one run', () => {
  it('samples a hot function whose visits cost too much to time them all', async () => {
    workspace = mkdtempSync(path.join(tmpdir(), 'kymo-online-'));
    writeFileSync(path.join(workspace, 'main.c'), sampledSource);
    const one = await refinedIn(workspace, 1, {
      name: 'sampled',
      build: { command: '${cc} -O2 -g -o program main.c', clean: 'rm -f program' },
      executable: 'program',
      run: { arguments: ['12000'], timeoutSeconds: 1200 },
    });
    expect(hotOf(one)).toEqual(['churn', 'piece, sampled']);
    expect(one.iterations.at(-1)?.overheadPercent).toBeLessThanOrEqual(5);
    expect(one.hotFunctions.every(({ inclusiveShare }) => inclusiveShare <= 1)).toBe(true);
  });

  it('ends with the hot functions of a bundled example whose functions are counted first', async () => {
    workspace = mkdtempSync(path.join(tmpdir(), 'kymo-online-'));
    cpSync(path.resolve('examples/nbody'), workspace, { recursive: true });
    const nbody = (steps: string): object => ({
      name: 'nbody',
      build: { command: 'make -j2 CXX=${cxx}', clean: 'make clean' },
      executable: './nbody',
      run: {
        arguments: ['--bodies', '1500', '--steps', steps, '--follow', '100'],
        timeoutSeconds: 1200,
      },
      phase: 'step',
      repetitions: 1,
    });
    const many = await refinedIn(workspace, undefined, nbody('40'));
    const one = await refinedIn(workspace, 1, nbody('600'));
    expect(hotOf(many)).toEqual(['pull [Law = Gravity]', 'pull [Law = Spring]']);
    expect(hotOf(one)).toEqual(hotOf(many));
    // The first round counts the visits of functions that are called often.
    expect(at(one.iterations, 0).timedVisits).toBeLessThan(at(one.iterations, 0).visits / 10);
  });

  it('switches functions while the program runs, which does what it would do alone', async () => {
    const steps = 500;
    const { directory, iterations, functionsKnown, hotFunctions, final } = await refined(steps);
    expect(iterations.length).toBeGreaterThanOrEqual(2);
    expect(iterations.every(({ window, runs }) => window === true && runs === 1)).toBe(true);
    // Only what costs several times the target ends a round early.
    expect(iterations.at(-1)?.medianSeconds).toBeGreaterThan(0.28);
    expect(functionsKnown).toBeGreaterThanOrEqual(5);
    expect(hotFunctions[0]).toMatchObject({ name: 'solve', selected: true });
    expect(hotFunctions.find(({ name }) => name === 'tiny')?.selected ?? false).toBe(false);
    expect(final.predictedPercent).toBeLessThanOrEqual(5);
    // The same executable alone, with nothing recorded.
    const alone = spawnSync(path.join(workspace, 'program'), [String(steps)], { encoding: 'utf8' });
    expect(readFileSync(path.join(directory, 'online', 'output.txt'), 'utf8')).toBe(alone.stdout);
    expect(existsSync(path.join(directory, 'online', 'results'))).toBe(false);
    // The phase is recorded from the first to the last iteration.
    const file = path.join(directory, 'online', 'profile.cubex');
    const profile = foldIterations(readCube(readFileSync(file), file));
    const step = profile.callPaths.region.findIndex((region) => profile.regions[region]?.name === 'step');
    expect(exclusive(profile, 'visits')[step]).toBe(steps);
  });

  it('refuses what cannot be refined inside one run, before it builds anything', async () => {
    const tor = refined(1, { refinement: { strategy: 'tor' } });
    await expect(tor).rejects.toThrow(/the strategy tor compares whole runs/);
    rmSync(workspace, { recursive: true });
    const slurm = refined(1, { run: { launcher: { kind: 'slurm', ranks: 2 } } });
    await expect(slurm).rejects.toThrow(/batch job run on other machines/);
    expect(existsSync(path.join(workspace, '.kymo'))).toBe(false);
  });

  it('says that a program was too short for it', async () => {
    await expect(refined(1)).rejects.toThrow(/ended before/);
  });
});
