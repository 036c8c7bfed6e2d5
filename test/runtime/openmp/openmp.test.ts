import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readManifest } from '../../../src/measurement/compilers/manifest';
import { parseResult, type KymoResult } from '../../../src/formats/kymo-result/resultFile';
import { withConstructNames } from '../../../src/measurement/layers/constructNames';
import { openmpLayer } from '../../../src/measurement/layers/threadLayers';
import { runtimeFolder } from '../build';
import { Workbench, type Environment, type Outcome } from '../harness';
import { readIterations, sumsOf } from '../iterations';
import { waiting, type ResultNode } from '../result';
import { everything, readSites, writeSelection } from '../selection';
import { onlyInFull } from '../../volume';

const workbench = new Workbench();
afterAll(() => {
  rmSync(workbench.folder, { recursive: true, force: true });
});

const programs = path.join(import.meta.dirname, 'programs');
const compilers = ['gcc', 'clang-19'] as const;
type Compiler = (typeof compilers)[number];

let layer = '';
beforeAll(() => {
  const { cflags, files } = readManifest(runtimeFolder).openmp;
  layer = path.join(workbench.folder, 'layer.so');
  execFileSync('gcc', [...cflags, '-Wall', '-Wextra', '-Werror', '-o', layer, ...files], {
    cwd: runtimeFolder,
  });
});

function compile(compiler: Compiler, source: string, more: readonly string[] = []): string {
  const flags = ['-fopenmp', '-O1', ...more];
  return workbench.compile({ compiler, kind: 'entry', flags }, path.join(programs, source));
}

interface Run {
  readonly outcome: Outcome;
  readonly results: readonly KymoResult[];
  readonly functions: number;
}

/** Runs a program with all its functions and constructs recorded. */
async function measured(
  program: string,
  words: readonly string[] = [],
  environment: Environment = {},
): Promise<Run> {
  const folder = workbench.path('results');
  mkdirSync(folder);
  const selection = workbench.path('selection');
  const functions = writeSelection(selection, [everything(readSites(program), 'entry', new Map())]).length;
  const outcome = workbench.run(program, words, {
    KYMO_SELECTION: selection,
    KYMO_RESULTS: folder,
    LD_PRELOAD: layer,
    ...environment,
  });
  const results = readdirSync(folder)
    .filter((name) => name.endsWith('.kymo'))
    .sort()
    .map((name) => parseResult(readFileSync(path.join(folder, name)), name));
  return { outcome, results: await withConstructNames(results), functions };
}

/** Visits by name, without the line where `line` is 0. */
function visitsOf({ results, functions }: Run, name: string, line: number): number {
  let visits = 0;
  for (const { regions, threads } of results)
    for (const { slot, visits: column } of threads)
      slot.forEach((number, node) => {
        const region = regions[number - functions];
        if (region?.name.replace(/ @.*/, '') !== name) return;
        if (line === 0 || region.line === line) visits += column[node] ?? 0;
      });
  return visits;
}

type Counted = readonly { readonly name: string; readonly line: number; readonly visits: number }[];

/** The lines `= <name> <line> <visits>` of the output. */
function truthOf(output: string): Counted {
  return [...output.matchAll(/^= (.+)\t(\d+)\t(\d+)$/gm)].map(([, name = '', line, visits]) => ({
    name,
    line: Number(line),
    visits: Number(visits),
  }));
}

/** @param anywhere functions that are compared without their lines */
function expectTruth(run: Run, anywhere = /^$/): void {
  const truth = withoutLines(truthOf(run.outcome.output), anywhere);
  expect(truth.length).toBeGreaterThan(0);
  expect(truth.map(({ name, line }) => ({ name, line, visits: visitsOf(run, name, line) }))).toEqual(truth);
  for (const { flags } of run.results) expect(flags).toMatchObject({ unbalanced: false, incomplete: false });
}

function withoutLines(truth: Counted, anywhere: RegExp): Counted {
  const sums = new Map<string, number>();
  for (const { name, visits } of truth)
    if (anywhere.test(name)) sums.set(name, (sums.get(name) ?? 0) + visits);
  return [
    ...truth.filter(({ name }) => !anywhere.test(name)),
    ...[...sums].map(([name, visits]) => ({ name, line: 0, visits })),
  ];
}

/** LLVM's compiler calls the library for these by a jump, so that the library does not see where they are. */
const withoutLine = /^= (!\$omp (?:create )?task\t113|!\$omp parallel\t136).*\n/gm;

