import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseResult } from '../../src/formats/kymo-result/resultFile';
import { CrossBench, missingTools } from './aarch64Bench';
import { programs, type Build } from './harness';
import { inconsistencies, visitsByPath } from './result';
import { combinations } from '../volume';
import { everything, readSites, writeSelection, type Chosen, type SiteKind } from './selection';

const bench = new CrossBench();
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));
const suite = describe.skipIf(missingTools.length > 0);
if (missingTools.length > 0) console.warn(`aarch64 is not tested, not installed: ${missingTools.join(', ')}`);

/** The functions in the order of their sled numbers. */
const numbered = (text: string): ReadonlyMap<number, string> =>
  new Map(text.split(' ').map((name, index) => [index + 1, name]));
const caseNames = numbered(
  'destroyed thrower catcher rethrower level3 level2 level1 jumper after_jump jumping sum big extended pair wide many ' +
    'huge even odd recursive leaf branch leaving waiting handling raising yielding fiber ending forking',
);
const kinds: readonly SiteKind[] = ['entry', 'sled'];
const both = (compiler: Build['compiler'], ...flags: string[]): Build[] =>
  kinds.map((kind) => ({ compiler, kind, flags }));
const deep = { KYMO_DEPTH_LIMIT: '100000' };

const builds: readonly Build[] = [
  ...combinations(['gcc', 'clang-19'] as const, kinds, [
    ['-O0'],
    ['-O2'],
    ['-O3'],
    ['-O2', '-mbranch-protection=standard'],
  ]),
  ...combinations(['gcc'] as const, kinds, [
    ['-O2', '-no-pie', '-fno-pie'],
    ['-O2', '-static'],
    ['-O2', '-static-pie'],
    ['-O2', '-fomit-frame-pointer', '-mbranch-protection=bti'],
    ['-O2', '-flto'],
    ['-O2', '-fipa-ra'],
    ['-O2', '-march=armv8.2-a+sve'],
  ]),
].map(([compiler, kind, flags]) => ({ compiler, kind, flags }));

suite.each(builds)('C++: $compiler $kind $flags', (build) => {
  let file = '';
  beforeAll(() => {
    file = bench.compile(build, 'cases.cpp');
  });

  it('behaves as without measurement, and every visit is counted', () => {
    const { results } = bench.expectSame(file, build.kind, caseNames, [], deep);
    expect(results.flatMap((result) => result.threads).length).toBeGreaterThan(8);
  });

  it('nests times and events', () => {
    const { results } = bench.measureAll(file, build.kind, caseNames, ['conventions']);
    expect(results.flatMap(inconsistencies)).toEqual([]);
  });
});

suite.each(both('gcc', '-O2'))('a process that somebody wants to watch: $kind', (build) => {
  it('runs as without; an emulator that starts no server is said', () => {
    const file = bench.compile(build, 'plain.c');
    const folder = bench.path('watched');
    mkdirSync(folder);
    const watched = { KYMO_CONTROL: folder, KYMO_CONTROL_TOKEN: 'token' };
    const { outcome } = bench.measureAll(file, build.kind, new Map(), [], watched);
    const plain = bench.run(file, []);
    expect(outcome.status).toBe(plain.status);
    expect(outcome.output.replace(/^kymo: this process cannot be watched: .*\n/m, '')).toBe(plain.output);
  });
});

suite.each(both('gcc', '-O2'))('ends: $kind', (build) => {
  let file = '';
  beforeAll(() => {
    file = bench.compile(build, 'cases.cpp');
  });
  it.each(['_exit', 'quick_exit', 'exit', 'abort', 'terminate'])(
    'writes a result when it ends by %s',
    (how) => {
      const { results } = bench.expectSame(file, build.kind, caseNames, ['end', how]);
      expect(results.map((result) => result.flags)).toEqual([how === 'abort' || how === 'terminate' ? 1 : 0]);
    },
  );

  it('measures a forked child on its own', () => {
    expect(bench.expectSame(file, build.kind, caseNames, ['fork']).results).toHaveLength(2);
  });
});

