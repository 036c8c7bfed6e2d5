import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Base } from '../../../../src/core/functions/base';
import { oneRegionPerFunction } from '../../../../src/core/functions/functionRegions';
import { functionMeasures } from '../../../../src/core/functions/functionMeasures';
import { withWaitingOfBase } from '../../../../src/core/functions/mpiStart';
import { flatProfile } from '../../../../src/core/profile/regions';
import { measuredTimes } from '../../../../src/core/functions/measuredRun';
import { countsOf, programTime } from '../../../../src/core/functions/programTime';
import { shareOf } from '../../../../src/core/functions/share';
import { ProfileBuilder } from '../../../profileBuilder';
import { standardMetrics, waitingTimeMetric } from '../../../../src/core/profile/metrics';
import type { Profile } from '../../../../src/core/profile/profile';
import { subtreeEnds } from '../../../../src/core/profile/tree';
import { sumOf } from '../../../../src/core/sums';
import type { PairCost } from '../../../../src/core/cost/pairCost';
import { randomRun, type RandomRun } from './randomRuns';

const rounding = 1e-9;

describe('the shares of one run, whatever was recorded and whatever it cost', () => {
  const always = (check: (run: SharesOfRun) => void): void => {
    fc.assert(fc.property(randomRun, (run) => check(sharesOf(run))));
  };

  test('exclusive ones are at most the inclusive ones; none is negative or more than all', () => {
    always(({ functions }) => {
      for (const { exclusive, inclusive } of functions) {
        expect(exclusive).toBeGreaterThanOrEqual(0);
        expect(exclusive).toBeLessThanOrEqual(inclusive + rounding);
        expect(inclusive).toBeLessThanOrEqual(1);
      }
    });
  });

  test('exclusive ones add up to all of the base', () => {
    always(({ functions, base }) => {
      const sum = functions.reduce((all, { exclusive }) => all + exclusive, 0);
      expect(sum).toBeCloseTo(base.seconds > 0 ? 1 : 0, 9);
    });
  });

  test('a function has at most what its callers have together, where only these call it', () => {
    always(({ functions, callersOf }) => {
      functions.forEach(({ inclusive }, index) => {
        const callers = callersOf(index);
        if (callers === undefined) return;
        const above = callers.reduce((sum, caller) => sum + (functions[caller]?.inclusive ?? 0), 0);
        expect(inclusive).toBeLessThanOrEqual(above + rounding);
      });
    });
  });
});

