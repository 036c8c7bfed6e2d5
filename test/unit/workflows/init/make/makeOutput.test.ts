import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilerOf } from '../../../../../src/workflows/init/sources/compilers';
import {
  compilerWord,
  isPlainPath,
  oneLine,
  shellWord,
} from '../../../../../src/workflows/init/asking/draft';
import { linkedPrograms } from '../../../../../src/workflows/init/make/linkedPrograms';
import { readMakeOutput } from '../../../../../src/workflows/init/make/makeOutput';
import { candidateVariables } from '../../../../../src/workflows/init/make/makeVariables';
import { commandsOf } from '../../../../../src/workflows/init/make/shellCommands';

const linked = (output: string): readonly string[] =>
  linkedPrograms(readMakeOutput(output, '/w').commands).map(({ file, isHelper }) =>
    isHelper ? `(${file})` : file,
  );

describe('the programs of a dry run', () => {
  it.each([
    [
      'a link, not what is compiled or shared',
      'cc -c a.c\ncc -o a a.o -lm\ncc -shared -o b.so b.o\ncc -o c.so.1.2 c.o',
      ['/w/a'],
    ],
    [
      'no resource, library or archive',
      'windres -o zstd32.res\nar -o x y\ncc -o p.res p.o\ncc -M -o deps a.c',
      [],
    ],
    [
      'in the folder that make entered',
      "make[1]: Entering directory '/w/sub'\ng++ -oprog a.o\nmake[1]: Leaving directory '/w/sub'\ncc -o top a.o",
      ['/w/sub/prog', '/w/top'],
    ],
    [
      'in the folder that the line changed to',
      '(cd lib; cc -o x x.o) && cc -o y y.o',
      ['/w/lib/x', '/w/lib/y'],
    ],
    ['without a name', 'cc a.c', ['/w/a.out']],
    [
      'of two names in a folder the first, and the last after a move',
      'cc -o pigz a.o\nln -f pigz unpigz\ncc -o b.tmp b.o\nmv b.tmp b',
      ['/w/pigz', '/w/b'],
    ],
    [
      'through libtool, ccache and assignments',
      'V=1 /bin/sh ./libtool --tag=CC --mode=link gcc -o xz xz.o\nccache gcc-12 -o b b.o',
      ['/w/xz', '/w/b'],
    ],
    ['not behind a missing libtool', 'mode=link --tag=CC gcc -o lua lua.o', []],
    ['not what only prints', 'echo gcc -o a a.o\n# gcc -o b b.o\nprintf "; gcc -o c c.o"', []],
    [
      'where it is copied, linked or moved to in the end',
      'cc -o obj/1/zstd z.o\nif [ 1 -eq 1 ]; then cp -f obj/1/zstd zstd; fi\nmkdir -p bin\nmv zstd bin',
      ['/w/bin/zstd'],
    ],
    ['a symbolic link from its own folder', 'cc -o p/z z.o\nln -sf ../p/z q/y', ['/w/q/y']],
    ['on continued lines', 'cc \\\n  -o a \\\n  a.o', ['/w/a']],
    [
      'a helper, but not what is tested in the end',
      'cc -o gen gen.c\n./gen >x.c\ncc -o x x.c\n./x <in',
      ['(/w/gen)', '/w/x'],
    ],
    ['of a cross compiler', 'x86_64-linux-gnu-gcc-12 -o a a.o', ['/w/a']],
  ])('%s', (_, output, programs) => expect(linked(output)).toEqual(programs));

  it('never fails, whatever is printed', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'cc ',
            '-o ',
            'a',
            "'",
            '"',
            '\\',
            '\n',
            ';',
            '$(',
            ')',
            '&&',
            ' ',
            'cd ',
            '`',
            '#',
            'cp ',
          ),
        ),
        (parts) => {
          linked(parts.join(''));
        },
      ),
    ));
  it('says which product is missing, and where', () =>
    expect(
      readMakeOutput(
        "make: Entering directory '/w/b'\nmake: *** No rule to make target '../l/x.a', needed by 'y'.\n",
        '/w',
      ).missing,
    ).toEqual(['/w/l/x.a']));
});

describe('what else a dry run says', () => {
  it('names what source files are made of, and that a makefile cannot be made', () => {
    const { makeSources, isBroken } = readMakeOutput(
      "# Make data base, printed on x\nparse.h: gen/gen$ parse.y\ntest: prog\n# Finished Make data base on x\nmake[2]: Failed to remake makefile 'Makefile'.",
      '/w',
    );
    expect([...makeSources]).toEqual(['gen$', 'parse.y']);
    expect(isBroken).toBe(true);
    expect(readMakeOutput('make: *** x', '/w').isBroken).toBe(false);
  });
});

describe('the variables of a dry run', () => {
  const database = (text: string): string =>
    `# Make data base, printed on x\n${text}\n# Finished Make data base on x\n`;
  it('are those that name compilers; a reference follows the other one, and a version is no compiler', () => {
    const output = database(
      "# default\nCC = cc\n# makefile (from 'M', line 1)\nCXX = $(SER)\n# makefile\nSER = g++ -DUSE_MPI=0\n# makefile\nV := g++ (Debian) 12\n# makefile\nLD = $(X)gcc\n# makefile\nX = \n# automatic\n@D = gcc\nall: a b\n# environment\nFC = ifort",
    );
    const { variables, targets } = readMakeOutput(`${output}${database('# default\nSER = cc')}`, '/w');
    expect(
      candidateVariables(variables).map(({ name, command, options }) => [name, command, ...options]),
    ).toEqual([
      ['CC', 'cc'],
      ['SER', 'g++', '-DUSE_MPI=0'],
      ['LD', 'gcc'],
      ['FC', 'ifort'],
    ]);
    expect([...targets]).toEqual(['all']);
  });
  it.each([
    ['/opt/bin/mpicxx', { language: 'C++', mpi: true }],
    ['aarch64-linux-gnu-gfortran-12', { language: 'Fortran', mpi: false }],
    ['clang-15.0', { language: 'C', mpi: false }],
    ['occ', undefined],
    ['gcc-ar', undefined],
  ])('%s compiles %j', (word, compiler) => expect(compilerOf(word)).toEqual(compiler));
});

describe('words of the shell', () => {
  it('come back as they were written', () =>
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (words) => {
        // A keyword begins a command of its own only where it is not quoted, which the words here need not be.
        const safe = ['x', ...words];
        expect(commandsOf(safe.map(shellWord).join(' '))).toEqual([safe]);
      }),
    ));
  it('keep a placeholder apart from text that looks like one', () =>
    expect(compilerWord('${cc}', ['-DX=${cxx}', "it's"])).toBe("'${cc} -DX=$${cxx} it'\\''s'"));
  it('show output on one line without what steers a terminal', () =>
    expect(oneLine('a\x1b[31mb\x1b[0m\x07\n  c')).toBe('ab c'));
  it.each(['a/b', 'a b', 'x..y'])('%j can be a path in kymo.json', (file) =>
    expect(isPlainPath(file)).toBe(true),
  );
  it.each(['', '/a', '../a', 'a/../b', 'a/..', '-o', 'a\nb', 'a\x1b[31m'])('%j cannot', (file) =>
    expect(isPlainPath(file)).toBe(false),
  );
});
