import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Unit } from '../../src/core/source/unit';
import { namedBytes } from '../../src/formats/byteSource';
import { ElfFile } from '../../src/formats/elf/elfFile';
import { readSleds, readUnitHashes } from '../../src/formats/elf/siteRecords';
import { readUnits } from '../../src/measurement/build/readUnits';
import { WrapperTrial } from './wrappersTool';

let trial: WrapperTrial;
const loop = 'int f(int n) { int i, s = 0; for (i = 0; i < n; i++) s += i; return s; }\n';
const clean = { status: 0, stdout: '', stderr: '' };
/** Whatever starts Node.js fails. */
const withoutNode = { KYMO_NODE: '/bin/false' };

function cc(argumentList: readonly string[], extra: Readonly<Record<string, string>> = withoutNode) {
  return trial.run(trial.wrapper('cc'), argumentList, extra);
}

beforeAll(() => {
  trial = new WrapperTrial();
  trial.write('first.c', loop);
  // The first unit of each compiler makes its program.
  for (const compiler of ['gcc', 'clang-19'])
    expect(cc(['-c', 'first.c'], { KYMO_CC: compiler })).toEqual(clean);
});
afterAll(() => trial.close());
beforeEach(() => trial.forget());

const kept = (): string[] => {
  const folder = path.join(trial.store, 'units');
  return existsSync(folder) ? readdirSync(folder).map((name) => path.extname(name)) : [];
};

describe.each(['gcc', 'clang-19'])('usual units of C start no Node.js: %s', (compiler) => {
  const fast = { ...withoutNode, KYMO_CC: compiler };
  it.each([
    [['-c', 'u.c']],
    [
      [
        '-O2',
        '-g',
        '-Wall',
        '-Wextra',
        '-std=c11',
        '-fopenmp',
        '-fPIC',
        '-mtune=generic',
        '-c',
        'u.c',
        '-o',
        'u.o',
      ],
    ],
    [
      [
        '-DA="x y"',
        '-D',
        'B',
        '-I.',
        '-I',
        '..',
        '-isystem',
        '/usr/include',
        '-UC',
        '-pthread',
        '-MMD',
        '-MP',
        '-MF',
        'u.dep',
        '-c',
        'u.c',
      ],
    ],
    [['-c', '-o', 'u.o', 'u.c', '-lm', '-L.']],
  ])('%j', (options) => {
    trial.write('u.c', loop);
    const log = trial.file('log');
    writeFileSync(log, '');
    expect(cc(options, { ...fast, KYMO_BUILD_LOG: log })).toEqual(clean);
    expect(trial.sleds('u.o')).toBeGreaterThanOrEqual(2);
    expect(kept()).toEqual(['.text']);
    const entry = JSON.parse(readFileSync(log, 'utf8')) as unknown;
    expect(entry).toEqual({ source: trial.file('u.c'), sites: 'probes', hash: trial.units()[0]?.hash });
  });
  it('warnings are those of the plain compiler', () => {
    trial.write('w.c', `${loop}int g(int a)\n{ int unused; unsigned u = 0; return a < u; }\n`);
    const lines = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('w.c:'));
    const options = ['-Wall', '-Wextra', '-c', 'w.c'];
    const expected = lines(trial.run(compiler, options).stderr);
    expect(expected.length).toBeGreaterThan(1);
    expect(lines(cc(options, fast).stderr)).toEqual(expected);
  });
});

describe('everything else takes the general way', () => {
  it.each([
    [['-c', '-x', 'c', 'u.c'], {}],
    [['-c', 'u.i'], {}],
    [['-flto', '-c', 'u.c'], {}],
    [['-Wp,-DX', '-c', 'u.c'], {}],
    [['-c', '@args'], {}],
    [['-c', 'u.c', 'v.c'], {}],
    [['-c', 'u.c'], { KYMO_PROBES: 'off' }],
    [['-c', 'u.c'], { KYMO_CC: 'env gcc' }],
    [['-c', 'u.c'], { OMPI_CC: 'gcc' }],
    [['-c', 'digraph.c'], {}],
  ])('%j %j', (options, extra) => {
    trial.write('u.c', loop);
    trial.write('v.c', loop.replace('f', 'g'));
    trial.write('u.i', `# 1 "u.c"\n${loop}`);
    trial.write('args', 'u.c');
    trial.write('digraph.c', 'int f(int n) <% while (n) n--; return n; %>\n');
    expect(cc(options, extra)).toEqual(clean);
    expect(kept().every((name) => name === '.json')).toBe(true);
    expect(kept().length).toBeGreaterThan(0);
    expect(cc(options, { ...extra, ...withoutNode }).stderr).toContain('ended with status');
  });
  it('a compiler that has changed has its program made anew', () => {
    const compiler = trial.file('own-cc');
    writeFileSync(compiler, '#!/bin/sh\nexec gcc "$@"\n');
    chmodSync(compiler, 0o755);
    trial.write('u.c', loop);
    const use = { KYMO_CC: compiler };
    expect(cc(['-c', 'u.c'], use)).toEqual(clean);
    expect(cc(['-c', 'u.c'], { ...use, ...withoutNode })).toEqual(clean);
    writeFileSync(compiler, '#!/bin/sh\n\nexec gcc "$@"\n');
    expect(cc(['-c', 'u.c'], { ...use, ...withoutNode }).stderr).toContain('ended with status');
    expect(cc(['-c', 'u.c'], use)).toEqual(clean);
    expect(cc(['-c', 'u.c'], { ...use, ...withoutNode })).toEqual(clean);
  });
  it('a compiler whose programs do not run here is not asked again and again', () => {
    trial.write('u.c', 'int f(void) { return 0; }\n');
    const use = { KYMO_CC: 'aarch64-linux-gnu-gcc' };
    expect(cc(['-c', 'u.c'], use)).toEqual(clean);
    const folder = path.join(trial.base, 'cache/kymo/inserters');
    const profile = readdirSync(folder).find((name) => name.includes('aarch64'));
    const program = readFileSync(path.join(folder, profile ?? ''), 'utf8').split('\n')[0];
    // With emulation installed it does run.
    expect(program === '' || existsSync(program ?? '')).toBe(true);
  });
});

