import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainCounters } from '../../src/core/profile/hardwareCounters';
import { parseResult, type KymoResult } from '../../src/formats/kymo-result/resultFile';
import { readManifest } from '../../src/measurement/compilers/manifest';
import { findProgram } from '../../src/measurement/launch/findProgram';
import { runtimeFolder } from './build';
import { programs, Workbench, type Measured } from './harness';
import { everything, readSites } from './selection';

/**
 * Page faults stand in for what the processor counts, which the machine of a test may not show: all of them for instructions, and minor ones for cache misses. So a program
 * knows how much it causes.
 */
const wanted = { KYMO_COUNTERS: '1' };
const pageFaults = { ...wanted, KYMO_TEST_COUNTERS: 'page-faults' };
/** Pages of the runtime itself, and of the program's stack and libraries. */
const others = 20;
const perf = await findProgram('perf');

const bench = new Workbench();
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));

function resultsOf({ folder }: Measured): readonly KymoResult[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.kymo'));
  return files.map((file) => parseResult(readFileSync(path.join(folder, file)), file));
}

/** Amounts of a counter by the last two functions of the call path, over all threads of a process. */
function amounts({ threads }: KymoResult, slots: readonly string[], counter: 'instructions' | 'cacheMisses') {
  const sums: Record<string, number> = {};
  for (const { slot, parent, counters } of threads)
    for (const [node, own] of slot.entries()) {
      const caller = slots[slot[parent[node] ?? -1] ?? -1];
      const name = `${caller === undefined ? '' : `${caller}/`}${slots[own] ?? ''}`;
      sums[name] = (sums[name] ?? 0) + (counters.get(counter)?.[node] ?? 0);
    }
  return sums;
}

function expectPages(
  sums: Record<string, number>,
  pages: Readonly<Record<string, number>>,
  more = others,
): void {
  for (const [name, least] of Object.entries(pages)) {
    expect(sums[name], name).toBeGreaterThanOrEqual(least);
    expect(sums[name], name).toBeLessThanOrEqual(least + more);
  }
}

const wholly = { error: 0, countedShare: 1, isWhole: true };

const kind = 'entry';

