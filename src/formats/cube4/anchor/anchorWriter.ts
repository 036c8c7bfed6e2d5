import { pushTo } from '../../../core/remembered';
import { at, atInt, atUint } from '../../../core/at';
import { KymoError } from '../../../core/errors';
import type { Metric, Profile, Region, SystemNode } from '../../../core/profile/profile';
import { childLinks } from '../../../core/profile/tree';

/** The text of anchor.xml, piece by piece. Metrics, regions and system nodes have their positions as ids. */
export function* anchorText(profile: Profile): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n\n<cube version="4.4">\n';
  yield attributesText(profile.attributes);
  yield '<doc>\n<mirrors>\n';
  for (const mirror of profile.mirrors ?? []) yield element('murl', mirror);
  yield '</mirrors>\n</doc>\n<metrics>\n';
  yield* nested(
    profile.metrics.map((metric) => metric.parent ?? -1),
    (i) => metricText(profile.metrics, i),
    '</metric>\n',
  );
  yield '</metrics>\n<program>\n';
  for (const [id, region] of profile.regions.entries()) yield regionText(region, id);
  yield* callTreeText(profile);
  yield '</program>\n<system>\n';
  yield* systemText(profile);
  yield '<topologies>\n';
  yield* topologiesText(profile);
  yield '</topologies>\n</system>\n</cube>\n';
}

/** Writes nested elements without recursion: `open` returns a start tag and leaf children. */
function* nested(
  parents: ArrayLike<number>,
  open: (node: number) => string,
  close: string | ((node: number) => string),
): Generator<string> {
  const links = childLinks(parents);
  let node = links.firstRoot;
  while (node >= 0) {
    yield open(node);
    let following = atInt(links.firstChild, node);
    while (following < 0 && node >= 0) {
      yield typeof close === 'string' ? close : close(node);
      following = atInt(links.nextSibling, node);
      node = at(parents, node);
    }
    node = following;
  }
}

const storedTypes = { inclusive: 'INCLUSIVE', exclusive: 'EXCLUSIVE', simple: 'SIMPLE' } as const;

function metricText(metrics: readonly Metric[], id: number): string {
  const metric = metrics[id];
  if (metric === undefined) return '';
  const type = metric.stored === 'derived' ? metric.derivation?.type : storedTypes[metric.stored];
  if (type === undefined)
    throw new KymoError(
      'unrepresentable',
      `The metric “${metric.name}” is derived, but has no expression; it cannot be written to a Cube file.`,
    );
  return [
    `<metric id="${id}" type="${type}"${metric.ghost === true ? ' viztype="GHOST"' : ''}>\n`,
    element('disp_name', metric.displayName),
    element('uniq_name', metric.name),
    element('dtype', metric.dtype),
    element('uom', metric.unit),
    element('url', metric.url ?? ''),
    element('descr', metric.description),
    ...[...(metric.derivation?.expressions ?? [])].map(([name, text]) => element(name, text)),
    attributesText(metric.attributes),
  ].join('');
}

function regionText(region: Region, id: number): string {
  return [
    `<region id="${id}" mod="${attribute(region.file ?? '')}" begin="${region.firstLine ?? -1}" end="${region.lastLine ?? -1}">\n`,
    element('name', region.name),
    element('mangled_name', region.mangledName ?? ''),
    element('paradigm', region.paradigm),
    element('role', region.role),
    element('url', region.url ?? ''),
    element('descr', region.description ?? ''),
    attributesText(region.attributes),
    '</region>\n',
  ].join('');
}

function callTreeText(profile: Profile): Generator<string> {
  const { callPaths } = profile;
  const ids = cnodeIds(profile);
  return nested(
    callPaths.parent,
    (i) => {
      const site = callPaths.callSites?.get(i);
      const line = site?.line === undefined ? '' : ` line="${site.line}"`;
      const mod = site?.file === undefined ? '' : ` mod="${attribute(site.file)}"`;
      const parameters = (callPaths.parameters?.get(i) ?? []).map(
        ({ kind, name, value }) =>
          `<parameter partype="${kind}" parkey="${attribute(name)}" parvalue="${attribute(value)}"/>\n`,
      );
      return `<cnode id="${atUint(ids, i)}"${line}${mod} calleeId="${atUint(callPaths.region, i)}">\n${parameters.join('')}`;
    },
    '</cnode>\n',
  );
}

