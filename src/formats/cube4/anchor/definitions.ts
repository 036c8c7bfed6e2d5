import { present } from '../../../core/present';
import { combineOfDtype } from '../../../core/profile/metrics';
import type {
  CallPaths,
  Derivation,
  Location,
  Metric,
  Profile,
  Region,
  SystemNode,
  Topology,
} from '../../../core/profile/profile';
import { isUnsupported } from '../../../core/profile/tupleValues';
import type { AnchorMetric, AnchorModel, AnchorRegion, AnchorSystemNode, Fields } from './anchorModel';
import { damaged } from '../archive/errors';
import { withTasksApart } from './taskTrees';
import { valueType } from '../values/valueTypes';

/** Throws for a definition in anchor.xml that is impossible. */
type Refuse = (expected: string, found: string) => never;

/** The definitions in anchor.xml. */
export interface Definitions {
  /** Without values: ids are positions, locations are sorted by id. */
  readonly profile: Profile;
  /** The call paths in the order of the file, and the position of each in the profile if that differs. */
  readonly filed: { readonly callPaths: CallPaths; readonly positionOf?: Uint32Array };
}

export function definitionsOf(model: AnchorModel, file: string, offset: number): Definitions {
  const refuse: Refuse = (expected, found) => {
    throw damaged(file, offset, expected, found);
  };
  positions(
    model.metrics.map((metric) => metric.id),
    'metric',
    refuse,
  );
  const regions = model.regions.map((region) => regionOf(region));
  const filed = callPathsOf(model, refuse);
  const { callPaths, positionOf } = withTasksApart(filed, regions);
  const profile = {
    attributes: model.attributes,
    metrics: model.metrics.map((metric) => metricOf(metric)),
    regions,
    callPaths,
    system: model.system.map((node) => systemNodeOf(node)),
    locations: locationsOf(model, refuse),
    stored: new Map(),
    ...topologiesOf(model),
    ...(model.mirrors.length === 0 ? {} : { mirrors: model.mirrors }),
  };
  return {
    profile,
    filed: { callPaths: filed, ...present({ positionOf }) },
  };
}

const storedKinds: Readonly<Record<string, Metric['stored']>> = {
  EXCLUSIVE: 'exclusive',
  INCLUSIVE: 'inclusive',
  SIMPLE: 'simple',
};

function metricOf({ type, fields, attributes, parent, ghost }: AnchorMetric): Metric {
  const dtype = trimmed(fields, 'dtype') ?? 'DOUBLE';
  const name = trimmed(fields, 'uniq_name') ?? trimmed(fields, 'disp_name') ?? '';
  const derivation = derivationOf(type, fields);
  const url = trimmed(fields, 'url');
  return {
    name,
    displayName: fields?.get('disp_name') ?? name,
    unit: trimmed(fields, 'uom') ?? '',
    dtype,
    stored: derivation === undefined ? (storedKinds[type] ?? 'derived') : 'derived',
    combine: combineOfDtype(dtype.toUpperCase()),
    description: fields?.get('descr') ?? '',
    ...unsupportedType(dtype, derivation),
    ...(parent < 0 ? {} : { parent }),
    ...present({ derivation }),
    ...(ghost ? { ghost } : {}),
    ...present({ url }),
    ...optionalMap(attributes),
  };
}

/** An unknown type makes only its metric unreadable, not the file. */
function unsupportedType(
  dtype: string,
  derivation: Derivation | undefined,
): Pick<Metric, 'unsupported' | 'note'> {
  if (derivation !== undefined) return {};
  const type = dtype.slice(0, 80);
  if (valueType(dtype) === undefined)
    return { unsupported: true, note: `Its values are not shown: the data type “${type}” is unknown.` };
  return isUnsupported(dtype)
    ? {
        unsupported: true,
        note: `Its values are not shown: Kymo does not compute with the data type “${type}”.`,
      }
    : {};
}

function derivationOf(type: string, fields: Fields | undefined): Derivation | undefined {
  if (type !== 'POSTDERIVED' && type !== 'PREDERIVED_INCLUSIVE' && type !== 'PREDERIVED_EXCLUSIVE')
    return undefined;
  return { type, expressions: new Map([...(fields ?? [])].filter(([name]) => name.startsWith('cubepl'))) };
}

function regionOf({ file, begin, end, fields, attributes }: AnchorRegion): Region {
  const mangledName = textOr(fields?.get('mangled_name'));
  const firstLine = lineOf(begin);
  const lastLine = lineOf(end);
  const description = textOr(fields?.get('descr'));
  const url = trimmed(fields, 'url');
  return {
    name: fields?.get('name') ?? '',
    ...present({ mangledName }),
    ...(file === '' ? {} : { file }),
    ...present({ firstLine, lastLine }),
    paradigm: trimmed(fields, 'paradigm') ?? 'unknown',
    role: trimmed(fields, 'role') ?? 'unknown',
    ...present({ description, url }),
    ...optionalMap(attributes),
  };
}

