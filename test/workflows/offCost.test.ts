import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBuiltState, buildFolder } from '../../src/measurement/backends/common/builtState';
import { refine } from '../../src/workflows/refine';
import type { RefineResult } from '../../src/workflows/studies/refine.types';

/**
 * `work` computes for itself. `power` is pure, so that plain compilers call it once for all rounds: probes in it make them call it in
 * each, which takes twice as long as all of the work.
 */
const source = `#include <stdio.h>
static double work(int n) { double x = 1; for (int i = 0; i < n; i++) { x = x * 0.999 + i; x -= 1 / x; x *= 0.5; x += 2; if (x > 9) x = 1; if (x < 1) x = 9; x -= 1 / x; } return x; }
__attribute__((noinline)) static unsigned power(unsigned x, int n) { unsigned y = 1; for (int i = 0; i < n; i++) y *= x; return y; }
static unsigned often(int rounds, int n) { unsigned sum = 0; for (int i = 0; i < rounds; i++) sum += power(3, n); return sum; }
int main(int argc, char **argv) {
  double x = 0;
  for (int i = 0; i < 50; i++) x += work(60000);
  printf("%u %g\\n", often(ROUNDS, argc), x);
  return argv == 0;
}
`;

async function refined(
  compiler: string,
  rounds: number,
  clean: object,
): Promise<{ workspace: string; result: RefineResult }> {
  const workspace = mkdtempSync(path.join(tmpdir(), 'kymo off cost-'));
  writeFileSync(path.join(workspace, 'main.c'), source.replace('ROUNDS', String(rounds)));
  const build = { command: '${cc} -O2 -g -o program main.c', ...clean };
  const targets = [{ name: 'it', build, executable: 'program', repetitions: 1 }];
  writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets }));
  const result = await refine({
    workspace,
    signal: new AbortController().signal,
    environment: { KYMO_CC: compiler },
  });
  return { workspace, result };
}

const clean = { clean: 'rm -f program' };

describe.each(['gcc', 'clang-19'])('the cost of idle sites of a program by %s', (compiler) => {
  it('is found to be too much, and the program is built and measured again with fewer probes', async () => {
    const { workspace, result } = await refined(compiler, 20_000_000, clean);
    expect(result.notes.join(' ')).toMatch(/Idle patch points cost .* built a second time with probes only/);
    // The plain build, once more beside it, and then with fewer.
    expect(result.builds).toBe(4);
    expect(result.vanilla?.pairs).toBeGreaterThanOrEqual(6);
    const built = await readBuiltState(buildFolder(workspace, 'it'));
    expect(built?.minimumStatements).toBeGreaterThan(10);
    expect(state(result.directory)).toBe('complete');
    // It has more statements.
    expect(result.hotFunctions.map(({ name }) => name)).toContain('work');
    expect(result.offCost?.mostPercent).toBeLessThan(3);
    // What was found out holds for the next refinement, which needs one build.
    const next = await refine({
      workspace,
      signal: new AbortController().signal,
      environment: { KYMO_CC: compiler },
    });
    expect(next.builds).toBe(1);
    expect(next.vanilla).toBeUndefined();
    rmSync(workspace, { recursive: true });
  });

  it('is little, and nothing is compared', async () => {
    const { workspace, result } = await refined(compiler, 100, clean);
    expect(result.builds).toBe(1);
    expect(result.offCost?.functions).toBeGreaterThan(0);
    expect(result.offCost?.mostPercent).toBeLessThan(3);
    expect(result.offCost?.percent).toBeGreaterThan(0);
    expect(result.vanilla).toBeUndefined();
    rmSync(workspace, { recursive: true });
  });
});

it('says that it cannot be compared without a clean command', async () => {
  const { workspace, result } = await refined('gcc', 20_000_000, {});
  expect(result.offCost?.mostPercent).toBeGreaterThan(3);
  expect(result.builds).toBe(1);
  expect(result.notes.join(' ')).toMatch(/Idle patch points may cost more than 3 %\. .* "clean"/);
  rmSync(workspace, { recursive: true });
});

const state = (directory: string): unknown =>
  (JSON.parse(readFileSync(path.join(directory, 'study.json'), 'utf8')) as { readonly state: unknown }).state;