/** Ids as in the file that the profile came from, if they are 0 … n-1 in some order (tools index by them); else positions. */
export function cnodeIds(profile: Profile): Uint32Array {
  const { count, fileId } = profile.callPaths;
  const seen = new Uint8Array(count);
  for (const id of fileId) if (id < count) seen[id] = 1;
  return seen.every((flag) => flag === 1) ? fileId : Uint32Array.from({ length: count }, (_, i) => i);
}

function systemText(profile: Profile): Generator<string> {
  const { locations } = profile;
  const system = withMachine(profile.system);
  const of = new Map<number, string[]>();
  locations.forEach((location, id) => {
    const text = [
      `<location Id="${id}">\n`,
      element('name', location.name),
      element('rank', String(location.thread)),
      element('type', location.kind),
      '</location>\n',
    ].join('');
    pushTo(of, location.process, text);
  });
  const ids = systemIds(system, of);
  return nested(
    system.map((node) => node.parent ?? -1),
    (i) => systemNodeText(at(system, i), at(ids, i), of.get(i) ?? []),
    (i) => (system[i]?.rank === undefined ? '</systemtreenode>\n' : '</locationgroup>\n'),
  );
}

/** Readers expect a machine above all processes; adds one with a default name above processes that have none. */
function withMachine(system: readonly SystemNode[]): readonly SystemNode[] {
  const isLoose = (node: SystemNode): boolean => node.parent === undefined && node.rank !== undefined;
  if (!system.some(isLoose)) return system;
  const machine = system.length;
  return [
    ...system.map((node) => (isLoose(node) ? { ...node, parent: machine } : node)),
    { name: 'machine', kind: 'machine' },
  ];
}

/** Location groups and tree nodes have separate numberings. */
function systemIds(system: readonly SystemNode[], locations: ReadonlyMap<number, unknown>): number[] {
  let groups = 0;
  let nodes = 0;
  return system.map((node, i) => {
    if (node.rank !== undefined) return groups++;
    if (locations.has(i))
      throw new KymoError(
        'invalid-profile',
        `The system node “${node.name}” has locations, but no rank as processes have.`,
      );
    return nodes++;
  });
}

function systemNodeText(node: SystemNode, id: number, locations: readonly string[]): string {
  const description = node.description === undefined ? '' : element('descr', node.description);
  if (node.rank === undefined)
    return `<systemtreenode Id="${id}">\n${element('name', node.name)}${element('class', node.kind)}${description}${attributesText(node.attributes)}`;
  return [
    `<locationgroup Id="${id}">\n`,
    element('name', node.name),
    element('rank', String(node.rank)),
    element('type', node.kind),
    description,
    attributesText(node.attributes),
    ...locations,
  ].join('');
}

function* topologiesText({ topologies = [], system }: Profile): Generator<string> {
  const ids = systemIds(system, new Map());
  for (const { name, dimensions, coordinates, nodeCoordinates = [] } of topologies) {
    yield `<cart${named(name)} ndims="${dimensions.length}">\n`;
    for (const { name: dimension, size, periodic } of dimensions)
      yield `<dim${named(dimension)} size="${size}" periodic="${String(periodic)}"/>\n`;
    for (const [location, place] of coordinates)
      yield `<coord locId="${location}">${place.join(' ')}</coord>\n`;
    for (const [node, place] of nodeCoordinates)
      yield `<coord ${system[node]?.rank === undefined ? 'stnId' : 'lgId'}="${at(ids, node)}">${place.join(' ')}</coord>\n`;
    yield '</cart>\n';
  }
}

function named(name: string | undefined): string {
  return name === undefined ? '' : ` name="${attribute(name)}"`;
}

function attributesText(attributes: ReadonlyMap<string, string> | undefined): string {
  return [...(attributes ?? [])]
    .map(([key, value]) => `<attr key="${attribute(key)}" value="${attribute(value)}"/>\n`)
    .join('');
}

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>\n`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes the five standard entities, the only ones that the Cube library reads; characters that XML cannot hold become U+FFFD. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
    .replace(/\r\n?/g, '\n')
    .replace(/\p{Cc}|[\ufffe\uffff]/gu, (character) =>
      character === '\n' || character === '\t' || character >= '\u007f' ? xmlCharacter(character) : '\ufffd',
    );
}

function xmlCharacter(character: string): string {
  return character >= '\ufffe' ? '\ufffd' : character;
}

/** Writes line ends and tabs as references: in attributes, readers turn plain ones into blanks. */
function attribute(text: string): string {
  return escaped(text).replace(/[\t\n]/g, ' ');
}
