import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commandLines } from '../../src/core/scorepOptions/commandLines';
import { lacking } from '../../src/core/scorepOptions/offered';
import { readCube } from '../../src/formats/cube4/read';
import { scorepCatalogue } from '../../src/measurement/backends/scorep/installation/catalogue';
import { readOffered } from '../../src/measurement/backends/scorep/installation/offered';
import { distrustWorkspace, trustWorkspace } from '../../src/measurement/launch/trust';
import { scorepOptions, scorepTargets } from '../../src/workflows/scorepOptions';

const scratch = mkdtempSync(path.join(tmpdir(), 'kymo options '));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const offered = await readOffered({});
if (offered === undefined) process.stderr.write('skipped: no scorep in PATH\n');

const source = `#include <cstdio>
#include <cstdlib>
#include <scorep/SCOREP_User.h>
__attribute__((noinline)) int work(int n) { return n * 3 + 1; }
int main(int argc, char **argv) {
  SCOREP_USER_REGION_DEFINE(handle)
  SCOREP_USER_REGION_BEGIN(handle, "mine", SCOREP_USER_REGION_TYPE_COMMON)
  void *some = std::malloc(100);
  int sum = argc;
  for (int i = 0; i < 100; ++i) sum += work(i);
  std::free(some);
  SCOREP_USER_REGION_END(handle)
  std::printf("%d\\n", sum);
}
`;

function folder(name: string): string {
  const made = path.join(scratch, name);
  mkdirSync(made, { recursive: true });
  writeFileSync(path.join(made, 'a.cpp'), source);
  return made;
}

function sh(script: string, cwd: string): void {
  const { status, stderr, stdout } = spawnSync('sh', ['-e', '-c', script], { cwd, encoding: 'utf8' });
  expect(status, `${script}\n${stdout}${stderr}`).toBe(0);
}

function regionsOf(cwd: string): readonly string[] {
  const file = path.join(cwd, 'results/profile.cubex');
  const { regions } = readCube(readFileSync(file), file);
  return regions.map(({ name }) => name);
}

