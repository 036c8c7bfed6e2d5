import type { CallPathColumns, ProfileHeader, ProfileRows } from '../../../src/core/views/profilePieces';
import { present } from '../../../src/core/present';
import {
  maximumRegions,
  maximumRows,
  type HotSpotsEvents,
  type HotSpotsRequests,
  type RegionRow,
  type Side,
} from '../../../src/protocol/hotSpots';
import type { Channel } from '../../ui/page/channel';
import { inPieces } from '../../ui/page/pieces';

export type HotSpotsChannel = Channel<HotSpotsRequests, HotSpotsEvents>;

/** A completely loaded profile. */
export interface LoadedProfile extends CallPathColumns {
  readonly header: ProfileHeader;
  readonly regions: readonly RegionRow[];
}

/** Values per answer: a few megabytes, which the extension passes on quickly. */
const valuesPerAnswer = 200_000;

/** Call paths per answer for a profile with this number of metrics. */
function rowsPerAnswer(metrics: number): number {
  return Math.max(1, Math.min(maximumRows, Math.floor(valuesPerAnswer / Math.max(1, 2 * metrics))));
}

/** Fetches a profile piece by piece. @throws RequestError */
export async function loadProfile(
  channel: HotSpotsChannel,
  side: Side,
  header: ProfileHeader,
  signal: AbortSignal,
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
  const regions = inPieces(header.regions, maximumRegions, (first, pieceCount) =>
    channel.request('regions', { side, first, count: pieceCount }, { signal }),
  );
  // Errors are handled below; without this, a failure during the requests for rows would be unhandled.
  regions.catch(() => undefined);
  let line: Int32Array | undefined;
  for (let first = 0; first < count; first += step) {
    const range = { side, first, count: Math.min(step, count - first) };
    const rows = await channel.request('rows', range, { signal });
    take(loaded, rows, count);
    if (rows.line !== undefined)
      (line ??= new Int32Array(count)).set(rows.line.subarray(0, count - first), first);
  }
  return { ...loaded, ...present({ line }), regions: await regions };
}

/** Copies rows to their place; ignores inconsistent ones. */
function take(into: CallPathColumns, rows: ProfileRows, count: number): void {
  const end = Math.min(rows.first + rows.parent.length, count);
  for (let i = rows.first; i < end; i++) {
    const above = rows.parent[i - rows.first] ?? -1;
    into.parent[i] = above < i ? above : -1;
    into.region[i] = rows.region[i - rows.first] ?? 0;
  }
  for (const name of ['inclusive', 'exclusive'] as const)
    into[name].forEach((column, metric) =>
      column.set((rows[name][metric] ?? new Float64Array()).subarray(0, end - rows.first), rows.first),
    );
}