describe.each(['gcc', 'clang-19'] as const)('counters, %s', (compiler) => {
  let file = '';
  beforeAll(() => {
    file = bench.compile({ compiler, kind, flags: ['-O1'] }, 'faults.c');
  });
  const measured = (how: string, environment: Readonly<Record<string, string>> = pageFaults): Measured => {
    const all = bench.measureAll(file, kind, new Map(), [how], environment);
    expect(all.outcome).toEqual(bench.run(file, [how]));
    expect(all.outcome.status).toBe(3);
    return all;
  };

  it('what is counted between two events belongs to the call path on top', () => {
    const all = measured('none');
    const [result] = resultsOf(all);
    expect(result?.counters).toMatchObject(wholly);
    for (const counter of ['instructions', 'cacheMisses'] as const)
      if (result !== undefined)
        expectPages(amounts(result, all.slots, counter), {
          'main/outer': 700,
          'outer/inner': 300,
          main: 0,
        });
  });

  it('each thread counts its own, until it ends', () => {
    const all = measured('threads');
    const [result] = resultsOf(all);
    expect(result?.counters).toMatchObject(wholly);
    expect(result?.threads).toHaveLength(4);
    for (const thread of result?.threads ?? [])
      if (result !== undefined) {
        const sums = amounts({ ...result, threads: [thread] }, all.slots, 'instructions');
        expectPages(sums, { [thread.number === 0 ? 'main/outer' : 'outer']: 700, 'outer/inner': 300 });
      }
  });

  it('a child of fork counts from the fork on, and one without handlers of fork runs as ever', () => {
    const all = measured('fork');
    const children = resultsOf(all).map((result) => amounts(result, all.slots, 'instructions'));
    expect(children).toHaveLength(2);
    const parent = children.findIndex((sums) => 'main/inner' in sums);
    expectPages(children[parent] ?? {}, { 'main/inner': 300, 'main/outer': 700, 'outer/inner': 300 });
    expectPages(children[1 - parent] ?? {}, { 'main/outer': 700, 'outer/inner': 300, main: 0 });
    const alone = measured('_Fork');
    const [result] = resultsOf(alone);
    if (result !== undefined)
      expectPages(amounts(result, alone.slots, 'instructions'), { 'main/inner': 300, 'main/outer': 700 });
  });

  it('below the depth limit, too, where a function has one call path', () => {
    const all = measured('deep');
    const [result] = resultsOf(all);
    const sums = result === undefined ? {} : amounts(result, all.slots, 'instructions');
    const inDeep = Object.entries(sums).filter(([name]) => name.endsWith('deep'));
    const sum = inDeep.reduce((total, [, pages]) => total + pages, 0);
    expectPages({ deep: sum }, { deep: 400 }, 60); // The stack and the call paths grow.
  });

  it('a program that closes all descriptors ends as ever, and the result says what it lacks', () => {
    const [result] = resultsOf(measured('close'));
    expect(result?.counters).toMatchObject({ error: 0, isWhole: false });
    expect(explainCounters(result?.counters === undefined ? [] : [result.counters])).toEqual([
      expect.stringMatching(/^1 of 1 processes: .*closed files that are not its own/),
    ]);
  });

  it('so does one that may open few files', () => {
    const few = bench.measure(
      '/bin/sh',
      [everything(readSites(file), kind, new Map())],
      ['-c', `ulimit -n 12 && exec "$0" threads`, file],
      pageFaults,
    );
    expect(few.outcome).toEqual(bench.run(file, ['threads']));
    const [result] = resultsOf(few);
    expect(result?.counters).toMatchObject({ error: 0, isWhole: false });
    expect(result?.threads.filter(({ counters }) => counters.size > 0).length).toBeGreaterThan(0);
  });

  it.skipIf(perf === undefined)(
    'their sum is what perf counts, but for what was before the first event',
    () => {
      const report = bench.path('perf');
      const all = bench.measure(
        perf ?? '',
        [everything(readSites(file), kind, new Map())],
        ['stat', '-x,', '-e', 'page-faults:u', '-o', report, file, 'threads'],
        pageFaults,
      );
      const [result] = resultsOf(all);
      const sums = result === undefined ? {} : amounts(result, all.slots, 'instructions');
      const sum = Object.values(sums).reduce((total, pages) => total + pages, 0);
      const counted = Number(/^(\d+),.*page-faults/m.exec(readFileSync(report, 'utf8'))?.[1]);
      expect(sum).toBeGreaterThanOrEqual(4000);
      expect(sum).toBeLessThanOrEqual(counted);
      // Loading the program and its libraries, and making its threads.
      expect(counted - sum).toBeLessThan(1000);
    },
  );

  it('the processor’s own are refused where they are for any program, and the run is the same', () => {
    const { cflags, files } = readManifest(runtimeFolder).perf;
    const probe = bench.path('probe');
    execFileSync(compiler, [...cflags, '-Wall', '-Wextra', '-Werror', '-o', probe, ...files], {
      cwd: runtimeFolder,
    });
    const [error] = execFileSync(probe, { encoding: 'utf8' }).trim().split(' ').map(Number);
    const [result] = resultsOf(measured('threads', wanted));
    expect(result?.counters?.error).toBe(error);
    const have = result?.threads.some(({ counters }) => counters.size > 0);
    expect(have).toBe(error === 0);
    expect(explainCounters(result?.counters === undefined ? [] : [result.counters])).toHaveLength(
      error === 0 ? 0 : 1,
    );
  });

  it('a run that does not ask for them has none', () => {
    for (const environment of [{}, { KYMO_COUNTERS: '' }, { KYMO_COUNTERS: '0' }]) {
      const [result] = resultsOf(measured('none', { ...environment, KYMO_TEST_COUNTERS: 'page-faults' }));
      expect(result?.counters).toBeUndefined();
      expect(result?.threads.some(({ counters }) => counters.size > 0)).toBe(false);
    }
  });
});

it('a counter is read from its page as the kernel describes it', () => {
  const program = bench.path('page');
  const { cflags, architectures } = readManifest(runtimeFolder);
  const flags = [...cflags, ...(architectures.x86_64?.handlerFlags ?? [])];
  const { executable } = bench.runtime('gcc');
  execFileSync('gcc', [...flags, '-o', program, path.join(programs, 'perfPage.c'), ...executable], {
    cwd: runtimeFolder,
  });
  const lines = execFileSync(program, { encoding: 'utf8' }).trim().split('\n');
  // The sum of both; a sum with a negative value; that of the counter after the change; three that cannot be read.
  expect(lines.slice(0, 3)).toEqual(['1 1234', `1 ${2 ** 48 - 1000}`, '1 5011']);
  expect(lines.slice(3).map((line) => line.split(' ')[0])).toEqual(['0', '0', '0']);
});
