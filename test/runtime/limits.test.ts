import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workbench } from './harness';
import { inconsistencies, visitsByPath, visitsByRegion, waiting, type Result } from './result';
import { everything, readSites, type SiteKind } from './selection';

const bench = new Workbench();
const none = new Map<number, string>();
let tree = '';
beforeAll(() => {
  tree = bench.compile({ compiler: 'gcc', kind: 'entry', flags: ['-O2', '-rdynamic'] }, 'tree.c');
});
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));

/** Runs a shell line in which $PROGRAM is the program, with a selection of all its functions. */
function shell(
  line: string,
  environment: Record<string, string> = {},
  program = tree,
  kind: SiteKind = 'entry',
) {
  const results = bench.path('results');
  mkdirSync(results);
  const { slots } = bench.measure(program, [everything(readSites(program), kind)], []);
  const selection = path.join(
    bench.folder,
    readdirSync(bench.folder)
      .filter((name) => name.startsWith('selection-'))
      .sort((a, b) => Number(b.slice(10)) - Number(a.slice(10)))[0] ?? '',
  );
  const done = spawnSync('bash', ['-c', line], {
    encoding: 'utf8',
    cwd: bench.folder,
    env: {
      ...process.env,
      PROGRAM: program,
      RESULTS: results,
      KYMO_SELECTION: selection,
      KYMO_RESULTS: results,
      ...environment,
    },
  });
  return { status: done.status, stdout: done.stdout, stderr: done.stderr, results, slots };
}

describe('shapes of call trees', () => {
  it('holds a million nodes, in 64 bytes each', () => {
    const { outcome, results, slots } = bench.measureAll(tree, 'entry', none, ['nodes']);
    expect(outcome.output).toBe('1118480\n');
    const nodes = results[0]?.threads[0]?.nodes ?? [];
    expect(nodes).toHaveLength(1 + 16 + 16 ** 2 + 16 ** 3 + 16 ** 4 + 16 ** 5);
    expect(results.flatMap(inconsistencies)).toEqual([]);
    expect(Object.values(visitsByRegion(results, slots)).reduce((sum, count) => sum + count, 0)).toBe(
      1118480,
    );
    expect((results[0]?.nodeBytes ?? 0) / nodes.length).toBeLessThanOrEqual(64);
  });

  it('folds calls beyond the depth limit, and reports that', () => {
    const { outcome, results, slots } = bench.measureAll(tree, 'entry', none, ['deep', '1000000'], {
      KYMO_DEPTH_LIMIT: '10',
    });
    expect(outcome.output).toBe('1000001\n1000001\n');
    expect(results[0]?.flags).toBe(2);
    const mark =
      results[0]?.threads.flatMap((thread) => thread.nodes).filter((node) => node.slot === 0xfffffffe) ?? [];
    expect(mark.map(({ visits, events }) => [visits, events])).toEqual([
      [1, 999_991],
      [1, 999_991],
    ]);
    expect(visitsByRegion(results, slots).deep).toBe(2 * 1_000_001);
    expect(results.flatMap(inconsistencies)).toEqual([]);
  });

  it('counts every visit of a recursion of 80 000 levels, and loses no time', () => {
    const { results, slots } = bench.measureAll(tree, 'entry', none, ['mutual', '80000']);
    const visits = 2 * 15 * 40_000;
    expect(visitsByRegion(results, slots)).toMatchObject({
      even: visits + 2 * 15,
      odd: visits,
      leaf: visits + 2 * 15,
    });
    expect(results[0]?.flags).toBe(2);
    expect(results.flatMap(inconsistencies)).toEqual([]);
    for (const { nodes } of results.flatMap(({ threads }) => threads)) {
      const mark = nodes.findIndex(({ slot }) => slot === 0xfffffffe);
      if (mark < 0) continue;
      const flat = nodes.filter(({ parent }) => parent === mark);
      expect(flat.map(({ slot }) => slots[slot]).sort()).toEqual(['even', 'leaf', 'odd']);
      expect(flat.reduce((sum, { ticks }) => sum + ticks, 0)).toBe(nodes[mark]?.ticks);
      // Nearly all of the time is below the limit.
      const whole = nodes.find(({ slot }) => slots[slot] === 'even')?.ticks ?? 0;
      expect((nodes[mark]?.ticks ?? 0) / whole).toBeGreaterThan(0.9);
    }
  });

  it('measures 64 threads', () => {
    const { outcome, results } = bench.measureAll(tree, 'entry', none, ['threads', '64']);
    expect(outcome.output).toBe(`${64 * (16 + 256 + 4096)}\n`);
    expect(results[0]?.threads).toHaveLength(64 + 1);
    for (const thread of results[0]?.threads ?? [])
      expect([1, 1 + 16 + 256 + 4096]).toContain(thread.nodes.filter(({ slot }) => slot !== waiting).length);
  });

  it('needs few states for many threads one after the other', () => {
    const { outcome, results, slots } = bench.measureAll(tree, 'entry', none, ['one-by-one', '1000']);
    expect(outcome.output).toBe('16000\n');
    expect(results[0]?.threads.length).toBeLessThanOrEqual(256);
    expect(Object.values(visitsByRegion(results, slots)).reduce((sum, count) => sum + count, 0)).toBe(16000);
  });

  it('finds 10 000 children of one node', () => {
    const source = path.join(bench.folder, 'wide.c');
    const range = Array.from({ length: 10_000 }, (_, n) => n);
    writeFileSync(
      source,
      [
        ...range.map((n) => `__attribute__((noinline)) void w${n}(void){__asm__ volatile("");}`),
        `void (*const all[])(void)={${range.map((n) => `w${n}`).join(',')}};`,
        'int main(void){for(int k=0;k<5;++k)for(int i=0;i<10000;++i)all[i*7%10000]();return 0;}',
      ].join('\n'),
    );
    const file = bench.compile({ compiler: 'gcc', kind: 'entry', flags: ['-O1'] }, source);
    const { results, slots } = bench.measureAll(file, 'entry', none, []);
    const visits = visitsByPath(results, slots);
    expect(range.every((n) => visits[`main/w${n}`] === 5)).toBe(true);
    expect(Object.keys(visits)).toHaveLength(10_001);
  });
});

