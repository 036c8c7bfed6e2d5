import { LiveWindow, type TimeInside } from '../../../../../src/core/diagnosis/live/liveWindow';
import { RecordedValues } from '../../../../../src/core/diagnosis/recorded/recordedValues';
import { makeContext } from '../../../../../src/core/problems/context/makeContext';
import type { Profile, SystemNode } from '../../../../../src/core/profile/profile';
import { runOf, type Call } from '../../problems/runs';

/** Host of each rank. */
export type Hosts = readonly string[];

export interface WindowOptions {
  readonly start?: number;
  readonly end?: number;
  readonly hosts?: Hosts;
  /** The window of one host; default: of all. */
  readonly host?: string;
  /** Keys of the functions that are recorded; default: all. */
  readonly recorded?: readonly string[];
  readonly inside?: TimeInside;
}

/** What processes did in an interval; functions have their names as keys. */
export function windowOf(call: Call, options: WindowOptions = {}): LiveWindow {
  const { start = 0, end = 1, hosts = ['a'], host, recorded, inside } = options;
  const ranks = hosts.flatMap((own, rank) => (host === undefined || own === host ? [rank] : []));
  const profile = placed(runOf(only(call, ranks), ranks.length), ranks, hosts);
  const keys = profile.regions.map(({ name }) => name);
  const values = new RecordedValues(makeContext({ profile, run: 'run', keys }));
  const known = recorded && new Set(recorded);
  return new LiveWindow(start, end, values, (key) => known?.has(key) ?? true, inside);
}

function only({ region, seconds, calls = [] }: Call, ranks: readonly number[]): Call {
  return {
    region,
    seconds: ranks.map((rank) => seconds[rank] ?? 0),
    calls: calls.map((call) => only(call, ranks)),
  };
}

function placed(profile: Profile, ranks: readonly number[], hosts: Hosts): Profile {
  const names = [...new Set(ranks.map((rank) => hosts[rank] ?? ''))];
  const system: readonly SystemNode[] = [
    ...names.map((name): SystemNode => ({ name, kind: 'node' })),
    ...ranks.map((rank): SystemNode => {
      return { name: `rank ${rank}`, kind: 'process', parent: names.indexOf(hosts[rank] ?? ''), rank };
    }),
  ];
  const locations = profile.locations.map((location) => ({
    ...location,
    rank: ranks[location.rank] ?? 0,
    process: names.length + location.rank,
  }));
  return { ...profile, system, locations };
}
