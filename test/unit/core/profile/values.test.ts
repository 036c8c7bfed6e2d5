import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProfileBuilder } from '../../../profileBuilder';
import { hotPath, total } from '../../../../src/core/profile/hotPath';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import type { Profile } from '../../../../src/core/profile/profile';
import { flatProfile } from '../../../../src/core/profile/regions';
import { callPathNames, childLinks, depths, preOrder, subtreeEnds } from '../../../../src/core/profile/tree';
import {
  exclusive,
  exclusiveCells,
  inclusiveCells,
  exclusivePerLocation,
  inclusive,
  inclusivePerLocation,
} from '../../../../src/core/profile/values';
import { arbitraryProfile } from './profiles';

/**
 * main → f → g → f (recursion), main → g; two ranks. Call paths are added out of pre-order on purpose.
 * Pre-order: 0 main, 1 f, 2 f/g, 3 f/g/f, 4 g.
 */
function example(): Profile {
  const builder = new ProfileBuilder();
  for (const metric of Object.values(standardMetrics)) builder.metric(metric);
  const [main = 0, f = 0, g = 0] = ['main', 'f', 'g'].map((name) =>
    builder.region({ name, paradigm: 'compiler', role: 'function' }),
  );
  const atMain = builder.callPath(undefined, main);
  const atF = builder.callPath(atMain, f);
  const atG = builder.callPath(atMain, g);
  const atFg = builder.callPath(atF, g);
  const atFgf = builder.callPath(atFg, f);
  const node = builder.systemNode({ name: 'n', kind: 'node' });
  const locations = [0, 1].map((rank) =>
    builder.location({
      name: 'main thread',
      rank,
      thread: 0,
      kind: 'thread',
      process: builder.systemNode({ name: `rank ${rank}`, kind: 'process', rank, parent: node }),
    }),
  );
  const rows: [number, number[], number[], number[]][] = [
    // call path, then per rank: inclusive seconds, visits, shortest visit
    [atMain, [10, 20], [1, 1], [10, 20]],
    [atF, [6, 0], [2, 0], [2, 0]],
    [atFg, [5, 0], [2, 0], [1, 0]],
    [atFgf, [1, 0], [4, 0], [0.25, 0]],
    [atG, [3, 12], [3, 6], [0.5, 2]],
  ];
  for (const [at, time, visits, least] of rows)
    locations.forEach((location, l) => {
      builder.set('time', at, location, time[l] ?? 0);
      builder.set('visits', at, location, visits[l] ?? 0);
      builder.set('min_time', at, location, least[l] ?? 0);
    });
  return builder.build();
}

describe('values of the call tree', () => {
  const profile = example();

  test('call paths are in pre-order, whatever the order they were added in', () => {
    expect([...profile.callPaths.parent]).toEqual([-1, 0, 1, 2, 0]);
    expect(callPathNames(profile, 3)).toEqual(['main', 'f', 'g', 'f']);
    expect([...subtreeEnds(profile.callPaths)]).toEqual([5, 4, 4, 4, 5]);
    expect([...depths(profile.callPaths)]).toEqual([0, 1, 2, 3, 1]);
  });

  test('inclusive and exclusive values, combined and per location', () => {
    expect([...inclusive(profile, 'time')]).toEqual([30, 6, 5, 1, 15]);
    expect([...exclusive(profile, 'time')]).toEqual([9, 1, 4, 1, 15]);
    expect([...exclusivePerLocation(profile, 'time')]).toEqual([1, 8, 1, 0, 4, 0, 1, 0, 3, 12]);
    expect([...inclusive(profile, 'visits')]).toEqual([19, 8, 6, 4, 9]);
  });

  test('values to be read only are the same, of any metric, and the profile’s own where it stores them so', () => {
    for (const { name } of profile.metrics) {
      expect(exclusiveCells(profile, name)).toEqual(exclusivePerLocation(profile, name));
      expect(inclusiveCells(profile, name)).toEqual(inclusivePerLocation(profile, name));
    }
    expect(inclusiveCells(profile, 'time')).toBe(profile.stored.get('time'));
    expect(exclusiveCells(profile, 'visits')).toBe(profile.stored.get('visits'));
    const wrapped = { ...profile, stored: new Map([['visits', new Float64Array(10).fill(-4096)]]) };
    expect(exclusiveCells(wrapped, 'visits')).toEqual(new Float64Array(10).fill(2 ** 64 - 4096));
    expect(exclusivePerLocation(profile, 'visits')).not.toBe(profile.stored.get('visits'));
  });

  test('minima leave out what a location never visited; as stored they do not', () => {
    expect([...inclusive(profile, 'min_time')]).toEqual([0.25, 0.25, 0.25, 0.25, 0.5]);
    expect([...exclusive(profile, 'min_time')]).toEqual([10, 2, 1, 0.25, 0.5]);
    expect([...inclusivePerLocation(profile, 'min_time')]).toEqual([
      0.25, 2, 0.25, 0, 0.25, 0, 0.25, 0, 0.5, 2,
    ]);
    expect([...inclusivePerLocation(profile, 'min_time', 'as-stored')].slice(0, 2)).toEqual([0.25, 0]);
  });

  test('a metric that stores nothing is 0; an unknown or derived one is an error', () => {
    expect([...inclusive(profile, 'max_time')]).toEqual([0, 0, 0, 0, 0]);
    expect(() => inclusive(profile, 'speed')).toThrow(/has no metric “speed”.*visits, time/);
    const derived: Profile = {
      ...profile,
      metrics: [{ ...standardMetrics.time, name: 'rate', stored: 'derived' }],
    };
    expect(() => exclusive(derived, 'rate')).toThrow(/derived by an expression/);
  });

  test('the flat profile counts recursion once', () => {
    const flat = flatProfile(profile);
    expect([...flat.inclusive]).toEqual([30, 6, 20]);
    expect([...flat.exclusive]).toEqual([9, 2, 19]);
    expect([...flat.visits]).toEqual([2, 6, 11]);
    expect([...flatProfile(profile, 'min_time').exclusive]).toEqual([10, 0.25, 0.5]);
  });

  test('hot path and total', () => {
    expect(total(profile)).toBe(30);
    expect(hotPath(profile)).toEqual([0, 4]);
    expect(hotPath(profile, 'time', 0.6)).toEqual([0]);
  });

  test('a chain of a million call paths needs no stack', () => {
    const count = 1_000_000;
    const deep: Profile = {
      ...profile,
      callPaths: {
        count,
        parent: Int32Array.from({ length: count }, (_, i) => i - 1),
        region: new Uint32Array(count),
        fileId: Uint32Array.from({ length: count }, (_, i) => i),
      },
      locations: profile.locations.slice(0, 1),
      stored: new Map([['visits', new Float64Array(count).fill(1)]]),
    };
    expect(inclusive(deep, 'visits')[0]).toBe(count);
    expect(flatProfile(deep, 'visits').inclusive[0]).toBe(count);
    expect(hotPath(deep, 'visits')).toHaveLength(count);
  });
});

