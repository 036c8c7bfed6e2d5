import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildRuntime, type BuiltRuntime } from './build';
import { inconsistencies, readResults, visitsByRegion, type Result } from './result';
import { everything, readSites, writeSelection, type SiteKind } from './selection';

const programs = path.join(import.meta.dirname, 'programs');
const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-runtime-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runtimes = new Map<string, BuiltRuntime>();
beforeAll(() => {
  for (const compiler of ['gcc', 'clang-19']) runtimes.set(compiler, buildRuntime(compiler, path.join(folder, compiler)));
});

interface Build {
  readonly compiler: 'gcc' | 'clang-19';
  readonly kind: SiteKind;
  readonly flags: readonly string[];
  readonly fortran?: boolean;
}
interface Outcome {
  readonly status: number | null;
  readonly signal: string | null;
  readonly output: string;
}
let serial = 0;

function compileProgram(build: Build, source: string, more: readonly string[] = []): string {
  const cplusplus = source.endsWith('.cpp');
  const driver = source.endsWith('.f90')
    ? 'gfortran'
    : build.compiler === 'gcc'
      ? cplusplus ? 'g++' : 'gcc'
      : cplusplus ? 'clang++-19' : 'clang-19';
  const file = path.join(folder, `program-${++serial}`);
  const sites = [
    '-fpatchable-function-entry=5',
    ...(build.compiler === 'gcc' && !build.flags.includes('-fipa-ra') ? ['-fno-ipa-ra'] : []),
    ...(build.kind === 'entry' ? ['-DPROBES_OFF'] : []),
  ];
  const runtime = runtimes.get(build.compiler);
  execFileSync(driver, ['-g', '-pthread', '-w', ...sites, ...build.flags, path.join(programs, source), ...more, '-o', file, ...(runtime?.executable ?? [])]);
  return file;
}

function run(file: string, words: readonly string[], environment: Readonly<Record<string, string>> = {}): Outcome {
  const done = spawnSync(file, words, { encoding: 'utf8', cwd: folder, env: { ...process.env, ...environment }, timeout: 60_000, maxBuffer: 1 << 26 });
  return { status: done.status, signal: done.signal, output: done.stdout + done.stderr };
}

/** Names of the sleds' functions: the program prints them, in the order of their numbers, so the truth maps numbers to names. */
const sledNames = new Map<number, string>(
  ['destroyed', 'thrower', 'catcher', 'rethrower', 'level3', 'level2', 'level1', 'jumper', 'after_jump', 'jumping', 'sum', 'big', 'extended',
    'pair', 'wide', 'many', 'huge', 'even', 'odd', 'recursive', 'leaf', 'branch', 'leaving', 'waiting', 'handling', 'raising', 'yielding', 'fiber',
    'ending', 'forking'].map((name, index) => [index + 1, name]),
);

interface Measured {
  readonly outcome: Outcome;
  readonly results: readonly Result[];
  readonly slots: readonly string[];
}

function measure(file: string, kind: SiteKind, words: readonly string[], environment: Readonly<Record<string, string>> = {}): Measured {
  const results = path.join(folder, `results-${++serial}`);
  mkdirSync(results);
  const selection = path.join(folder, `selection-${serial}`);
  const slots = writeSelection(selection, [everything(readSites(file), kind, sledNames)]);
  const outcome = run(file, words, { KYMO_SELECTION: selection, KYMO_RESULTS: results, ...environment });
  return { outcome, results: readResults(results), slots };
}

/** `= name visits` lines; of a program that forked, of each process. */
function truth(output: string): Record<string, number> {
  const visits: Record<string, number> = {};
  for (const [, name = '', count] of output.matchAll(/^= (\S+) (\d+)$/gm)) visits[name] = (visits[name] ?? 0) + Number(count);
  return visits;
}