suite.each([...both('gcc', '-O0'), ...both('gcc', '-O3', '-fopenmp'), ...both('clang-19', '-O2')])(
  'C: $compiler $kind $flags',
  (build) => {
    it('counts inlined, local, nested and parallel functions', () => {
      const file = bench.compile(build, 'cases.c');
      bench.expectSame(file, build.kind, numbered('nested local worker left returns shortcut'), []);
    });
  },
);

suite.each(both('gcc', '-O2'))('libraries: $kind', (build) => {
  const names = new Map([
    [11, 'in_library'],
    [12, 'step'],
    [13, 'callback'],
  ]);
  it.each([[[]], [['-mbranch-protection=standard']]])('are measured when linked %j', (more) => {
    const one: Build = { ...build, flags: [...build.flags, ...more] };
    const library = bench.compile(one, 'library.c', [], true);
    const file = bench.compile(one, 'users.c', [library]);
    const chosen = [file, library].map((object) => everything(readSites(object), build.kind, names));
    const plain = bench.run(file, []);
    const { outcome, results, slots } = bench.measure(file, chosen, []);
    expect(outcome).toEqual(plain);
    const visits = Object.entries(visitsByPath(results, slots)).map(
      ([where, count]) =>
        [where.replace(/(^|\/)(main|last)(?=\/|$)/g, '').replace(/^\//, ''), count] as const,
    );
    expect(Object.fromEntries(visits)).toMatchObject({
      in_library: 1,
      'in_library/step': 100,
      'in_library/callback': 100,
    });
  });

  it('are measured when opened with dlopen', () => {
    const library = bench.compile(build, 'library.c', [], true);
    const file = bench.compile({ ...build, flags: [...build.flags, '-DOPENED', '-ldl'] }, 'users.c');
    const chosen = [file, library].map((object) => everything(readSites(object), build.kind, names));
    const plain = bench.run(file, [library]);
    const { outcome, results, slots } = bench.measure(file, chosen, [library]);
    expect(outcome).toEqual(plain);
    const visits = Object.entries(visitsByPath(results, slots)).filter(([where]) =>
      where.includes('in_library'),
    );
    expect(Object.fromEntries(visits.map(([where, count]) => [where.replace(/^main\//, ''), count]))).toEqual(
      {
        in_library: 3,
        'in_library/step': 300,
        'in_library/callback': 300,
      },
    );
  });
});

const assembly = path.join(programs, 'registers-aarch64.S');
const registerNames = numbered('through_sled through_sve inner');
/** Processors without and with SVE, branch targets and pointer signing. */
const processors = ['cortex-a53', 'cortex-a76', 'max', 'max,sve2048=on'];

suite.each(both('gcc', '-O2'))('registers: $kind', (build) => {
  it.each(processors)('are preserved on %s: general, flags, vectors, predicates', (processor) => {
    const file = bench.compile(build, 'aarch64.c', [assembly]);
    const environment = { QEMU_CPU: processor };
    const plain = bench.run(file, [], environment);
    expect(plain).toEqual({ status: 5, signal: null, output: expect.stringMatching(/^4 145\n= /) as string });
    const measured = bench.measureAll(file, build.kind, registerNames, [], environment);
    expect(measured.outcome).toEqual(plain);
  });

  it('visits are counted in a program with more data than a branch reaches', () => {
    for (const flags of [
      ['-pie', '-fPIE'],
      ['-no-pie', '-fno-pie'],
    ]) {
      const one: Build = { ...build, flags: ['-O2', '-DROOM=400000000', ...flags] };
      bench.expectSame(bench.compile(one, 'aarch64.c', [assembly]), build.kind, registerNames, []);
    }
  });
});

suite.each(both('gcc', '-O1', '-mbranch-protection=standard'))('landing pads: $kind', (build) => {
  it('exist at every target of the runtime’s indirect branches', () => {
    const enforced = ['-nostartfiles', '-Wl,-z,force-bti', '-lc'];
    const file = bench.compile(build, 'guarded-aarch64.c', enforced);
    expect(bench.ask('aarch64-linux-gnu-readelf', ['-n', file])).toMatch(/AArch64 feature: .*BTI/);
    const { outcome } = bench.expectSame(file, build.kind, numbered('twice'), []);
    expect(outcome.output).toContain('90');
  });
});

suite('return addresses in registers', () => {
  it('a call from deeper in the stack detects frames that a longjmp left', () => {
    for (const flags of [['-O2'], ['-O0'], ['-O2', '-mbranch-protection=standard']]) {
      const file = bench.compile({ compiler: 'gcc', kind: 'entry', flags }, 'aarch64.c', [assembly]);
      const { results, slots } = bench.measureAll(file, 'entry', registerNames, []);
      expect(visitsByPath(results, slots)).toMatchObject({
        'main/jumping': 1,
        'main/jumping/left': 1,
        'main/jumping/left/fresh': 1,
        'main/jumping/fresh': 1,
      });
    }
  });

  it('a sled in a leaf without a frame hangs below the leaf’s own entry', () => {
    const file = bench.compile({ compiler: 'gcc', kind: 'sled', flags: ['-O2'] }, 'aarch64.c', [assembly]);
    const chosen: Chosen = {
      sites: readSites(file),
      regions: new Map<string, string | number>([
        ['outer', 'outer'],
        ['inner', 3],
      ]),
    };
    const { results, slots } = bench.measure(file, [chosen], []);
    expect(visitsByPath(results, slots)).toEqual({ outer: 10, 'outer/inner': 10 });
  });

  it('refuses, in one line, an object with more code than a call reaches', () => {
    const source = path.join(bench.folder, 'far.S');
    writeFileSync(source, '.text\n.skip 130 << 20\n.section .note.GNU-stack,"",%progbits\n');
    const file = bench.compile({ compiler: 'gcc', kind: 'entry', flags: ['-O2'] }, 'aarch64.c', [
      assembly,
      source,
    ]);
    const { outcome } = bench.measureAll(file, 'entry', registerNames, []);
    expect(outcome.status).toBe(5);
    expect(outcome.output.match(/^kymo: .*$/gm)).toEqual([
      `kymo: nothing is measured in ${path.basename(file)}: its code is larger than a call of this processor reaches`,
    ]);
    rmSync(file);
  });

  it('entries of another length are not patched', () => {
    const file = bench.compile(
      { compiler: 'gcc', kind: 'entry', flags: ['-O2', '-fpatchable-function-entry=1'] },
      'cases.c',
    );
    const { outcome } = bench.measureAll(file, 'entry', registerNames, []);
    expect(outcome.output).toMatch(/^kymo: \d+ selected sites are not sites of .*; they are left alone$/m);
    expect({ ...outcome, output: outcome.output.replace(/^kymo: .*\n/m, '') }).toEqual(bench.run(file, []));
  });
});

suite('result file', () => {
  it('is read by the tool: timer, calibration, threads', () => {
    const file = bench.compile({ compiler: 'gcc', kind: 'entry', flags: ['-O2'] }, 'cases.cpp');
    const results = bench.path('results');
    mkdirSync(results);
    const selection = bench.path('selection');
    writeSelection(selection, [everything(readSites(file), 'entry')]);
    bench.run(file, ['threads'], { KYMO_SELECTION: selection, KYMO_RESULTS: results });
    const [name = ''] = readdirSync(results);
    const result = parseResult(readFileSync(path.join(results, name)), name);
    // Under an emulator the values are meaningless, so only their presence is checked.
    expect(result.ticksPerSecond).toBeGreaterThan(0);
    expect(result.threads.length).toBe(11);
    for (const cost of [result.probeCost, result.entryCost]) expect(cost.pairSeconds).toBeGreaterThan(0);
  });
});
