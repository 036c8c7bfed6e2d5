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
    group: 'time',
    inSource: 'lens',
    ranks: 'in title',
  },
} as const satisfies Record<string, PropertyKindRecord>;