describe.runIf(offered !== undefined)('a real Score-P', () => {
  const real = offered ?? { path: '', version: '', flags: [], paradigms: [], variables: {} };
  const { options } = scorepCatalogue;
  const choices = options.flatMap((option) =>
    option.input.kind === 'choice' ? option.input.choices.map(({ value }) => ({ option, value })) : [],
  );

  it('accepts each flag that Kymo offers, and refuses those that Kymo considers missing', () => {
    const cwd = folder('flags');
    for (const { option, value } of choices) {
      if (option.place.kind !== 'flag' || value === '') continue;
      const { status } = spawnSync(real.path, [value, '--dry-run', 'g++', '-c', 'a.cpp'], { cwd });
      expect(status === 0, value).toBe(lacking(option, value, real) === undefined);
    }
  });

  it('accepts each value that Kymo offers for a variable', () => {
    const cwd = folder('variables');
    sh('scorep --mpp=none --thread=none g++ a.cpp -o a', cwd);
    const texts: Record<string, string> = {
      SCOREP_TOTAL_MEMORY: '200M',
      SCOREP_PROFILING_MAX_CALLPATH_DEPTH: '30',
      SCOREP_METRIC_RUSAGE: 'ru_maxrss,ru_nivcsw',
    };
    const values = [
      ...choices.flatMap(({ option, value }) =>
        value === '' || option.place.kind !== 'variable' || lacking(option, value, real) !== undefined
          ? []
          : [[option.place.name, value] as const],
      ),
      ...Object.entries(texts),
      ...(real.variables.SCOREP_METRIC_RUSAGE === undefined
        ? []
        : (
            options.find(({ id }) => id === 'SCOREP_METRIC_RUSAGE')!.input as {
              readonly format: { readonly known: readonly string[] };
            }
          ).format.known.map((name) => ['SCOREP_METRIC_RUSAGE', name] as const)),
    ];
    expect(values.length).toBeGreaterThan(30);
    for (const [name, value] of values) {
      const { status, stderr } = spawnSync('./a', {
        cwd,
        env: { ...process.env, SCOREP_EXPERIMENT_DIRECTORY: 'r', [name]: value },
        encoding: 'utf8',
      });
      rmSync(path.join(cwd, 'r'), { recursive: true, force: true });
      expect(status, `${name}=${value}: ${stderr}`).toBe(0);
      // Sampling needs the kernel's perf events; without them, Score-P prints a message and continues.
      if (name !== 'SCOREP_ENABLE_UNWINDING')
        expect(stderr, `${name}=${value}`).not.toMatch(/Error|[Uu]nknown|[Ii]nvalid|not supported/);
    }
  });

  it.each([
    { flags: ['--mpp=none', '--thread=none', '--user', '--nomemory'], user: true },
    { flags: [], user: false },
  ])('is built with by each of the command lines: $flags', ({ flags, user }) => {
    const environment = { SCOREP_EXPERIMENT_DIRECTORY: 'results', SCOREP_PROFILING_FORMAT: 'cube_tuple' };
    const lines = new Map(
      commandLines({ flags, environment, instrumenter: 'scorep', languages: ['c++'] }).map(({ id, text }) => [
        id,
        text,
      ]),
    );
    const builds = {
      prefix: `${lines.get('prefix') ?? ''} g++ a.cpp -o program`,
      config: lines.get('config') ?? '',
      wrappers: lines.get('wrappers') ?? '',
    };
    for (const [id, script] of Object.entries(builds)) {
      const cwd = folder(`${id} ${flags.length}`);
      writeFileSync(
        path.join(cwd, 'Makefile'),
        'program: a.cpp\n\t$(CXX) a.cpp -o program\nclean:\n\trm -f program\n',
      );
      writeFileSync(
        path.join(cwd, 'CMakeLists.txt'),
        'cmake_minimum_required(VERSION 3.10)\nproject(p CXX)\nadd_executable(program a.cpp)\n',
      );
      const hasCmake = spawnSync('cmake', ['--version']).status === 0;
      const withoutCmake = script.replace(/^# CMake$[^]*^# make$/m, '');
      // The macros need their header even when they expand to nothing.
      const header = 'export CPATH=$(scorep-config --prefix)/include';
      sh(`${header}\n${hasCmake ? script : withoutCmake}`, cwd);
      const program = existsSync(path.join(cwd, 'program')) ? './program' : './build/program';
      sh(`${lines.get('environment') ?? ''}\n${program}`, cwd);
      const regions = regionsOf(cwd);
      expect(regions, id).toContain('int work(int)');
      expect(regions.includes('mine'), id).toBe(user);
    }
  });
});

describe('the options of Score-P', () => {
  it('are available without a folder and without a Score-P', async () => {
    const told = await scorepOptions({});
    expect(told.catalogue).toBe(scorepCatalogue);
    expect(told.targets).toEqual([]);
    expect(told.problem).toContain('No folder is open');
    expect(told.facts).toBeUndefined();
    const state = told.installations.scorep;
    if (offered === undefined) expect(state).toMatchObject({ missing: true });
    else expect(state).toEqual({ offered });
  });

  it('come with the settings of the targets and the facts about the sources', async () => {
    const workspace = folder('workspace');
    const text = `{ "version": 1, "targets": [
      { "name": "a", "build": { "command": "make CXX=\${cxx}" }, "executable": "./a",
        "scorep": { "flags": ["--user"], "instrumenter": "./none/scorep" } } ] }`;
    const told = await scorepOptions({ workspace, text });
    expect(told.targets).toEqual([
      {
        name: 'a',
        backend: 'auto',
        instrumenter: './none/scorep',
        settings: { flags: ['--user'], filtering: 'hybrid', environment: {} },
      },
    ]);
    expect(told.installations['./none/scorep']).toMatchObject({
      problem: expect.stringContaining(path.join(workspace, 'none')) as string,
    });
    expect(told.facts).toEqual({ files: 1, userMacros: true, mpi: false, openmp: false, pthreads: false });
    expect(told.languages).toEqual(['c++']);
    expect(await scorepTargets({ workspace })).toMatchObject({
      targets: [],
      problem: expect.stringContaining('There is no kymo.json') as string,
    });
    expect(await scorepTargets({ workspace, text: '{' })).toMatchObject({ targets: [] });
  });

  it('do not start programs that an untrusted workspace names', async () => {
    const workspace = folder('untrusted');
    const program = path.join(workspace, 'scorep');
    writeFileSync(program, `#!/bin/sh\ntouch '${path.join(workspace, 'started')}'\n`, { mode: 0o755 });
    const text = `{ "version": 1, "targets": [
      { "name": "a", "build": { "command": "make CXX=\${cxx}" }, "executable": "./a",
        "scorep": { "instrumenter": "./scorep" } } ] }`;
    distrustWorkspace();
    const told = await scorepOptions({ workspace, text }).finally(trustWorkspace);
    expect(told.installations['./scorep']).toMatchObject({
      problem: expect.stringContaining('not trusted') as string,
    });
    expect(existsSync(path.join(workspace, 'started'))).toBe(false);
    await scorepOptions({ workspace, text });
    expect(existsSync(path.join(workspace, 'started'))).toBe(true);
  });
});
