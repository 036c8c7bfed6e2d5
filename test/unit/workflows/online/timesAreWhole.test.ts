import { describe, expect, it } from 'vitest';
import type { WindowResult } from '../../../../src/measurement/results/live/liveResult';
import { timesAreWhole } from '../../../../src/workflows/online/timesAreWhole';

const of = (cpuSeconds: number | undefined, ...ticks: readonly number[]): WindowResult =>
  ({
    cpuSeconds,
    ticksPerSecond: 1000,
    threads: ticks.map((all) => ({ inclusiveTicks: Float64Array.of(all, 1) })),
  }) as unknown as WindowResult;

describe('the times of a window', () => {
  it('are whole when its threads have half of the processor time of the process or more', () => {
    expect(timesAreWhole(of(0.4, 150, 50))).toBe(true);
    expect(timesAreWhole(of(0.4, 150, 49))).toBe(false);
    expect(timesAreWhole(of(0.4, 0))).toBe(false);
  });

  it('are whole where nothing is known of threads, or of processor time', () => {
    expect(timesAreWhole(of(0.4))).toBe(true);
    expect(timesAreWhole(of(undefined, 0))).toBe(true);
  });
});
