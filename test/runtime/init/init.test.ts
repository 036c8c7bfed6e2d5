import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/measurement/config/loadConfig';
import { allowedProcessors } from '../../../src/measurement/launch/processors';
import { initWorkspace, proposeConfig } from '../../../src/workflows/init';
import { proposedRanks } from '../../../src/workflows/init/programDrafts';

import { c, complete, examples, files, initBuildRun, stateOf, workspace } from './trial';

describe.skipIf(!complete)('init writes a configuration that builds and runs', () => {
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
  it('for a Makefile with the name only in the recipe, in a folder', async () => {
    files({
      'a.cc': c('bin'),
      Makefile:
        'OUT=bin\ndefault: dirs a.o\n\t$(CXX) a.o -o $(OUT)/tool -lm\ndirs:\n\tmkdir -p $(OUT)\na.o: a.cc\n\t$(CXX) -c a.cc\nclean:\n\trm -rf a.o $(OUT)\n',
    });
    const { targets, output } = await initBuildRun();
    expect(targets[0]?.executable).toBe('bin/tool');
    expect(output).toBe('bin\n');
  });
  it('for a Makefile that chooses options by the name of its compiler', async () => {
    files({
      'a.c': `#ifndef BY_NAME\n#error which compiler?\n#endif\n${c('by name')}`,
      Makefile:
        'CC = gcc\nNAME = it\'s\nCFLAGS := -O1\nifneq (,$(findstring gcc,$(CC)))\n  CFLAGS += -fopenmp -DTEXT="$(NAME)"\nendif\nifeq ($(CC),gcc)\n  MORE = -DBY_NAME $(CFLAGS)\nelse\n  MORE = $(CFLAGS)\nendif\ntool: a.c\n\t$(CC) $(MORE) -o $@ a.c\nclean:\n\trm -f tool\n',
    });
    const { targets, output, notes } = await initBuildRun();
    expect(output).toBe('by name\n');
    expect(notes).toEqual(['Build: Makefile (Makefile).']);
    expect(targets[0]?.build.command).toContain(`-fopenmp -DTEXT="it`);
    files({
      Makefile:
        'CC = gcc\ntool: a.c\n\t$(CC) -DBY_NAME -DAT=$(shell date +%N) -o $@ a.c\nclean:\n\trm -f tool\n',
    });
    rmSync(path.join(workspace, 'kymo.json'));
    const other = await initBuildRun();
    expect(other.targets[0]?.build.command).toBe('make -j2 CC=${cc}');
    expect(other.notes).toEqual(notes);
  });
  it('for a Makefile whose default target calls make recursively', async () => {
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
  it('for every program of "all", with the options of its compilers, and without MPI where it is off', async () => {
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
    const proposed = proposedRanks(allowedProcessors().length, { usesOpenMp: false });
    const one = await proposeConfig({ workspace, executable: 'b', launcher: 'slurm' });
    expect(one.config.targets).toMatchObject([
      { name: 'b', run: { launcher: { kind: 'slurm', ranks: [proposed] } } },
    ]);
  });
  it('not for a Makefile that cannot make its own parts, but asks a question', async () => {
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
  it('without changing the folder', async () => {
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
  it('without passing any part of a file name to the shell as a command', async () => {
    const name = "x'; touch owned; echo ${cc} $(touch owned2).c";
    files({ [name]: c('odd'), '-o.c': c('option'), 'new\nline.c': c('line') });
    const { targets, output } = await initBuildRun();
    expect(targets).toHaveLength(1);
    expect(output).toBe('odd\n');
    expect(existsSync(path.join(workspace, 'owned')) || existsSync(path.join(workspace, 'owned2'))).toBe(
      false,
    );
  });
  it('for a main program with a macro before its name, after a megabyte of text', async () => {
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
  it('for single C files that are separate programs', async () => {
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
  it.each(examples)('for examples/%s: the program in its own kymo.json', async (example) => {
    const folder = path.resolve('examples', example);
    execFileSync('cp', ['-r', `${folder}/.`, workspace]);
    await initWorkspace({ workspace, force: true });
    const [own] = (await loadConfig(folder)).config.targets;
    const [found] = (await loadConfig(workspace)).config.targets;
    expect(found?.executable).toBe(own?.executable);
    expect(found?.build.clean).toBe(own?.build.clean);
  });
});

describe('init in a folder that it must not search', () => {
  it.each(['/', '/usr', homedir(), tmpdir()])('refuses %s', async (folder) => {
    await expect(proposeConfig({ workspace: folder })).rejects.toMatchObject({ reason: 'folder-too-wide' });
  });
});

describe.skipIf(!complete)('init --from-pira', () => {
  it('imports folder, parameters and program of version 2', async () => {
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
      parameters: { size: [50] },
      study: { parameters: { size: [50, 80, 110] }, design: 'all' },
      build: { cwd: 'gol' },
      executable: 'gol/gol',
    });
    expect(output).toBe('2 size=50\n');
    expect(notes.join('\n')).toMatch(/functors .* cannot be taken over/);
    expect(notes.join('\n')).toMatch(/analyzer, cubes, mode/);
  });
});
