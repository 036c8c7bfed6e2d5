import { present } from '../../src/core/present';
import type { CubeHeader, CubeRegion } from '../../src/core/views/cubePieces';
import {
  maximumCallPaths,
  maximumNames,
  maximumPlaces,
  type CubeEvents,
  type CubeRequests,
} from '../../src/protocol/cube';
import type { Channel } from '../ui/page/channel';
import { inPieces } from '../ui/page/pieces';
import type { CubeDefinitions, MetricValues } from './model';
import type { Places } from './topology/cells';

export type CubeChannel = Channel<CubeRequests, CubeEvents>;

/** Patience for reading large files. */
const patience = { patienceMilliseconds: 300_000 };

/** Fetches all definitions in pieces. @throws RequestError */
export async function loadDefinitions(
  channel: CubeChannel,
  header: CubeHeader,
  signal: AbortSignal,
): Promise<CubeDefinitions> {
  const [calls, regions, system] = await Promise.all([
    loadCallPaths(channel, header, signal),
    loadRegions(channel, header, signal),
    loadSystem(channel, header, signal),
  ]);
  return { header, ...calls, regions, ...system };
}

async function loadCallPaths(
  channel: CubeChannel,
  { id, callPaths }: CubeHeader,
  signal: AbortSignal,
): Promise<Pick<CubeDefinitions, 'callParent' | 'region' | 'parameters'>> {
  const callParent = new Int32Array(callPaths).fill(-1);
  const region = new Uint32Array(callPaths);
  const parameters = new Map<number, string>();
  for (let first = 0; first < callPaths; first += maximumCallPaths) {
    const count = Math.min(maximumCallPaths, callPaths - first);
    const piece = await channel.request('callPaths', { id, first, count }, { ...patience, signal });
    region.set(piece.region.subarray(0, count), first);
    piece.parent.subarray(0, count).forEach((above, index) => {
      callParent[first + index] = above < first + index ? above : -1;
    });
    for (const [callPath, text] of piece.parameters) parameters.set(callPath, text);
  }
  return { callParent, region, parameters };
}

function loadRegions(
  channel: CubeChannel,
  { id, regions }: CubeHeader,
  signal: AbortSignal,
): Promise<CubeRegion[]> {
  return inPieces(regions, maximumNames, (first, count) =>
    channel.request('regions', { id, first, count }, { ...patience, signal }),
  );
}

async function loadSystem(
  channel: CubeChannel,
  { id, systemNodes }: CubeHeader,
  signal: AbortSignal,
): Promise<Pick<CubeDefinitions, 'systemParent' | 'systemLocation' | 'systemNames' | 'systemKinds'>> {
  const systemNames: string[] = [];
  const systemKinds: string[] = [];
  const systemParent = new Int32Array(systemNodes).fill(-1);
  const systemLocation = new Int32Array(systemNodes).fill(-1);
  while (systemNames.length < systemNodes) {
    const first = systemNames.length;
    const asked = { id, first, count: Math.min(maximumNames, systemNodes - first) };
    const piece = await channel.request('system', asked, { ...patience, signal });
    if (piece.names.length === 0) break;
    piece.names.forEach((name, index) => {
      const above = piece.parent[index] ?? -1;
      systemParent[first + index] = above < first + index ? above : -1;
      systemLocation[first + index] = piece.location[index] ?? -1;
      systemNames.push(name);
      systemKinds.push(piece.kinds[index] ?? '');
    });
  }
  return { systemParent, systemLocation, systemNames, systemKinds };
}

/** Fetches all places of a topology. @throws RequestError */
export async function loadTopology(
  channel: CubeChannel,
  { id, topologies }: CubeHeader,
  topology: number,
  signal: AbortSignal,
): Promise<Places> {
  const { placed = 0, dimensions = [] } = topologies[topology] ?? {};
  const nodes = new Uint32Array(placed);
  const coordinates = new Uint32Array(placed * dimensions.length);
  for (let first = 0; first < placed; first += maximumPlaces) {
    const count = Math.min(maximumPlaces, placed - first);
    const piece = await channel.request('topology', { id, first, count, topology }, { ...patience, signal });
    nodes.set(piece.nodes.subarray(0, count), first);
    coordinates.set(piece.coordinates.subarray(0, count * dimensions.length), first * dimensions.length);
  }
  return { nodes, coordinates };
}

/** Fetches the values of a metric at all call paths. @throws RequestError */
export async function loadValues(
  channel: CubeChannel,
  { id, callPaths, metrics }: CubeHeader,
  metric: number,
  signal: AbortSignal,
): Promise<MetricValues> {
  const column = (): Float64Array => new Float64Array(callPaths);
  const inclusive = column();
  const exclusive = column();
  const tuple =
    metrics[metric]?.tuple === true ? { count: column(), minimum: column(), maximum: column() } : undefined;
  for (let first = 0; first < callPaths; first += maximumCallPaths) {
    const count = Math.min(maximumCallPaths, callPaths - first);
    const piece = await channel.request('values', { id, metric, first, count }, { ...patience, signal });
    inclusive.set(piece.inclusive.subarray(0, count), first);
    exclusive.set(piece.exclusive.subarray(0, count), first);
    if (tuple === undefined || piece.tuple === undefined) continue;
    for (const name of ['count', 'minimum', 'maximum'] as const)
      tuple[name].set(piece.tuple[name].subarray(0, count), first);
  }
  return { inclusive, exclusive, ...present({ tuple }) };
}

/** Fetches the value of a metric for the whole run. @throws RequestError */
export async function loadTotal(
  channel: CubeChannel,
  { id }: CubeHeader,
  metric: number,
  signal: AbortSignal,
): Promise<number> {
  return (await channel.request('total', { id, metric }, { ...patience, signal })).total;
}
