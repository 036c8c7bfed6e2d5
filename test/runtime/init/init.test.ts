import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  existsSync,
  readdirSync,
  readFileSync,
  lstatSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Target } from '../../../src/measurement/config/config';
import { configurations, targetPaths } from '../../../src/measurement/config/configurations';
import { loadConfig } from '../../../src/measurement/config/loadConfig';
import { substitute } from '../../../src/measurement/config/substitute';
import { findProgram } from '../../../src/measurement/launch/findProgram';
import { launchRun } from '../../../src/measurement/launch/launchRun';
import { initWorkspace, proposeConfig } from '../../../src/workflows/init';

const compilers = {
  cc: (await findProgram('gcc')) ?? '',
  cxx: (await findProgram('g++')) ?? '',
  fc: (await findProgram('gfortran')) ?? '',
};
const complete =
  Object.values(compilers).every((compiler) => compiler !== '') && (await findProgram('make')) !== undefined;
const has = async (...programs: string[]): Promise<boolean> =>
  complete &&
  (await Promise.all(programs.map((name) => findProgram(name)))).every((found) => found !== undefined);

const examples = readdirSync(path.resolve('examples')).filter((name) =>
  existsSync(path.resolve('examples', name, 'kymo.json')),
);

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo init '));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function files(contents: Record<string, string>): void {
  for (const [name, text] of Object.entries(contents)) {
    mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    writeFileSync(path.join(workspace, name), text);
  }
}

/** Writes the configuration, then builds and runs every target by it, with a trace of which compilers were really called. */
async function initBuildRun(
  pira?: string,
): Promise<{ targets: readonly Target[]; output: string; notes: readonly string[]; called: string }> {
  const { notes } = await initWorkspace({ workspace, ...(pira === undefined ? {} : { pira }) });
  const { config, warnings } = await loadConfig(workspace);
  expect(warnings).toEqual([]);
  const trace = path.join(workspace, '.called');
  const wrappers = Object.fromEntries(
    Object.entries(compilers).map(([name, compiler]) => {
      const file = path.join(workspace, `.${name}`);
      writeFileSync(file, `#!/bin/sh\necho ${name} >> '${trace}'\nexec ${compiler} "$@"\n`, { mode: 0o755 });
      // The path of a temporary folder has a blank, which no build system takes in CC.
      const link = path.join(tmpdir(), `kymo-${path.basename(workspace).replace(/\W/g, '')}-${name}`);
      rmSync(link, { force: true });
      writeFileSync(link, `#!/bin/sh\nexec '${file}' "$@"\n`, { mode: 0o755 });
      return [name, link];
    }),
  );
  let output = '';
  try {
    for (const target of config.targets) {
      const { buildFolder, executable } = targetPaths(config, target);
      execFileSync('/bin/sh', ['-c', substitute(target.build.command, wrappers)], {
        cwd: buildFolder,
        stdio: 'pipe',
      });
      const [point] = configurations(target);
      await launchRun({
        target,
        workspace,
        executable,
        ...point!,
        environment: {},
        outputFile: path.join(workspace, 'out.txt'),
        signal: new AbortController().signal,
      });
      output += readFileSync(path.join(workspace, 'out.txt'), 'utf8');
    }
    for (const target of config.targets) {
      if (target.build.clean !== undefined)
        execFileSync('/bin/sh', ['-c', target.build.clean], { cwd: targetPaths(config, target).buildFolder });
      expect(existsSync(targetPaths(config, target).executable)).toBe(false);
    }
  } finally {
    Object.values(wrappers).forEach((file) => rmSync(file, { force: true }));
  }
  const called = existsSync(trace)
    ? [...new Set(readFileSync(trace, 'utf8').trim().split('\n'))].sort().join(' ')
    : '';
  return { targets: config.targets, output, notes, called };
}

/** Names, sizes, modes and times of everything in a folder. */
function stateOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { size, mode, mtimeMs } = lstatSync(path.join(folder, name));
      return [name, size, mode, mtimeMs].join(' ');
    })
    .sort();
}

const c = (text: string): string =>
  `#include <stdio.h>\nint main(int n, char **a) { (void)n; (void)a; puts("${text}"); return 0; }\n`;

