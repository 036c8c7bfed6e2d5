import type { Property } from '../../core/properties/property';
import { evidenceText, placeText } from './place';

const header = ['severity', 'confidence', 'kind', 'title', 'region', 'place', 'evidence', 'id', 'refines'];

/** RFC 4180, lines end with CRLF; severities are shares (0…1). */
export function propertiesCsv(properties: readonly Property[], root: string): string {
  const rows = properties.map((one) => [
    String(one.severity),
    String(one.confidence),
    one.kind,
    one.title,
    one.region?.name ?? '',
    placeText(one, root),
    evidenceText(one),
    one.id,
    one.refines ?? '',
  ]);
  return [header, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
