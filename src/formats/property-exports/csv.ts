import { csvText } from '../../core/csv';
import type { Property } from '../../core/properties/property';
import { evidenceText, placeText } from './place';

const header = ['severity', 'confidence', 'kind', 'title', 'region', 'place', 'evidence', 'id', 'refines'];

/** One line per property; severities are shares (0…1). */
export function propertiesCsv(properties: readonly Property[], root: string): string {
  const rows = properties.map((property) => [
    property.severity ?? '',
    property.confidence,
    property.kind,
    property.title,
    property.region?.name ?? '',
    placeText(property, root),
    evidenceText(property),
    property.id,
    property.refines ?? '',
  ]);
  return csvText([header, ...rows]);
}