test('in each call path and location callees have at most what their caller has, and what it spends itself is the rest', () => {
  fc.assert(
    fc.property(randomRun, ({ profile, costOf }) => {
      const { inclusive, exclusive } = programTime(profile, costOf);
      const width = profile.locations.length;
      const rest = inclusive.slice();
      profile.callPaths.parent.forEach((above, path) => {
        for (let l = 0; above >= 0 && l < width; l++)
          rest[above * width + l] = (rest[above * width + l] ?? 0) - (inclusive[path * width + l] ?? 0);
      });
      rest.forEach((seconds, cell) => expect(seconds).toBeCloseTo(exclusive[cell] ?? NaN, 9));
      expect(Math.min(...exclusive, ...inclusive)).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('timed visits below a call path are those of all that it calls, at any depth', () => {
  fc.assert(
    fc.property(randomRun, ({ profile, costOf }) => {
      const { childEvents } = programTime(profile, costOf);
      const { timed } = countsOf(profile);
      const ends = subtreeEnds(profile.callPaths);
      const width = profile.locations.length;
      childEvents.forEach((events, path) =>
        expect(events).toBe(sumOf(timed, (path + 1) * width, (ends[path] ?? 0) * width - 1)),
      );
    }),
  );
});

describe('with two threads and three levels', () => {
  const pair: PairCost = { pairSeconds: 0.01, insideSeconds: 0.004, outsideSeconds: 0.006 };
  const costOf = (region: number): PairCost | undefined => (region === 0 ? undefined : pair);
  const nothing = (): undefined => undefined;

  test('each location loses the cost of its own visits: whole pairs below, the inside part of its own', () => {
    const profile = example([
      [1, [10, 20], [1, 1]],
      [2, [8, 16], [10, 20]],
      [3, [6, 12], [100, 200]],
    ]);
    const { inclusive, exclusive, childEvents, taken } = programTime(profile, costOf);
    expectCells(taken, [1.104 + 2.204, 1.04 + 2.08, 0.4 + 0.8]);
    expectCells(inclusive, [8.896, 17.796, 6.96, 13.92, 5.6, 11.2]);
    expectCells(exclusive, [1.936, 3.876, 1.36, 2.72, 5.6, 11.2]);
    expect([...childEvents]).toEqual([330, 300, 0]);
    const { base, times } = measuredTimes(profile, 'i2.r1', costOf);
    expect(base).toMatchObject({ run: 'i2.r1', clock: 'wall', leftOut: [{ what: 'recording' }] });
    expect(base.seconds).toBeCloseTo(26.692, 9);
    expect(base.leftOut[0]?.seconds).toBeCloseTo(3.308, 9);
    expect(times.regions[2]?.visits).toBe(30);
    expect(times.regions[2]?.inclusiveSeconds).toBeCloseTo(20.88, 9);
    expect(Math.max(...times.rootSeconds)).toBeCloseTo(17.796, 9);
  });

  test('callees that come out with more than their caller has are reduced until they fit', () => {
    const profile = example([
      [1, [10, 4], [0, 0]],
      [2, [4, 3], [0, 0]],
      [3, [6, 1], [0, 0]],
    ]);
    const { inclusive, exclusive } = programTime(profile, nothing);
    expectCells(inclusive, [10, 4, 4, 3, 4, 1]);
    expectCells(exclusive, [6, 1, 0, 2, 4, 1]);
  });

  test('waiting is no computing, but part of the time by the wall clock', () => {
    const profile = example(
      [
        [1, [10, 4], [1, 1]],
        [2, [8, 4], [1, 1]],
        [2, [2, 0], [1, 0]],
      ],
      [5, 0.5],
    );
    const { base, times } = measuredTimes(profile, 'i0.r1', nothing);
    const leftOut = [{ what: 'waiting', seconds: 5.5 }];
    expect(base).toEqual({ run: 'i0.r1', clock: 'cpu', seconds: 8.5, leftOut });
    // Recursion: the inner one is part of the outer one.
    expect(times.regions[2]).toMatchObject({ inclusiveSeconds: 6.5, exclusiveSeconds: 6.5, visits: 3 });
    const wall = measuredTimes(profile, 'i0.r1', nothing, 'wall').base;
    expect(wall).toEqual({ run: 'i0.r1', clock: 'wall', seconds: 14, leftOut: [] });
  });

  test('what is waited while MPI starts is its start by either clock, and no waiting for others', () => {
    const profile = startingMpi();
    const { base, times, parts } = measuredTimes(profile, 'i0.r1', nothing);
    // 10 s of 19 s, though only 0.1 s of it is computing.
    expect(base.leftOut).toEqual([
      { what: 'waiting', seconds: 1 },
      { what: 'MPI start and end', seconds: 10.1 },
    ]);
    expect(base.seconds).toBeCloseTo(7.9, 9);
    expect(base.seconds + sumOf(Float64Array.from(base.leftOut, ({ seconds }) => seconds))).toBeCloseTo(
      19,
      9,
    );
    expect(parts.leftOut.map(({ seconds }) => [...seconds])).toEqual([[1], [0], [10.1]]);
    const wall = measuredTimes(profile, 'i0.r1', nothing, 'wall').base;
    expect(wall.leftOut).toEqual([{ what: 'MPI start and end', seconds: 10.1 }]);
    const waits = flatProfile(withWaitingOfBase(profile, base), waitingTimeMetric.name);
    expect([...waits.inclusive]).toEqual([1, 0, 1]);
    const keys = ['main', 'MPI_Init', 'MPI_Recv'];
    const measures = functionMeasures({ profile, keys, times, base });
    expect(keys.map((key) => measures.get(key)?.waitingSeconds)).toEqual([1, undefined, 1]);
  });

  test('two regions of one function are one, also where one calls the other', () => {
    const profile = example([
      [1, [10, 0], [1, 0]],
      [2, [8, 0], [1, 0]],
      [3, [2, 0], [1, 0]],
    ]);
    const merged = oneRegionPerFunction(profile, ['root', 'main', 'f', 'f']);
    expect(merged.keys).toEqual(['root', 'main', 'f']);
    const { times } = measuredTimes(merged.profile, 'i0.r1', nothing);
    expect(times.regions[2]).toMatchObject({ inclusiveSeconds: 8, exclusiveSeconds: 8, visits: 2 });
  });
});

interface SharesOfRun {
  readonly base: Base;
  readonly functions: readonly { readonly inclusive: number; readonly exclusive: number }[];
  /** Other functions that call it; undefined: it is a root, too. */
  readonly callersOf: (index: number) => readonly number[] | undefined;
}

function sharesOf({ profile, keys, costOf }: RandomRun): SharesOfRun {
  const merged = oneRegionPerFunction(profile, keys);
  const { base, times } = measuredTimes(merged.profile, 'i1.r1', costOf);
  const { parent, region } = merged.profile.callPaths;
  return {
    base,
    functions: times.regions.map(({ inclusiveSeconds, exclusiveSeconds }) => ({
      inclusive: shareOf(inclusiveSeconds, base),
      exclusive: shareOf(exclusiveSeconds, base),
    })),
    callersOf: (index) => {
      const callers = new Set<number>();
      for (const [path, own] of region.entries()) {
        if (own !== index) continue;
        const above = parent[path] ?? -1;
        if (above < 0) return undefined;
        callers.add(region[above] ?? -1);
      }
      callers.delete(index);
      return [...callers];
    },
  };
}

/** `main` of 19 s calls `MPI_Init`, which waits 10 of its 10.1 s, and `MPI_Recv`, which waits 1 of its 4 s. */
function startingMpi(): Profile {
  const builder = new ProfileBuilder()
    .metric(standardMetrics.visits)
    .metric(standardMetrics.time)
    .metric(waitingTimeMetric);
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  builder.location({ name: 'thread 0', rank: 0, thread: 0, process, kind: 'thread' });
  builder.region({ name: 'main', paradigm: 'compiler', role: 'function' });
  for (const name of ['MPI_Init', 'MPI_Recv']) builder.region({ name, paradigm: 'mpi', role: 'function' });
  const main = builder.callPath(undefined, 0);
  const add = (path: number, seconds: number, waiting: number): void => {
    builder.set('time', path, 0, seconds);
    builder.set('visits', path, 0, 1);
    builder.set('waiting_time', path, 0, waiting);
  };
  add(main, 19, 0);
  add(builder.callPath(main, 1), 10.1, 10);
  add(builder.callPath(main, 2), 4, 1);
  return builder.build();
}

/** A chain of calls: region, inclusive seconds and visits per thread; `waiting` seconds of the second level. */
function example(
  levels: readonly (readonly [region: number, seconds: readonly number[], visits: readonly number[]])[],
  waiting?: readonly number[],
): Profile {
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  if (waiting !== undefined) builder.metric(waitingTimeMetric);
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  for (const thread of [0, 1])
    builder.location({ name: `thread ${thread}`, rank: 0, thread, process, kind: 'thread' });
  for (const name of ['root', 'main', 'f', 'g'])
    builder.region({ name, paradigm: 'compiler', role: 'function' });
  let above: number | undefined;
  levels.forEach(([region, seconds, visits], level) => {
    const path = builder.callPath(above, region);
    above = path;
    for (const thread of [0, 1]) {
      builder.set('time', path, thread, seconds[thread] ?? 0);
      builder.set('visits', path, thread, visits[thread] ?? 0);
      if (level === 1 && waiting !== undefined)
        builder.set('waiting_time', path, thread, waiting[thread] ?? 0);
    }
  });
  return builder.build();
}

function expectCells(cells: Float64Array, expected: readonly number[]): void {
  expect(cells.length).toBe(expected.length);
  cells.forEach((value, at) => expect(value).toBeCloseTo(expected[at] ?? NaN, 9));
}
