import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposeConfig } from '../../../src/workflows/init';

import { c, files, has, initBuildRun, stateOf, workspace } from './trial';

describe.skipIf(!(await has('mpicc', 'mpirun')))('init for MPI', () => {
  it('passes the measuring compiler to MPI’s own wrappers', async () => {
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
  it('finds programs of loops and variables, installed ones first, no tests, and leaves out tests that cannot be configured', async () => {
    // CMake creates this folder during the query.
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
  it('asks the user for the program when CMake cannot list it, and uses the answer', async () => {
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
