import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallGraphFunction } from '../../../../src/core/callgraph/callGraph';
import { callPathNames } from '../../../../src/core/profile/tree';
import { isByKymo, recordsIo } from '../../../../src/core/profile/measuredBy';
import type { Profile } from '../../../../src/core/profile/profile';
import { mergeResults, type MergedResults } from '../../../../src/measurement/results/mergeResults';
import type { SlotSample } from '../../../../src/measurement/symbols/planSelection';
import {
  refusalWords,
  refusedCounters,
  refusedCountersAttribute,
} from '../../../../src/core/profile/hardwareCounters';
import { clockOf } from '../../../../src/core/profile/computingTime';
import { counterNames, firstCounterSlot, waitingSlot } from '../../../../src/formats/kymo-result/slots';
import { timedOneIn } from '../../../../src/core/profile/metrics';
import { functionKeyOf } from '../../../../src/measurement/results/slotRegions';
import { fn } from '../../core/selection/graphs';
import { buildResult, untimed, type TestResult } from '../../formats/kymo-result/resultBuilder';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'kymo-results-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const known = (key: string, line: number): CallGraphFunction =>
  fn(key, { name: `${key}()`, mangledName: `_Z${key}`, file: '/src/a.cpp', line, endLine: line + 5 });
const graph = { functions: [known('main', 1), known('f', 10), known('g', 20)], edges: [[], [], []] };
const slots = ['main', 'f', 'g', 'g'];
const instances = [
  undefined,
  undefined,
  { mangledName: '_Zgi', name: 'g<int>()' },
  { mangledName: '_Zgd', name: 'g<double>()' },
];

const write = (name: string, result: TestResult): void =>
  writeFileSync(path.join(directory, name), buildResult(result));
const merge = (samples?: readonly (SlotSample | undefined)[], recordsIo = false): Promise<MergedResults> =>
  mergeResults({
    ...(samples === undefined ? {} : { samples }),
    recordsIo,
    directory,
    selectionId: '00000000000000ab',
    slots,
    instances,
    graph,
    executable: '/home/me/my program',
  });

/** `path: values per location`. */
function rows(profile: Profile, metric: string): Record<string, number[]> {
  const width = profile.locations.length;
  const column = profile.stored.get(metric) ?? new Float64Array(profile.callPaths.count * width);
  return Object.fromEntries(
    Array.from({ length: profile.callPaths.count }, (_, i) => [
      callPathNames(profile, i).join('/'),
      [...column.subarray(i * width, (i + 1) * width)],
    ]),
  );
}

const main = { parent: 0, slot: 0, visits: 1, ticks: 800, events: 3 };

