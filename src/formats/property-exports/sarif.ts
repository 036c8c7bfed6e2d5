import type { Property, PropertyKind } from '../../core/properties/property';
import { relativeTo } from './place';

const kinds: Readonly<Record<PropertyKind, string>> = {
  'hot-spot': 'Much of the run time is spent here.',
  'excessive-overhead': 'Recording costs more than it tells.',
  'inlined-away': 'The compiler left no place to record this function.',
  'not-recorded': 'The measurement system cannot, or should not, record this function.',
  imbalance: 'Some ranks or threads take longer than others, which wait for them.',
  communication: 'Much time goes into communication between ranks.',
  synchronisation: 'Threads wait for each other.',
  io: 'Much time goes into input and output.',
  memory: 'Much time goes into allocating and freeing memory.',
  'start-up': 'Starting and ending MPI is a large part of the run.',
  'unknown-time': 'Nothing can be said of a part of the time.',
  'degradation-trend': 'A problem grows over a part of the run.',
  'degradation-peak': 'A problem is worse for a part of the run.',
  'degradation-step': 'A problem becomes worse at once, and stays so.',
  'degradation-trends': 'A problem grows over several parts of the run.',
  'degradation-peaks': 'A problem is worse in several parts of the run.',
  'significant-variability': 'A problem changes over the run.',
  'late-rank': 'A rank does not have the peaks that all others have: they wait for it.',
  'periodic-peaks': 'A problem is worse at regular intervals.',
  improvement: 'A problem becomes smaller during the run.',
  'dependent-degradation': 'A degradation follows another one.',
};

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
            rules: used.map((kind) => ({ id: kind, shortDescription: { text: kinds[kind] } })),
          },
        },
        originalUriBaseIds: { SRCROOT: { uri: `${fileUri(root)}/` } },
        results: properties.map((one) => result(one, root)),
      },
    ],
  };
  return `${JSON.stringify(document, undefined, 1)}\n`;
}

function result(one: Property, root: string): Readonly<Record<string, unknown>> {
  const { id, kind, title, severity, confidence, region, evidence } = one;
  return {
    ruleId: kind,
    level: kind === 'excessive-overhead' ? 'warning' : 'note',
    message: { text: title },
    rank: Math.min(100, Math.max(0, severity * 100)),
    partialFingerprints: { 'kymoProperty/v1': id },
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
