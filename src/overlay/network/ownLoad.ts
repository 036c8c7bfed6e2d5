import { decoding } from '../packets/values';
import type { Traffic } from './connection';

/** What this process has used since its start, as `totalsOf` reads it. */
export function ownLoad(traffic: Traffic): readonly number[] {
  const { user, system } = process.cpuUsage();
  const { read, written, messages } = traffic;
  const memory = process.memoryUsage.rss();
  return [(user + system) / 1e6, read, written, memory, decoding.bodies, messages, process.pid];
}

/** The clock of this host, in seconds since 1970: steady while this process runs, and finer than a millisecond. */
export function hostClock(): number {
  return (performance.timeOrigin + performance.now()) / 1000;
}

/** Once per second (specification §3.6). */
export const loadMilliseconds = 1000;
