import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, atFloat, atInt, atUint } from '../../../../src/core/at';
import { mergeDigests } from '../../../../src/core/digest/mergeDigests';
import type { Profile } from '../../../../src/core/profile/profile';
import type { ControlMessage, ProcessState } from '../../../../src/formats/control/messages';
import { LiveResult } from '../../../../src/measurement/results/live/liveResult';
import { mergeProcesses } from '../../../../src/measurement/results/mergeProcesses';
import { digestOfProcess } from '../../../../src/measurement/results/reduced/digestOfProcess';
import { profileOfDigest } from '../../../../src/measurement/results/reduced/profileOfDigest';
import { resultsOfDigest } from '../../../../src/measurement/results/reduced/resultsOfDigest';

const sampled = { countedSeconds: 1e-9, spreadSeconds: 0, pairSeconds: 3e-8, insideSeconds: 1e-8 };
const cost = { pairSeconds: 2e-8, spreadSeconds: 0, insideSeconds: 1e-8, outsideSeconds: 1e-8, sampled };
const slots = ['main', 'solve', 'tiny', 'other'];
const program = {
  slots,
  graph: { functions: [], edges: [] } as never,
  executable: '/bin/program',
  selectionId: 'ab',
};
const [waitingSlot, bytesSentSlot, untimed] = [0xffff_fffc, 0xffff_ffe0, 0x8000_0000];

/** A process that runs main → solve → (tiny, counted only; a region of the source with bytes sent), on one or two threads. */
function processOf(rank: number, visits: number, ticks: number, threads: number): LiveResult {
  const state: ProcessState = {
    ...{ pid: 100 + rank, rank, ranks: 4, host: 'n1', program: 'a.out', noSwitching: undefined },
    ...{ writesIterations: false, isSuspended: false, timerIsMonotonicClock: false, generation: 0 },
    ...{
      slotCount: slots.length,
      threadCount: threads,
      phaseSlot: undefined,
      selectionId: 'ab',
      iterations: 7,
    },
    ...{ tick: 0n, ticksPerSecond: 1000, realNanoseconds: 0n, beginTick: 0n, beginRealNanoseconds: 0n },
    ...{ cpuSeconds: 0, probeCost: cost, entryCost: cost },
  };
  const result = new LiveResult(state);
  const paths = Array.from({ length: threads }, (_, thread) => {
    const first = 6 * thread;
    return [
      { thread, parent: 0, slot: 0 },
      { thread, parent: first + 1, slot: 1 },
      { thread, parent: first + 2, slot: 2 + untimed },
      { thread, parent: first + 2, slot: slots.length + (rank % 2) },
      { thread, parent: first + 4, slot: bytesSentSlot },
      { thread, parent: first + 2, slot: waitingSlot },
    ];
  }).flat();
  const column = (...each: readonly number[]): Float64Array =>
    Float64Array.from({ length: paths.length }, (_, i) => at(each, i % 6));
  // Regions have other numbers in each process.
  const names = rank % 2 === 0 ? ['halo', 'sum'] : ['sum', 'halo'];
  const messages: readonly ControlMessage[] = [
    { kind: 'paths', first: 1, paths },
    {
      kind: 'regions',
      regions: names.map((name, i) => ({ slot: slots.length + i, kind: 0, line: 3, name, file: '/a.c' })),
    },
    {
      ...{ kind: 'values', serial: 1, of: 'paths', perThread: true, differences: false, hasMore: false },
      ...{ tick: 0n, threadsWithoutOpen: 0, path: Uint32Array.from(paths, (_, i) => i + 1) },
      visits: column(1, visits, 9, 2, 0, 0),
      ticks: column(ticks + 50, ticks, 0, 8, 4096, 16),
      openTicks: column(0, 0, 0, 0, 0, 0),
    },
    { kind: 'state', serial: 2, ...state, tick: BigInt(ticks + 100), cpuSeconds: 1 },
  ];
  for (const message of messages) result.take(message);
  return result;
}

const digestOf = (result: LiveResult): ReturnType<typeof digestOfProcess> =>
  digestOfProcess(result.window(), result.process, true);

/** Sums over locations by metric and names of the call path; not of means. */
function totals({ callPaths, regions, stored, locations }: Profile): Record<string, number> {
  const sums: Record<string, number> = {};
  const names: string[] = [];
  for (let path = 0; path < callPaths.count; path++) {
    const parent = atInt(callPaths.parent, path);
    const { name } = at(regions, atUint(callPaths.region, path));
    names.push(parent < 0 ? name : `${at(names, parent)}/${name}`);
    for (const [metric, values] of stored) {
      if (metric === 'min_time' || metric === 'max_time' || (path === 0 && metric.includes('visits')))
        continue;
      for (let location = 0; location < locations.length; location++) {
        const key = `${metric} of ${at(names, path)}`;
        sums[key] = (sums[key] ?? 0) + atFloat(values, path * locations.length + location);
      }
    }
  }
  return sums;
}

const process = fc.record({
  visits: fc.integer({ min: 1, max: 50 }),
  ticks: fc.integer({ min: 100, max: 5000 }),
  threads: fc.integer({ min: 1, max: 2 }),
});

describe('the profile of a reduced run', () => {
  it('has the sums of that of all its processes, for each call path and metric', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(process, { minLength: 1, maxLength: 12 }), async (all) => {
        const results = all.map(({ visits, ticks, threads }, rank) =>
          processOf(rank, visits, ticks, threads),
        );
        const { profile: whole } = await mergeProcesses(
          results.map((result) => result.window()),
          program,
        );
        const reduced = await profileOfDigest(mergeDigests(results.map(digestOf)), program);
        const [expected, found] = [totals(whole), totals(reduced)];
        expect(Object.keys(found)).toEqual(Object.keys(expected));
        for (const [key, value] of Object.entries(expected))
          expect([key, found[key]]).toEqual([key, expect.closeTo(value, 9)]);
      }),
      { numRuns: 40 },
    );
  });

  it('has a location for each cluster, which says whose sum it is', async () => {
    const results = [0, 1, 2, 3].map((rank) => processOf(rank, 5, rank === 2 ? 900 : 200, 2));
    const { system, locations, attributes } = await profileOfDigest(
      mergeDigests(results.map(digestOf)),
      program,
    );
    expect(system.filter(({ kind }) => kind === 'process').map(({ name }) => name)).toEqual([
      'ranks 0-1,3 (sum of 3 processes)',
      'rank 2',
    ]);
    expect(locations.map(({ name }) => name)).toEqual(['sum of 6 threads', 'sum of 2 threads']);
    expect(attributes.get('kymo::summedProcesses')).toBe('4');
  });

  it('knows the costs of recording', () => {
    const [only] = resultsOfDigest(digestOf(processOf(1, 5, 200, 1)));
    expect(only).toMatchObject({ probeCost: cost, entryCost: cost, rank: 1, rankCount: 4, cpuSeconds: 1 });
  });
});
