import type { PropertyKindRecord } from './record';

const time = {
  direction: 'worse',
  level: 'note',
  sign: '·',
  group: 'time',
  inSource: 'numbers',
  ranks: 'in title',
} as const;
const measurement = { ...time, level: 'information', group: 'measurement' } as const;

/** Kinds that the rules of `core/properties` find in a profile. */
export const profileKinds = {
  'hot-spot': {
    ...time,
    label: 'Hot spot',
    plural: 'Hot spots',
    description: 'Much of the run time is spent here.',
    icon: 'flame',
  },
  'excessive-overhead': {
    ...measurement,
    level: 'warning',
    label: 'Excessive overhead',
    plural: 'Excessive overhead',
    description: 'Recording costs more than it is worth.',
    icon: 'warning',
  },
  'pre-empted': {
    ...measurement,
    label: 'Pre-empted',
    plural: 'Pre-empted',
    description: 'The process was ready to run, and other programs had the processor.',
    icon: 'debug-pause',
  },
  'machine-noise': {
    ...measurement,
    label: 'Noise of the machine',
    plural: 'Noise of the machine',
    description: 'One repetition of the experiment took longer there, and the others did not.',
    icon: 'pulse',
  },
  'inlined-away': {
    ...measurement,
    direction: 'neutral',
    label: 'Inlined away',
    plural: 'Inlined away',
    description: 'The compiler left no place to record this function.',
    icon: 'info',
  },
  'not-recorded': {
    ...measurement,
    direction: 'neutral',
    label: 'Not recorded',
    plural: 'Not recorded',
    description: 'The measurement system cannot, or should not, record this function.',
    icon: 'info',
  },
  imbalance: {
    ...time,
    label: 'Imbalance',
    plural: 'Imbalance',
    description: 'Some ranks or threads take longer than others, which wait for them.',
    icon: 'graph-scatter',
  },
  'parallel-efficiency': {
    ...time,
    label: 'Parallel efficiency',
    plural: 'Parallel efficiency',
    description: 'Processes and threads spend much of the run time on other things than computation.',
    icon: 'dashboard',
  },
  communication: {
    ...time,
    label: 'Communication',
    plural: 'Communication',
    description: 'Much time goes into communication between ranks.',
    icon: 'arrow-swap',
  },
  synchronisation: {
    ...time,
    label: 'Synchronisation',
    plural: 'Threads waiting',
    description: 'Threads wait for each other.',
    icon: 'watch',
  },
  io: {
    ...time,
    label: 'Input and output',
    plural: 'Input and output',
    description: 'Much time goes into input and output.',
    icon: 'file-binary',
  },
  memory: {
    ...time,
    label: 'Memory',
    plural: 'Memory',
    description: 'Much time goes into allocating and freeing memory.',
    icon: 'chip',
  },
  'start-up': {
    ...time,
    label: 'Start-up',
    plural: 'Start of MPI',
    description: 'Starting and ending MPI is a large part of the run.',
    icon: 'rocket',
  },
  'unknown-time': {
    ...time,
    direction: 'neutral',
    label: 'Unknown time',
    plural: 'Unknown time',
    description: 'A part of the time cannot be attributed to a function with a source.',
    icon: 'question',
  },
} satisfies Readonly<Record<string, PropertyKindRecord>>;