describe.skipIf(!complete)('init writes what builds and runs', () => {
  it('for a Makefile with variables, a default target behind "all", and continued lines', async () => {
    files({
      'src/main.c': c('make'),
      'src/other.c': 'int other;\n',
      Makefile:
        'PROG := heat\nSRC = src/main.c \\\n  src/other.c\nOBJ = $(SRC:.c=.o)\n.PHONY: all clean\n# the default\nall: $(PROG)\n\n$(PROG): $(OBJ)\n\t$(CC) $(CFLAGS) -o $@ $^\n\n%.o: %.c\n\t$(CC) -c -o $@ $<\n\nclean:\n\trm -f $(PROG) $(OBJ)\n',
    });
    const { targets, output, called } = await initBuildRun();
    expect(targets[0]).toMatchObject({ name: 'heat', executable: './heat', build: { clean: 'make clean' } });
    expect(output).toBe('make\n');
    expect(called).toBe('cc');
  });
  it('for a Makefile that says the name only in the recipe, in a folder', async () => {
    files({
      'a.cc': c('bin'),
      Makefile:
        'OUT=bin\ndefault: dirs a.o\n\t$(CXX) a.o -o $(OUT)/tool -lm\ndirs:\n\tmkdir -p $(OUT)\na.o: a.cc\n\t$(CXX) -c a.cc\nclean:\n\trm -rf a.o $(OUT)\n',
    });
    const { targets, output } = await initBuildRun();
    expect(targets[0]?.executable).toBe('bin/tool');
    expect(output).toBe('bin\n');
  });
  it('for a Makefile whose default target is made by a make of its own', async () => {
    files({
      'main.c': c('inner'),
      Makefile:
        'default: guess\nguess:\n\t@$(MAKE) all\nall: tool\ntool.res: tool.rc\n\twindres tool.rc -o tool.res\nlibtool.la: main.lo\n\t$(LIBTOOL) -o $@\ntool: main.o\n\t$(CC) -o $@ main.o\nclean:\n\trm -f tool main.o\n',
    });
    const { targets, output, notes } = await initBuildRun();
    expect(targets[0]).toMatchObject({ name: 'tool', executable: './tool' });
    expect(output).toBe('inner\n');
    expect(notes).toEqual(['Build: Makefile (Makefile).']);
  });
  it('for every program of "all", with the options of the compilers that are used, and without MPI where it is off', async () => {
    const guarded = `#if USE_MPI\n#include <mpi.h>\n#endif\n#ifndef USE_MPI\n#error which?\n#endif\n`;
    files({
      'a.cc': `${guarded}${c('a')}`,
      'b.c': c('b'),
      'gen.c': c('int main(void) { return 0; }'),
      Makefile:
        'SERCXX = c++ -DUSE_MPI=0\nMPICXX = mpig++ -DUSE_MPI=1\nCXX = $(SERCXX)\nall: gen a b c\na: a.o\n\t$(CXX) -o obj-$@ a.o && mv obj-$@ $@\na.o: a.cc\n\t$(CXX) -c a.cc\nc.c: gen\n\t./gen >$@\nclean:\n\trm -f a a.o b c c.c gen\n',
    });
    const { targets, output, called, notes } = await initBuildRun();
    expect(targets.map(({ executable }) => executable)).toEqual(['./a', './b', './c']);
    expect(targets[0]?.build.command).toMatch(/^make -j\d+ SERCXX='\$\{cxx\} -DUSE_MPI=0' CC=\$\{cc\}$/);
    expect(output).toBe('a\nb\n');
    expect(called).toBe('cc cxx');
    expect(notes.join('\n')).toContain('because the build switches MPI off');
    const one = await proposeConfig({ workspace, executable: 'b', launcher: 'slurm' });
    expect(one.config.targets).toMatchObject([
      { name: 'b', run: { launcher: { kind: 'slurm', ranks: [1] } } },
    ]);
  });
  it('not for a Makefile that cannot make its own parts: a question', async () => {
    files({
      'main.c': c('x'),
      Makefile:
        'include made.mk\nprog: main.o\n\t$(CC) -o $@ main.o\nmade.mk: Makefile\n\tkymo-not-there $@\n',
    });
    await expect(proposeConfig({ workspace })).rejects.toMatchObject({
      reason: 'program-unknown',
      message: expect.stringContaining('kymo-not-there') as string,
    });
  });
  it('without anything happening to the folder that is asked', async () => {
    files({
      'sub/main.c': c('same'),
      'lib/x.mk': 'X = 1\n',
      'sub/Makefile':
        '$(shell touch shell.txt ../lib/shell.txt)\ninclude made.mk ../lib/x.mk\nprog: main.o\n\t+touch plus.txt; $(CC) -o $@ main.o\nmade.mk:\n\ttouch $@ remade.txt\n',
    });
    symlinkSync('..', path.join(workspace, 'sub/loop'));
    symlinkSync(path.join(workspace, 'lib'), path.join(workspace, 'sub/away'));
    const before = stateOf(workspace);
    const { config } = await proposeConfig({ workspace: path.join(workspace, 'sub') });
    expect(config.targets.map(({ executable }) => executable)).toEqual(['./prog']);
    expect(stateOf(workspace)).toEqual(before);
  });
  it('without a word of a name for the shell', async () => {
    const name = "x'; touch owned; echo ${cc} $(touch owned2).c";
    files({ [name]: c('odd'), '-o.c': c('option'), 'new\nline.c': c('line') });
    const { targets, output } = await initBuildRun();
    expect(targets).toHaveLength(1);
    expect(output).toBe('odd\n');
    expect(existsSync(path.join(workspace, 'owned')) || existsSync(path.join(workspace, 'owned2'))).toBe(
      false,
    );
  });
  it('for a main program with a macro before its name, behind a megabyte', async () => {
    files({
      'shell.c': `#define CDECL_\n/*${' '.repeat(1 << 20)}*/\nint part(void);\nint CDECL_ main(void) { return part(); }\n`,
      'part.c': 'int main(void);\nconst char *text = "int main(void) {";\nint part(void) { return 0; }\n',
    });
    const { targets } = await initBuildRun();
    expect(targets.map(({ executable }) => executable)).toEqual(['./shell']);
  });
  it('for a configure script without automake', async () => {
    files({
      'main.c': c('configured'),
      'test/check.c': c('not this'),
      configure:
        '#!/bin/sh\n: ${CC:=cc}\nsed "s|@CC@|$CC|; s|@top@|$(dirname "$0")|; s|@EXE@||" "$(dirname "$0")/Makefile.in" >Makefile\n',
      'Makefile.in':
        'CC = @CC@\nEXE = @EXE@\nall: part.h lib.la flow$(EXE)\npart.h lib.la:\n\ttouch $@\nflow$(EXE): @top@/main.c\n\t$(CC) -o $@ @top@/main.c\n',
    });
    chmodSync(path.join(workspace, 'configure'), 0o755);
    const { targets, output, called } = await initBuildRun();
    expect(targets.map(({ executable }) => executable)).toEqual(['build-kymo/flow']);
    expect(output).toBe('configured\n');
    expect(called).toBe('cc');
  });
  it('for single C files, each a program of its own', async () => {
    files({ 'one.c': c('1'), 'two.c': c('2') });
    const { targets, output } = await initBuildRun();
    expect(targets.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(output).toBe('1\n2\n');
  });
  it('for Fortran files in the order of their modules', async () => {
    files({
      'a_main.f90':
        'program demo\n  use solver, only: answer\n  implicit none\n  print *, answer()\nend program demo\n',
      'b_solver.f90':
        'module solver\n  use base\ncontains\n  integer function answer()\n    answer = start + 2\n  end function\nend module solver\n',
      'c_base.f90': 'module base\n  integer :: start = 40\nend module base\n',
    });
    const { output, called } = await initBuildRun();
    expect(output.trim()).toBe('42');
    expect(called).toBe('fc');
  });
  it('for C, C++ and Fortran together, with OpenMP and a blank in a name', async () => {
    files({
      'my main.cpp':
        '#include <cstdio>\nextern "C" int part(); extern "C" int more_();\nint main() {\n#pragma omp parallel\n  {}\n  std::printf("%d\\n", part() + more_()); }\n',
      'part.c': 'int part(void) { return 1; }\n',
      'more.f90': 'integer function more()\n  more = 2\nend function\n',
    });
    const { output, called } = await initBuildRun();
    expect(output).toBe('3\n');
    expect(called).toBe('cc cxx fc');
  });
  it.each(examples)('for examples/%s: the program that its own kymo.json names', async (example) => {
    const folder = path.resolve('examples', example);
    execFileSync('cp', ['-r', `${folder}/.`, workspace]);
    await initWorkspace({ workspace, force: true });
    const [own] = (await loadConfig(folder)).config.targets;
    const [found] = (await loadConfig(workspace)).config.targets;
    expect(found?.executable).toBe(own?.executable);
    expect(found?.build.clean).toBe(own?.build.clean);
  });
});

describe.skipIf(!(await has('mpicc', 'mpirun')))('init for MPI', () => {
  it('hands the measuring compiler through MPI’s own wrappers', async () => {
    const main =
      '#include <mpi.h>\n#include <stdio.h>\nint main(int n, char **a) { int r, s; MPI_Init(&n, &a); MPI_Comm_rank(MPI_COMM_WORLD, &r); MPI_Comm_size(MPI_COMM_WORLD, &s); if (r == 0) printf("%d ranks\\n", s); MPI_Finalize(); return 0; }\n';
    files({ 'ring.c': main });
    const single = await initBuildRun();
    expect(single).toMatchObject({ output: '1 ranks\n', called: 'cc' });
    files({ Makefile: 'CC = mpicc\nring: ring.o\n\t$(CC) -o ring ring.o\nclean:\n\trm -f ring ring.o\n' });
    rmSync(path.join(workspace, 'kymo.json'));
    expect(await initBuildRun()).toMatchObject({ output: '1 ranks\n', called: 'cc' });
  });
});

describe.skipIf(!(await has('cmake')))('init for CMake', () => {
  it('finds programs of loops and variables, what is installed first, and no test; without the tests that cannot be configured', async () => {
    // CMake makes it while it is asked.
    const outside = mkdtempSync(path.join(tmpdir(), 'kymo-outside-'));
    files({
      'CMakeLists.txt': `set(OUTSIDE ${outside})\ncmake_minimum_required(VERSION 3.10)\nproject(loop C)\noption(LOOP_BUILD_TESTS "" ON)\nif(LOOP_BUILD_TESTS)\n  find_package(KymoNotThere REQUIRED)\nendif()\nset(VAR main)\nforeach(name one two)\n  add_executable(\${name} \${VAR}.c)\nendforeach()\nadd_executable(\${VAR} main.c)\nset_target_properties(\${VAR} PROPERTIES RUNTIME_OUTPUT_DIRECTORY \${CMAKE_SOURCE_DIR}/bin OUTPUT_NAME tool)\nset_target_properties(two PROPERTIES RUNTIME_OUTPUT_DIRECTORY \${OUTSIDE})\ninstall(TARGETS \${VAR} DESTINATION bin)\nadd_executable(main_test main.c)\nfile(WRITE \${CMAKE_SOURCE_DIR}/written.txt x)\n`,
      'main.c': `#ifdef USE_MPI\n#include <mpi.h>\n#endif\n${c('loop')}`,
    });
    const before = stateOf(workspace);
    const { text, notes } = await proposeConfig({ workspace });
    expect(stateOf(workspace)).toEqual(before);
    expect(text).toContain('-DLOOP_BUILD_TESTS=OFF');
    expect(text).toContain('// – Launcher: none, because the build does not use MPI');
    expect(notes.join('\n')).toContain('KymoNotThere');
    expect(notes.join('\n')).toContain('1 program outside of the folder is left out');
    rmSync(outside, { recursive: true });
    const { targets, output, called } = await initBuildRun();
    expect(targets.map(({ executable }) => executable)).toEqual(['bin/tool', 'build-kymo/one']);
    expect(output).toBe('loop\nloop\n');
    expect(called).toBe('cc');
  });
  it('asks which program it is where CMake cannot be asked, and takes the answer', async () => {
    files({
      'CMakeLists.txt':
        'cmake_minimum_required(VERSION 3.10)\nproject(lost C)\nfind_package(KymoNotThere REQUIRED)\n',
      'main.c': c('x'),
    });
    const failure = await proposeConfig({ workspace }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'program-unknown' });
    expect(String(failure)).toMatch(/Which program .*KymoNotThere.* --executable/s);
    await expect(proposeConfig({ workspace, run: false })).rejects.toMatchObject({
      reason: 'program-unknown',
    });
    const { config } = await proposeConfig({
      workspace,
      executable: 'build-kymo/x',
      launcher: 'mpirun',
      run: false,
    });
    expect(config.targets).toMatchObject([
      { name: 'x', executable: 'build-kymo/x', run: { launcher: { kind: 'mpirun', ranks: [1] } } },
    ]);
    expect(config.targets[0]?.build.command).toContain('-DCMAKE_C_COMPILER=${cc}');
  });
  it('finds programs in subfolders, by the project’s name, with an output folder of all and one of a folder', async () => {
    files({
      'CMakeLists.txt':
        'cmake_minimum_required(VERSION 3.10)\nproject(wave C CXX)\n# add_executable(not_this x.c)\nset(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\nadd_subdirectory(tests)\nadd_subdirectory(src)\n',
      'src/CMakeLists.txt':
        'add_executable(${PROJECT_NAME} main.c)\nset_target_properties(wave PROPERTIES OUTPUT_NAME x)\nadd_executable(other::alias ALIAS wave)\n',
      'src/main.c': c('cmake'),
      'tests/CMakeLists.txt':
        'set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/../own)\nadd_executable(check t.cpp)\n',
      'tests/t.cpp': c('check'),
    });
    const { targets, output } = await initBuildRun();
    expect(targets.map(({ name }) => name)).toEqual(['wave']);
    expect(output).toBe('cmake\n');
    const check = await proposeConfig({ workspace, executable: 'check' });
    expect(check.config.targets.map(({ executable }) => executable)).toEqual(['build-kymo/own/check']);
  });
});

