import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../../src/core/progress';
import { findProgram } from '../../src/measurement/launch/findProgram';
import { makeModels } from '../../src/workflows/models';
import { refine } from '../../src/workflows/refine';
import type { RefineOptions } from '../../src/workflows/refine/refineOptions';
import { functionRows } from '../../src/workflows/studies/functionsFile';
import type { RefineResult } from '../../src/workflows/studies/refine.types';
import { listStudies } from '../../src/workflows/studies/studies';

const built = existsSync(path.resolve('dist/wrapper.js'));
const hasMpi = (await findProgram('mpicc')) !== undefined && (await findProgram('mpirun')) !== undefined;
const signal = new AbortController().signal;

/** At n = 2048, nearly all time is that of `square`, whatever `once` takes at small points. */
const program = `#include <stdio.h>
#include <stdlib.h>
static volatile double sum;
void __attribute__((noinline)) square(long n) {
  for (long i = 0; i < n; ++i) for (long k = 0; k < 20 * n; ++k) sum += 1.0 / (k + 1);
}
void __attribute__((noinline)) line(long n) { for (long k = 0; k < 20 * n; ++k) sum += 1.0 / (k + 1); }
void __attribute__((noinline)) once(void) { for (long k = 0; k < 80000; ++k) sum += 1.0 / (k + 1); }
int main(int count, char **words) {
  long n = atol(words[1]);
  once();
  line(n);
  square(n);
  printf("%d %g\\n", count, sum);
  return 0;
}
`;

const selectedNames = ({ models }: RefineResult): readonly string[] =>
  (models?.functions ?? []).filter(({ selected }) => selected).map(({ name }) => name);

describe.skipIf(!built)('refining by models', () => {
  let workspace: string;
  let result: RefineResult;
  beforeAll(async () => {
    workspace = mkdtempSync(path.join(tmpdir(), 'kymo models ü '));
    writeFileSync(path.join(workspace, 'prog.c'), program);
    const target = {
      name: 'prog',
      build: { command: '${cc} -O1 -g prog.c -o prog', clean: 'rm -f prog' },
      executable: 'prog',
      run: { arguments: ['${n}'] },
      parameters: { n: [32] },
      study: { parameters: { n: [64, 128, 256, 512, 1024] }, repetitions: 2 },
      refinement: { strategy: 'model', model: { extrapolate: { n: 'geometric' }, threshold: 0.1 } },
    };
    writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
    // The first call ends after a round, and the second one goes on.
    const stop = new AbortController();
    const stopNow = (): void => {
      stop.abort();
    };
    const options: RefineOptions = { workspace, signal: stop.signal, onRound: stopNow };
    await expect(refine(options)).rejects.toThrow();
    result = await refine({ workspace, signal });
  });
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  it('keeps what dominates at the point, and leaves out what does not', () => {
    expect(result.models?.point).toBe('n = 2048');
    const rules = new Map(result.models?.functions.map(({ name, rule }) => [name, rule]));
    expect(Object.fromEntries(rules)).toEqual({
      square: 'model',
      once: 'model-small',
      line: 'model-small',
      main: 'entry',
    });
  });

  it('measured all points in each round, in folders that Extra-P reads, and went on in the same study', async () => {
    const studies = await listStudies(workspace);
    expect(studies).toMatchObject([{ directory: result.directory, state: 'complete' }]);
    expect(result.iterations.length).toBeGreaterThan(1);
    for (const { index, points, runs } of result.iterations) {
      expect(points?.map(({ coordinates }) => coordinates.n).sort()).toEqual([
        '1024',
        '128',
        '256',
        '512',
        '64',
      ]);
      expect(runs).toBe(10);
      const folders = readdirSync(path.join(result.directory, `i${index}`));
      expect(folders).toContain('measured.n1024.r2');
      expect(folders.filter((name) => name.startsWith('baseline.'))).toHaveLength(
        index === 0 ? 9 + result.iterations.length * 5 - 4 : 0,
      );
    }
    const last = path.join(result.directory, `i${result.iterations.length - 1}`);
    const { models } = await makeModels({ paths: [last], metric: 'visits' }, { signal, progress: silent });
    expect(models.map(({ callPath }) => callPath)).toContain('prog->main');
  });

  it('gives the reason with model, value and threshold where functions are shown', async () => {
    const rows = new Map((await functionRows(result.directory)).map((row) => [row.name, row]));
    const { decision } = rows.get('line') ?? {};
    expect(`${decision?.clause ?? ''}${decision?.details ?? ''}`).toMatch(
      /^[<\d.]+ % of the time at n = 2048 \(threshold 10\.0 %\) by its model .+: [\d.]+ [µnm]?s/,
    );
  });

  it('refuses points of a strategy that measures one, and what it cannot extrapolate', async () => {
    const points = { values: { n: ['1', '2'] } };
    await expect(refine({ workspace, signal, strategy: 'hotspot', points })).rejects.toMatchObject({
      reason: 'usage',
    });
    const model: RefineOptions['model'] = (configured) => ({ ...configured, extrapolate: { m: 'linear' } });
    await expect(refine({ workspace, signal, model })).rejects.toThrow(/"m" cannot be extrapolated/);
    await expect(refine({ workspace, signal, points: { values: { n: ['1', 'x'] } } })).rejects.toThrow(
      /are texts/,
    );
    await expect(refine({ workspace, signal, parameters: { n: '7' } })).rejects.toMatchObject({
      reason: 'usage',
    });
  });
});

describe.skipIf(!built || !hasMpi)('refining a program for MPI by models', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kymo-models-mpi-'));
    cpSync(path.resolve('examples/growth'), folder, {
      recursive: true,
      filter: (name) => !name.includes('.kymo'),
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('finds the functions that grow most with the problem and with the number of ranks', async () => {
    const result = await refine({
      workspace: folder,
      signal,
      strategy: 'model',
      ranks: [1, 2, 3, 4, 6],
      points: { values: { n: ['32', '64', '128', '256', '512'] }, design: 'one-at-a-time' },
      repetitions: 1,
      model: (configured) => ({ ...configured, extrapolate: { n: 8192 } }),
    });
    expect(result.builds).toBe(1);
    expect(result.iterations.every(({ points }) => points?.length === 9)).toBe(true);
    expect(result.models?.point).toMatch(/^p = 9, n = 8192$/);
    const recorded = selectedNames(result);
    expect(recorded).toEqual(expect.arrayContaining(['main', 'interact']));
    const pair = result.models?.functions.find(({ name }) => name === 'interact_pair');
    expect(pair?.visits ?? 8192 ** 2).toBe(8192 ** 2);
  });
});
