import type { CallPathColumns, ProfileHeader, ProfileRows } from '../../src/core/views/profilePieces';
import {
  maximumRegions,
  maximumRows,
  type HotSpotsEvents,
  type HotSpotsRequests,
  type RegionRow,
  type Side,
} from '../../src/protocol/hotSpots';
import type { Channel } from '../ui/page/channel';

export type HotSpotsChannel = Channel<HotSpotsRequests, HotSpotsEvents>;

/** One profile, complete. */
export interface LoadedProfile extends CallPathColumns {
  readonly header: ProfileHeader;
  readonly regions: readonly RegionRow[];
}

/** Values of one answer: a few megabytes, so that the extension passes it on without being noticed. */
const valuesPerAnswer = 200_000;

/** Call paths per answer for a profile with this number of metrics. */
export function rowsPerAnswer(metrics: number): number {
  return Math.max(1, Math.min(maximumRows, Math.floor(valuesPerAnswer / Math.max(1, 2 * metrics))));
}

/**
 * Fetches a profile piece by piece.
 * @param onProgress share (0…1) that is here
 * @throws RequestError
 */
export async function loadProfile(
  channel: HotSpotsChannel,
  side: Side,
  header: ProfileHeader,
  signal: AbortSignal,
  onProgress: (fraction: number) => void = () => undefined,
): Promise<LoadedProfile> {
  const count = header.callPaths;
  const columns = (): Float64Array[] => header.metrics.map(() => new Float64Array(count));
  const loaded = {
    header,
    parent: new Int32Array(count),
    region: new Uint32Array(count),
    inclusive: columns(),
    exclusive: columns(),
  };
  const step = rowsPerAnswer(header.metrics.length);
  const regions = loadRegions(channel, side, header.regions, signal);
  // Handled below; without this an early failure of the rows would leave it unheard.
  regions.catch(() => undefined);
  for (let first = 0; first < count; first += step) {
    const rows = await channel.request(
      'rows',
      { side, first, count: Math.min(step, count - first) },
      { signal },
    );
    take(loaded, rows, count);
    onProgress(Math.min(1, (first + step) / count));
  }
  return { ...loaded, regions: await regions };
}

/** Copies what arrived to its place; what does not fit together is left out. */
function take(into: CallPathColumns, rows: ProfileRows, count: number): void {
  const end = Math.min(rows.first + rows.parent.length, count);
  for (let i = rows.first; i < end; i++) {
    const above = rows.parent[i - rows.first] ?? -1;
    into.parent[i] = above < i ? above : -1;
    into.region[i] = rows.region[i - rows.first] ?? 0;
  }
  for (const [from, to] of [
    [rows.inclusive, into.inclusive],
    [rows.exclusive, into.exclusive],
  ] as const)
    to.forEach((column, metric) =>
      column.set((from[metric] ?? new Float64Array()).subarray(0, end - rows.first), rows.first),
    );
}

async function loadRegions(
  channel: HotSpotsChannel,
  side: Side,
  count: number,
  signal: AbortSignal,
): Promise<RegionRow[]> {
  const regions: RegionRow[] = [];
  while (regions.length < count) {
    const asked = Math.min(maximumRegions, count - regions.length);
    const more = await channel.request('regions', { side, first: regions.length, count: asked }, { signal });
    if (more.length === 0) break;
    for (const one of more) regions.push(one);
  }
  return regions;
}
