import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { unseenSource, type CallGraph } from '../../../src/core/callgraph/callGraph';
import { ProcessConnection } from '../../../src/overlay/agent/processConnection';
import { StackSampler, sampledProgram, type StackSample } from '../../../src/workflows/online/stackSampler';
import { Workbench, type Build } from '../harness';
import { socketIn } from './client';
import { include, startWatched, token, type WatchedOptions, type WatchedRun } from './watchedRun';

const bench = new Workbench();
const chain = [
  'main',
  'outermost',
  'aligned',
  'varying',
  ...Array.from({ length: 12 }, (_, i) => `link${12 - i}`),
  'recorded',
  'spin',
];
const builds: readonly (readonly [string, Build])[] = (['gcc', 'clang-19'] as const).flatMap((compiler) =>
  (['sled', 'entry'] as const).map((kind) => [
    `${compiler}, ${kind}`,
    { compiler, kind, flags: ['-O2', include] },
  ]),
);
const simple = bench.compile({ compiler: 'gcc', kind: 'sled', flags: ['-O2', include] }, 'chains.c');

/** A call graph of functions with these names. */
const graphOf = (functions: readonly string[]): CallGraph => ({
  functions: functions.map((name) => ({
    ...unseenSource,
    key: `key of ${name}`,
    name,
    mangledName: name,
    hasBody: true,
    isSystem: false,
  })),
  edges: functions.map(() => []),
});

interface Sampled {
  readonly run: WatchedRun;
  readonly sampler: StackSampler;
  readonly close: () => void;
}

async function sampled(
  file: string,
  kind: Build['kind'],
  words: readonly string[],
  options: WatchedOptions = {},
  graph: CallGraph = graphOf([]),
): Promise<Sampled> {
  const run = startWatched(bench, file, kind, words, options);
  const name = await socketIn(run.folder, run.child.pid);
  const samplers: StackSampler[] = [];
  const { connection } = await ProcessConnection.open(run.folder, name, token, (message) =>
    samplers[0]?.take(message),
  );
  const sampler = new StackSampler(connection, sampledProgram(graph));
  samplers.push(sampler);
  return { run, sampler, close: () => connection.close() };
}

/** The first of several samples in which a thread is in this function; the thread waits for a processor otherwise, or has not come there. */
async function inside(sampler: StackSampler, name: string): Promise<StackSample['threads'][number]> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const { threads } = await sampler.now();
    const found = threads.find(({ functions }) => functions.some((f) => f.name === name));
    if (found !== undefined) return found;
  }
  throw new Error(`no thread was ever in ${name}`);
}

const namesOf = ({ functions }: StackSample['threads'][number]): readonly string[] =>
  functions.map(({ name }) => name);

/** Without what stands before main, which differs between versions of libc. */
const fromMain = (thread: StackSample['threads'][number]): readonly string[] => {
  const names = namesOf(thread);
  return names.slice(names.indexOf('main'));
};

async function end({ run, close }: Sampled): Promise<string> {
  run.child.stdin?.end();
  const { output, errors, status } = await run.ended;
  close();
  return `${status} ${output}${errors}`;
}

