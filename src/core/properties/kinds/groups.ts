import type { PropertyKindRecord } from './record';

/** Kinds that a comparison of processes by what they call shows. */
export const groupKinds = {
  'process-groups': {
    label: 'Groups of processes',
    plural: 'Groups of processes',
    description: 'Processes and threads that call the same functions are a group; there are several.',
    direction: 'neutral',
    level: 'note',
    icon: 'organization',
    sign: '≠',
    group: 'processes',
    inSource: 'lens',
    ranks: 'in title',
  },
  'different-work': {
    label: 'Different work',
    plural: 'Different work',
    description: 'Only some of the ranks call the function: their work differs from that of the others.',
    direction: 'neutral',
    level: 'note',
    icon: 'organization',
    sign: '≠',
    group: 'processes',
    inSource: 'lens',
    ranks: 'in title',
  },
  'late-group': {
    label: 'Late group',
    plural: 'Late groups',
    description: 'Some ranks compute longer than the others, because of a function that only they call.',
    direction: 'worse',
    level: 'warning',
    icon: 'watch',
    sign: '≠',
    group: 'processes',
    inSource: 'lens',
    ranks: 'in title',
  },
} as const satisfies Record<string, PropertyKindRecord>;