describe.skipIf(!(await has('autoreconf', 'automake')))('init for Autotools', () => {
  it('configures in a folder of its own', async () => {
    files({
      'configure.ac':
        'AC_INIT([flow],[1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAC_CONFIG_FILES([Makefile src/Makefile])\nAC_OUTPUT\n',
      'Makefile.am': 'SUBDIRS = src\n',
      'src/Makefile.am': 'bin_PROGRAMS = flow\nflow_SOURCES = main.c\n',
      'src/main.c': c('autotools'),
    });
    const { output, called } = await initBuildRun();
    expect(output).toBe('autotools\n');
    expect(called).toBe('cc');
  });
});

describe.skipIf(!(await has('meson', 'ninja')))('init for Meson', () => {
  it('finds programs of subfolders and of loops', async () => {
    files({
      'meson.build': "project('m', 'c')\nsubdir('src')\n",
      'src/meson.build':
        "foreach name : ['wave']\n  executable(name, 'main.c', install: true)\nendforeach\nexecutable('check', 'main.c')\n",
      'src/main.c': c('meson'),
    });
    const { targets, output, called } = await initBuildRun();
    expect(targets.map(({ executable }) => executable)).toEqual([
      'build-kymo/src/wave',
      'build-kymo/src/check',
    ]);
    expect(output).toBe('meson\nmeson\n');
    expect(called).toBe('cc');
  });
});