describe('merging the results of a run', () => {
  it('one process: metrics, regions with their places, and the program as root', async () => {
    const f = { parent: 1, slot: 1, visits: 2, ticks: 300, minimum: 100, maximum: 200, events: 1 };
    const g = { parent: 2, slot: 2, visits: 1, ticks: 50 };
    write('a.1.kymo', { threads: [{ ticks: 1000, nodes: [main, f, g] }], ticksPerSecond: 1000 });
    const { profile, calibration, visits, edges, messages } = await merge();
    const paths = [
      'my program',
      'my program/main()',
      'my program/main()/f()',
      'my program/main()/f()/g<int>()',
    ];
    expect(Object.keys(rows(profile, 'time'))).toEqual(paths);
    expect(Object.values(rows(profile, 'time')).flat()).toEqual([1, 0.8, 0.3, 0.05]);
    expect(Object.values(rows(profile, 'visits')).flat()).toEqual([1, 1, 2, 1]);
    expect(Object.values(rows(profile, 'min_time')).flat()).toEqual([1, 0.8, 0.1, 0.05]);
    expect(Object.values(rows(profile, 'max_time')).flat()).toEqual([1, 0.8, 0.2, 0.05]);
    expect(Object.values(rows(profile, 'kymo_child_events')).flat()).toEqual([3, 3, 1, 0]);
    expect(profile.regions[0]).toMatchObject({
      name: 'my program',
      role: 'artificial',
      paradigm: 'measurement',
    });
    expect(profile.regions[2]).toMatchObject({
      file: '/src/a.cpp',
      firstLine: 10,
      lastLine: 15,
      mangledName: '_Zf',
    });
    expect(profile.regions.map(functionKeyOf)).toEqual([undefined, 'main', 'f', 'g']);
    expect(calibration.probe.pairSeconds).toBe(17e-9);
    expect(calibration.entry.pairSeconds).toBe(34e-9);
    expect(Object.fromEntries(visits)).toEqual({ main: 1, f: 2, g: 1 });
    expect(edges).toEqual([
      { caller: 'main', callee: 'f', calls: 2 },
      { caller: 'f', callee: 'g', calls: 1 },
    ]);
    expect(messages).toEqual([]);
  });

  it('several processes and threads whose trees differ are merged by path', async () => {
    const f = { parent: 1, slot: 1, visits: 2, ticks: 300 };
    const g = (slot: number, parent: number): typeof f => ({ parent, slot, visits: 4, ticks: 100 });
    write('b.9.kymo', {
      rank: 0,
      ranks: 2,
      host: 'b',
      threads: [
        { ticks: 1000, nodes: [main, g(2, 1), f] },
        { ticks: 500, nodes: [g(3, 0)] },
      ],
      ticksPerSecond: 1000,
    });
    write('a.1.kymo', {
      rank: 1,
      ranks: 2,
      host: 'a',
      threads: [{ ticks: 2000, nodes: [main, f, g(2, 2)] }],
      ticksPerSecond: 2000,
    });
    const { profile, processCount, threadCount } = await merge();
    expect(rows(profile, 'time')).toEqual({
      'my program': [1, 0.5, 1],
      'my program/main()': [0.8, 0, 0.4],
      'my program/main()/g<int>()': [0.1, 0, 0],
      'my program/main()/f()': [0.3, 0, 0.15],
      'my program/main()/f()/g<int>()': [0, 0, 0.05],
      'my program/g<double>()': [0, 0.1, 0],
    });
    expect([...profile.callPaths.parent]).toEqual([-1, 0, 1, 1, 3, 0]);
    expect(profile.locations.map((l) => [l.rank, l.thread, profile.system[l.process]?.name])).toEqual([
      [0, 0, 'MPI Rank 0'],
      [0, 1, 'MPI Rank 0'],
      [1, 0, 'MPI Rank 1'],
    ]);
    expect(profile.system.map((s) => [s.kind, s.name, s.parent])).toEqual([
      ['machine', 'machine', undefined],
      ['node', 'b', 0],
      ['process', 'MPI Rank 0', 1],
      ['node', 'a', 0],
      ['process', 'MPI Rank 1', 3],
    ]);
    expect([processCount, threadCount]).toEqual([2, 3]);
  });

  it('counters and waiting belong to the call path and the thread that has them', async () => {
    const sent = (parent: number, ticks: number) => ({ parent, slot: firstCounterSlot, visits: 1, ticks });
    const late = {
      parent: 1,
      slot: firstCounterSlot + counterNames.indexOf('lateSender'),
      visits: 1,
      ticks: 90,
    };
    const waited = { parent: 2, slot: waitingSlot, visits: 1, ticks: 50 };
    const g = { parent: 1, slot: 2, visits: 4, ticks: 100 };
    write('a.1.kymo', {
      rank: 0,
      host: 'a',
      cpuTime: 1,
      threads: [
        { ticks: 1000, nodes: [main, g, sent(2, 8), waited] },
        { ticks: 500, nodes: [main] },
      ],
      ticksPerSecond: 1000,
    });
    write('a.2.kymo', {
      rank: 1,
      host: 'b',
      cpuTime: 1,
      threads: [{ ticks: 1000, nodes: [main, g, late, sent(1, 16)] }],
      ticksPerSecond: 1000,
    });
    const { profile } = await merge();
    const only = (metric: string) =>
      Object.entries(rows(profile, metric)).filter(([, row]) => row.some(Boolean));
    expect(only('bytes_sent')).toEqual([
      ['my program/main()', [0, 0, 16]],
      ['my program/main()/g<int>()', [8, 0, 0]],
    ]);
    expect(only('mpi_latesender')).toEqual([['my program/main()', [0, 0, 0.09]]]);
    expect(only('waiting_time')).toEqual([['my program/main()/g<int>()', [0.05, 0, 0]]]);
  });

  it('processes that share a rank are numbered', async () => {
    for (const pid of [1, 2, 3]) write(`a.${pid}.kymo`, { pid, threads: [{ ticks: 1, nodes: [] }] });
    expect((await merge()).profile.locations.map((l) => l.rank)).toEqual([0, 1, 2]);
  });

  it('that input and output were recorded is an attribute, also where there were none', async () => {
    write('a.1.kymo', { threads: [{ ticks: 1000, nodes: [main] }] });
    expect(recordsIo((await merge()).profile)).toBe(false);
    expect(recordsIo((await merge(undefined, true)).profile)).toBe(true);
    expect(isByKymo((await merge()).profile)).toBe(true);
  });

  it('flags become attributes and sentences', async () => {
    const deep = { parent: 1, slot: 0xfffffffe, visits: 7, ticks: 10 };
    write('a.1.kymo', { flags: 7 + 64 + 128, threads: [{ ticks: 1000, nodes: [main, deep] }] });
    write('a.2.kymo', { pid: 2, threads: [{ ticks: 1000, nodes: [main] }] });
    const { profile, flags, messages } = await merge();
    expect(flags).toEqual({
      incomplete: true,
      depthLimitHit: true,
      outOfMemory: true,
      monotonicClock: false,
      iterationsLost: false,
      unbalanced: false,
      unpatched: true,
      confined: true,
    });
    expect(profile.attributes.get('kymo::incompleteProcesses')).toBe('1');
    expect(messages).toHaveLength(5);
    expect(messages[0]).toMatch(/^1 of 2 processes: a fatal signal/);
    expect(messages.join('\n')).toMatch(/may not be changed here[^]*forbade itself system calls/);
    expect(Object.keys(rows(profile, 'visits'))).toContain('my program/main()/calls beyond the depth limit');
  });

  it('a damaged file costs its process, not the profile', async () => {
    write('a.1.kymo', { threads: [{ ticks: 1000, nodes: [main] }] });
    writeFileSync(path.join(directory, 'a.2.kymo'), 'KYMORES1 and nothing else');
    writeFileSync(path.join(directory, 'a.3.kymo.tmp'), '');
    const { processCount, messages } = await merge();
    expect(processCount).toBe(1);
    expect(messages.join('\n')).toMatch(/One process is missing[^]*a\.2\.kymo[^]*1 processes were killed/);
  });

  it('nothing, another selection, or a slot that does not exist is an error', async () => {
    await expect(merge()).rejects.toMatchObject({ reason: 'no-results' });
    write('a.1.kymo', { selectionId: 'cd', threads: [{ ticks: 1, nodes: [] }] });
    await expect(merge()).rejects.toMatchObject({ reason: 'other-selection' });
    write('a.1.kymo', { threads: [{ ticks: 1, nodes: [{ ...main, slot: 4 }] }] });
    await expect(merge()).rejects.toMatchObject({ reason: 'invalid-result' });
  });

  it('a node that was never left has no minimum', async () => {
    const open = { parent: 0, slot: 0, visits: 0, ticks: 0, minimum: Number.MAX_SAFE_INTEGER };
    write('a.1.kymo', { threads: [{ ticks: 1000, nodes: [open] }] });
    const { profile } = await merge();
    expect(rows(profile, 'min_time')['my program/main()']).toEqual([0]);
  });
});