describe.each(compilers)('OpenMP constructs, %s', (compiler) => {
  it('C: each construct has the visits that the program counts, at its line', async () => {
    const program = compile(compiler, 'constructs.c');
    const run = await measured(program);
    expect(run.outcome).toEqual(workbench.run(program, []));
    expect(run.outcome.status).toBe(3);
    const output = compiler === 'gcc' ? run.outcome.output : run.outcome.output.replaceAll(withoutLine, '');
    // LLVM's library now and then reports its own address for a lock.
    const anywhere = compiler === 'gcc' ? undefined : /^omp_/;
    expectTruth({ ...run, outcome: { ...run.outcome, output } }, anywhere);
    expect(visitsOf(run, '!$omp parallel', 0)).toBe(10 + 2 + 2 + 2 + 4);
    expect(visitsOf(run, '!$omp task', 0)).toBe(232 + 20 + 1 + 4);
  });

  it('C++: exceptions that are caught inside constructs leave them open', async () => {
    const program = compile(compiler, 'throws.cpp');
    const run = await measured(program);
    expect(run.outcome).toEqual(workbench.run(program, []));
    expect(run.outcome.status).toBe(3);
    expectTruth(run);
  });

  it.each(['exit', 'abort', 'fork', 'cancel', 'many', 'shell'])(
    '%s: the program ends as it does unmeasured',
    async (how) => {
      const program = compile(compiler, 'faults.c');
      const environment = { OMP_CANCELLATION: 'true', OMP_NUM_THREADS: '1' };
      const run = await measured(program, [how], environment);
      expect(run.outcome).toEqual(workbench.run(program, [how], environment));
      expect(run.results.length).toBe(how === 'fork' ? 2 : 1);
      for (const { flags } of run.results)
        expect(flags).toMatchObject({ unbalanced: false, incomplete: how === 'abort' });
      if (how === 'many') expect(visitsOf(run, '!$omp parallel', 0)).toBe(20 * 16);
    },
  );

  it('one thread: constructs are recorded, and nobody waits at barriers or at the ends of regions', async () => {
    const run = await measured(compile(compiler, 'constructs.c'), [], { OMP_THREAD_LIMIT: '1' });
    expect(run.outcome.status).toBe(3);
    expect(visitsOf(run, '!$omp parallel', 16)).toBe(5);
    expect(visitsOf(run, '!$omp barrier', 0)).toBe(5);
    // LLVM's library reports no barrier at the end of a region of one thread.
    if (compiler === 'gcc') expect(visitsOf(run, '!$omp implicit barrier', 16)).toBe(5);
    expect(run.results[0]?.threads).toHaveLength(1);
    const anywhere = (): boolean => true;
    expect(secondsIn(run, 0, '!$omp parallel', anywhere, ({ waitingTicks }) => waitingTicks)).toBe(0);
  });

  // Each wait is long beside a time slice of the machine: a library may need one to wake a thread.
  it.each<readonly [number, string]>([
    [0, 'passive'],
    [1, 'active'],
    ...onlyInFull([
      [1, 'passive'],
      [0, 'active'],
    ] as const),
  ])(
    'thread %i is late, waiting is %s: the other one waits as long as the program finds, within 5 %',
    async (late, policy) => {
      const program = compile(compiler, 'imbalance.c');
      const run = await measured(program, ['2', '3', String(late), '100000'], { OMP_WAIT_POLICY: policy });
      for (const [kind, name] of [
        ['end', '!$omp implicit barrier'],
        ['barrier', '!$omp barrier'],
      ] as const) {
        const truth = [0, 1].map((thread) => printed(run, kind, thread));
        const waited = [0, 1].map(
          (thread) => secondsIn(run, thread, name, kind === 'end' ? atTheEnd : inLoops) * 1e6,
        );
        const tolerance = 0.05 * (truth[1 - late] ?? NaN);
        for (const thread of [0, 1])
          expect(Math.abs((waited[thread] ?? NaN) - (truth[thread] ?? NaN))).toBeLessThan(tolerance);
      }
      // A thread is in no region while the master computes alone.
      expect(secondsIn(run, 1, '!$omp parallel', inLoops) * 1e6).toBeLessThan(printed(run, 'inside', 0));
      // The master's call path has what the others waited at the ends of its regions.
      const others = secondsIn(run, 1, '!$omp implicit barrier', atTheEnd);
      if (late === 0) expect(Math.abs(idle(run) / others - 1)).toBeLessThan(0.01);
    },
  );
});

/** What the master's parallel regions count. */
function idle(run: Run): number {
  return secondsIn(run, 0, '!$omp parallel', atTheEnd, ({ counters }) => counters.get('idle'));
}

function printed({ outcome }: Run, kind: string, thread: number): number {
  return Number(new RegExp(`^= ${kind} ${thread} (\\d+)$`, 'm').exec(outcome.output)?.[1]);
}

type ThreadTicks = (thread: KymoResult['threads'][number]) => ArrayLike<number> | undefined;

