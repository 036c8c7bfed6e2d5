/** From nothing to a result by one command: `kymo refine -- PROGRAM` in projects without `kymo.json`, and where that fails. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { patience } from '../../scripts/lib/machine.mjs';
import type { RefineResult } from '../../src/workflows/studies/refine.types';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const has = (name: string): boolean => spawnSync(name, ['--version']).status === 0;

/** Appends its arguments to a file in its folder. */
const source = `#include <stdio.h>
#include <stdlib.h>
double __attribute__((noinline)) work(int n) {
  double sum = 0;
  for (int i = 1; i < n; ++i) sum += 1.0 / (i % 97 + 1);
  return sum;
}
int main(int count, char **words) {
  double sum = 0;
  for (int i = 0; i < 40; ++i) sum += work(count > 1 ? atoi(words[1]) : 100000);
  FILE *file = fopen("arguments.log", "a");
  for (int i = 1; i < count; ++i) fprintf(file, "[%s]", words[i]);
  fprintf(file, "\\n");
  fclose(file);
  return sum == 42;
}
`;
const makefile = 'CC = cc\nown: own.c\n\t$(CC) -O2 -g own.c -o own\nclean:\n\trm -f own\n.PHONY: clean\n';
const cmake = 'cmake_minimum_required(VERSION 3.10)\nproject(own C)\nadd_executable(own own.c)\n';
const meson = "project('own', 'c')\nexecutable('own', 'own.c')\n";

