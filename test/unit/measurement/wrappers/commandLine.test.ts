import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isInput,
  lastOption,
  parseCommandLine,
  textsOf,
} from '../../../../src/measurement/wrappers/commandLine/commandLine';
import {
  expandResponseFiles,
  responseText,
  splitResponseText,
} from '../../../../src/measurement/wrappers/commandLine/responseFile';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const inputsOf = (line: string, plusPlus = false): string[] =>
  parseCommandLine(line.split(' '), plusPlus)
    .items.filter(isInput)
    .map(({ file, language }) => `${file}:${language ?? '?'}`);

describe('inputs and their languages', () => {
  it.each([
    ['-c a.c -o a.o', ['a.c:c']],
    [
      'a.c b.cc c.C d.cpp e.s f.S g.f90 h.F h.i i.ii',
      'a.c:c b.cc:c++ c.C:c++ d.cpp:c++ e.s:assembler f.S:assembler-with-cpp g.f90:fortran h.F:fortran h.i:cpp-output i.ii:c++-cpp-output'.split(
        ' ',
      ),
    ],
    [
      'a.o libx.a liby.so libz.so.1.2 script',
      ['a.o:object', 'libx.a:object', 'liby.so:object', 'libz.so.1.2:object', 'script:?'],
    ],
    ['-x c++ a.c -x none b.c', ['a.c:c++', 'b.c:c']],
    ['-xc - ', ['-:c', ':c']],
    [
      '-I inc.c -D X.c -include pre.c -isystem sys.c -MF d.c -MT t.c -L l.c -o o.c -T s.c real.c',
      ['real.c:c'],
    ],
    [
      '-Xlinker x.c -Xassembler y.c -Xpreprocessor z.c --param p.c -aux-info q.c -u r.c -z s.c -e t.c real.c',
      ['real.c:c'],
    ],
    ['-Iinc -DX=a.c -Lx.c -lfoo.c -ofile.c real.c', ['real.c:c']],
    ['-std=c99 -O3 -march=native -Wall -fopenmp -pthread -g3 -Wl,-z,now -Wp,-MD,x.d real.c', ['real.c:c']],
    ['foo.h', ['foo.h:foreign']],
    ['kernel.cu', ['kernel.cu:foreign']],
  ])('%s', (line, expected) => {
    expect(inputsOf(line)).toEqual(expected);
  });
  it('takes C for C++ when the driver does', () => {
    expect(inputsOf('a.c b.i c.cc', true)).toEqual(['a.c:c++', 'b.i:c++-cpp-output', 'c.cc:c++']);
  });
  it('knows the last option that counts', () => {
    const { items } = parseCommandLine(['-o', 'a', '-ob', '-MFx', '-MF', 'y'], false);
    expect(lastOption(items, '-o')?.value).toBe('b');
    expect(lastOption(items, '-MF')?.value).toBe('y');
  });
});

describe('arguments survive', () => {
  const argument = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '-o',
      '-x',
      '-I',
      '-D',
      '-MF',
      '-include',
      '-Xlinker',
      '-c',
      'a.c',
      '-',
      '-l',
      '--',
      '-Wl,x',
      '-u',
      '__proto__',
      'constructor',
    ),
  );
  it('being parsed, each one and in order, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(argument), fc.boolean(), (given, plusPlus) => {
        expect(textsOf(parseCommandLine(given, plusPlus).items)).toEqual(given);
      }),
    );
  });
  it('a response file', () => {
    fc.assert(
      fc.property(fc.array(argument), (given) => {
        expect(splitResponseText(responseText(given))).toEqual(given);
      }),
    );
  });
});

describe('response files', () => {
  it('splits as the compilers do', () => {
    expect(splitResponseText(`-DA="b c" 'd e'f\\ g\n\t-o\r\nx "" "q\\"r"`)).toEqual([
      '-DA=b c',
      'd ef g',
      '-o',
      'x',
      '',
      'q"r',
    ]);
  });
  it('are expanded, also inside one another; what is no file stays; a circle ends', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kymo response '));
    try {
      writeFileSync(path.join(folder, 'a'), `-O2 "@${folder}/b" x.c`);
      writeFileSync(path.join(folder, 'b'), '-DX');
      writeFileSync(path.join(folder, 'circle'), `"@${folder}/circle"`);
      expect(expandResponseFiles([`@${folder}/a`, '@nowhere', '-c'])).toEqual([
        '-O2',
        '-DX',
        'x.c',
        '@nowhere',
        '-c',
      ]);
      expect(expandResponseFiles([`@${folder}/circle`])).toEqual([`@${folder}/circle`]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