/** Lines of the regions of `imbalance.c`: one that starts the threads, which the program does not time, and those of the two loops. */
const [startLine = 0, endLine = 0] = readFileSync(path.join(programs, 'imbalance.c'), 'utf8')
  .split('\n')
  .flatMap((text, index) => (text.startsWith('#pragma omp parallel') ? [index + 1] : []));

const atTheEnd = (line: number): boolean => line === endLine;
const inLoops = (line: number): boolean => line > startLine;

/** Inclusive time of regions by name. */
function secondsIn(
  { results, functions }: Run,
  thread: number,
  name: string,
  isCounted: (line: number) => boolean,
  ticks: ThreadTicks = ({ inclusiveTicks }) => inclusiveTicks,
): number {
  const [result] = results;
  const column = result?.threads[thread];
  if (result === undefined || column === undefined) return NaN;
  return [...column.slot].reduce((sum, slot, node) => {
    const region = result.regions[slot - functions];
    const counts = region?.name.startsWith(`${name} @`) === true && isCounted(region.line ?? 0);
    return sum + (counts ? (ticks(column)?.[node] ?? 0) / result.ticksPerSecond : 0);
  }, 0);
}

/** A node's regions from the root, without the lines and addresses of constructs. */
function pathsOf(nodes: readonly ResultNode[], names: readonly string[]): readonly string[] {
  const paths: string[] = [];
  for (const { parent, slot } of nodes) {
    const name = (names[slot] ?? '?').replace(/ @.*/, '');
    paths.push(paths.length === 0 ? '' : `${paths[parent] ?? '?'}/${name}`);
  }
  return paths;
}

describe.each(compilers)('call paths of other threads, %s', (compiler) => {
  it('continue the one that encountered the region, which has their time and no visits of theirs', () => {
    const program = compile(compiler, 'paths.c');
    const functions = ['main', 'first', 'second', 'outer', 'inner', 'leaf'].map(
      (name) => [name, name] as const,
    );
    const run = workbench.measure(program, [{ sites: readSites(program), regions: new Map(functions) }], [], {
      LD_PRELOAD: layer,
    });
    const [result] = run.results;
    if (result === undefined) throw new Error('no result');
    const names = [...run.slots, ...result.regions.map(({ name }) => name)];
    expect(result.threads.length).toBeGreaterThanOrEqual(2);
    const leaves = { first: 0, second: 0 };
    for (const { nodes, number } of result.threads) {
      const paths = pathsOf(nodes, names);
      nodes.forEach(({ slot, visits, ticks, events }, node) => {
        if (slot === waiting || node === 0 || names[slot] === undefined) return;
        const name = paths[node] ?? '';
        expect(name).toMatch(/^\/main(\/(first|second)(\/outer|\/leaf|$)|$)/);
        if (names[slot] === 'leaf') leaves[name.startsWith('/main/first') ? 'first' : 'second'] += visits;
        if (number !== 0 && /^\/main(\/\w+){0,2}$/.test(name)) expect(visits).toBe(0);
        const below = nodes.filter(({ parent, slot: own }) => parent === node && names[own] !== undefined);
        const inside = below.reduce((sum, child) => sum + child.ticks, 0);
        const eventsInside = below.reduce((sum, child) => sum + child.visits + child.events, 0);
        expect(ticks).toBeGreaterThanOrEqual(inside);
        expect(events).toBe(eventsInside);
        if (visits === 0) expect(ticks).toBe(inside);
      });
    }
    for (const path of ['first', 'second'] as const)
      expect(run.outcome.output).toContain(`= ${path} ${leaves[path]}\n`);
  });
});

it('what a thread waits before it continues the call path of another one is not of that path', () => {
  const program = compile('gcc', 'idle.c');
  const run = workbench.measure(
    program,
    [{ sites: readSites(program), regions: new Map([['main', 'main']]) }],
    [],
  );
  const nodes = run.results[0]?.threads.find(({ number }) => number === 1)?.nodes ?? [];
  const names = [...run.slots, ...(run.results[0]?.regions ?? []).map(({ name }) => name)];
  const continued = nodes.findIndex(({ slot, visits }) => names[slot] === 'main' && visits === 0);
  expect(continued).toBeGreaterThan(0);
  // The program sleeps between the parts: the root has that.
  expect(nodes.flatMap(({ slot, parent }) => (slot === waiting ? [parent] : []))).toEqual([0]);
});

it('a thread whose memory ends while it continues a call path has nothing of it open', () => {
  const program = compile('gcc', 'exhausted.c');
  const run = workbench.measure(
    program,
    [{ sites: readSites(program), regions: new Map([['main', 'main']]) }],
    [],
  );
  expect(run.outcome.output).toContain('before 0, began 0, open 0');
});

