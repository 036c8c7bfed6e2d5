import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveRun } from '../../../../src/core/views/liveRun';
import { readLive, readWish, writeLive, writeWish } from '../../../../src/workflows/studies/liveFile';

let folder = '';
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'kymo-live-file-')), '.kymo');
  mkdirSync(folder);
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

const live: LiveRun = {
  kymoLive: 1,
  target: 'heat',
  study: 'measure-1',
  startedAt: '2026-11-28T10:00:00.000Z',
  seconds: 12,
  pid: process.pid,
  host: hostname(),
  state: 'running',
  processes: [],
  cpuSeconds: 20,
  recordingSeconds: 0.5,
  iterations: { phase: 'step', count: 4, written: 3 },
  profileSeconds: 11,
  network: {
    nodes: [
      { rank: 0, role: 'front end', host: 'login', state: 'up', pid: 7, cpu: 0.01, messagesPerSecond: 40 },
      { rank: 1, parent: 0, role: 'agent', host: 'node1', state: 'lost' },
    ],
    failures: ['The agent on node1 was lost.'],
  },
};

describe('live.json', () => {
  it('is read as it was written', async () => {
    await writeLive(folder, live);
    expect(await readLive(folder)).toEqual(live);
    await writeWish(folder, { suspend: true });
    expect(await readWish(folder)).toEqual({ suspend: true });
  });

  it('of a reduced run is read as it was written', async () => {
    const counts = { leastIterations: 8, mostIterations: 9, suspended: 0, ended: 0 };
    const clusters = [{ ranks: '0-62', processes: 63, threads: 63, cpuSeconds: 20, ...counts }];
    const slowest = { rank: 7, iterations: 3, of: 4, ratio: 1.5 };
    const reduced = { ...live, clusters, iterations: { phase: 'step', count: 4, written: 3, slowest } };
    await writeLive(folder, reduced);
    expect(await readLive(folder)).toEqual(reduced);
    await writeLive(folder, { ...reduced, clusters: [{ ...counts, ranks: '0-62' }] as never });
    expect(await readLive(folder)).toBeUndefined();
  });

  it('is none when its writer is gone, and stays one when that is on another host', async () => {
    await writeLive(folder, { ...live, pid: 2 ** 22 + 1 });
    expect(await readLive(folder)).toBeUndefined();
    await writeLive(folder, { ...live, pid: 2 ** 22 + 1, host: 'elsewhere' });
    expect(await readLive(folder)).toBeDefined();
  });

  it.each([
    ['no JSON', '{'],
    ['another version', JSON.stringify({ ...live, kymoLive: 2 })],
    ['a time that is a text', JSON.stringify({ ...live, seconds: '12' })],
    ['an unknown state', JSON.stringify({ ...live, state: 'flying' })],
    ['a process of nothing', JSON.stringify({ ...live, processes: [{}] })],
    [
      'an unknown role',
      JSON.stringify({ ...live, network: { nodes: [{ rank: 0, role: 'x' }], failures: [] } }),
    ],
    ['a negative count', JSON.stringify({ ...live, iterations: { phase: 'step', count: -1, written: 0 } })],
    ['an endless name', JSON.stringify({ ...live, target: 'x'.repeat(10_000) })],
  ])('with %s is none', async (_, text) => {
    writeFileSync(path.join(folder, 'live.json'), text);
    expect(await readLive(folder)).toBeUndefined();
  });

  it('that is a link is none, and a wish is never written through one', async () => {
    const outside = path.join(path.dirname(folder), 'outside.json');
    writeFileSync(outside, JSON.stringify(live));
    symlinkSync(outside, path.join(folder, 'live.json'));
    symlinkSync(outside, path.join(folder, 'live-wish.json'));
    expect(await readLive(folder)).toBeUndefined();
    await expect(writeWish(folder, { suspend: true })).rejects.toThrow(/symbolic link/);
  });
});
