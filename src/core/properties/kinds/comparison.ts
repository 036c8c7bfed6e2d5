import type { PropertyKindRecord } from './record';

const common = { group: 'comparison', inSource: 'lens', ranks: 'in title' } as const;

/** Kinds that a comparison of two builds, inputs or machines shows. */
export const comparisonKinds = {
  slower: {
    ...common,
    label: 'Slower',
    plural: 'Slower functions',
    description:
      'The function takes longer than in the run that it is compared with, beyond the noise of both.',
    direction: 'worse',
    level: 'warning',
    icon: 'arrow-up',
    sign: '▲',
  },
  faster: {
    ...common,
    label: 'Faster',
    plural: 'Faster functions',
    description:
      'The function takes less time than in the run that it is compared with, beyond the noise of both.',
    direction: 'better',
    level: 'note',
    icon: 'arrow-down',
    sign: '▼',
  },
  increased: {
    ...common,
    label: 'More of a metric',
    plural: 'Functions with more of a metric',
    description:
      'The function has more of a metric than in the run that it is compared with, beyond the noise of both.',
    direction: 'worse',
    level: 'information',
    icon: 'arrow-up',
    sign: '▲',
  },
  decreased: {
    ...common,
    label: 'Less of a metric',
    plural: 'Functions with less of a metric',
    description:
      'The function has less of a metric than in the run that it is compared with, beyond the noise of both.',
    direction: 'better',
    level: 'note',
    icon: 'arrow-down',
    sign: '▼',
  },
  'added-work': {
    ...common,
    label: 'Added work',
    plural: 'Added work',
    description: 'The call is not in the run that this one is compared with.',
    direction: 'worse',
    level: 'information',
    icon: 'diff-added',
    sign: '+',
  },
  'removed-work': {
    ...common,
    label: 'Removed work',
    plural: 'Removed work',
    description: 'The call is in the run that this one is compared with only.',
    direction: 'better',
    level: 'note',
    icon: 'diff-removed',
    sign: '−',
  },
  'changed-count': {
    ...common,
    label: 'Changed count',
    plural: 'Changed counts',
    description: 'The function is called more or less often than in the run that this one is compared with.',
    direction: 'neutral',
    level: 'information',
    icon: 'diff-modified',
    sign: '≠',
  },
  renamed: {
    ...common,
    label: 'Renamed',
    plural: 'Renamed functions',
    description:
      'The function has another name than in the run that this one is compared with; both are compared as one.',
    direction: 'neutral',
    level: 'note',
    icon: 'symbol-string',
    sign: '≈',
  },
  'changed-message-size': {
    ...common,
    label: 'Changed message size',
    plural: 'Changed message sizes',
    description: 'The messages have another size than in the run that this one is compared with.',
    direction: 'neutral',
    level: 'information',
    icon: 'mail',
    sign: '≠',
  },
  'changed-partners': {
    ...common,
    label: 'Changed partners',
    plural: 'Changed partners',
    description:
      'The messages go to, or come from, other processes than in the run that this one is compared with.',
    direction: 'neutral',
    level: 'information',
    icon: 'arrow-swap',
    sign: '⇄',
  },
  'changed-order': {
    ...common,
    label: 'Changed order',
    plural: 'Changed orders',
    description:
      'The function makes the same calls as in the run that it is compared with, in another order.',
    direction: 'neutral',
    level: 'note',
    icon: 'list-ordered',
    sign: '↕',
  },
} as const satisfies Record<string, PropertyKindRecord>;
