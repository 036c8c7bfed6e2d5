import { describe, expect, it } from 'vitest';
import { recordingSeconds } from '../../../../src/workflows/online/recordingSeconds';
import type { WindowResult } from '../../../../src/measurement/results/live/liveResult';

const cost = (pairSeconds: number, timed: number, counted: number) => ({
  ...{ pairSeconds, spreadSeconds: 0, insideSeconds: 0, outsideSeconds: 0 },
  sampled: {
    ...{ countedSeconds: counted, spreadSeconds: 0, pairSeconds: timed, insideSeconds: 0 },
  },
});

/** A thread with visits of slots; `true`: they were only counted. */
const thread = (...rows: readonly (readonly [slot: number, visits: number, untimed?: true])[]): object => ({
  slot: Uint32Array.from([0, ...rows.map(([slot]) => slot)]),
  visits: Float64Array.from([1, ...rows.map(([, visits]) => visits)]),
  untimed: Uint8Array.from([0, ...rows.map(([, , untimed]) => (untimed === true ? 1 : 0))]),
});

const of = (...threads: readonly object[]): WindowResult =>
  ({ probeCost: cost(10, 40, 1), entryCost: cost(20, 50, 2), threads }) as unknown as WindowResult;

describe('what recording takes', () => {
  const sites = new Map([
    ['a', 'probe'],
    ['b', 'entry'],
  ] as const);
  const slots = ['a', 'b'];

  it('is the cost of each visit by the kind of its site, over all threads', () => {
    const result = of(thread([0, 3], [1, 2]), thread([0, 1]));
    expect(recordingSeconds(result, { slots }, sites)).toBe(3 * 10 + 2 * 20 + 10);
  });

  it('is more for a visit that is timed now and then, and little for one that is only counted', () => {
    const samples = [undefined, { interval: 16, kind: 'entry' }] as const;
    const result = of(thread([0, 3], [1, 2], [1, 30, true]));
    expect(recordingSeconds(result, { slots, samples }, sites)).toBe(3 * 10 + 2 * 50 + 30 * 2);
  });
});
