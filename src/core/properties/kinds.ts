import type { Property, PropertyKind } from './property';

/** Kinds of what changes over the iterations of a run. */
const dynamicKinds: ReadonlySet<PropertyKind> = new Set<PropertyKind>([
  'degradation-trend',
  'degradation-trends',
  'degradation-step',
  'degradation-peak',
  'degradation-peaks',
  'periodic-peaks',
  'late-rank',
  'dependent-degradation',
  'significant-variability',
  'improvement',
]);

/** Whether a property is about what happens over the iterations. */
export function isDynamic({ kind }: Pick<Property, 'kind'>): boolean {
  return dynamicKinds.has(kind);
}
