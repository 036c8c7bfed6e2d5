import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { layoutNeutralEntry } from '../../../../src/core/probes/entryNops';
import { linkKind } from '../../../../src/measurement/wrappers/linker';
import { parseCommandLine } from '../../../../src/measurement/wrappers/commandLine/commandLine';
import {
  compileOptions,
  linkArguments,
  planCommand,
  preprocessArguments,
} from '../../../../src/measurement/wrappers/commandLine/plan';
import { entryOptions } from '../../../../src/measurement/wrappers/commandLine/entryOptions';
import { readSettings } from '../../../../src/measurement/compilers/settings';

const words = (line: string): string[] => line.split(' ');
const plan = (line: string, plusPlus = false) => planCommand(words(line), plusPlus);

describe('what is done for a command line', () => {
  it.each([
    ['-c a.c', 'units'],
    ['-c a.i', 'units'],
    ['a.c b.cc -o prog -lm', 'units'],
    ['a.c b.f90 -o prog', 'units'],
    ['a.o b.o -o prog', 'link'],
    ['-shared a.o -o liba.so', 'link'],
    ['a.f90 -c', 'entries'],
    ['a.f90 -o prog', 'entries'],
    ['-c a.s', 'entries'],
    ['-c a.c b.s', 'entries'],
    ['-c -save-temps a.c', 'entries'],
    ['-c -fmodules-ts a.cc', 'entries'],
    ['-c -Xclang -include-pch -Xclang x.pch a.cc', 'entries'],
    ['--coverage a.c -o prog', 'units'],
    ['-c --coverage a.c', 'units'],
    ['-MD a.c b.c -o prog', 'entries'],
    ['-E a.c', 'plain'],
    ['-S a.c', 'plain'],
    ['-M a.c', 'plain'],
    ['-MM a.c', 'plain'],
    ['-fsyntax-only a.c', 'plain'],
    ['--version', 'plain'],
    ['-dumpmachine', 'plain'],
    ['-print-search-dirs', 'plain'],
    ['-v', 'plain'],
    ['-x c -', 'plain'],
    ['-c -x c -', 'plain'],
    ['a.h -o a.h.gch', 'plain'],
    ['-x c++-header a.hpp', 'plain'],
    ['-c kernel.cu', 'plain'],
    ['-c a.unknown', 'plain'],
    ['-m32 -c a.c', 'plain'],
    ['--target=riscv64-linux-gnu -c a.c', 'plain'],
    ['-c a.c b.c -o x.o', 'plain'],
    ['-###  a.c', 'plain'],
    ['--help', 'plain'],
  ])('%s: %s', (line, kind) => {
    expect(plan(line).kind).toBe(kind);
  });
});

const unitsOf = (line: string) => {
  const found = plan(line);
  if (found.kind !== 'units') throw new Error(`${line} is ${found.kind}`);
  return found;
};

describe('the object and the dependency file of a unit', () => {
  it.each([
    ['-c dir/a.c', 'a.o', []],
    ['-c dir/a.c -o out/b.obj', 'out/b.obj', []],
    ['-c -MD dir/a.c', 'a.o', ['-MF', 'a.d']],
    ['-c -MMD dir/a.c -o out/b.c.o', 'out/b.c.o', ['-MF', 'out/b.c.d', '-MQ', 'out/b.c.o']],
    ['-c -MD -MF x.d -MT y a.c -o b.o', 'b.o', []],
    ['-c -MD -MF x.d a.c -o b.o', 'b.o', ['-MQ', 'b.o']],
    ['-MD a.c -o prog', undefined, ['-MF', 'prog.d', '-MQ', 'prog']],
    ['-c -MD a.c -o with.dir/noext', 'with.dir/noext', ['-MF', 'with.dir/noext.d', '-MQ', 'with.dir/noext']],
  ])('%s', (line, object, dependencies) => {
    const unit = unitsOf(line).units[0];
    expect(unit?.object).toBe(object);
    expect(unit?.dependencyOptions).toEqual(dependencies);
  });
});

describe('the steps', () => {
  const line =
    '-O2 -I inc -DX -include pre.h -MD -MF d -MT t -MP -Wall -Wp,-U,Y -Wa,-mx -Wl,-y -lm -L lib -P -static -o out.o -c -std=c99 a.c';
  it('preprocess with what matters for it', () => {
    const { line: parsed, units } = unitsOf(line);
    const unit = units[0];
    expect(unit && preprocessArguments(parsed, unit).join(' ')).toBe(
      '-O2 -I inc -DX -include pre.h -MD -MF d -MT t -MP -Wall -Wp,-U,Y -std=c99 -E -x c a.c',
    );
  });
  it('compile without preprocessing and linking', () => {
    expect(compileOptions(unitsOf(line).line).join(' ')).toBe('-O2 -Wall -Wa,-mx -std=c99');
  });
  it('link with objects at the places of their sources', () => {
    const { line: parsed, units } = unitsOf(
      'first.o a.c -Wl,--start-group b.cc lib.a -Wl,--end-group -lm -o x',
    );
    const objects = new Map(units.map((unit, at) => [unit.input, `/tmp/${String(at)}.o`]));
    expect(linkArguments(parsed, objects).join(' ')).toBe(
      'first.o /tmp/0.o -Wl,--start-group /tmp/1.o lib.a -Wl,--end-group -lm -o x',
    );
  });
  it('link in spite of -x', () => {
    const { line: parsed, units } = unitsOf('-x c a.txt -x none b.o -o x');
    const objects = new Map(units.map((unit) => [unit.input, '/tmp/0.o']));
    expect(linkArguments(parsed, objects).join(' ')).toBe('-x c -x none /tmp/0.o -x c -x none b.o -o x');
    const open = unitsOf('-x c a.txt -o x');
    expect(linkArguments(open.line, new Map()).slice(-2)).toEqual(['-x', 'none']);
  });
});