describe('call stacks of a program that runs', () => {
  it.each(builds)('have all its functions, recorded or not: %s', async (_, build) => {
    const file = bench.compile(build, 'chains.c');
    for (const only of [undefined, ['recorded']]) {
      const program = await sampled(file, build.kind, ['chain'], only === undefined ? {} : { only });
      const thread = await inside(program.sampler, 'spin');
      expect(fromMain(thread)).toEqual(chain);
      expect(thread.isWhole).toBe(true);
      expect(thread.thread).toBe(program.run.child.pid);
      expect(thread.functions.at(-1)?.object).toBe(file);
      expect(await end(program)).toBe('0 failures 0\n');
    }
  });

  it('agree with the debugger', async () => {
    const program = await sampled(simple, 'sled', ['sorts']);
    const thread = await inside(program.sampler, 'spin');
    // Without separate debug information, it has the same symbols.
    const words = [
      '-nx',
      '-iex',
      'set debug-file-directory /none',
      '-iex',
      'set backtrace past-main on',
      '-batch',
      '-ex',
      'bt',
      '-p',
      String(program.run.child.pid),
    ];
    const text = execFileSync('gdb', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const names = [...text.matchAll(/^#\d+ +(?:0x[0-9a-f]+ in )?(\S+) \(/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(4);
    const own = [...namesOf(thread)].reverse();
    expect(own.map((name) => (name.startsWith('0x') ? '??' : name))).toEqual(names);
    await end(program);
  });

  it('know the functions of the call graph by their keys', async () => {
    const graph = graphOf(['link3', 'spin', 'elsewhere']);
    const program = await sampled(simple, 'sled', ['chain'], {}, graph);
    const { functions } = await inside(program.sampler, 'spin');
    const keys = functions.flatMap(({ name, key }) => (key === undefined ? [] : [[name, key]]));
    expect(keys).toEqual([
      ['link3', 'key of link3'],
      ['spin', 'key of spin'],
    ]);
    await end(program);
  });

  it('show C++ functions as their source does, above and below libraries and handlers of exceptions', async () => {
    const file = bench.compile({ compiler: 'gcc', kind: 'sled', flags: ['-O2', include] }, 'chains.cpp');
    const program = await sampled(file, 'sled', []);
    const thread = await inside(program.sampler, 'work::Square<long>::area(double) const');
    const names = fromMain(thread);
    expect([names[0], names.at(-1)]).toEqual(['main', 'work::Square<long>::area(double) const']);
    expect(names.filter((name) => /^work::\w+\(/.test(name)).map((name) => name.replace(/\(.*/, ''))).toEqual(
      ['work::recover', 'work::measure'],
    );
    expect(thread.isWhole).toBe(true);
    await end(program);
  });

  it('are of each thread of a parallel region', async () => {
    const file = bench.compile(
      { compiler: 'gcc', kind: 'sled', flags: ['-O2', '-fopenmp', include] },
      'chains-openmp.c',
    );
    const program = await sampled(file, 'sled', [], { environment: { OMP_WAIT_POLICY: 'passive' } });
    const stacks = new Map<number, readonly string[]>();
    for (let attempt = 0; stacks.size < 3; attempt++) {
      expect(attempt).toBeLessThan(500);
      for (const thread of (await program.sampler.now()).threads)
        if (namesOf(thread).at(-1) === 'share') stacks.set(thread.thread, namesOf(thread));
    }
    for (const [thread, names] of stacks) {
      expect(names.slice(-2)).toEqual(['team._omp_fn.0', 'share']);
      expect(names.includes('main')).toBe(thread === program.run.child.pid);
    }
    await end(program);
  });

  it.each([
    ['handler', true],
    ['other-stack', false],
  ])('go on through a signal handler, unless it has a stack of its own: %s', async (mode, isWhole) => {
    const program = await sampled(simple, 'sled', [mode]);
    const thread = await inside(program.sampler, 'in_handler');
    const names = namesOf(thread);
    expect(names.slice(-2)).toEqual(['in_handler', 'spin']);
    expect([thread.isWhole, names.includes('main'), names.includes('raising')]).toEqual([
      isWhole,
      isWhole,
      isWhole,
    ]);
    await end(program);
  });

  it('include calls into the code that the kernel provides', async () => {
    const program = await sampled(simple, 'sled', ['time']);
    for (let attempt = 0, isThere = false; !isThere; attempt++) {
      expect(attempt).toBeLessThan(500);
      const { functions } = await inside(program.sampler, 'telling_time');
      isThere = functions.at(-1)?.object === '[vdso]' && functions.some(({ name }) => name === 'main');
    }
    await end(program);
  });

  it('end where the copy of a deep stack ends, and say so', async () => {
    const program = await sampled(simple, 'sled', ['deep']);
    const thread = await inside(program.sampler, 'spin');
    expect(thread.isWhole).toBe(false);
    const names = namesOf(thread);
    expect(names.length).toBeGreaterThan(100);
    expect(new Set(names.slice(1, -1))).toEqual(new Set(['descend']));
    expect(names.at(-1)).toBe('spin');
    await end(program);
  });
});

describe('sampling call stacks', () => {
  /** Samples as fast as possible until so many have come. */
  async function manySamples({ sampler }: Sampled, count: number): Promise<readonly StackSample[]> {
    const samples: StackSample[] = [];
    await new Promise<void>((resolve, reject) => {
      sampler
        .start(1000, (sample) => {
          samples.push(sample);
          if (samples.length === count) resolve();
        })
        .catch(reject);
    });
    await sampler.stop();
    return samples;
  }

  it('goes on until it is stopped, and not longer', async () => {
    const program = await sampled(simple, 'sled', ['chain']);
    const samples = await manySamples(program, 50);
    expect(samples.length).toBe(50);
    const ticks = samples.map(({ tick }) => tick);
    expect([...ticks].sort((a, b) => Number(a - b))).toEqual(ticks);
    expect(
      samples.filter(({ threads }) => threads.some((t) => namesOf(t).includes('spin'))).length,
    ).toBeGreaterThan(0);
    expect(program.sampler.endedBecause).toBeUndefined();
    expect(await end(program)).toBe('0 failures 0\n');
  });

  it.each([
    ['sleeps', 'wait'],
    ['naps', 'are about to wait'],
  ])('ends no call early of threads that %s: they %s', async (mode) => {
    const program = await sampled(simple, 'sled', [mode]);
    await manySamples(program, 300);
    expect(await end(program)).toBe('0 failures 0\n');
  });

  it('survives threads that end', async () => {
    const program = await sampled(simple, 'sled', ['threads']);
    await manySamples(program, 300);
    expect(await end(program)).toBe('0 failures 0\n');
  });

  it('counts threads that block signals, and does not wait for them', async () => {
    const program = await sampled(simple, 'sled', ['blocks']);
    const samples = await manySamples(program, 50);
    expect(samples.some(({ missing }) => missing > 0)).toBe(true);
    const threads = samples.flatMap((sample) => sample.threads);
    expect(threads.length).toBeGreaterThan(0);
    expect(new Set(threads.map(({ thread }) => thread))).toEqual(new Set([program.run.child.pid]));
    await end(program);
  });

  it('leaves no thread of many out without counting it', async () => {
    const program = await sampled(simple, 'sled', ['many']);
    await inside(program.sampler, 'descend');
    for (let attempt = 0, seen = 0; seen < 36; attempt++) {
      expect(attempt).toBeLessThan(100);
      const { threads, missing } = await program.sampler.now();
      expect(threads.length + missing).toBeLessThanOrEqual(36);
      seen = threads.length + missing;
    }
    await end(program);
  });

  it('is refused where the program handles all signals itself', async () => {
    const program = await sampled(simple, 'sled', ['handles']);
    const why = /handles the signals that could ask its threads/;
    await expect(program.sampler.now()).rejects.toThrow(why);
    await expect(program.sampler.start(1000, () => undefined)).rejects.toThrow(why);
    expect(await end(program)).toBe('0 handled\nfailures 0\n');
  });

  it('stops when the program takes all signals, and the program gets none of them', async () => {
    const program = await sampled(simple, 'sled', ['handles-later']);
    await new Promise<void>((resolve, reject) => {
      // No signal is on its way when all threads have answered, and the next sample comes much later.
      program.sampler
        .start(1_000_000, ({ threads, missing }) => {
          if (threads.length > 0 && missing === 0) resolve();
        })
        .catch(reject);
    });
    program.run.child.stdin?.write('x');
    for (let attempt = 0; program.sampler.endedBecause === undefined; attempt++) {
      expect(attempt).toBeLessThan(3000);
      await pause(10);
    }
    expect(program.sampler.endedBecause).toMatch(/handles the signals that could ask its threads/);
    expect(await end(program)).toBe('0 handled\nfailures 0\n');
  });

  it('handles only signals that are ignored by default: the program may execute another one while one is on its way', async () => {
    const program = await sampled(simple, 'sled', []);
    const handled = (): bigint => {
      const status = readFileSync(`/proc/${program.run.child.pid}/status`, 'utf8');
      return BigInt(`0x${/^SigCgt:\s*(\w+)$/m.exec(status)?.[1]}`);
    };
    const before = handled();
    await inside(program.sampler, 'outermost');
    const bit = (signal: NodeJS.Signals): bigint => 1n << BigInt(constants.signals[signal] - 1);
    expect([before | bit('SIGURG'), before | bit('SIGWINCH')]).toContain(handled());
    expect(handled()).not.toBe(before);
    await end(program);
  });

  it('does nothing to a program that sends itself the signal', async () => {
    const program = await sampled(simple, 'sled', ['raises']);
    await inside(program.sampler, 'spin');
    program.run.child.stdin?.write('x');
    expect(await end(program)).toBe('0 raised\nfailures 0\n');
  });
});