describe('a faulty selection', () => {
  it.each([
    [
      'a file that is cut off',
      (text: string) => text.slice(0, text.lastIndexOf('end')),
      /line \d+: the file is cut off/,
    ],
    [
      'another version',
      (text: string) => text.replace('kymo-selection 1', 'kymo-selection 9'),
      /line 1: not a selection of version 1/,
    ],
    [
      'a slot that does not exist',
      (text: string) => text.replace(/entry \d+/, 'entry 999999'),
      /expected a slot below/,
    ],
    [
      'more slots than the marks in a node leave room for',
      (text: string) => text.replace(/slots \d+/, 'slots 600000000').replace(/entry \d+/, 'entry 536870912'),
      /line 3: expected slots and their number/,
    ],
    ['an unknown line', (text: string) => text.replace('end', 'nonsense\nend'), /line \d+: not understood/],
    [
      'a phase whose slot does not exist',
      (text: string) =>
        text.replace('kymo-selection 1', 'kymo-selection 3').replace(/(slots \d+\n)/, '$1phase 999999\n'),
      /line 4: expected a slot below/,
    ],
    [
      'a phase behind the objects',
      (text: string) => text.replace('end', 'phase 0\nend'),
      /line \d+: not understood/,
    ],
    ['an empty file', () => '', /line 1: not a selection/],
    [
      'another build',
      (text: string) => text.replace(/object [0-9a-f]+/, 'object 00ff'),
      /another build than this executable/,
    ],
  ])('%s: one line on stderr, and nothing is patched', (_, damage, message) => {
    const good = shell('cat $KYMO_SELECTION').stdout;
    const selection = path.join(bench.folder, 'damaged');
    writeFileSync(selection, damage(good));
    const { status, stdout, stderr, results } = shell('$PROGRAM threads 1', { KYMO_SELECTION: selection });
    expect([status, stdout]).toEqual([0, '4368\n']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(readdirSync(results)).toEqual([]);
  });

  it('offsets without a site: these are not patched, and the other sites are measured', () => {
    const good = shell('cat $KYMO_SELECTION').stdout;
    const selection = path.join(bench.folder, 'displaced');
    writeFileSync(
      selection,
      good.replace(
        /entry 0 ([0-9a-f]+)/,
        (_, offset: string) =>
          `entry 0 ${(parseInt(offset, 16) + 2).toString(16)}\nin 0 ${offset}\nentry 1 0`,
      ),
    );
    const { status, stdout, stderr, results } = shell('$PROGRAM threads 1', { KYMO_SELECTION: selection });
    expect([status, stdout]).toEqual([0, '4368\n']);
    expect(stderr).toMatch(/^kymo: 3 selected sites are not sites of program-\d+; they are left alone\n$/);
    expect(readdirSync(results)).toHaveLength(1);
  });

  it('a missing selection file or results folder', () => {
    expect(shell('$PROGRAM threads 1', { KYMO_SELECTION: '/nowhere/x' }).stderr).toMatch(
      /^kymo: nothing is measured: cannot read the selection \/nowhere\/x\n$/,
    );
    expect(shell('$PROGRAM threads 1', { KYMO_RESULTS: '/nowhere' }).stderr).toMatch(
      /^kymo: nothing is measured: cannot write to the folder in KYMO_RESULTS: \/nowhere: No such file/,
    );
  });
});

describe('faults during a run', () => {
  it('a full disk: one line on stderr, no file, and the program’s own status', () => {
    const { status, stdout, stderr, results } = shell('ulimit -f 1; $PROGRAM nodes');
    expect([status, stdout]).toEqual([0, '1118480\n']);
    expect(stderr).toMatch(/^kymo: the result could not be written: .*: File too large\n$/);
    expect(readdirSync(results)).toEqual([]);
  });

  it('no memory: measuring stops with a message, and the program continues', () => {
    const { status, stdout, stderr, results } = shell('ulimit -v 40000; $PROGRAM nodes');
    expect([status, stdout]).toEqual([0, '1118480\n']);
    expect(stderr).toMatch(/^kymo: out of memory: measuring stopped/);
    expect(readdirSync(results)).toHaveLength(1);
  });

  it('a removed results folder and a closed stderr: the program’s own status', () => {
    expect(shell('rmdir $RESULTS; exec 2>&-; $PROGRAM threads 1')).toMatchObject({
      status: 0,
      stdout: '4368\n',
    });
  });

  it('relative paths work when the program changes its directory', () => {
    const { results, status } = shell(
      'cp $KYMO_SELECTION here.selection; KYMO_SELECTION=here.selection KYMO_RESULTS=$(basename $RESULTS) $PROGRAM threads 1',
    );
    expect(status).toBe(0);
    expect(readdirSync(results)).toHaveLength(1);
  });
});

describe('without a selection', () => {
  it('nothing is patched, started, opened or written', () => {
    const trace = spawnSync('strace', ['-f', tree, 'threads', '1'], {
      encoding: 'utf8',
      env: { ...process.env, KYMO_RESULTS: bench.folder },
    });
    if (trace.error) return; // strace is not installed.
    expect(trace.stderr).not.toMatch(/open\w*\([^)]*kymo|PROT_WRITE\|PROT_EXEC|rt_sigaction\(SIG(?!RT)/);
  });

  it('no page is writable and executable, with or without a selection', () => {
    const source = path.join(bench.folder, 'maps.c');
    writeFileSync(
      source,
      '#include <stdio.h>\nint main(void){FILE*f=fopen("/proc/self/maps","r");char s[512];while(fgets(s,512,f))fputs(s,stdout);return 0;}',
    );
    const file = bench.compile({ compiler: 'gcc', kind: 'entry', flags: ['-O2'] }, source);
    const { outcome, results } = bench.measureAll(file, 'entry', none, []);
    expect(results).toHaveLength(1);
    expect(outcome.output).not.toMatch(/ rwx/);
    expect(execFileSync(file, { encoding: 'utf8' })).not.toMatch(/ rwx/);
  });
});

describe('a debugger', () => {
  it('finds the callers across the trampoline (skipped without gdb)', () => {
    if (spawnSync('gdb', ['--version']).error) return;
    const { stdout } = shell(
      "gdb -batch -ex 'break below if depth == 1' -ex 'run nodes' -ex bt $PROGRAM 2>&1",
    );
    expect(stdout.match(/ in (f0|below|main|kymo_trampoline) /g)).toEqual([
      ...Array.from({ length: 5 }, () => [' in f0 ', ' in kymo_trampoline ', ' in below ']).flat(),
      ' in main ',
    ]);
  });

  it('finds the function of a sled from within its thunk and handler (skipped without gdb)', () => {
    if (spawnSync('gdb', ['--version']).error) return;
    const source = path.join(bench.folder, 'sled.c');
    writeFileSync(
      source,
      '#include "probes.h"\nPROBE_FOR(1)\n__attribute__((noinline)) int inner(int x) { PROBE(1); return x * 3; }\nint main(int n, char **words) { (void)words; return inner(n) - 3; }\n',
    );
    const file = bench.compile({ compiler: 'gcc', kind: 'sled', flags: ['-O2'] }, source, [
      `-I${path.resolve(import.meta.dirname, 'programs')}`,
    ]);
    const inside = ['in', 'out'].flatMap((way) => [`tbreak kymo_thunk_${way}`, 'c', 'bt', 'stepi 2', 'bt']);
    const steps = ['tbreak main', 'run', ...inside, 'tbreak kymo_out', 'c', 'bt'];
    const { stdout } = shell(
      `gdb -batch ${steps.map((step) => `-ex '${step}'`).join(' ')} $PROGRAM 2>&1`,
      {},
      file,
      'sled',
    );
    const seen = stdout.match(/^#\d+ .*?\b(kymo_thunk_in|kymo_thunk_out|kymo_out|inner|main) \(/gm);
    expect(
      seen?.map((frame) => /(\w+) \($/.exec(frame)?.[1]),
      stdout,
    ).toEqual([
      ...['in', 'in', 'out', 'out'].flatMap((way) => [`kymo_thunk_${way}`, 'inner', 'main']),
      ...['kymo_out', 'kymo_thunk_out', 'inner', 'main'],
    ]);
  });
});

describe('the header of a result', () => {
  const measure = (): Result => {
    const { results } = bench.measureAll(tree, 'entry', none, ['nodes'], {
      OMPI_COMM_WORLD_RANK: '3',
      OMPI_COMM_WORLD_SIZE: '8',
    });
    const result = results[0];
    if (result === undefined) throw new Error('no result');
    return result;
  };
  it('has calibration, rates and ranks', () => {
    const result = measure();
    expect([result.rank, result.ranks, result.selection]).toEqual([3, 8, 0xdeadbeefn]);
    for (const [pair = 0, , inside = 0, outside = 0] of [result.sled, result.entry]) {
      expect(pair).toBeGreaterThan(1e-9);
      expect(pair).toBeLessThan(1e-6);
      expect(inside + outside).toBeCloseTo(pair, 12);
    }
    expect(readFileSync('/proc/sys/kernel/hostname', 'utf8').trim().slice(0, 47)).toBe(result.host);
  });
  it('has a calibration whose spread is smaller than its cost, and ticks that agree with the wall clock', () => {
    const results = Array.from({ length: 5 }, measure);
    const relativeSpread = ([pair = 0, spread = Infinity]: readonly number[]): number => spread / pair;
    const spreads = results.map(({ sled, entry }) => Math.max(relativeSpread(sled), relativeSpread(entry)));
    const deviation = (result: Result): number => {
      const wall = Number(result.end - result.begin) / 1e9;
      const root = result.threads.find((thread) => thread.number === 0);
      return Math.abs((root ? root.end - root.begin : 0) / result.ticksPerSecond - wall) / wall;
    };
    // The process may lose its processor during the calibration or between the readings of two clocks, but not each time.
    expect(Math.min(...spreads)).toBeLessThan(1);
    expect(Math.min(...results.map(deviation))).toBeLessThan(0.02);
  });
});
