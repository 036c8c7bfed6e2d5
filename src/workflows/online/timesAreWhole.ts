import type { WindowResult } from '../../measurement/results/live/liveResult';

/** Threads have at least this part of the processor time of their process, unless most of it is in threads that record nothing. */
const leastPart = 0.5;

/**
 * Whether the times of a window are of use. A process that waits for a processor when a window begins has the wait in its open visits until its next event,
 * and only then takes it off its clock. On a machine with much other work this may be more than the window has, and nothing is left of its times.
 */
export function timesAreWhole({ threads, ticksPerSecond, cpuSeconds = 0 }: WindowResult): boolean {
  const ticks = threads.reduce((sum, { inclusiveTicks }) => sum + (inclusiveTicks[0] ?? 0), 0);
  return threads.length === 0 || ticks >= leastPart * cpuSeconds * ticksPerSecond;
}