/** Visits of the regions that the program counts itself; clones that the optimiser made belong to their function. */
function recorded(measured: Measured, known: Readonly<Record<string, number>>): Record<string, number> {
  const visits: Record<string, number> = {};
  for (const [name, count] of Object.entries(visitsByRegion(measured.results, measured.slots))) {
    const region = name.replace(/\..*/, '');
    if (region in known && count > 0) visits[region] = (visits[region] ?? 0) + count;
  }
  return visits;
}

function expectSame(file: string, kind: SiteKind, words: readonly string[], environment: Readonly<Record<string, string>> = {}): Measured {
  const plain = run(file, words);
  const measured = measure(file, kind, words, environment);
  expect(measured.outcome).toEqual(plain);
  const known = truth(plain.output);
  expect(Object.keys(known).length).toBeGreaterThan(0);
  expect(recorded(measured, known)).toEqual(known);
  return measured;
}

const deep = { KYMO_DEPTH_LIMIT: '100000' };
const builds: Build[] = (['gcc', 'clang-19'] as const).flatMap((compiler) =>
  (['entry', 'sled'] as const).flatMap((kind) => ['-O0', '-O2', '-O3'].map((level) => ({ compiler, kind, flags: [level] }))),
);
const variants: Build[] = [
  ...(['gcc', 'clang-19'] as const).flatMap((compiler) =>
    (['entry', 'sled'] as const).flatMap((kind) => [
      { compiler, kind, flags: ['-O2', '-no-pie', '-fno-pie'] },
      { compiler, kind, flags: ['-O2', '-fcf-protection=full'] },
      { compiler, kind, flags: ['-O2', '-static'] },
      { compiler, kind, flags: ['-O2', '-fPIC', '-ffunction-sections', '-Wl,--gc-sections'] },
    ]),
  ),
  ...(['entry', 'sled'] as const).flatMap((kind) => [
    { compiler: 'gcc' as const, kind, flags: ['-O2', '-flto'] },
    { compiler: 'gcc' as const, kind, flags: ['-O2', '-fipa-ra'] },
  ]),
];

describe.each([...builds, ...variants])('$compiler $kind $flags', (build) => {
  let file = '';
  beforeAll(() => {
    file = compileProgram(build, 'cases.cpp');
  });

  it('does what it does unmeasured, and every visit is counted', () => {
    const { results } = expectSame(file, build.kind, [], deep);
    expect(results).toHaveLength(1);
  });

  it('nests times and events', () => {
    const { results } = measure(file, build.kind, ['conventions']);
    expect(results.flatMap(inconsistencies)).toEqual([]);
  });

  it.each(['_exit', '_Exit', 'quick_exit', 'exit', 'abort', 'terminate'])('leaves a result when it ends by %s', (how) => {
    const aborts = how === 'abort' || how === 'terminate';
    if (aborts && build.flags.includes('-static')) return; // a static libc insists on its own abort (runtime/README.md)
    const { results } = expectSame(file, build.kind, ['end', how]);
    expect(results.map((result) => result.flags)).toEqual([aborts ? 1 : 0]);
  });

  it.each(['segv', 'kill'])('leaves no result when it ends by %s, and ends so', (how) => {
    const plain = run(file, ['end', how]);
    const measured = measure(file, build.kind, ['end', how]);
    expect(measured.outcome).toEqual(plain);
    expect(measured.results).toEqual([]);
  });

  it('measures a forked child on its own', () => {
    const { results, slots } = expectSame(file, build.kind, ['fork']);
    expect(results).toHaveLength(2);
    const child = results.find((result) => results.some((other) => other.pid === result.parent));
    expect(child && visitsByRegion([child], slots)).toMatchObject({ forking: 0, branch: 1, leaf: 5 });
  });

  it('is not written by a child of vfork', () => {
    expect(expectSame(file, build.kind, ['vfork']).results).toHaveLength(1);
  });

  it('goes on when main leaves by pthread_exit', () => {
    expectSame(file, build.kind, ['main-leaves']);
  });
});
