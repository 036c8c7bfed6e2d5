import { comparisonKinds } from './kinds/comparison';
import { degradationKinds } from './kinds/degradations';
import { diagnosisKinds } from './kinds/diagnosis';
import { groupKinds } from './kinds/groups';
import { modelKinds } from './kinds/models';
import { profileKinds } from './kinds/profile';
import type { PropertyKindRecord } from './kinds/record';

/** All kinds: an analysis adds the file of its records here, and nowhere else. A kind without a record does not exist. */
const propertyKinds = {
  ...profileKinds,
  ...degradationKinds,
  ...groupKinds,
  ...comparisonKinds,
  ...modelKinds,
  ...diagnosisKinds,
};
const records = new Map<string, PropertyKindRecord>(Object.entries(propertyKinds));

export type PropertyKind = keyof typeof propertyKinds;

/** The record of a kind; one that this version does not know, from a newer file, is its own label. */
export function kindRecord(kind: string): PropertyKindRecord {
  return records.get(kind) ?? unknownKind(kind);
}

function unknownKind(kind: string): PropertyKindRecord {
  return {
    label: kind,
    plural: kind,
    description: 'A newer version of Kymo knows this kind.',
    direction: 'neutral',
    level: 'note',
    icon: 'circle-outline',
    sign: '·',
    group: 'time',
    inSource: 'lens',
    ranks: 'in title',
  };
}

/** Whether a property is about what changes over the iterations. */
export function isDynamic({ kind }: { readonly kind: PropertyKind }): boolean {
  return kindRecord(kind).group === 'change';
}