describe('waiting', () => {
  const result = (pid: number, preempted: number): TestResult => ({
    pid,
    regions: [],
    cpuTime: 700,
    threads: [
      {
        ticks: 1000,
        cpuTime: 500,
        preempted,
        nodes: [
          main,
          { parent: 1, slot: 1, visits: 2, ticks: 300 },
          { parent: 2, slot: waitingSlot, visits: 1, ticks: 200 },
          { parent: 2, slot: waitingSlot, visits: 1, ticks: 20 },
          { parent: 0, slot: waitingSlot, visits: 1, ticks: 50 },
        ],
      },
    ],
  });

  it('is a metric of its own, on the call path that waited', async () => {
    write('a.1.kymo', result(1, 0));
    const { profile, processor, messages } = await merge();
    expect(rows(profile, 'waiting_time')).toEqual({
      'my program': [expect.closeTo(50e-9, 15)],
      'my program/main()': [0],
      'my program/main()/f()': [expect.closeTo(220e-9, 15)],
    });
    expect(rows(profile, 'visits')['my program/main()/f()']).toEqual([2]);
    expect(clockOf(profile)).toBe('cpu');
    expect(processor).toEqual({ cpuSeconds: 700e-9, recordedCpuSeconds: 500e-9, preemptedSeconds: 0 });
    expect(messages).toEqual([]);
  });

  it('says how long threads were pre-empted', async () => {
    write('a.1.kymo', result(1, 500));
    write('a.2.kymo', result(2, 0));
    const { profile, processor } = await merge();
    expect(processor).toEqual({ cpuSeconds: 1400e-9, recordedCpuSeconds: 1000e-9, preemptedSeconds: 500e-9 });
    expect(profile.attributes.get('kymo::preemptedSeconds')).toBe('0.000000');
  });

  it('is not known of a run with a process that does not say', async () => {
    write('a.1.kymo', result(1, 500));
    write('a.2.kymo', { pid: 2, threads: [{ ticks: 1000, nodes: [main] }] });
    const { profile, processor } = await merge();
    expect([clockOf(profile), processor]).toEqual(['wall', undefined]);
  });
});

