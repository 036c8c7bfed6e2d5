import type { PropertyKindRecord } from './record';

/** Kinds that performance models show. */
export const modelKinds = {
  'scales-worse-than-expected': {
    label: 'Scales worse than expected',
    plural: 'Scales worse than expected',
    description: 'The performance model grows faster than the project expects of the function.',
    direction: 'worse',
    level: 'warning',
    icon: 'graph-line',
    sign: '↗',
    group: 'growth',
    inSource: 'lens',
    ranks: 'in title',
  },
  growth: {
    label: 'Growth',
    plural: 'Growth',
    description:
      'The function grows with a parameter, and its performance model predicts a large share of the time.',
    direction: 'neutral',
    level: 'note',
    icon: 'graph',
    sign: '↗',
    group: 'growth',
    inSource: 'lens',
    ranks: 'in title',
  },
} as const satisfies Record<string, PropertyKindRecord>;