describe('init where it must not look', () => {
  it.each(['/', '/usr', homedir(), tmpdir()])('refuses %s', async (folder) => {
    await expect(proposeConfig({ workspace: folder })).rejects.toMatchObject({ reason: 'folder-too-wide' });
  });
});

describe.skipIf(!complete)('init --from-pira', () => {
  it('takes over folder, parameters and program of version 2', async () => {
    files({
      'gol/main.c':
        '#include <stdio.h>\nint main(int n, char **a) { printf("%d %s\\n", n, a[1]); return 0; }\n',
      'gol/Makefile': 'gol: main.o\n\t$(CC) -o gol main.o\nclean:\n\trm -f gol main.o\n',
      'pira.json': JSON.stringify({
        builds: {
          '%gol': {
            items: {
              gol: {
                analyzer: 'x',
                argmap: { mapper: 'Linear', 'size=': [50, 80, '110'] },
                cubes: 'c',
                flavors: ['ct'],
                functors: './functors',
                mode: 'CT',
              },
            },
          },
        },
        directories: { gol: './gol' },
        'glob-flavors': [],
        'glob-submitter': {},
      }),
    });
    const { targets, output, notes } = await initBuildRun(path.join(workspace, 'pira.json'));
    expect(targets[0]).toMatchObject({
      name: 'gol',
      parameters: { size: [50, 80, 110] },
      build: { cwd: 'gol' },
      executable: 'gol/gol',
    });
    expect(output).toBe('2 size=50\n');
    expect(notes.join('\n')).toMatch(/functors .* cannot be taken over/);
    expect(notes.join('\n')).toMatch(/analyzer, cubes, mode/);
  });
});