describe('visits that were counted and not timed', () => {
  const samples = [undefined, { interval: 16, kind: 'probe' as const }, undefined, undefined];
  const node = (parent: number, slot: number, visits: number, ticks: number, maximum = ticks / visits) => ({
    parent,
    slot,
    visits,
    ticks,
    maximum: slot >= untimed ? 0 : maximum,
  });
  // A tick is a nanosecond; a timed visit has 10 ns of its own cost inside.
  const result = (nodes: ReturnType<typeof node>[]): TestResult => ({
    threads: [{ ticks: 1_000_000, nodes }],
    sampled: [2e-9, 0, 24e-9, 10e-9],
  });

  it('take as long as those that were, without what timing these took', async () => {
    write('a.1.kymo', result([node(0, 0, 1, 900_000), node(1, 1, 100, 5000), node(1, untimed + 1, 1500, 0)]));
    const { profile, visits, edges } = await merge(samples);
    expect(Object.fromEntries(visits)).toEqual({ main: 1, f: 1600 });
    expect(edges).toEqual([{ caller: 'main', callee: 'f', calls: 1600 }]);
    const f = 'my program/main()/f()';
    expect(rows(profile, 'visits')[f]).toEqual([1600]);
    expect(rows(profile, 'kymo_timed_visits')[f]).toEqual([100]);
    expect(rows(profile, 'time')[f]?.[0]).toBeCloseTo((5000 + 1500 * 40) * 1e-9, 12);
    expect(profile.regions.map(timedOneIn)).toEqual([undefined, undefined, 16]);
    expect(profile.regions[2]?.description).toBe('Times are estimated: about 1 of 16 visits was timed');
  });

  it('of a call path with few timed ones, take as long as those of the function', async () => {
    write(
      'a.1.kymo',
      result([
        node(0, 0, 1, 800_000),
        node(1, 1, 100, 5000),
        node(1, untimed + 1, 1500, 0),
        node(1, 2, 1, 100_000),
        node(4, untimed + 1, 15, 0),
      ]),
    );
    const { profile } = await merge(samples);
    const under = 'my program/main()/g<int>()/f()';
    expect(rows(profile, 'time')[under]?.[0]).toBeCloseTo(15 * 40e-9, 12);
    expect(rows(profile, 'min_time')[under]?.[0]).toBeCloseTo(40e-9, 12);
  });

  it('leave out callees, whose visits hang under the caller then', async () => {
    write(
      'a.1.kymo',
      result([
        node(0, 0, 1, 900_000),
        node(1, 1, 100, 7000),
        node(2, 2, 100, 2000),
        node(1, untimed + 1, 1500, 0),
        node(1, 2, 1500, 30_000),
      ]),
    );
    const { profile } = await merge(samples);
    expect(rows(profile, 'time')['my program/main()/f()']?.[0]).toBeCloseTo((7000 + 1500 * 40) * 1e-9, 12);
  });

  it('leave out what untimed visits of their callees take', async () => {
    // A visit of f takes 5 ns of its own, one of g, which f calls once, 40 ns.
    write(
      'a.1.kymo',
      result([
        node(0, 0, 1, 900_000),
        node(1, 1, 100, 100 * (5 + 10 + 40) + 10 * 10),
        node(2, 2, 10, 10 * 50),
        node(2, untimed + 2, 90, 0),
        node(1, untimed + 1, 1500, 0),
        node(1, 2, 90, 90 * 50),
        node(1, untimed + 2, 1410, 0),
      ]),
    );
    const everySixteenth = { interval: 16, kind: 'probe' as const };
    const { profile } = await merge([undefined, everySixteenth, everySixteenth, undefined]);
    const time = rows(profile, 'time');
    expect(time['my program/main()/f()/g<int>()']?.[0]).toBeCloseTo((500 + 90 * 40) * 1e-9, 12);
    expect(time['my program/main()/f()']?.[0]).toBeCloseTo((5600 + 1500 * 5) * 1e-9, 12);
    expect(time['my program/main()/g<int>()']?.[0]).toBeCloseTo((4500 + 1410 * 40) * 1e-9, 12);
  });

  it('are not thought to be as long as one that was interrupted', async () => {
    const long = 2_000_000;
    const nodes = [node(0, 0, 1, 3e6), node(1, 1, 101, 5000 + long, long), node(1, untimed + 1, 1500, 0)];
    write('a.1.kymo', { ...result([]), threads: [{ ticks: 4e6, nodes }] });
    const { profile } = await merge(samples);
    const f = rows(profile, 'time')['my program/main()/f()']?.[0];
    expect(f).toBeCloseTo((5000 + long + 1500 * 40) * 1e-9, 12);
  });

  it('are as long as the mean of those that were timed, of which a few may have most of the time', async () => {
    write(
      'a.1.kymo',
      result([node(0, 0, 1, 900_000), node(1, 1, 100, 5000 + 20_000, 20_000), node(1, untimed + 1, 1500, 0)]),
    );
    const { profile } = await merge(samples);
    const f = rows(profile, 'time')['my program/main()/f()']?.[0];
    expect(f).toBeCloseTo((25_000 + 1500 * 240) * 1e-9, 12);
  });

  it('never take more than their caller has', async () => {
    write('a.1.kymo', result([node(0, 0, 1, 9000), node(1, 1, 100, 5000), node(1, untimed + 1, 1500, 0)]));
    const { profile } = await merge(samples);
    expect(rows(profile, 'time')['my program/main()/f()']?.[0]).toBeCloseTo(9000e-9, 12);
  });

  it('take nothing of what their caller waited, and a wait in one of them is not multiplied', async () => {
    const waited = (parent: number, ticks: number) => node(parent, waitingSlot, 1, ticks);
    write('a.1.kymo', {
      ...result([
        node(0, 0, 1, 50_000),
        waited(1, 15_000),
        node(1, 1, 100, 25_000, 20_100),
        waited(3, 20_000),
        node(1, untimed + 1, 1500, 0),
      ]),
      cpuTime: 1,
    });
    const { profile } = await merge(samples);
    const f = 'my program/main()/f()';
    expect(rows(profile, 'waiting_time')[f]).toEqual([20_000e-9]);
    expect(rows(profile, 'time')[f]?.[0]).toBeCloseTo((25_000 + 50_000 - 25_000 - 15_000) * 1e-9, 12);
  });

  it('are no error when none of the function was timed', async () => {
    write('a.1.kymo', result([node(0, 0, 1, 9000), node(1, untimed + 1, 3, 0)]));
    const { profile } = await merge(samples);
    expect(rows(profile, 'time')['my program/main()/f()']).toEqual([0]);
    expect(rows(profile, 'visits')['my program/main()/f()']).toEqual([3]);
  });
});

