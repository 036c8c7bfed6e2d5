import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readManifest } from '../../../src/measurement/compilers/manifest';
import { parseResult, type KymoResult } from '../../../src/formats/kymo-result/resultFile';
import { withConstructNames } from '../../../src/measurement/layers/constructNames';
import { pthreadLayer } from '../../../src/measurement/layers/threadLayers';
import { runtimeFolder } from '../build';
import { Workbench, type Outcome } from '../harness';
import { everything, readSites, writeSelection } from '../selection';

const workbench = new Workbench();
afterAll(() => {
  rmSync(workbench.folder, { recursive: true, force: true });
});

const programs = path.join(import.meta.dirname, 'programs');

let layer = '';
beforeAll(() => {
  const { cflags, files } = readManifest(runtimeFolder).pthread;
  layer = path.join(workbench.folder, 'layer.so');
  execFileSync('gcc', [...cflags, '-Wall', '-Wextra', '-Werror', '-o', layer, ...files], {
    cwd: runtimeFolder,
  });
});

interface Waits {
  readonly name: string;
  readonly line: number | undefined;
  readonly thread: number;
  readonly visits: number;
  readonly seconds: number;
}

/** All visits of regions of Pthreads in a run with all functions recorded. */
async function measured(
  program: string,
): Promise<{ readonly outcome: Outcome; readonly waits: readonly Waits[] }> {
  const folder = workbench.path('results');
  mkdirSync(folder);
  const selection = workbench.path('selection');
  const functions = writeSelection(selection, [everything(readSites(program), 'entry', new Map())]).length;
  const outcome = workbench.run(program, [], {
    KYMO_SELECTION: selection,
    KYMO_RESULTS: folder,
    LD_PRELOAD: layer,
  });
  const read = readdirSync(folder)
    .filter((name) => name.endsWith('.kymo'))
    .map((name) => parseResult(readFileSync(path.join(folder, name)), name));
  const [result] = await withConstructNames(read);
  if (result === undefined) throw new Error('no result');
  return { outcome, waits: waitsOf(result, functions) };
}

function waitsOf({ regions, threads, ticksPerSecond }: KymoResult, functions: number): readonly Waits[] {
  return threads.flatMap(({ number: thread, slot, visits, inclusiveTicks }) =>
    [...slot].flatMap((of, node) => {
      const region = regions[of - functions];
      if (region?.kind !== 'threads') return [];
      const seconds = (inclusiveTicks[node] ?? 0) / ticksPerSecond;
      return [{ name: region.name, line: region.line, thread, visits: visits[node] ?? 0, seconds }];
    }),
  );
}

describe.each(['gcc', 'clang-19'] as const)('waiting in Pthreads, %s', (compiler) => {
  const compile = (source: string): string =>
    workbench.compile({ compiler, kind: 'entry', flags: ['-O1'] }, path.join(programs, source));

  it('each wait is a region at its line, as long as the program finds; what need not wait is none', async () => {
    const program = compile('waits.c');
    const { outcome, waits } = await measured(program);
    expect(outcome.status).toBe(3);
    const truth = [...outcome.output.matchAll(/^= (\w+) (\d+) (\d+)$/gm)];
    expect(truth).toHaveLength(6);
    for (const [, name = '', line, microseconds] of truth) {
      const here = waits.filter((one) => one.name === `${name} @waits.c:${line ?? ''}` && one.thread === 0);
      expect(here).toMatchObject([{ line: Number(line), visits: 1 }]);
      const seconds = Number(microseconds) / 1e6;
      expect(Math.abs((here[0]?.seconds ?? 0) - seconds)).toBeLessThan(0.05 * seconds);
    }
    const locked = waits.filter(({ name, thread }) => name.startsWith('pthread_mutex_lock') && thread === 0);
    expect(locked).toHaveLength(1);
  });

  it('C++: a join has no line of the program, a wait has one; all mutexes and cancelled threads behave as without the layer', async () => {
    const program = compile('uses.cpp');
    const { outcome, waits } = await measured(program);
    expect(outcome).toEqual(workbench.run(program, []));
    expect(outcome.output).toContain('cancelled 1');
    const lines = readFileSync(path.join(programs, 'uses.cpp'), 'utf8').split('\n');
    const line = lines.findIndex((text) => text.includes('condition.wait')) + 1;
    const ofMain = waits.filter(({ thread }) => thread === 0);
    expect(ofMain).toContainEqual(
      expect.objectContaining({ name: `pthread_cond_wait @uses.cpp:${line}`, line }) as unknown,
    );
    expect(ofMain).toContainEqual(
      expect.objectContaining({ name: 'pthread_join', line: undefined }) as unknown,
    );
  });
});

describe('the layer', () => {
  it('is built for programs that are linked dynamically', async () => {
    const environment = { ...process.env, XDG_CACHE_HOME: path.join(workbench.folder, 'cache') };
    expect(await pthreadLayer('/bin/true', environment)).toMatchObject({ kind: 'layer' });
    const file = path.join(programs, 'waits.c');
    const program = workbench.compile({ compiler: 'gcc', kind: 'entry', flags: ['-static'] }, file);
    expect(await pthreadLayer(program, environment)).toMatchObject({
      kind: 'missing',
      note: expect.stringContaining('statically') as unknown,
    });
  });
});
