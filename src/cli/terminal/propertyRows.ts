import { formatPercent } from '../../core/format';
import type { Property } from '../../core/properties/property';
import type { Rows } from './table';

/** A row for each finding; the kind names it for scripts. */
export function propertyRows(findings: readonly Property[]): Rows {
  const cells = findings.map((property) => [
    property.severity === undefined ? '' : formatPercent(property.severity),
    property.kind,
    property.title,
    property.region?.file === undefined ? '' : `${property.region.file}:${property.region.line ?? 1}`,
  ]);
  return { heads: ['severity', 'kind', 'what', 'where'], cells, numbers: 1 };
}