it('what is told to end ends its compiler, and leaves nothing', async () => {
  const compiler = trial.file('slow-cc');
  const started = trial.file('started');
  writeFileSync(
    compiler,
    `#!/bin/sh\n[ -z "$SLOW" ] || { echo $$ >"${started}"; exec sleep 60; }\nexec gcc "$@"\n`,
  );
  chmodSync(compiler, 0o755);
  trial.write('u.c', loop);
  expect(cc(['-c', 'u.c'], { KYMO_CC: compiler })).toEqual(clean);
  const child = spawn(trial.wrapper('cc'), ['-c', 'u.c'], {
    cwd: trial.folder,
    env: trial.environment({ KYMO_CC: compiler, SLOW: '1', ...withoutNode }),
    stdio: 'ignore',
  });
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
  while (!existsSync(started) || readFileSync(started, 'utf8') === '') await pause();
  const pid = Number(readFileSync(started, 'utf8'));
  // The shell alone, as a build tool would.
  child.kill('SIGTERM');
  const running = (): boolean => existsSync(`/proc/${String(pid)}/comm`);
  for (let left = 100; left > 0 && running(); left--) await pause();
  expect(running()).toBe(false);
});

describe('the fragment that is made later', () => {
  /** Without what differs by the way of compiling. */
  const comparable = (units: readonly Unit[]): unknown[] =>
    units.map((unit) => ({ ...unit, hash: '' })).sort((a, b) => (a.source < b.source ? -1 : 1));

  it('is the general way’s: an example, and all kinds of functions', async () => {
    const example = path.resolve(import.meta.dirname, '../../examples/stencil');
    cpSync(example, trial.file('stencil'), { recursive: true });
    trial.write(
      'kinds.c',
      `#include <stdlib.h>\n${loop}static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\nint kr(a) int a; { while (a) a--; return a; }\nvoid sort(int *v, int n) { qsort(v, n, sizeof *v, cmp); }\nint outer(int n) { int inner(int k) { return k + n; } while (n) n -= inner(1); return n; }\nint (*table[])(int) = { f, outer };\nint größe(int n) { const char *u = "ü🙂"; while (n) n -= *u; return table[0](n); }\n`,
    );
    const build = (options: readonly string[], extra: Readonly<Record<string, string>>): void => {
      for (const file of ['stencil/heat.c', 'stencil/field.c', 'kinds.c'])
        expect(
          cc(['-O1', '-fopenmp', ...options, '-c', file, '-o', `${path.basename(file)}.o`], extra),
        ).toEqual(clean);
    };
    build(['-Wp,-DX'], {});
    expect(kept()).toEqual(['.json', '.json', '.json']);
    const general = trial.units();
    trial.forget();
    build([], withoutNode);
    expect(kept()).toEqual(['.text', '.text', '.text']);
    const objects = ['heat.c.o', 'field.c.o', 'kinds.c.o'].map((name) =>
      ElfFile.open(namedBytes(name, readFileSync(trial.file(name)))),
    );
    const units = await readUnits(
      trial.store,
      objects.flatMap((object) => readUnitHashes(object)),
    );
    expect(comparable(units)).toEqual(comparable(general));
    expect(kept()).toEqual(['.json', '.json', '.json']);
    expect(
      await readUnits(
        trial.store,
        units.map(({ hash }) => hash),
      ),
    ).toEqual(units);
    for (const sled of objects.flatMap((object) => readSleds(object))) {
      const unit = units.find(({ hash }) => hash === sled.unit);
      expect(unit?.functions[sled.number]?.probe).toBe(true);
    }
  });
  it('is left out when its text is damaged, and made in memory when the store cannot be written', async () => {
    trial.write('u.c', loop);
    expect(cc(['-c', 'u.c'])).toEqual(clean);
    const [unit] = trial.units();
    const hash = unit?.hash ?? '';
    const file = path.join(trial.store, 'units', `${hash}.text`);
    const text = readFileSync(file);
    // A folder in the place of the fragment: it cannot be written.
    mkdirSync(path.join(trial.store, 'units', `${hash}.json`));
    expect(await readUnits(trial.store, [hash])).toEqual([unit]);
    for (const damaged of [
      text.subarray(0, 60),
      Buffer.from('{}\n'),
      Buffer.alloc(0),
      Buffer.from('{"kymoText":1'),
    ]) {
      writeFileSync(file, damaged);
      expect(await readUnits(trial.store, [hash])).toEqual([]);
    }
  });
});