describe('the processor’s counters', () => {
  const processor = ['instructions', 'cacheMisses'] as const;
  /** Children of a node: so many instructions, and a tenth as many cache misses. */
  const counted = (parent: number, instructions: number) =>
    processor.map((name) => ({
      parent,
      slot: firstCounterSlot + counterNames.indexOf(name),
      visits: 3,
      ticks: name === 'instructions' ? instructions : instructions / 10,
    }));
  const process = (
    pid: number,
    counters: TestResult['counters'],
    more: TestResult['threads'][number]['nodes'] = [],
  ) =>
    write(`a.${pid}.kymo`, {
      pid,
      cpuTime: 1,
      ...(counters && { counters }),
      threads: [{ ticks: 1000, nodes: [main, ...more] }],
    });

  it('are metrics of call paths, in numbers of events', async () => {
    process(1, { enabled: 5, running: 5 }, counted(1, 2000));
    const { profile, messages } = await merge();
    expect(rows(profile, 'instructions')['my program/main()']).toEqual([2000]);
    expect(rows(profile, 'cache_misses')['my program/main()']).toEqual([200]);
    expect(profile.metrics.filter(({ unit }) => unit === 'occ').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['instructions', 'cache_misses']),
    );
    expect(messages).toEqual([]);
    expect(refusedCounters(profile)).toBeUndefined();
  });

  it('that were refused are in the messages, and the profile knows why it has none', async () => {
    process(1, { error: 13, paranoid: 3 });
    process(2, { error: 13, paranoid: 3 });
    process(3, undefined);
    const { profile, messages } = await merge();
    expect(messages).toEqual([
      expect.stringMatching(/^2 of 2 processes: .*kernel\.perf_event_paranoid is 3/),
    ]);
    expect(refusedCounters(profile)).toBe(refusalWords({ error: 13, paranoid: 3 }));
  });

  it('that were refused, nobody can say at which level, are explained all the same', async () => {
    process(1, { error: 13, paranoid: -9 });
    const { profile } = await merge();
    expect(profile.attributes.get(refusedCountersAttribute)).toBe('13 ');
    expect(refusedCounters(profile)).toBe(refusalWords({ error: 13, paranoid: undefined }));
  });

  it('of other processes are there where one has none', async () => {
    process(1, { error: 2 });
    process(2, { enabled: 1000, running: 990 }, counted(1, 10));
    const { profile, messages } = await merge();
    expect(messages).toEqual([expect.stringMatching(/^1 of 2 processes: .*virtual machines/)]);
    expect(refusedCounters(profile)).toBeUndefined();
    expect(rows(profile, 'instructions')['my program/main()']).toEqual([0, 10]);
  });

  it('that were shared or lost are said', async () => {
    process(1, { enabled: 1000, running: 250 });
    process(2, { enabled: 1000, running: 500 });
    process(3, { enabled: 1000, running: 1000, lost: true });
    const { messages } = await merge();
    expect(messages).toEqual([
      expect.stringMatching(/^1 of 3 processes: .*could not be read in all threads/),
      expect.stringMatching(/^2 of 3 processes: .*counted in 25\.0 % of the time/),
    ]);
  });

  it('of visits that were not timed are taken from the caller, as many as it has, in whole numbers', async () => {
    const samples = [undefined, { interval: 16, kind: 'probe' as const }, undefined, undefined];
    const sampled = (inCaller: number) => [
      { parent: 1, slot: 1, visits: 10, ticks: 100 },
      { parent: 1, slot: untimed + 1, visits: 89, ticks: 0 },
      ...counted(2, 510),
      ...counted(1, inCaller),
    ];
    process(1, {}, sampled(5000));
    process(2, {}, sampled(3000));
    const { profile } = await merge(samples);
    // 51 instructions and 5.1 misses in a visit: 4539 and 453.9 in those that were not timed.
    expect(rows(profile, 'instructions')).toMatchObject({
      'my program/main()': [461, 0],
      'my program/main()/f()': [5049, 3510],
    });
    expect(rows(profile, 'cache_misses')['my program/main()/f()']).toEqual([504, 351]);
  });
});