function callPathsOf({ cnodes, regions }: AnchorModel, refuse: Refuse): CallPaths {
  const regionById = positions(
    regions.map((region) => region.id),
    'region',
    refuse,
  );
  // Nearly all files number call paths in document order, and trees can be large.
  if (cnodes.id.some((id, position) => id !== position)) positions(cnodes.id, 'cnode', refuse);
  const count = cnodes.id.length;
  const region = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const callee = cnodes.calleeId[i] ?? -1;
    region[i] = regionById.get(callee) ?? refuse('a known region as calleeId', String(callee));
  }
  return {
    count,
    parent: Int32Array.from(cnodes.parent),
    region,
    fileId: Uint32Array.from(cnodes.id),
    ...(cnodes.parameters.size === 0 ? {} : { parameters: cnodes.parameters }),
    ...(cnodes.callSites.size === 0 ? {} : { callSites: cnodes.callSites }),
  };
}

function systemNodeOf({
  fields,
  attributes,
  parent,
  defaultKind,
  holdsLocations,
}: AnchorSystemNode): SystemNode {
  const kind = trimmed(fields, holdsLocations ? 'type' : 'class') ?? defaultKind;
  const description = textOr(fields?.get('descr'));
  return {
    name: fields?.get('name') ?? '',
    kind,
    ...(parent < 0 ? {} : { parent }),
    ...(holdsLocations ? { rank: rankOf(fields) } : {}),
    ...present({ description }),
    ...optionalMap(attributes),
  };
}

function locationsOf(model: AnchorModel, refuse: Refuse): Location[] {
  positions(
    model.locations.map((location) => location.id),
    'location',
    refuse,
  );
  return [...model.locations]
    .sort((a, b) => a.id - b.id)
    .map(({ fields, process }) => ({
      name: fields?.get('name') ?? '',
      rank: rankOf(model.system[process]?.fields),
      thread: rankOf(fields),
      process,
      kind: trimmed(fields, 'type') ?? 'thread',
    }));
}

/** Ignores coordinates of something unknown or with another number of dimensions: nothing else depends on them. */
function topologiesOf({ topologies, locations, system }: AnchorModel): { topologies?: Topology[] } {
  if (topologies.length === 0) return {};
  const ids = locations.map(({ id }) => id).sort((a, b) => a - b);
  const locationAt = new Map(ids.map((id, position) => [id, position]));
  const groupAt = new Map<number, number>();
  const nodeAt = new Map<number, number>();
  system.forEach(({ id, holdsLocations }, position) => (holdsLocations ? groupAt : nodeAt).set(id, position));
  return {
    topologies: topologies.map(({ name, dimensions, coordinates: { location, group, node } }) => {
      const fitting = (places: Map<number, string> | undefined, positionOf: ReadonlyMap<number, number>) =>
        placesOf(places, positionOf, dimensions.length);
      const nodeCoordinates = new Map([...fitting(group, groupAt), ...fitting(node, nodeAt)]);
      return {
        ...present({ name }),
        dimensions,
        coordinates: fitting(location, locationAt),
        ...(nodeCoordinates.size === 0 ? {} : { nodeCoordinates }),
      };
    }),
  };
}

function placesOf(
  coordinates: ReadonlyMap<number, string> | undefined,
  positionOf: ReadonlyMap<number, number>,
  dimensions: number,
): Map<number, readonly number[]> {
  const places = new Map<number, readonly number[]>();
  for (const [id, text] of coordinates ?? []) {
    const position = positionOf.get(id);
    const place = text.trim().split(/\s+/).map(Number);
    const fits = place.length === dimensions && place.every((coordinate) => Number.isSafeInteger(coordinate));
    if (position !== undefined && fits) places.set(position, place);
  }
  return places;
}

function positions(ids: readonly number[], what: string, refuse: Refuse): Map<number, number> {
  const result = new Map<number, number>();
  ids.forEach((id, position) => {
    if (result.has(id)) refuse(`one ${what} with the id ${id}`, 'two');
    result.set(id, position);
  });
  return result;
}

function rankOf(fields: Fields | undefined): number {
  const text = trimmed(fields, 'rank') ?? '';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** -1 and anything that is no line number means unknown. */
function lineOf(text: string): number | undefined {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

function trimmed(fields: Fields | undefined, name: string): string | undefined {
  return textOr(fields?.get(name)?.trim());
}

function textOr(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function optionalMap(attributes: Map<string, string> | undefined): { attributes?: Map<string, string> } {
  return attributes === undefined ? {} : { attributes };
}
