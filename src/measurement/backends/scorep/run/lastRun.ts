import type { CallGraph } from '../../../../core/callgraph/callGraph';
import type { Profile } from '../../../../core/profile/profile';
import { regionKeys } from '../../../../core/callgraph/regionKeys';
import { totalMemoryBytes } from '../installation/measurementEnvironment';
import { defaultCallpathDepth } from '../installation/versions';

/** Facts from recorded runs of the program, for the decisions about the next one. */
export class LastRun {
  /** Visits by function key at the busiest location, as last recorded. */
  private readonly visits = new Map<string, number>();
  /** Before the first recorded run no number of visits counts as too large. */
  seconds = Infinity;
  /** Per process; enough for a profile several times as large. */
  memoryBytes = totalMemoryBytes();
  callpathDepth = defaultCallpathDepth;

  visitsOf(key: string): number {
    return this.visits.get(key) ?? 0;
  }

  learn(profile: Profile, graph: CallGraph): void {
    const keys = regionKeys(profile, graph);
    const visits = profile.stored.get('visits');
    const width = Math.max(1, profile.locations.length);
    const counted = new Map<string, number>();
    for (let row = 0; visits !== undefined && row < profile.callPaths.count; row++) {
      const key = keys[profile.callPaths.region[row] ?? -1] ?? '';
      const most = visits.subarray(row * width, (row + 1) * width).reduce((a, b) => Math.max(a, b), 0);
      counted.set(key, (counted.get(key) ?? 0) + most);
    }
    for (const [key, count] of counted) this.visits.set(key, count);
    const time = profile.stored.get('time');
    this.seconds = time === undefined ? 0 : time.subarray(0, width).reduce((a, b) => Math.max(a, b), 0);
    this.memoryBytes = Math.max(this.memoryBytes, totalMemoryBytes(sizeOf(profile)));
  }
}

/** Metrics that every profile of Score-P has: visits, time, its minimum and maximum. */
const usualMetrics = 4;

function sizeOf({ callPaths, locations, metrics }: Profile): Parameters<typeof totalMemoryBytes>[0] {
  const perRank = new Map<number, number>();
  for (const { rank } of locations) perRank.set(rank, (perRank.get(rank) ?? 0) + 1);
  return {
    callPaths: callPaths.count,
    locationsPerProcess: Math.max(1, ...perRank.values()),
    metrics: Math.max(0, metrics.filter(({ stored }) => stored !== 'derived').length - usualMetrics),
  };
}
