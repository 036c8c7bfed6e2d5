/** Input of the command lines. */
export interface CommandLineInput {
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The program `scorep`. */
  readonly instrumenter: string;
  /** Languages that the build compiles. */
  readonly languages: readonly Language[];
}

export type Language = 'c' | 'c++' | 'fortran';

/** One way to use the chosen options. */
export interface CommandLines {
  readonly id: 'prefix' | 'wrappers' | 'config' | 'environment';
  readonly title: string;
  /** When this is the way to go. */
  readonly hint: string;
  /** For a POSIX shell, as it is copied. */
  readonly text: string;
}

/** The four ways to configure Score-P: three to build, and the environment of the run. */
export function commandLines(input: CommandLineInput): readonly CommandLines[] {
  return [
    {
      id: 'prefix',
      title: 'Before each command',
      hint: 'Put it before each compile and link command, such as CC="scorep … gcc" of a Makefile.',
      text: joined([input.instrumenter, ...input.flags]),
    },
    {
      id: 'wrappers',
      title: 'CMake, configure and make',
      hint: 'The wrappers take the place of the compilers; what configuring tries out is not instrumented.',
      text: wrapperLines(input),
    },
    {
      id: 'environment',
      title: 'Environment of the run',
      hint: 'Before the program starts, also in a batch job.',
      text: environmentLines(input.environment),
    },
    {
      id: 'config',
      title: 'Without the instrumenter',
      hint: "For build systems that need the compiler's own flags (GCC plug-in).",
      text: configLines(input),
    },
  ];
}

const compilers: Readonly<
  Record<
    Language,
    { readonly cmake: string; readonly make: string; readonly plain: string; readonly mpi: string }
  >
> = {
  c: { cmake: 'CMAKE_C_COMPILER', make: 'CC', plain: 'gcc', mpi: 'mpicc' },
  'c++': { cmake: 'CMAKE_CXX_COMPILER', make: 'CXX', plain: 'g++', mpi: 'mpicxx' },
  fortran: { cmake: 'CMAKE_Fortran_COMPILER', make: 'FC', plain: 'gfortran', mpi: 'mpif90' },
};

function usesMpi(flags: readonly string[]): boolean {
  return flags.some((flag) => flag.startsWith('--mpp=mpi'));
}

function wrapperLines({ flags, languages }: CommandLineInput): string {
  const mpi = usesMpi(flags);
  const used = languages.map((language) => {
    const { cmake, make, plain, mpi: wrapper } = compilers[language];
    return { cmake, make, program: `scorep-${mpi ? wrapper : plain}` };
  });
  const cmake = used.map(({ cmake, program }) => ` \\\n  -D${cmake}=${program}`).join('');
  const make = used.map(({ make, program }) => `${make}=${program}`).join(' ');
  return [
    `export SCOREP_WRAPPER_INSTRUMENTER_FLAGS=${quoted(joined(flags))}`,
    '# CMake',
    `SCOREP_WRAPPER=off cmake -B build${cmake}`,
    'cmake --build build --clean-first',
    '# make',
    `make clean && make ${make}`,
  ].join('\n');
}

/** Flags that mean the same to `scorep-config`; the others are the instrumenter's alone. */
const configFlags =
  /^--((mpp|thread|io|memory)=.*|(no)?(user|compiler|pomp|openacc|kokkos|memory)|static|dynamic)$/s;
const filterFlag = '--instrument-filter=';
/** `scorep` wraps these by default, `scorep-config` does not. */
const usualMemory = '--memory=libc,libc11,c++L64';

/** The command line that `scorep-config` gets: unlike `scorep`, it does not find out for itself what the program uses. */
export function configArguments(flags: readonly string[]): readonly string[] {
  const has = (name: string): boolean => flags.some((flag) => flag === name || flag.startsWith(`${name}=`));
  const filter = flags.find((flag) => flag.startsWith(filterFlag))?.slice(filterFlag.length);
  return [
    ...(has('--mpp') ? [] : ['--mpp=none']),
    ...(has('--thread') ? [] : ['--thread=none']),
    ...flags.filter((flag) => configFlags.test(flag) && flag !== '--memory'),
    ...(has('--nomemory') ? [] : [usualMemory]),
    ...(filter === undefined
      ? []
      : [`--compiler-arg=-fplugin-arg-scorep_instrument_function-filter=${filter}`]),
  ];
}

function configLines({ flags, languages }: CommandLineInput): string {
  const language = languages.includes('c++') ? 'c++' : (languages[0] ?? 'c');
  const { plain, mpi } = compilers[language];
  const compiler = usesMpi(flags) ? mpi : plain;
  const [option, source] = {
    c: ['--cflags', 'a.c'],
    'c++': ['--cxxflags', 'a.cpp'],
    fortran: ['--fflags', 'a.f90'],
  }[language];
  return [
    `config() { scorep-config ${joined(configArguments(flags))} "$@"; }`,
    `${compiler} $(config ${option}) -c ${source}`,
    'config --adapter-init > scorep_init.c && gcc -c scorep_init.c',
    'plugin=$(scorep-config --prefix)/lib/scorep/scorep_compiler_gcc_plugin',
    `${compiler} -o program scorep_init.o "$plugin"_begin.o a.o "$plugin"_end.o \\`,
    '  $(config --constructor) $(config --ldflags) \\',
    '  -Wl,-start-group $(config --event-libs) $(config --mgmt-libs) -Wl,-end-group',
  ].join('\n');
}

function environmentLines(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}=${quoted(value)}`)
    .join('\n');
}

function joined(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

/** As one word of a POSIX shell; quotes only where they are needed. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
