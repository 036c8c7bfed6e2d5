import type { OptionChoice, ScorepOption } from '../../../../../core/scorepOptions/option';

type Flag = Pick<ScorepOption, 'id' | 'label' | 'help' | 'cost'> & {
  readonly choices: readonly [OptionChoice, ...OptionChoice[]];
};

const flags: readonly Flag[] = [
  {
    id: 'compiler',
    label: 'Functions',
    help: 'The compiler’s plug-in records entry and exit of each function that is not declared inline.',
    cost: {
      weight: 'high',
      text: '65–75 ns per visit. Unfiltered 1.13 times the run time of LULESH, 4.6 times that of MILC, 60 times that of a program of tiny functions.',
    },
    choices: [
      { value: '', label: 'On (default)', aliases: ['--compiler'] },
      { value: '--nocompiler', label: 'Off' },
    ],
  },
  {
    id: 'user',
    label: 'User regions',
    help: 'The SCOREP_USER_… macros in the sources: regions, phases, iterations of a loop. Off, they vanish.',
    cost: { weight: 'low', text: 'As much as a function per visit; nothing where no macro is.' },
    choices: [
      { value: '', label: 'Off (default)', aliases: ['--nouser'] },
      { value: '--user', label: 'On' },
    ],
  },
  {
    id: 'mpp',
    label: 'Processes',
    help: 'MPI or SHMEM calls, and profiles of all ranks in one file. Name it where one command compiles and links: it cannot be found out there.',
    cost: {
      weight: 'medium',
      text: 'LULESH with 8 ranks: +26 % with all functions, +11 % with a filter, +4 % with a filter and collective calls only.',
    },
    choices: [
      { value: '', label: 'Found out (default)' },
      { value: '--mpp=none', label: 'None' },
      { value: '--mpp=mpi', label: 'MPI' },
      { value: '--mpp=shmem', label: 'SHMEM' },
    ],
  },
  {
    id: 'thread',
    label: 'Threads',
    help: 'Who makes threads: OpenMP (followed by OPARI2 in the source, or by the runtime’s OMPT), or the program through POSIX threads.',
    cost: { weight: 'low', text: 'Per team of threads that begins and ends; nothing in serial code.' },
    choices: [
      { value: '', label: 'Found out (default)' },
      { value: '--thread=none', label: 'None' },
      { value: '--thread=omp:opari2', label: 'OpenMP (OPARI2)' },
      { value: '--thread=omp:ompt', label: 'OpenMP (OMPT)' },
      { value: '--thread=pthread', label: 'POSIX threads' },
    ],
  },
  {
    id: 'openmp',
    label: 'OpenMP constructs',
    help: 'Loops, barriers, critical sections and tasks as regions of their own. Parallel regions are recorded in any case.',
    cost: {
      weight: 'medium',
      text: 'About as much as a function for each construct that a thread enters; most in short loops.',
    },
    choices: [
      { value: '', label: 'If -fopenmp (default)' },
      { value: '--openmp', label: 'On' },
      { value: '--noopenmp', label: 'Off' },
    ],
  },
  {
    id: 'memory',
    label: 'Memory functions',
    help: 'Wraps malloc, free, new and delete; they are recorded when memory recording is on, too.',
    cost: {
      weight: 'low',
      text: 'Wrapped and not recorded: within the noise on LULESH (64 or 66 ns per visit).',
    },
    choices: [
      { value: '', label: 'Wrapped (default)', aliases: ['--memory'] },
      { value: '--nomemory', label: 'Not wrapped' },
    ],
  },
  {
    id: 'io',
    label: 'Input and output',
    help: 'Records open, read, write and close, and the FILE functions of C.',
    cost: {
      weight: 'low',
      text: 'About as much as a function per call; calls of files take longer anyhow.',
    },
    choices: [
      { value: '', label: 'Off (default)', aliases: ['--io=none'] },
      { value: '--io=posix', label: 'POSIX' },
    ],
  },
  {
    id: 'verbose',
    label: 'Say what is done',
    help: 'Prints the commands that are run, and each function that the plug-in skips with its reason.',
    cost: { weight: 'none', text: 'Nothing while the program runs.' },
    choices: [
      { value: '', label: 'Off (default)', aliases: ['--verbose=0'] },
      { value: '--verbose=1', label: 'On', aliases: ['--verbose', '-v'] },
    ],
  },
];

/** Flags of the instrumenter: what the compiler and the linker add to the program. */
export const buildOptions: readonly ScorepOption[] = flags.map(({ choices, ...option }) => ({
  ...option,
  group: 'instrumenter',
  place: { kind: 'flag' },
  input: { kind: 'choice', choices },
}));
