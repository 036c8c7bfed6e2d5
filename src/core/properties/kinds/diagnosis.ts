import type { PropertyKindRecord } from './record';

/** Kinds that a search for the reasons why a program is slow finds. */
export const diagnosisKinds = {
  diagnosis: {
    label: 'Bottleneck',
    plural: 'Bottlenecks',
    description: 'A hypothesis why the program is slow holds there, and nothing more precise does.',
    direction: 'worse',
    level: 'warning',
    icon: 'search',
    sign: '◎',
    group: 'time',
    inSource: 'lens',
    ranks: 'in title',
  },
  'diagnosis-computing': {
    label: 'CPU bound',
    plural: 'CPU bound',
    description:
      'The processes compute there, and wait for nothing: only cheaper code, or more processes, makes it faster.',
    direction: 'neutral',
    level: 'note',
    icon: 'search',
    sign: '◎',
    group: 'time',
    inSource: 'numbers',
    ranks: 'in title',
  },
} as const satisfies Record<string, PropertyKindRecord>;