let folder: string;
beforeEach(() => {
  // Neither make nor CMake accepts compilers in folders with blanks, but the project may be in one.
  folder = mkdtempSync(path.join(tmpdir(), 'kymo typed '));
  writeFileSync(path.join(folder, 'own.c'), source);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (...parts: readonly string[]): string => path.join(folder, ...parts);
const write = (name: string, text: string): void => writeFileSync(at(name), text);
const logged = (file = 'arguments.log'): readonly string[] => [
  ...new Set(readFileSync(at(file), 'utf8').trimEnd().split('\n')),
];

interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function kymo(words: readonly string[], inFolder = folder): Answer {
  return spawnSync(process.execPath, [cli, ...words], {
    cwd: inFolder,
    encoding: 'utf8',
    input: '',
    timeout: patience(300_000),
    env: { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' },
  });
}

const short = ['--iterations', '1', '--repetitions', '1'];

function refined(...words: readonly string[]): {
  readonly result: RefineResult & { wrote?: string };
  readonly stderr: string;
} {
  const { status, stdout, stderr } = kymo(['refine', '--json', ...words]);
  expect(status, stderr.slice(-2000)).toBe(0);
  return { result: JSON.parse(stdout) as RefineResult, stderr };
}

/** Asserts that the command fails with status and reason, that the message has a text, and that nothing was written or built. */
function expectFailure(words: readonly string[], status: number, reason: string, text: string): void {
  const before = readdirSync(folder).sort();
  const answer = kymo(['refine', '--json', '--yes', ...words]);
  expect(answer.stdout).not.toBe('');
  const { error } = JSON.parse(answer.stdout) as { error: { reason: string; message: string } };
  expect(error).toEqual(
    expect.objectContaining({ reason, message: expect.stringContaining(text) as string }),
  );
  expect(answer.status).toBe(status);
  expect(readdirSync(folder).sort()).toEqual(before);
}

describe('one command leads from a project without kymo.json to a result', () => {
  it.each([
    {
      system: 'Makefile',
      file: 'Makefile',
      text: makefile,
      program: './own',
      executable: './own',
      needs: 'make',
    },
    {
      system: 'CMake',
      file: 'CMakeLists.txt',
      text: cmake,
      program: 'build/own',
      executable: 'build-kymo/own',
      needs: 'cmake',
    },
    {
      system: 'Meson',
      file: 'meson.build',
      text: meson,
      program: './own',
      executable: 'build-kymo/own',
      needs: 'meson',
    },
    {
      system: 'no build system',
      file: 'README',
      text: '',
      program: './a.out',
      executable: './a.out',
      needs: 'cc',
    },
  ])('$system', ({ system, file, text, program, executable, needs }) => {
    if (!has(needs)) {
      console.warn(`${needs} is not installed, so kymo refine -- PROGRAM is not tried with it.`);
      return;
    }
    write(file, text);
    const { result, stderr } = refined('--yes', ...short, '--', program, '30000');
    expect(result.hotFunctions[0]).toMatchObject({ name: 'work', file: at('own.c') });
    expect(result.wrote).toBe(at('kymo.json'));
    expect(stderr).toMatch(new RegExp(`build: .*\\$\\{cc\\}`));
    expect(stderr).toContain(`– Build: ${system}`);
    expect(logged()).toEqual(['[30000]']);
    // From now on, neither the program nor a question is needed, and the same command is right again.
    const again = refined(...short);
    expect(again.result.wrote).toBeUndefined();
    expect(again.result.target).toBe(path.basename(executable));
    refined(...short, '--', program, '20000', 'more');
    expect(logged()).toEqual(['[30000]', '[20000][more]']);
    const config = readFileSync(at('kymo.json'), 'utf8');
    expect(config).toContain(`"executable": "${executable}"`);
    expect(config).toContain('"arguments": ["30000"]');
  });

  it('by mpirun with its ranks and options', () => {
    if (!has('mpirun') || !has('mpicc')) {
      console.warn('Without an MPI, kymo refine -- mpirun … is not tried.');
      return;
    }
    write(
      'own.c',
      source
        .replace(
          'double sum = 0;\n  for (int i = 0; i < 40',
          'MPI_Init(&count, &words);\n  double sum = 0;\n  for (int i = 0; i < 40',
        )
        .replace('return sum == 42', 'MPI_Finalize();\n  return sum == 42')
        .replace('#include <stdio.h>', '#include <mpi.h>\n#include <stdio.h>'),
    );
    write('Makefile', makefile.replaceAll('CC', 'MPICC').replace('= cc', '= mpicc'));
    const { result, stderr } = refined(
      '--yes',
      ...short,
      '--',
      'mpirun',
      '-n',
      '2',
      '-x',
      'A=${b}',
      './own',
      '-n',
      '3',
    );
    expect(result.lastRun?.ranks).toBe(2);
    expect(stderr).toContain("mpirun -n 2 -x 'A=${b}' ./own -n 3");
    expect(logged()).toEqual(['[-n][3]']);
    // The launcher of kymo.json starts what is typed without one.
    expect(refined(...short, '--', './own').result.lastRun?.ranks).toBe(2);
    expect(refined(...short, '--', 'mpirun', '-n', '1', './own').result.lastRun?.ranks).toBe(1);
  });

  it('with arguments of any look, also in a folder below and for a program that is found by its name', () => {
    write('Makefile', makefile);
    mkdirSync(at('data'));
    const odd = ['30000', 'two words', '', '--', '-n', '${x}', '$${x}', "it's", '--json', 'ü\n"'];
    refined('--yes', ...short, '--', 'own', ...odd);
    const shown = odd.map((word) => `[${word}]`).join('');
    expect(readFileSync(at('arguments.log'), 'utf8')).toContain(shown);
    // What is typed below runs there, so that its relative paths stay right.
    const { status, stderr } = kymo(['refine', ...short, '--', '../own', ...odd], at('data'));
    expect(status, stderr.slice(-1000)).toBe(0);
    expect(readFileSync(at('data/arguments.log'), 'utf8')).toContain(shown);
    refined(...short);
    expect(readFileSync(at('arguments.log'), 'utf8').split(shown).length).toBeGreaterThan(2);
  });
});

describe('the question', () => {
  const script = spawnSync('script', ['--version']).status === 0;
  const answered = (answer: string): string => {
    const line = [process.execPath, cli, 'refine', ...short, '--', './own', '30000'].map(
      (word) => `'${word}'`,
    );
    return spawnSync('script', ['-qec', line.join(' '), '/dev/null'], {
      cwd: folder,
      encoding: 'utf8',
      input: answer,
      timeout: 300_000,
    }).stdout;
  };
  beforeEach(() => write('Makefile', makefile));

  it.skipIf(!script)('is asked once on a terminal, with the commands, and yes refines', () => {
    const shown = answered('y\n');
    expect(shown.split('(y/n)')).toHaveLength(2);
    expect(shown).toMatch(/build: make -j\d+ CC=\$\{cc\}/);
    expect(shown).toContain('run:   ./own 30000');
    expect(shown).toContain('Stopped: ');
    expect(existsSync(at('kymo.json'))).toBe(true);
  });
  it.skipIf(!script).each(['n\n', '\n', 'perhaps\n', '\x04'])(
    'writes and runs nothing after %j',
    (answer) => {
      expect(answered(answer)).toContain('Nothing was written or run');
      expect(readdirSync(folder).sort()).toEqual(['Makefile', 'own.c']);
    },
  );
  it.skipIf(!script)('writes and runs nothing after Ctrl-C', async () => {
    const line = `'${process.execPath}' '${cli}' refine -- ./own`;
    const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: folder });
    let shown = '';
    child.stdout.on('data', (text: Buffer) => {
      const before = shown.includes('(y/n)');
      shown += text.toString();
      if (!before && shown.includes('(y/n)')) child.stdin.write('\x03');
    });
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect(shown).toContain('(y/n)');
    expect(status).toBe(130);
    expect(readdirSync(folder).sort()).toEqual(['Makefile', 'own.c']);
  });
  it('needs --yes without a terminal', () => {
    const { status, stdout, stderr } = kymo(['refine', '--', './own']);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('--yes');
    expect(stderr).toContain('make -j');
    expect(readdirSync(folder).sort()).toEqual(['Makefile', 'own.c']);
  });
});

describe('what cannot be built here is an error, and nothing is written', () => {
  beforeEach(() => write('Makefile', makefile));

  it('for scripts, folders, sources, programs of the system and of other folders', () => {
    write('run.sh', '#!/bin/sh\nexec ./own\n');
    chmodSync(at('run.sh'), 0o755);
    symlinkSync('/bin/ls', at('link'));
    mkdirSync(at('sub'));
    expectFailure(['--', './run.sh'], 1, 'no-program', 'is a script');
    expectFailure(['--', './sub'], 1, 'no-program', 'is no program');
    expectFailure(['--', './own.c'], 1, 'no-program', 'is no program');
    for (const program of ['/bin/ls', 'ls', './link', '../own', '../../etc/passwd'])
      expectFailure(['--', program], 1, 'program-outside', 'is outside of');
  });
  it('for programs that the build does not make, which it names', () => {
    expectFailure(['--', './other'], 1, 'program-unknown', 'Makefile makes own');
    expectFailure(
      ['--', 'mpirun', '-n', '2', '--new', 'value', './own'],
      1,
      'program-unknown',
      '--new=value',
    );
    rmSync(at('Makefile'));
    write('second.c', source);
    expectFailure(['--', './other'], 1, 'program-unknown', 'own.c, second.c');
    rmSync(at('own.c'));
    rmSync(at('second.c'));
    expectFailure(['--', './own'], 1, 'nothing-to-build', 'no C, C++ or Fortran file');
  });
  it('for names that no configuration can have, and words that are no run', () => {
    expectFailure(['--', './a\nb'], 1, 'program-outside', 'a␊b');
    expectFailure(['--', './-x'], 1, 'program-outside', 'begin with');
    expectFailure(['--', '-x'], 2, 'usage', 'is no program');
    expectFailure(['--', ''], 2, 'usage', 'Which program');
    expectFailure(['--', 'mpirun', './own'], 2, 'usage', 'number of ranks');
    expectFailure(['--target', 'x', '--', './own'], 2, 'unknown-target', 'no kymo.json');
    expectFailure(
      ['--', 'mpirun', '-n', '1', './own', ':', '-n', '1', './own'],
      1,
      'several-programs',
      'several',
    );
  });
  it('for folders of many programs, and build folders of CMake', () => {
    for (const wide of ['/', tmpdir()])
      expectFailure(['--workspace', wide, '--', './own'], 1, 'folder-too-wide', 'no folder of one program');
    mkdirSync(at('build'));
    write('build/CMakeCache.txt', `CMAKE_HOME_DIRECTORY:INTERNAL=${folder}\n`);
    expectFailure(['--workspace', 'build', '--', './own'], 1, 'nothing-to-build', 'kymo refine -- build/own');
  });
  it('for hostile names of programs, which stay names', () => {
    const name = "$(touch pwned);'`touch pwned`\u202e";
    rmSync(at('Makefile'));
    const { result, stderr } = refined('--yes', ...short, '--', `./${name}`, '20000');
    expect(result.hotFunctions[0]?.name).toBe('work');
    expect(stderr).toContain('⟨U+202E⟩');
    expect(existsSync(at('pwned'))).toBe(false);
    expect(existsSync(at(name))).toBe(true);
  });
});

describe('where there is a kymo.json', () => {
  const target = (name: string, executable: string): object => ({
    name,
    build: { command: `\${cc} -O2 -g -o ${executable} own.c`, clean: `rm -f ${executable}` },
    executable,
    run: { arguments: ['${size}'] },
    parameters: { size: [100] },
  });
  beforeEach(() =>
    write(
      'kymo.json',
      JSON.stringify({ version: 1, targets: [target('one', 'first'), target('two', 'second')] }),
    ),
  );

  it('the target of the program is refined with the typed arguments, and the file stays as it is', () => {
    const before = readFileSync(at('kymo.json'), 'utf8');
    const { result } = refined(...short, '--', './second', '30000', 'x');
    expect(result.target).toBe('two');
    expect(logged()).toEqual(['[30000][x]']);
    // The parameter has no effect on these arguments.
    expect(result.directory.concat(...readdirSync(path.join(result.directory, 'i0')))).not.toContain('size');
    expect(readFileSync(at('kymo.json'), 'utf8')).toBe(before);
  });
  it('another program is an error with those that there are', () => {
    expectFailure(['--', './third'], 2, 'unknown-target', 'one (first), two (second)');
    expectFailure(['--', 'two'], 2, 'unknown-target', 'kymo refine --target "two"');
    expectFailure(['--target', 'one', '--', './second'], 2, 'unknown-target', 'one (first)');
  });
  it('a build that fails names its error, and leaves the file to be corrected', () => {
    rmSync(at('kymo.json'));
    write('own.c', `#error broken\n${source}`);
    const { status, stderr } = kymo(['refine', '--yes', '--', './own']);
    expect(status).toBe(1);
    expect(stderr).toContain('own.c:1:2: #error broken');
    expect(existsSync(at('kymo.json'))).toBe(true);
  });
});
