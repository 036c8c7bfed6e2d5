// Tests the problem matchers of package.json on the output of compilers, and applies them in the same way as VS Code.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json';

interface Pattern {
  readonly regexp: string;
  readonly file?: number;
  readonly line?: number;
  readonly column?: number;
  readonly severity?: number;
  readonly message?: number;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-matchers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cSource = `#include <stdio.h>
int f(int a) {
  int unused;
  return a + nowhere;
}
`;
const fortranSource = `module m
  implicit none
  interface g
    module procedure a
    module procedure b
  end interface
contains
  subroutine a(x)
    integer :: x
    x = 1
  end subroutine
  subroutine b(y)
    integer :: y
    integer :: unused
    y = nowhere
  end subroutine
end module
`;

describe.each(['gcc', 'clang-19'])('%s', (compiler) => {
  it.skipIf(!has(compiler))('errors and warnings are found once, with file, line and column', () => {
    const found = problems(compile(compiler, 'c.c', cSource)).filter(({ severity }) => severity === 'error');
    expect(found).toMatchObject([{ file: 'c.c', line: 4, column: 14, severity: 'error' }]);
    expect(found[0]?.message).toContain('nowhere');
    expect(problems(compile(compiler, 'w.c', cSource.replace('nowhere', '1')))).toMatchObject([
      { file: 'w.c', line: 3, column: 7, severity: 'warning' },
    ]);
  });

  it.skipIf(!has(compiler))('a missing header is an error', () => {
    const found = problems(compile(compiler, 'h.c', '#include "nowhere.h"\n'));
    expect(found).toMatchObject([{ file: 'h.c', line: 1, column: 10, severity: 'error' }]);
  });
});

describe('gfortran', () => {
  it.skipIf(!has('gfortran'))('reports of several lines are found, with one place and with two', () => {
    const found = problems(compile('gfortran', 'm.f90', fortranSource));
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ file: 'm.f90', line: 15, column: 15, severity: 'Error' }),
        expect.objectContaining({ file: 'm.f90', line: 8, column: 14, severity: 'Error' }),
      ]),
    );
    expect(found.map(({ message }) => message).join()).toContain('Ambiguous interfaces');
  });

  it.skipIf(!has('gfortran'))('two places in neighbouring lines', () => {
    const calls = 'program p\n  implicit none\n  call h(1)\n  call h(1.0)\nend program\n';
    const found = problems(compile('gfortran', 'n.f90', calls));
    expect(found).toMatchObject([{ file: 'n.f90', line: 4 }]);
  });

  it.skipIf(!has('gfortran'))('warnings, fatal errors, and reports of one line', () => {
    expect(problems(compile('gfortran', 'u.f90', 'integer :: unused\nend\n'))).toMatchObject([
      { file: 'u.f90', line: 1, severity: 'Warning' },
    ]);
    expect(problems(compile('gfortran', 'f.f90', 'use nosuch\nend\n'))).toMatchObject([
      { file: 'f.f90', line: 1, severity: 'Error' },
    ]);
    const short = problems(
      compile('gfortran', 's.f90', 'x = nowhere(1\nend\n', '-fno-diagnostics-show-caret'),
    );
    expect(short).toMatchObject([{ file: 's.f90', line: 1, severity: 'Error' }]);
  });
});

function has(compiler: string): boolean {
  return spawnSync(compiler, ['--version']).status === 0;
}

function compile(compiler: string, name: string, text: string, ...flags: string[]): string[] {
  writeFileSync(path.join(folder, name), text);
  const { stderr } = spawnSync(compiler, ['-Wall', ...flags, '-c', name], { cwd: folder, encoding: 'utf8' });
  return stderr.split('\n');
}

/** VS Code looks back from each line, with the longest matcher first, and matches each line only once. */
function problems(lines: readonly string[]): Record<string, string | number>[] {
  const matchers = manifest.contributes.problemMatchers
    .map(({ pattern }) => (Array.isArray(pattern) ? pattern : [pattern]) as readonly Pattern[])
    .sort((a, b) => b.length - a.length);
  let seen: string[] = [];
  const found: Record<string, string | number>[] = [];
  for (const line of lines) {
    seen.push(line);
    for (const pattern of matchers) {
      const match = matched(pattern, seen.slice(-pattern.length));
      if (match === undefined) continue;
      found.push(match);
      seen = [];
      break;
    }
  }
  return found;
}

function matched(
  patterns: readonly Pattern[],
  lines: readonly string[],
): Record<string, string | number> | undefined {
  if (lines.length < patterns.length) return undefined;
  const all = patterns.map((pattern, at) => new RegExp(pattern.regexp).exec(lines[at] ?? ''));
  if (all.some((match) => match === null)) return undefined;
  return Object.assign(
    {},
    ...patterns.map(({ file, line, column, severity, message }, at) => {
      const text = (group: number): string => all[at]?.[group] ?? '';
      return {
        ...(file === undefined ? {} : { file: text(file) }),
        ...(line === undefined ? {} : { line: Number(text(line)) }),
        ...(column === undefined ? {} : { column: Number(text(column)) }),
        ...(severity === undefined ? {} : { severity: text(severity) }),
        ...(message === undefined ? {} : { message: text(message) }),
      };
    }),
  ) as Record<string, string | number>;
}
