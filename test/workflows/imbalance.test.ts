import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../src/measurement/launch/findProgram';
import { refine } from '../../src/workflows/refine';
import { functionRows } from '../../src/workflows/studies/functionsFile';

/** In kernel, rank 1 does three times as much as rank 0; nobody waits before the end. */
const program = `#include <mpi.h>
#include <stdio.h>
static double sum;
__attribute__((noinline)) void add(long steps) {
  for (long step = 1; step < steps; ++step) sum += 1.0 / step;
}
__attribute__((noinline)) void kernel(int rank) { add(rank == 1 ? 30000000L : 10000000L); sum += 1; }
__attribute__((noinline)) void even(void) { for (long step = 1; step < 15000000L; ++step) sum += 1.0 / step; }
__attribute__((noinline)) void work(int rank) { kernel(rank); even(); }
int main(int count, char **words) {
  int rank;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 4; ++i) work(rank);
  MPI_Finalize();
  printf("%g\\n", sum);
  return 0;
}
`;

const ready =
  existsSync(path.resolve('dist/wrapper.js')) &&
  (await findProgram('mpicc')) !== undefined &&
  (await findProgram('mpirun')) !== undefined;
let workspace: string;
beforeAll(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo imbalance ü '));
  writeFileSync(path.join(workspace, 'uneven.c'), program);
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

describe.skipIf(!ready)('the strategy imbalance on a program for MPI', () => {
  it('ends with the functions in which a rank computes longer, and how much', async () => {
    const target = {
      name: 'uneven',
      build: { command: 'KYMO_CC=mpicc ${cc} -g -O1 -o uneven uneven.c', clean: 'rm -f uneven' },
      executable: './uneven',
      run: { launcher: { kind: 'mpirun', ranks: 2 } },
      repetitions: 1,
      refinement: { strategy: 'imbalance', maximumIterations: 9, imbalance: { childRelevance: 'all' } },
    };
    writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
    const { directory, stopReason } = await refine({ workspace, signal: new AbortController().signal });
    expect(stopReason).toBe('fixpoint');
    const rows = new Map((await functionRows(directory)).map((row) => [row.name, row]));
    const decided = [...rows.values()].map(({ name, selected, decision }) => [
      name,
      selected,
      decision?.rule,
    ]);
    expect(decided.sort()).toEqual([
      ['add', true, 'imbalanced'],
      ['even', false, 'balanced'],
      ['kernel', true, 'imbalanced'],
      ['main', true, 'entry'],
      ['work', true, 'imbalanced'],
    ]);
    const imbalance = (name: string): number =>
      Number(/computation is ([\d.]+) %/.exec(rows.get(name)?.decision?.clause ?? '')?.[1]);
    // (max − mean) ÷ max · 2: (3 − 2) ÷ 3 · 2, and with what both do alike (4.5 − 3.5) ÷ 4.5 · 2.
    expect(Math.abs(imbalance('kernel') - 66.7)).toBeLessThan(10);
    expect(Math.abs(imbalance('work') - 44.4)).toBeLessThan(10);
  });
});