describe('call trees from elsewhere', () => {
  test('cycles and parents that do not exist are refused', () => {
    expect(() => preOrder([1, 0])).toThrow(/cycle/);
    expect(() => preOrder([-1, 7])).toThrow(/has parent 7/);
    expect([...preOrder([2, 0, -1])]).toEqual([2, 0, 1]);
  });

  test('the builder refuses handles that it did not give', () => {
    const builder = new ProfileBuilder().metric(standardMetrics.time);
    expect(() => builder.callPath(undefined, 0)).toThrow(/no region 0/);
    expect(() => builder.set('time', 0, 0, 1)).toThrow(/no call path 0/);
    expect(() => builder.set('visits', 0, 0, 1)).toThrow(/before that metric/);
    expect(() => builder.metric(standardMetrics.time)).toThrow(/twice/);
  });
});

describe('for any profile', () => {
  /** Straight from the definition, by recursion. */
  function naiveInclusive(profile: Profile, stored: Float64Array, at: number, location: number): number {
    const width = profile.locations.length;
    let sum = stored[at * width + location] ?? 0;
    for (let child = 0; child < profile.callPaths.count; child++)
      if (profile.callPaths.parent[child] === at) sum += naiveInclusive(profile, stored, child, location);
    return sum;
  }

  test('inclusive visits are those of the whole subtree', () => {
    fc.assert(
      fc.property(arbitraryProfile, (profile) => {
        const width = profile.locations.length;
        const stored = profile.stored.get('visits') ?? new Float64Array(profile.callPaths.count * width);
        const found = inclusivePerLocation(profile, 'visits');
        found.forEach((value, cell) => {
          expect(value).toBeCloseTo(
            naiveInclusive(profile, stored, Math.floor(cell / width), cell % width),
            -8,
          );
        });
      }),
    );
  });

  test('exclusive times add up to the roots’, and subtrees are ranges', () => {
    fc.assert(
      fc.property(arbitraryProfile, (profile) => {
        const sum = exclusive(profile, 'time').reduce((a, b) => a + b, 0);
        expect(Math.abs(sum - total(profile))).toBeLessThanOrEqual(1e-9 * 1e6 * 50);
        const ends = subtreeEnds(profile.callPaths);
        const { firstChild, nextSibling } = childLinks(profile.callPaths.parent);
        for (let i = 0; i < profile.callPaths.count; i++) {
          let at = i + 1;
          for (let child = firstChild[i] ?? -1; child >= 0; child = nextSibling[child] ?? -1) {
            expect(child).toBe(at);
            at = ends[child] ?? -1;
          }
          expect(ends[i]).toBe(at);
        }
      }),
    );
  });
});
