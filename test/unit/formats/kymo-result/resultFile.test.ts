import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { parseResult } from '../../../../src/formats/kymo-result/resultFile';
import { rootSlot, waitingSlot } from '../../../../src/formats/kymo-result/slots';
import { buildResult, untimed } from './resultBuilder';

const small = buildResult({
  flags: 1 + 8,
  selectionId: '1122334455667788',
  pid: 42,
  ticksPerSecond: 2.5e9,
  rank: 3,
  ranks: 8,
  host: 'größe',
  threads: [
    {
      ticks: 1000,
      nodes: [
        { parent: 0, slot: 0, visits: 1, ticks: 900, events: 5 },
        { parent: 1, slot: 1, visits: 5, ticks: 500, minimum: 50, maximum: 200 },
      ],
    },
    { ticks: 10, nodes: [] },
  ],
});

describe('result file', () => {
  it('header and threads', () => {
    const result = parseResult(small, 'r');
    expect(result).toMatchObject({
      flags: { incomplete: true, depthLimitHit: false, outOfMemory: false, monotonicClock: true },
      selectionId: '1122334455667788',
      pid: 42,
      ticksPerSecond: 2.5e9,
      rank: 3,
      rankCount: 8,
      host: 'größe',
      mappedBytes: 1_048_576,
      nodeBytes: 4096,
      probeCost: { pairSeconds: 17e-9, spreadSeconds: 1e-9, insideSeconds: 8.5e-9, outsideSeconds: 8.5e-9 },
      entryCost: { pairSeconds: 34e-9 },
    });
    expect(result.threads.map((t) => t.parent.length)).toEqual([3, 1]);
    expect([...(result.threads[0]?.parent ?? [])]).toEqual([-1, 0, 1]);
    expect([...(result.threads[0]?.maximumTicks ?? [])]).toEqual([1000, 900, 200]);
  });

  it('regions that the source names, and how many iterations there were', () => {
    const regions = [
      { name: 'größe', kind: 'phase', file: 'src/a.c', line: 7 },
      { name: 'halo', kind: 'region' },
      { name: 'MPI_Send', kind: 'mpi' },
    ] as const;
    const bytes = buildResult({ regions, iterations: 1000, threads: [{ ticks: 10, nodes: [] }] });
    expect(parseResult(bytes, 'r')).toMatchObject({ iterations: 1000, regions });
    expect(parseResult(small, 'r')).toMatchObject({ iterations: 0, regions: [] });
    for (let length = 0; length < bytes.length; length++)
      expect(() => parseResult(bytes.subarray(0, length), 'r')).toThrow(KymoError);
  });

  it('counts of visits that were not timed, and what these cost', () => {
    const nodes = [
      { parent: 0, slot: 3, visits: 10, ticks: 100 },
      { parent: 0, slot: untimed + 3, visits: 630, ticks: 0 },
    ];
    const bytes = buildResult({ sampled: [2e-9, 1e-10, 24e-9, 10e-9], threads: [{ ticks: 1000, nodes }] });
    const { threads, probeCost, entryCost } = parseResult(bytes, 'r');
    expect([...(threads[0]?.slot ?? [])].slice(1)).toEqual([3, 3]);
    expect([...(threads[0]?.untimed ?? [])]).toEqual([0, 0, 1]);
    expect(probeCost.sampled).toEqual({
      countedSeconds: 2e-9,
      spreadSeconds: 1e-10,
      pairSeconds: 24e-9,
      insideSeconds: 10e-9,
    });
    expect(entryCost.sampled?.countedSeconds).toBe(4e-9);
    const uncalibrated = buildResult({ sampled: [0, 0, 0, 0], threads: [] });
    expect(parseResult(uncalibrated, 'r').probeCost.sampled).toBeUndefined();
  });

  it('cut off anywhere is an error with its place', () => {
    for (let length = 0; length < small.length; length++) {
      expect(() => parseResult(small.subarray(0, length), 'r')).toThrow(KymoError);
    }
    expect(() => parseResult(Buffer.concat([small, Buffer.alloc(1)]), 'r')).toThrow(/1 bytes too many/);
  });

  it.each<[string, (bytes: Buffer) => void, string]>([
    ['other magic', (b) => b.write('KYMORES9'), 'not a result'],
    ['no ticks', (b) => b.writeDoubleLE(0, 48), 'ticks per second'],
    ['ticks not a number', (b) => b.writeDoubleLE(NaN, 48), 'ticks per second'],
    ['a cost below zero', (b) => b.writeDoubleLE(-1, 56), 'calibrated cost'],
    ['billions of threads', (b) => b.writeUInt32LE(0xffffffff, 12), 'threads cannot fit'],
    ['billions of nodes', (b) => b.writeUInt32LE(0xffffffff, 196), 'cut off'],
    ['no root', (b) => b.writeUInt32LE(0, 196), 'without a root'],
    ['a child before its parent', (b) => b.writeUInt32LE(2, 192 + 24 + 48), 'precedes its parent'],
    ['a second root', (b) => b.writeUInt32LE(0xffffffff, 192 + 24 + 52), 'has slot'],
  ])('refuses: %s', (_, damage, message) => {
    const bytes = Buffer.from(small);
    damage(bytes);
    expect(() => parseResult(bytes, 'r')).toThrow(message);
  });

  it('changed bytes give a result or a KymoError', () => {
    fc.assert(
      fc.property(fc.nat(small.length - 1), fc.uint8Array({ maxLength: 16 }), (at, noise) => {
        const bytes = Buffer.from(small);
        Buffer.from(noise).copy(bytes, at);
        try {
          parseResult(bytes, 'r');
        } catch (error) {
          expect(error).toBeInstanceOf(KymoError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('version 4', () => {
  const nodes = [
    { parent: 0, slot: 0, visits: 1, ticks: 900, events: 1 },
    { parent: 1, slot: waitingSlot, visits: 3, ticks: 400 },
    { parent: 1, slot: 1, visits: 1, ticks: 300 },
    { parent: 0, slot: waitingSlot, visits: 1, ticks: 50 },
  ];
  const bytes = buildResult({
    regions: [],
    cpuTime: 5_000_000_000,
    threads: [{ ticks: 1000, nodes, preempted: 2_000_000_000, cpuTime: 4_000_000_000 }],
  });

  it('has waiting as a value of the node above, CPU times and pre-empted time', () => {
    const { cpuSeconds, threads } = parseResult(bytes, 'r');
    expect(cpuSeconds).toBe(5);
    expect(threads).toMatchObject([{ preemptedSeconds: 2, cpuSeconds: 4, lifetimeTicks: 1000 }]);
    expect([...(threads[0]?.parent ?? [])]).toEqual([-1, 0, 1]);
    expect([...(threads[0]?.slot ?? [])]).toEqual([rootSlot, 0, 1]);
    expect([...(threads[0]?.waitingTicks ?? [])]).toEqual([50, 400, 0]);
    expect(parseResult(small, 'r').cpuSeconds).toBeUndefined();
  });

  it('has what layers counted as values of the node above, also where several nodes count the same', () => {
    const counter = (parent: number, number: number, ticks: number) => ({
      parent,
      slot: 0xffff_ffe0 + number,
      visits: 1,
      ticks,
    });
    const call = { parent: 1, slot: 5, visits: 3, ticks: 30 };
    const counted = buildResult({
      regions: [],
      cpuTime: 1,
      threads: [
        {
          ticks: 99,
          nodes: [
            ...nodes.slice(0, 1),
            call,
            counter(2, 0, 8),
            counter(2, 0, 4),
            counter(2, 1, 7),
            counter(2, 15, 1),
          ],
        },
      ],
    });
    const [thread] = parseResult(counted, 'r').threads;
    expect([...(thread?.slot ?? [])]).toEqual([rootSlot, 0, 5]);
    expect(
      Object.fromEntries([...(thread?.counters ?? [])].map(([name, values]) => [name, [...values]])),
    ).toEqual({
      bytesSent: [0, 0, 12],
      bytesReceived: [0, 0, 7],
    });
  });

  it('refuses what hangs below waiting, and what is cut off', () => {
    const [main, wait, f] = nodes;
    if (main === undefined || wait === undefined || f === undefined) throw new Error('no nodes');
    const wrong = {
      regions: [],
      cpuTime: 1,
      threads: [{ ticks: 9, nodes: [main, wait, { ...f, parent: 2 }] }],
    };
    expect(() => parseResult(buildResult(wrong), 'r')).toThrow(/below a quantity/);
    for (let length = 0; length < bytes.length; length++)
      expect(() => parseResult(bytes.subarray(0, length), 'r')).toThrow(KymoError);
  });
});
