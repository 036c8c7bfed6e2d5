import { ProfileBuilder } from '../../../profileBuilder';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import type { Profile, Region } from '../../../../src/core/profile/profile';

/** A node of a call tree: exclusive seconds per location, and what it calls. */
export interface Call {
  readonly region: Partial<Region> & { readonly name: string };
  readonly seconds: readonly number[];
  /** Default: 1 where there are seconds. */
  readonly visits?: readonly number[];
  readonly calls?: readonly Call[];
}

/** A run of `ranks` processes with `threads` each; locations are numbered rank by rank. Regions of a name are one region. */
export function runOf(root: Call, ranks: number, threads = 1): Profile {
  const { visits, time } = standardMetrics;
  const builder = new ProfileBuilder().attribute('Creator', 'Score-P 8.4').metric(visits).metric(time);
  const machine = builder.systemNode({ name: 'machine', kind: 'machine' });
  for (let rank = 0; rank < ranks; rank++) {
    const process = builder.systemNode({ name: `rank ${rank}`, kind: 'process', parent: machine, rank });
    for (let thread = 0; thread < threads; thread++)
      builder.location({ name: `${rank}.${thread}`, rank, thread, process, kind: 'thread' });
  }
  const regions = new Map<string, number>();
  const handle = (region: Call['region']): number => {
    const known = regions.get(region.name);
    const own =
      known ?? builder.region({ paradigm: 'compiler', role: 'function', file: '/src/a.c', ...region });
    regions.set(region.name, own);
    return own;
  };
  const add = (call: Call, parent: number | undefined): readonly number[] => {
    const path = builder.callPath(parent, handle(call.region));
    const inclusive = [...call.seconds];
    for (const child of call.calls ?? [])
      add(child, path).forEach((value, at) => (inclusive[at] = (inclusive[at] ?? 0) + value));
    inclusive.forEach((value, at) => {
      builder.set('time', path, at, value);
      builder.set('visits', path, at, call.visits?.[at] ?? ((call.seconds[at] ?? 0) > 0 ? 1 : 0));
    });
    return inclusive;
  };
  add(root, undefined);
  return builder.build();
}
