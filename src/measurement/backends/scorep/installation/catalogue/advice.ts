import type { AdviceRule } from '../../../../../core/scorepOptions/option';

/** Options that conflict with each other or with the sources, according to trials with Score-P 8.4 or its help. */
export const scorepAdvice: readonly AdviceRule[] = [
  {
    option: 'user',
    severity: 'warning',
    when: [
      { option: 'user', isNot: ['--user'] },
      { fact: 'userMacros', is: true },
    ],
    text: 'The sources use SCOREP_USER_… macros. Without --user they vanish, and their regions are not recorded.',
    fix: '--user',
  },
  {
    option: 'user',
    severity: 'info',
    when: [
      { option: 'user', is: ['--user'] },
      { fact: 'userMacros', is: false },
    ],
    text: 'No SCOREP_USER_… macro was found in the sources: this records nothing more.',
  },
  {
    option: 'mpp',
    severity: 'warning',
    when: [
      { option: 'mpp', is: ['--mpp=none'] },
      { fact: 'mpi', is: true },
    ],
    text: 'The sources use MPI. With --mpp=none its calls are not recorded, and the ranks are not distinguished.',
    fix: '--mpp=mpi',
  },
  {
    option: 'thread',
    severity: 'warning',
    when: [
      { option: 'thread', is: ['--thread=none'] },
      { fact: 'openmp', is: true },
    ],
    text: 'The sources use OpenMP. Without following its threads, Score-P is not safe in parallel regions.',
    fix: '',
  },
  {
    option: 'thread',
    severity: 'warning',
    when: [
      { option: 'thread', is: ['--thread=none', '--thread=omp:opari2', '--thread=omp:ompt'] },
      { fact: 'pthreads', is: true },
      { fact: 'openmp', is: false },
    ],
    text: 'The sources make POSIX threads. Score-P sees them only with --thread=pthread.',
    fix: '--thread=pthread',
  },
  {
    option: 'thread',
    severity: 'warning',
    when: [
      { option: 'thread', is: ['--thread=pthread'] },
      { option: 'openmp', is: ['--openmp'] },
    ],
    text: 'Score-P follows either POSIX threads or those of OpenMP: for OpenMP constructs choose OpenMP here.',
    fix: '--thread=omp:opari2',
  },
  {
    option: 'compiler',
    severity: 'warning',
    when: [{ option: 'compiler', is: ['--nocompiler'] }],
    text: 'Kymo selects functions for the plug-in. Without it a refinement has nothing to choose from, and filters have no effect.',
    fix: '',
  },
  {
    option: 'compiler',
    severity: 'warning',
    when: [
      { option: 'SCOREP_ENABLE_UNWINDING', is: ['true'] },
      { option: 'compiler', isNot: ['--nocompiler'] },
    ],
    text: 'Sampling with call stacks switches the plug-in’s events off: no function has visits, and a refinement has nothing to go by.',
  },
  {
    option: 'memory',
    severity: 'warning',
    when: [
      { option: 'SCOREP_MEMORY_RECORDING', is: ['true'] },
      { option: 'memory', is: ['--nomemory'] },
    ],
    text: 'Memory recording is on, and nothing is wrapped that could be recorded.',
    fix: '',
  },
  {
    option: 'memory',
    severity: 'info',
    when: [
      { option: 'SCOREP_MEMORY_RECORDING', isNot: ['true'] },
      { option: 'memory', isNot: ['--nomemory'] },
    ],
    text: 'Wrapped, and not recorded: leave the wrappers out, or switch memory recording on.',
    fix: '--nomemory',
  },
  {
    option: 'SCOREP_ENABLE_PROFILING',
    severity: 'warning',
    when: [
      { option: 'SCOREP_ENABLE_PROFILING', is: ['false'] },
      { option: 'SCOREP_ENABLE_TRACING', isNot: ['true'] },
    ],
    text: 'Neither a profile nor a trace is written, and each visit still costs 24–29 ns.',
    fix: '',
  },
  {
    option: 'SCOREP_ENABLE_PROFILING',
    severity: 'warning',
    when: [
      { option: 'SCOREP_ENABLE_PROFILING', is: ['false'] },
      { option: 'SCOREP_ENABLE_TRACING', is: ['true'] },
    ],
    text: 'Kymo reads the profile: without it, it can neither refine nor measure. Other tools read the trace.',
    fix: '',
  },
  {
    option: 'SCOREP_PROFILING_FORMAT',
    severity: 'warning',
    when: [{ option: 'SCOREP_PROFILING_FORMAT', is: ['none', 'tau_snapshot'] }],
    text: 'Kymo reads Cube profiles: without one it can neither refine nor measure.',
    fix: '',
  },
  {
    option: 'SCOREP_PROFILING_FORMAT',
    severity: 'info',
    when: [
      {
        option: 'SCOREP_PROFILING_FORMAT',
        is: ['thread_sum', 'thread_tuple', 'key_threads', 'cluster_threads'],
      },
    ],
    text: 'Differences between threads of a process cannot be seen any more.',
  },
  {
    option: 'SCOREP_TOTAL_MEMORY',
    severity: 'info',
    when: [
      { option: 'SCOREP_ENABLE_TRACING', is: ['true'] },
      { option: 'SCOREP_TOTAL_MEMORY', is: [''] },
    ],
    text: 'A trace takes 24–26 bytes per visit: 16000k are full after about 650,000 visits, and writing them out disturbs the run.',
  },
  {
    option: 'SCOREP_PROFILING_ENABLE_CLUSTERING',
    severity: 'info',
    when: [{ option: 'SCOREP_PROFILING_ENABLE_CLUSTERING', is: ['true'] }],
    text: 'At most 64 groups of iterations remain of a dynamic region: courses over time cannot be analysed.',
    fix: 'false',
  },
  {
    option: 'SCOREP_MPI_ENABLE_GROUPS',
    severity: 'info',
    when: [
      { option: 'SCOREP_MPI_ENABLE_GROUPS', isNot: [''] },
      { option: 'mpp', is: ['--mpp=none', '--mpp=shmem'] },
    ],
    text: 'Without MPI this has no effect.',
  },
  {
    option: 'SCOREP_METRIC_PERF',
    severity: 'info',
    when: [{ option: 'SCOREP_METRIC_PERF', isNot: [''] }],
    text: 'Where the kernel does not allow perf events (kernel.perf_event_paranoid, virtual machines, containers) the program ends with an error before main.',
  },
];
