import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandLines, configArguments } from '../../../../src/core/scorepOptions/commandLines';

const usual = { flags: [], environment: {}, instrumenter: 'scorep', languages: ['c++'] } as const;

function text(id: string, input: Parameters<typeof commandLines>[0]): string {
  return commandLines(input).find((one) => one.id === id)?.text ?? '';
}

describe('command lines', () => {
  it('name the wrappers of the languages, and of MPI', () => {
    const input = {
      ...usual,
      flags: ['--mpp=mpi', '--user'],
      languages: ['c', 'c++', 'fortran'] as const,
    };
    expect(text('prefix', input)).toBe('scorep --mpp=mpi --user');
    expect(text('wrappers', input)).toBe(
      [
        "export SCOREP_WRAPPER_INSTRUMENTER_FLAGS='--mpp=mpi --user'",
        '# CMake',
        'SCOREP_WRAPPER=off cmake -B build \\',
        '  -DCMAKE_C_COMPILER=scorep-mpicc \\',
        '  -DCMAKE_CXX_COMPILER=scorep-mpicxx \\',
        '  -DCMAKE_Fortran_COMPILER=scorep-mpif90',
        'cmake --build build --clean-first',
        '# make',
        'make clean && make CC=scorep-mpicc CXX=scorep-mpicxx FC=scorep-mpif90',
      ].join('\n'),
    );
  });

  it('call scorep-config for each step of a build without the instrumenter', () => {
    const config = 'config() { scorep-config --mpp=none --thread=none --memory=libc,libc11,c++L64 "$@"; }';
    const link = (compiler: string): readonly string[] => [
      'config --adapter-init > scorep_init.c && gcc -c scorep_init.c',
      'plugin=$(scorep-config --prefix)/lib/scorep/scorep_compiler_gcc_plugin',
      `${compiler} -o program scorep_init.o "$plugin"_begin.o a.o "$plugin"_end.o \\`,
      '  $(config --constructor) $(config --ldflags) \\',
      '  -Wl,-start-group $(config --event-libs) $(config --mgmt-libs) -Wl,-end-group',
    ];
    expect(text('config', usual).split('\n')).toEqual([
      config,
      'g++ $(config --cxxflags) -c a.cpp',
      ...link('g++'),
    ]);
    const fortran = { ...usual, languages: ['fortran', 'c'] as const };
    expect(text('config', fortran).split('\n').slice(1)).toEqual([
      'gfortran $(config --fflags) -c a.f90',
      ...link('gfortran'),
    ]);
    const mpi = { ...usual, flags: ['--mpp=mpi'], languages: [] as const };
    expect(text('config', mpi).split('\n').slice(1)).toEqual([
      'mpicc $(config --cflags) -c a.c',
      ...link('mpicc'),
    ]);
  });

  it('quote what a shell would take apart, so that it arrives as it is', () => {
    const hostile = `/tmp/it's "$HOME" \`x\`; ü`;
    const environment = { SCOREP_FILTERING_FILE: hostile };
    const script = `${text('environment', { ...usual, environment })}\nprintf %s "$SCOREP_FILTERING_FILE"`;
    expect(spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout).toBe(hostile);
    const flags = [`--instrument-filter=${hostile}`];
    const words = `set -- ${text('prefix', { ...usual, flags })}\nprintf %s "$2"`;
    expect(spawnSync('sh', ['-c', words], { encoding: 'utf8' }).stdout).toBe(flags[0]);
  });

  it('tell scorep-config what scorep finds out itself, and nothing that it does not know', () => {
    expect(configArguments([])).toEqual(['--mpp=none', '--thread=none', '--memory=libc,libc11,c++L64']);
    expect(
      configArguments([
        '--mpp=mpi',
        '--thread=omp:opari2',
        '--nomemory',
        '--openmp',
        '--verbose=1',
        '--instrument-filter=/a',
      ]),
    ).toEqual([
      '--mpp=mpi',
      '--thread=omp:opari2',
      '--nomemory',
      '--compiler-arg=-fplugin-arg-scorep_instrument_function-filter=/a',
    ]);
  });
});
