import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WatchingPace } from '../../../../src/workflows/online/watchingPace';

/** A look that takes some processor time, after which nothing happens. */
function pauseAfter(
  look: { wall: number; used: number },
  every: number,
  processors: number,
  watched = 60,
): number {
  let [now, used] = [1000, 5];
  const pace = new WatchingPace(processors, { now: () => now, used: () => used });
  now += 1000 * watched;
  pace.begin();
  now += 1000 * look.wall;
  used += look.used;
  return pace.pause(every);
}

describe('looks at a running program', () => {
  test('come as often as wanted where they cost little', () => {
    expect(pauseAfter({ wall: 0.1, used: 0.01 }, 1, 2)).toBe(900);
    expect(pauseAfter({ wall: 0.1, used: 0.5 }, 1, 64)).toBe(900);
  });

  test('take at most a fiftieth of the processors’ time', () => {
    expect(pauseAfter({ wall: 0.1, used: 0.08 }, 1, 2)).toBeCloseTo(1900);
    expect(pauseAfter({ wall: 0.1, used: 0.04 }, 1, 1)).toBeCloseTo(1900);
  });

  test('are never more than six seconds apart, nor before the last one is over', () => {
    expect(pauseAfter({ wall: 1, used: 10 }, 1, 2)).toBe(5000);
    expect(pauseAfter({ wall: 7, used: 10 }, 1, 2)).toBe(0);
  });

  test('are closer in the first half minute', () => {
    const seconds = (watched: number): number => pauseAfter({ wall: 0, used: 10 }, 1, 2, watched) / 1000;
    expect([0, 5, 20, 40, 600].map(seconds)).toEqual([1.5, 1.5, 3, 6, 6]);
  });

  test('come later the more the last one took, and the fewer processors there are', () => {
    const seconds = fc.double({ min: 0, max: 10, noNaN: true });
    fc.assert(
      fc.property(seconds, seconds, fc.integer({ min: 1, max: 256 }), (used, more, processors) => {
        const pause = pauseAfter({ wall: 0, used }, 1, processors);
        expect(pauseAfter({ wall: 0, used: used + more }, 1, processors)).toBeGreaterThanOrEqual(pause);
        expect(pauseAfter({ wall: 0, used }, 1, processors + 1)).toBeLessThanOrEqual(pause);
      }),
    );
  });
});
