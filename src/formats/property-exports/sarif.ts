import type { Property } from '../../core/properties/property';
import { kindRecord } from '../../core/properties/kinds';
import { relativeTo } from './place';

/** SARIF has no level below a note. */
const levels = { error: 'error', warning: 'warning', information: 'note', note: 'note' } as const;

/** SARIF 2.1.0: one run, one rule per kind, one result per property; `rank` is the severity in percent. */
export function propertiesSarif(properties: readonly Property[], root: string): string {
  const used = [...new Set(properties.map(({ kind }) => kind))];
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Kymo',
            rules: used.map((kind) => ({
              id: kind,
              shortDescription: { text: kindRecord(kind).description },
            })),
          },
        },
        originalUriBaseIds: { SRCROOT: { uri: `${fileUri(root)}/` } },
        results: properties.map((property) => result(property, root)),
      },
    ],
  };
  return `${JSON.stringify(document, undefined, 1)}\n`;
}

function result(property: Property, root: string): Readonly<Record<string, unknown>> {
  const { id, kind, title, severity, confidence, region, evidence } = property;
  return {
    ruleId: kind,
    level: levels[kindRecord(kind).level],
    message: { text: title },
    ...(severity === undefined ? {} : { rank: Math.min(100, Math.max(0, severity * 100)) }),
    // The same in each clone: a fingerprint tells whether a result was there before.
    partialFingerprints: { 'kymoProperty/v1': id.replaceAll(`${root}/`, '') },
    properties: { confidence, evidence },
    ...(region?.file === undefined
      ? {}
      : { locations: [location(region.file, region.line, region.name, root)] }),
  };
}

function location(
  file: string,
  line: number | undefined,
  name: string,
  root: string,
): Readonly<Record<string, unknown>> {
  const relative = relativeTo(root, file);
  const artifactLocation =
    relative === file ? { uri: fileUri(file) } : { uri: encoded(relative), uriBaseId: 'SRCROOT' };
  return {
    physicalLocation: { artifactLocation, ...(line === undefined ? {} : { region: { startLine: line } }) },
    logicalLocations: [{ name, kind: 'function' }],
  };
}

function fileUri(file: string): string {
  return `file://${encoded(file)}`;
}

function encoded(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/');
}
