import { formatPercent } from '../../core/format';
import { markdownCell as cell } from '../../core/markdown';
import type { Property } from '../../core/properties/property';
import { evidenceText, placeText } from './place';

export function propertiesMarkdown(properties: readonly Property[], root: string): string {
  const rows = properties.map((property) =>
    [
      property.severity === undefined ? '' : formatPercent(property.severity),
      property.kind,
      property.title,
      placeText(property, root),
      evidenceText(property),
    ]
      .map(cell)
      .join(' | '),
  );
  return [
    '# Properties',
    '',
    '| severity | kind | what | where | evidence |',
    '| ---: | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n');
}
