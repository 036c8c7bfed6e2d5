import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposeConfig } from '../../../src/workflows/init';
import { allowedProcessors } from '../../../src/measurement/launch/processors';

import { c, files, has, initBuildRun, stateOf, workspace } from './trial';

const hasCMake = await has('cmake');
const hasMeson = await has('meson', 'ninja');

/** Two at least, no more than processors where there are two. */
const ranks = allowedProcessors().length >= 4 ? 4 : 2;
const ring =
  '#include <mpi.h>\n#include <stdio.h>\nint main(int n, char **a) { int r, s; MPI_Init(&n, &a); MPI_Comm_rank(MPI_COMM_WORLD, &r); MPI_Comm_size(MPI_COMM_WORLD, &s); if (r == 0) printf("%d ranks\\n", s); MPI_Finalize(); return 0; }\n';
const ringInFortran =
  'program ring\n  use mpi\n  implicit none\n  integer :: rank, ranks, error\n  call mpi_init(error)\n  call mpi_comm_rank(mpi_comm_world, rank, error)\n  call mpi_comm_size(mpi_comm_world, ranks, error)\n  if (rank == 0) print "(i0, a)", ranks, " ranks"\n  call mpi_finalize(error)\nend program\n';

describe.skipIf(!(await has('mpicc', 'mpifort', 'mpirun')))('init for MPI', () => {
  it('passes the measuring compiler to MPI’s own wrappers, and starts at least two ranks', async () => {
    files({ 'ring.c': ring });
    const single = await initBuildRun();
    expect(single).toMatchObject({ output: `${ranks} ranks\n`, called: 'cc' });
    files({ Makefile: 'CC = mpicc\nring: ring.o\n\t$(CC) -o ring ring.o\nclean:\n\trm -f ring ring.o\n' });
    rmSync(path.join(workspace, 'kymo.json'));
    const made = await initBuildRun();
    expect(made).toMatchObject({ output: `${ranks} ranks\n`, called: 'cc' });
    expect(made.notes.join('\n')).toContain(`mpirun with ${ranks} ranks, because the build uses MPI`);
  });
  it('of a program that the Makefile puts outside of the folder, when it is named', async () => {
    const outside = mkdtempSync(path.join(workspace, '../kymo-outside-'));
    const program = path.join(path.relative(workspace, outside), 'ring');
    files({ 'ring.c': ring, Makefile: `CC = mpicc\n${program}: ring.c\n\t$(CC) -o ${program} ring.c\n` });
    await expect(proposeConfig({ workspace })).rejects.toThrow(
      `The Makefile links programs outside of this folder (${program})`,
    );
    const { text } = await proposeConfig({ workspace, executable: program });
    expect(text).toContain('"command": "OMPI_CC=${cc} MPICH_CC=${cc} make');
    rmSync(outside, { recursive: true });
  });
  it('for Fortran, through mpifort or by the module of a single file', async () => {
    files({ 'ring.f90': ringInFortran });
    expect(await initBuildRun()).toMatchObject({ output: `${ranks} ranks\n`, called: 'fc' });
    files({
      Makefile: 'FC = mpifort\nring: ring.f90\n\t$(FC) -o ring ring.f90\nclean:\n\trm -f ring\n',
    });
    rmSync(path.join(workspace, 'kymo.json'));
    expect(await initBuildRun()).toMatchObject({ output: `${ranks} ranks\n`, called: 'fc' });
  });
  it.skipIf(!hasCMake)('by find_package(MPI) of CMake', async () => {
    files({
      'CMakeLists.txt':
        'cmake_minimum_required(VERSION 3.10)\nproject(ring C)\nfind_package(MPI REQUIRED)\nadd_executable(ring ring.c)\ntarget_link_libraries(ring MPI::MPI_C)\n',
      'ring.c': ring,
    });
    expect(await initBuildRun()).toMatchObject({ output: `${ranks} ranks\n`, called: 'cc' });
  });
  it.skipIf(!hasMeson)('by dependency(mpi) of Meson', async () => {
    files({
      'meson.build': "project('ring', 'c')\nexecutable('ring', 'ring.c', dependencies: dependency('mpi'))\n",
      'ring.c': ring,
    });
    expect(await initBuildRun()).toMatchObject({ output: `${ranks} ranks\n`, called: 'cc' });
  });
  it.each([
    ['CMakeLists.txt', 'project(x C)\nfind_package( MPI REQUIRED COMPONENTS C)\n'],
    ['meson.build', "project('x', 'c')\nmpi = dependency('mpi', language: 'c')\n"],
    ['Makefile', 'x: part.o\n\tmpicxx -o x part.o\n'],
  ])('by %s alone, where no build system may be asked', async (name, text) => {
    files({ [name]: text, 'src/part.c': c('x') });
    const { config } = await proposeConfig({ workspace, executable: 'x', run: false });
    expect(config.targets[0]?.run.launcher).toMatchObject({ kind: 'mpirun', ranks: [ranks] });
    files({ [name]: text.replace(/mpi/gi, 'other') });
    const without = await proposeConfig({ workspace, executable: 'x', run: false });
    expect(without.config.targets[0]?.run.launcher).toEqual({ kind: 'local' });
  });
  it.each([
    ['a.c', '#include "comm.h"\nint main(int n, char **a) { MPI_Init_thread(&n, &a, 3, &n); }\n', 'mpirun'],
    ['a.f90', 'program a\n  use, non_intrinsic :: mpi_f08\nend program\n', 'mpirun'],
    ['a.f', "      program a\n      include 'mpif.h'\n      end\n", 'mpirun'],
    ['a.c', '/*\n use the mpi library */\nint main(void) { return MPI_Initialized; }\n', 'local'],
  ])('by the sources: %s %s', async (name, text, kind) => {
    files({ [name]: text });
    const { config } = await proposeConfig({ workspace });
    expect(config.targets[0]?.run.launcher.kind).toBe(kind);
  });
});

describe.skipIf(!hasCMake)('init for CMake', () => {
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
      { name: 'x', executable: 'build-kymo/x', run: { launcher: { kind: 'mpirun', ranks: [ranks] } } },
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

describe.skipIf(!hasMeson)('init for Meson', () => {
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
