import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandLines, configArguments } from '../../../../src/core/scorepOptions/commandLines';

const usual = { flags: [], environment: {}, instrumenter: 'scorep', languages: ['c++'] } as const;

function text(id: string, input: Parameters<typeof commandLines>[0]): string {
  return commandLines(input).find((one) => one.id === id)?.text ?? '';
}

/** The commands of a build with the compiler's plug-in, as the Score-P user manual has them. */
function configText(compiler: string, option: string, source: string, words: readonly string[]): string {
  return [
    `config() { scorep-config ${words.join(' ')} "$@"; }`,
    `${compiler} $(config ${option}) -c ${source}`,
    'config --adapter-init > scorep_init.c && gcc -c scorep_init.c',
    'plugin=$(scorep-config --prefix)/lib/scorep/scorep_compiler_gcc_plugin',
    `${compiler} -o program scorep_init.o "$plugin"_begin.o a.o "$plugin"_end.o \\`,
    '  $(config --constructor) $(config --ldflags) \\',
    '  -Wl,-start-group $(config --event-libs) $(config --mgmt-libs) -Wl,-end-group',
  ].join('\n');
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

  it('are four ways: three to build, and the environment of the run', () => {
    const languages = ['fortran', 'c', 'c++'] as const;
    const flags = ['--mpp=none', '--instrument-filter=/a b'];
    const environment = { SCOREP_TOTAL_MEMORY: '16M', SCOREP_METRIC_PERF: '' };
    expect(commandLines({ instrumenter: '/opt/s p/scorep', flags, environment, languages })).toEqual([
      {
        id: 'prefix',
        title: 'Before each command',
        hint: 'Put it before each compile and link command, such as CC="scorep … gcc" of a Makefile.',
        text: "'/opt/s p/scorep' --mpp=none '--instrument-filter=/a b'",
      },
      {
        id: 'wrappers',
        title: 'CMake, configure and make',
        hint: 'The wrappers take the place of the compilers; what configuring tries out is not instrumented.',
        text: [
          "export SCOREP_WRAPPER_INSTRUMENTER_FLAGS='--mpp=none '\\''--instrument-filter=/a b'\\'''",
          '# CMake',
          'SCOREP_WRAPPER=off cmake -B build \\',
          '  -DCMAKE_Fortran_COMPILER=scorep-gfortran \\',
          '  -DCMAKE_C_COMPILER=scorep-gcc \\',
          '  -DCMAKE_CXX_COMPILER=scorep-g++',
          'cmake --build build --clean-first',
          '# make',
          'make clean && make FC=scorep-gfortran CC=scorep-gcc CXX=scorep-g++',
        ].join('\n'),
      },
      {
        id: 'environment',
        title: 'Environment of the run',
        hint: 'Before the program starts, also in a batch job.',
        text: "export SCOREP_TOTAL_MEMORY=16M\nexport SCOREP_METRIC_PERF=''",
      },
      {
        id: 'config',
        title: 'Without the instrumenter',
        hint: "For build systems that need the compiler's own flags (GCC plug-in).",
        text: configText('g++', '--cxxflags', 'a.cpp', [
          '--thread=none --mpp=none --memory=libc,libc11,c++L64',
          "'--compiler-arg=-fplugin-arg-scorep_instrument_function-filter=/a b'",
        ]),
      },
    ]);
  });

  it.each([
    [['c'], '--user', 'gcc', '--cflags', 'a.c'],
    [['fortran', 'c'], '--user', 'gfortran', '--fflags', 'a.f90'],
    [['c', 'c++'], '--user', 'g++', '--cxxflags', 'a.cpp'],
    [[], '--user', 'gcc', '--cflags', 'a.c'],
    [['c'], '--mpp=mpi', 'mpicc', '--cflags', 'a.c'],
    [['fortran'], '--mpp=mpi', 'mpif90', '--fflags', 'a.f90'],
    [['c++'], '--mpp=mpi', 'mpicxx', '--cxxflags', 'a.cpp'],
  ] as const)('without the instrumenter, for %j with %s', (languages, flag, compiler, option, source) => {
    const words =
      flag === '--user'
        ? '--mpp=none --thread=none --user --memory=libc,libc11,c++L64'
        : '--thread=none --mpp=mpi --memory=libc,libc11,c++L64';
    expect(text('config', { ...usual, flags: [flag], languages })).toBe(
      configText(compiler, option, source, [words]),
    );
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
    // A flag without its value is the instrumenter's default, which `scorep-config` does not have.
    expect(
      configArguments(['--memory', '--thread=pthread', '--mpp', '--static', '--nouser', '--pdt']),
    ).toEqual(['--thread=pthread', '--static', '--nouser', '--memory=libc,libc11,c++L64']);
  });
});
