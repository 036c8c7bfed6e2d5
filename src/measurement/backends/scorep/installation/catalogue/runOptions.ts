import { isOff, isOn, usuallyOff, usuallyOn, variables } from './choices';

/** Variables of a run that determine what the program records, and how. */
export const runOptions = variables('measurement', [
  {
    id: 'SCOREP_ENABLE_PROFILING',
    label: 'Profile',
    help: 'Sums per call path, as profile.cubex.',
    cost: {
      weight: 'medium',
      text: '65–75 ns per visit together with the event; 24–29 ns remain without profile and trace.',
    },
    input: { kind: 'choice', choices: usuallyOn },
  },
  {
    id: 'SCOREP_ENABLE_TRACING',
    label: 'Trace',
    help: 'Each event with its time, as OTF2 for Vampir and Scalasca.',
    cost: {
      weight: 'high',
      text: 'About 150 ns per visit with the profile, 85 ns without; 24–26 bytes per visit in memory, then on disk.',
    },
    input: { kind: 'choice', choices: usuallyOff },
  },
  {
    id: 'SCOREP_PROFILING_FORMAT',
    label: 'Format of the profile',
    help: 'Tuples keep minimum, maximum and variance per call path; the thread formats put the threads of a process together.',
    cost: { weight: 'none', text: 'No difference per visit (65–70 ns); tuples make the file larger.' },
    input: {
      kind: 'choice',
      choices: [
        { value: '', label: 'Cube 4 (default)', aliases: ['default', 'cube4'] },
        { value: 'cube_tuple', label: 'Cube 4 with statistics' },
        { value: 'thread_sum', label: 'Threads summed' },
        { value: 'thread_tuple', label: 'Threads summed, with statistics' },
        { value: 'key_threads', label: 'First, slowest and fastest thread' },
        { value: 'cluster_threads', label: 'Similar threads together' },
        { value: 'tau_snapshot', label: 'TAU snapshot' },
        { value: 'none', label: 'None' },
      ],
    },
  },
  {
    id: 'SCOREP_TOTAL_MEMORY',
    label: 'Memory per process',
    help: 'For the profile and the buffers of a trace. When it is used up, the profile ends or the trace is written out in the middle of the run.',
    cost: {
      weight: 'none',
      text: 'It is reserved, and only the memory in use counts: 200M took no more than 16000k.',
    },
    input: { kind: 'text', placeholder: '16000k (default)', format: { kind: 'size', below: 4 * 2 ** 30 } },
    kymo: { kind: 'default', text: 'Kymo sets enough for what it selects.' },
  },
  {
    id: 'SCOREP_PROFILING_MAX_CALLPATH_DEPTH',
    label: 'Depth of the call tree',
    help: 'Deeper calls become one region COLLAPSE; the run then reports their depth.',
    cost: { weight: 'low', text: 'Memory for each call path more.' },
    input: {
      kind: 'text',
      placeholder: '100 (default)',
      format: { kind: 'count', least: 1, most: 1_000_000 },
    },
  },
  {
    id: 'SCOREP_PROFILING_ENABLE_CLUSTERING',
    label: 'Iterations put together',
    help: 'Of a dynamic user region at most 64 groups of similar iterations remain: which was slow at which time is lost.',
    cost: { weight: 'none', text: 'Saves memory for programs of many iterations.' },
    input: {
      kind: 'choice',
      choices: [
        { value: '', label: 'Default (on)' },
        { value: 'true', label: 'On', aliases: isOn },
        { value: 'false', label: 'Off', aliases: isOff },
      ],
    },
    kymo: { kind: 'default', text: 'Kymo switches it off.' },
  },
  {
    id: 'SCOREP_MPI_ENABLE_GROUPS',
    label: 'MPI functions',
    help: 'Groups of functions that are recorded, such as coll,p2p.',
    cost: {
      weight: 'medium',
      text: 'LULESH with 8 ranks and a filter: +11 % with the default groups, +4 % with coll alone.',
    },
    input: {
      kind: 'text',
      placeholder: 'Default groups',
      format: {
        kind: 'names',
        known:
          'all cg coll default env err ext io p2p misc perf rma spawn topo type xnonblock xreqtest none no'.split(
            ' ',
          ),
      },
    },
    builtWith: 'MPI',
  },
  {
    id: 'SCOREP_MEMORY_RECORDING',
    label: 'Memory recording',
    help: 'Sizes of allocations and deallocations; needs the memory functions wrapped.',
    cost: { weight: 'medium', text: 'An event for each allocation.' },
    input: { kind: 'choice', choices: usuallyOff },
  },
  {
    id: 'SCOREP_TIMER',
    label: 'Timer',
    help: 'The processor’s time stamp counter is the fastest; the others are right where it is not constant.',
    cost: { weight: 'low', text: 'tsc 70 ns per visit, gettimeofday and clock_gettime 80 ns.' },
    input: {
      kind: 'choice',
      choices: [
        { value: '', label: 'Default' },
        { value: 'tsc', label: 'Time stamp counter' },
        { value: 'gettimeofday', label: 'gettimeofday' },
        { value: 'clock_gettime', label: 'clock_gettime' },
      ],
    },
  },
  {
    id: 'SCOREP_ENABLE_UNWINDING',
    label: 'Sampling with call stacks',
    help: 'Interrupts the program and walks its stack instead of recording each function.',
    cost: {
      weight: 'low',
      text: 'By the sampling rate; of what the plug-in has instrumented, a visit costs as much as one that is filtered at run time.',
    },
    input: { kind: 'choice', choices: usuallyOff },
    builtWith: 'unwinding',
  },
  {
    id: 'SCOREP_EXPERIMENT_DIRECTORY',
    label: 'Folder of the results',
    help: 'Made by the run; its parent must exist, and an old one gets another name.',
    cost: { weight: 'none', text: 'Nothing.' },
    input: {
      kind: 'text',
      placeholder: 'scorep-<date>_<time>_<number>',
      format: { kind: 'file', absolute: false },
    },
    kymo: { kind: 'own', text: 'Kymo puts each run into its experiment.' },
  },
  {
    id: 'SCOREP_VERBOSE',
    label: 'Say what is measured',
    help: 'Prints what Score-P does at the start and the end of the run.',
    cost: { weight: 'none', text: 'Nothing between start and end.' },
    input: { kind: 'choice', choices: usuallyOff },
  },
]);