describe.each(compilers)('iterations, %s', (compiler) => {
  it('a thread that still waits at the end of a region has its whole time, and what it did in it, in the iteration of the region', () => {
    const program = compile(compiler, 'iterations.c');
    const sites = readSites(program);
    const chosen = { sites, regions: new Map([['step', 'step']]) };
    const measuredRun = workbench.measure(program, [chosen], [], { LD_PRELOAD: layer }, new Map(), ['step']);
    const [result] = measuredRun.results;
    if (result === undefined) throw new Error('no result');
    const iterations = readIterations(measuredRun, result);
    expect(iterations).toHaveLength(10);
    const ofThread = Object.keys(iterations[0]?.ticks ?? {}).filter((name) =>
      name.startsWith('1:step/!$omp parallel'),
    );
    const [region = '', barrier = ''] = ofThread;
    expect(barrier).toContain('implicit barrier');
    for (const { ticks, visits, events } of iterations) {
      expect(visits[region]).toBe(1);
      // The barrier; the region and its barrier.
      expect([events[region], events['1:step']]).toEqual([1, 2]);
      expect(visits['1:step']).toBe(0);
      expect(ticks['1:step']).toBe(ticks[region]);
      expect(ticks[region]).toBeGreaterThan(ticks[barrier] ?? NaN);
    }
    const [, , node] =
      result.threads.find(({ number }) => number === 1)?.nodes.filter(({ slot }) => slot !== waiting) ?? [];
    expect(sumsOf(iterations, 'ticks')[region]).toBe(node?.ticks);
  });
});

describe('constructs without a line', () => {
  const two = { OMP_NUM_THREADS: '2' };
  const names = ({ results }: Run): readonly string[] =>
    results.flatMap(({ regions }) => regions.map(({ name }) => name)).sort();

  it('that are called by a jump have no place: their address is in the code of the library', async () => {
    const run = await measured(compile('gcc', 'jumps.c', ['-g', '-O2']), [], two);
    expect(run.outcome.status).toBe(0);
    expect(names(run)).toContain('!$omp parallel');
    expect(names(run).filter((name) => name.includes('0x'))).toEqual([]);
  });

  it('have the name of their function, the same in every build, or that of the object', async () => {
    const program = compile('gcc', 'jumps.c', ['-O1']);
    execFileSync('objcopy', ['--strip-debug', program]);
    expect(names(await measured(program, [], two))).toEqual([
      '!$omp critical @jumps',
      '!$omp critical sblock @jumps',
      '!$omp implicit barrier @jumps',
      '!$omp parallel @jumps',
    ]);
    const regions = [
      { name: '!$omp parallel @none.so:0x1139', file: '/none/none.so', kind: 'openmp' as const },
    ];
    expect(await withConstructNames([{ regions }])).toEqual([
      { regions: [{ name: '!$omp parallel @none.so', kind: 'openmp' }] },
    ]);
  });
});

describe('other programs', () => {
  it('Fortran: constructs have the names of the language, and the visits that the program counts', async () => {
    const program = compile('gcc', 'constructs.f90');
    const run = await measured(program);
    expect(run.outcome).toEqual(workbench.run(program, []));
    expectTruth(run);
  });

  it('a program with an OMPT tool of its own keeps it, and a line says that constructs are not recorded', async () => {
    const library = path.join(workbench.folder, 'libtool.so');
    execFileSync('clang-19', ['-shared', '-fPIC', '-o', library, path.join(programs, 'tool.c')]);
    const program = compile('clang-19', 'faults.c');
    const other = { LD_PRELOAD: `${layer}:${library}` };
    const plain = workbench.run(program, ['many'], { LD_PRELOAD: library });
    const { outcome } = await measured(program, ['many'], other);
    const note = 'kymo: OpenMP constructs are not recorded: the program has another OMPT tool\n';
    expect(outcome).toEqual({ ...plain, output: `${plain.output}${note}` });
    expect(plain.output).toContain("the program's tool");
  });

  it('the layer is for programs of a shared OpenMP library; a static one is noted', async () => {
    const environment = { ...process.env, XDG_CACHE_HOME: path.join(workbench.folder, 'cache') };
    const found = await openmpLayer(compile('gcc', 'faults.c'), environment);
    expect(found).toMatchObject({
      kind: 'layer',
      library: expect.stringMatching(/libkymo-openmp\.so$/) as unknown,
    });
    expect(await openmpLayer(compile('clang-19', 'faults.c'), environment)).toEqual(found);
    expect(await openmpLayer('/bin/true', environment)).toEqual({ kind: 'not-needed' });
    const linkedStatically = compile('gcc', 'faults.c', ['-static']);
    expect(await openmpLayer(linkedStatically, environment)).toMatchObject({
      kind: 'missing',
      note: expect.stringContaining('statically') as unknown,
    });
  });
});
