import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BuildError } from '../../../../src/measurement/build/buildError';
import { parseDiagnostics } from '../../../../src/measurement/build/diagnostics';
import { LineSplitter } from '../../../../src/measurement/build/lineSplitter';

describe('gcc and clang', () => {
  it.each([
    [
      'a.c:3:7: error: expected ‘;’ before ‘}’ token',
      { file: 'a.c', line: 3, column: 7, severity: 'error', text: 'expected ‘;’ before ‘}’ token' },
    ],
    [
      "n.c:1:10: fatal error: 'nope.h' file not found",
      { file: 'n.c', line: 1, column: 10, severity: 'error', text: "'nope.h' file not found" },
    ],
    [
      'dir with space/x.cc:12: warning: unused [-Wunused]',
      { file: 'dir with space/x.cc', line: 12, severity: 'warning', text: 'unused [-Wunused]' },
    ],
    [
      'x.h:1:2: note: declared here',
      { file: 'x.h', line: 1, column: 2, severity: 'note', text: 'declared here' },
    ],
    ['g++: fatal error: no input files', { severity: 'error', text: 'no input files' }],
    ['cc1plus: error: unrecognized option', { severity: 'error', text: 'unrecognized option' }],
    ['clang-19: error: linker command failed', { severity: 'error', text: 'linker command failed' }],
    [
      '\u001b[01m\u001b[Ka.c:3:7:\u001b[m\u001b[K \u001b[01;31m\u001b[Kerror: \u001b[m\u001b[Kbad',
      { file: 'a.c', line: 3, column: 7, severity: 'error', text: 'bad' },
    ],
  ])('%s', (line, expected) => {
    expect(parseDiagnostics(line)).toEqual([expected]);
  });
  it.each([
    'gcc -c a.c -o a.o',
    'In file included from a.c:1:',
    '    3 |   x = y',
    "a.c: In function 'f':",
    '12:34:56 error handling done',
    '',
  ])('is not deceived by %s', (line) => {
    expect(parseDiagnostics(line)).toEqual([]);
  });
});

describe('gfortran', () => {
  const report = `e.f90:3:6:

    3 |   i =
      |      1
Error: Invalid character in name at (1)
w.f90:2:11:

    2 |   real :: y
      |           1
Warning: Unused variable ‘y’ declared at (1) [-Wunused-variable]
m.f90:1:7:

    1 |   use nomod
      |       1
Fatal Error: Cannot open module file ‘nomod.mod’ for reading at (1): No such file or directory
compilation terminated.
f951: Fatal Error: Cannot open file ‘nofile.f90’`;
  it('joins place and message', () => {
    expect(
      parseDiagnostics(report).map(({ file, line, column, severity }) => [file, line, column, severity]),
    ).toEqual([
      ['e.f90', 3, 6, 'error'],
      ['w.f90', 2, 11, 'warning'],
      ['m.f90', 1, 7, 'error'],
      [undefined, undefined, undefined, 'error'],
    ]);
  });
  it('does not take a program’s own output for a message', () => {
    expect(parseDiagnostics('Error: disk is full\n')).toEqual([]);
  });
});

describe('linkers and make', () => {
  it.each([
    [
      "/usr/bin/ld: /tmp/wr/u.c:1: undefined reference to `f'",
      { file: '/tmp/wr/u.c', line: 1, severity: 'error', text: "undefined reference to `f'" },
    ],
    [
      "u.c:(.text+0x12): undefined reference to `f'",
      { file: 'u.c', severity: 'error', text: "undefined reference to `f'" },
    ],
    ['ld.lld: error: undefined symbol: f', { severity: 'error', text: 'undefined symbol: f' }],
    [
      '/usr/bin/ld: cannot find -lnope: No such file or directory',
      { severity: 'error', text: 'cannot find -lnope: No such file or directory' },
    ],
    [
      "make: *** No rule to make target 'x.c', needed by 'x.o'.  Stop.",
      { severity: 'error', text: "No rule to make target 'x.c', needed by 'x.o'.  Stop." },
    ],
  ])('%s', (line, expected) => {
    expect(parseDiagnostics(line)).toEqual([expected]);
  });
  it('places relative names where make is', () => {
    const text =
      "make[1]: Entering directory '/w/sub dir'\na.c:1:1: error: x\nmake[1]: Leaving directory '/w/sub dir'\nb.c:1:1: error: y";
    expect(parseDiagnostics(text, '/w').map(({ file }) => file)).toEqual(['/w/sub dir/a.c', '/w/b.c']);
  });
});

describe('any text', () => {
  it('is read in time and without a throw', () => {
    fc.assert(fc.property(fc.string({ maxLength: 500 }), (text) => Array.isArray(parseDiagnostics(text))));
    // Quadratic work would exceed the time limit of a test; `npm run bench growth` shows the growth.
    const hostile = `${'a:'.repeat(50_000)}\n${'1'.repeat(100_000)}:\n${' '.repeat(100_000)}`;
    expect(parseDiagnostics(hostile)).toEqual([]);
  });
  it('comes out as lines, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zäö流]{0,9}$/)),
        fc.integer({ min: 1, max: 7 }),
        (lines, size) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const seen: string[] = [];
          const splitter = new LineSplitter((line) => seen.push(line));
          for (let at = 0; at < bytes.length; at += size) splitter.add(bytes.subarray(at, at + size));
          splitter.end();
          expect(seen).toEqual(lines);
        },
      ),
    );
  });
});

describe('BuildError', () => {
  it('says the first error with its place and what to do', () => {
    const error = new BuildError(
      'make',
      '/w',
      'ended with status 2',
      parseDiagnostics('a.c:3:7: error: bad\nb.c:1:1: error: worse', '/w'),
      '',
    );
    expect(error.reason).toBe('build-failed');
    expect(error.where).toEqual({ file: '/w/a.c', line: 3, column: 7 });
    expect(error.message).toBe(
      'The build command “make” in /w ended with status 2: /w/a.c:3:7: bad (and 1 more). Fix this, or run the command yourself for the full output.',
    );
  });
  it('shows the end of the output when there is no message', () => {
    expect(
      new BuildError('x', '/w', 'ended with status 127', [], '/bin/sh: 1: x: not found\n').message,
    ).toContain('x: not found');
  });
});
