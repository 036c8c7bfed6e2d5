import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
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

describe('refining inside one run', () => {
  it('switches functions while the program runs, which does what it would do alone', async () => {
    const steps = 500;
    const { directory, iterations, functionsKnown, hotFunctions, final } = await refined(steps);
    expect(iterations.length).toBeGreaterThanOrEqual(2);
    expect(iterations.every(({ window, runs }) => window === true && runs === 1)).toBe(true);
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