describe('what a link makes', () => {
  it.each([
    ['a.o', 'executable'],
    ['-static a.o', 'executable'],
    ['-pie a.o', 'executable'],
    ['-shared a.o', 'shared'],
    ['-shared -nostdlib crti.o a.o', 'shared'],
    ['-r a.o', 'nothing of ours'],
    ['-nostdlib a.o', 'nothing of ours'],
    ['-nostartfiles a.o', 'nothing of ours'],
    ['-ffreestanding a.o', 'nothing of ours'],
  ])('%s: %s', (line, kind) => {
    expect(linkKind(parseCommandLine(words(line), false))).toBe(kind);
  });
});

describe('options for entries', () => {
  const gcc = { family: 'gcc', version: '12.2.0', architecture: 'x86-64' } as const;
  const clang = { family: 'clang', version: '19.1.7', architecture: 'aarch64' } as const;
  const of = (line: string, identity: typeof gcc | typeof clang, alone = false): string =>
    entryOptions(identity, parseCommandLine(words(line), false), alone).join(' ');
  it('fit the compiler and the machine', () => {
    expect(of('-c a.c', gcc)).toBe('-g -fno-var-tracking -fpatchable-function-entry=5 -fno-ipa-ra');
    expect(of('-c a.c', clang)).toBe('-g -fpatchable-function-entry=2');
  });
  it('take a line of the caches per function where nothing else moves the code, and C++ its even address', () => {
    expect(of('-c a.f90', gcc, true)).toContain(' -fpatchable-function-entry=64,58 ');
    expect(layoutNeutralEntry.before + layoutNeutralEntry.at).toBe(64);
    expect(layoutNeutralEntry.before % 2).toBe(0);
    expect(of('-c a.c', clang, true)).toBe('-g -fpatchable-function-entry=2');
  });
  it('are the same in the shell, which compiles the usual Fortran unit', () => {
    const script = readFileSync(path.resolve('runtime/wrappers/kymo-fc'), 'utf8');
    for (const option of entryOptions(gcc, parseCommandLine(words('-c a.f90'), false), true))
      expect(script).toContain(` ${option}`);
  });
  it('leave the debug level of the user, but not none', () => {
    expect(of('-g3 a.c', gcc)).not.toContain('-g ');
    expect(of('-ggdb a.c', gcc)).not.toContain('-g ');
    expect(of('-gdwarf-4 a.c', gcc)).not.toContain('-g ');
    expect(of('-g -g0 a.c', gcc)).toContain('-g ');
    expect(of('-gsplit-dwarf a.c', gcc)).toContain('-g ');
  });
});

describe('settings', () => {
  const exists = (known: readonly string[]) => (program: string) => known.includes(program);
  it('have defaults', () => {
    const settings = readSettings({ HOME: '/home/u' }, exists(['cc']));
    expect(settings).toEqual({
      purpose: 'measure',
      kind: 'cc',
      compiler: ['cc'],
      plusPlus: false,
      store: '/home/u/.cache/kymo/store',
      cache: '/home/u/.cache/kymo',
      probes: true,
      minimumStatements: 10,
    });
  });
  it('take several words for a compiler unless there is a program of that very name', () => {
    expect(readSettings({ KYMO_CC: 'ccache gcc' }, exists(['ccache'])).compiler).toEqual(['ccache', 'gcc']);
    expect(readSettings({ KYMO_CC: '/my tools/gcc' }, exists(['/my tools/gcc'])).compiler).toEqual([
      '/my tools/gcc',
    ]);
  });
  it('know C++ drivers by kind and by name', () => {
    expect(readSettings({ KYMO_KIND: 'cxx', KYMO_CXX: 'x' }, exists([])).plusPlus).toBe(true);
    for (const name of ['g++', 'clang++-19', 'mpicxx', 'mpic++', '/opt/x/bin/g++-12']) {
      expect(readSettings({ KYMO_CC: name }, exists([name])).plusPlus).toBe(true);
    }
    expect(readSettings({ KYMO_CC: 'gcc-12' }, exists(['gcc-12'])).plusPlus).toBe(false);
  });
  it('ignore nonsense', () => {
    expect(
      readSettings({ KYMO_MINIMUM_STATEMENTS: 'x', XDG_CACHE_HOME: 'relative', HOME: '/h' }, exists([])),
    ).toMatchObject({
      minimumStatements: 10,
      cache: '/h/.cache/kymo',
    });
  });
});
