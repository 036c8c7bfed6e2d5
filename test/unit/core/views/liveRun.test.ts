import { describe, expect, it } from 'vitest';
import {
  clusterWords,
  liveWords,
  networkCount,
  processState,
  withArrived,
  type LiveRun,
} from '../../../../src/core/views/liveRun';

const own = { pid: 1, host: 'n1', rank: 0, threads: 2, cpuSeconds: 20, iterations: 9 };
const watched = { ...own, isSuspended: false, isWatched: true };
const live: LiveRun = {
  kymoLive: 1,
  target: 'heat',
  study: 'measure-1',
  startedAt: '2026-11-28T10:00:00.000Z',
  seconds: 12,
  pid: 7,
  host: 'n1',
  state: 'running',
  processes: [watched],
  cpuSeconds: 20,
  recordingSeconds: 0.5,
  profileSeconds: 11,
};

describe('the processes of a run that is under way', () => {
  it('have no fewer iterations than all have, unless they have none', () => {
    const processes = [9, 1205, 1300, 0].map((iterations) => ({ ...watched, iterations }));
    const all = { phase: 'step', count: 1266, written: 1200 };
    expect(withArrived(processes, all).map(({ iterations }) => iterations)).toEqual([1266, 1266, 1300, 0]);
    expect(withArrived(processes, undefined)).toEqual(processes);
  });
});

describe('a run that is under way in words', () => {
  it('has its times, with what recording takes of them', () => {
    expect(liveWords(live)).toEqual({
      times:
        'heat has been running for 12 s: 1 process, 20 s of CPU time, 2.5 % of it for recording (by visits and the calibrated cost of each).',
      iterations: 'No iterations so far.',
    });
    const several = { ...live, state: 'suspended' as const, processes: [watched, watched], cpuSeconds: 0 };
    expect(liveWords(several).times).toMatch(/^heat is suspended after 12 s: 2 processes, .* 0 % of it/);
  });

  it('has its iterations, and how long one takes at the moment, if any came', () => {
    const iterations = { phase: 'step', count: 1250, written: 1200 };
    expect(liveWords({ ...live, iterations }).iterations).toBe('1250 iterations of step.');
    expect(liveWords({ ...live, iterations: { ...iterations, seconds: 0.004 } }).iterations).toBe(
      '1250 iterations of step, 4 ms each by the wall clock at the moment.',
    );
  });

  it('says of a reduced run what is a sum, and over how many', () => {
    const counts = { threads: 126, leastIterations: 8, mostIterations: 9, suspended: 0, ended: 0 };
    const cluster = { ...counts, ranks: '0-62', processes: 63, cpuSeconds: 40 };
    const rank = { ...counts, ranks: '63', processes: 1, threads: 1, cpuSeconds: 20, leastIterations: 9 };
    const reduced = { ...live, processes: [], clusters: [cluster, { ...rank, suspended: 1, ended: 1 }] };
    expect(liveWords(reduced).times).toMatch(
      /: 64 processes, reduced to sums over 2 groups that do alike, 20 s/,
    );
    expect(liveWords({ ...reduced, clusters: [cluster] }).times).toMatch(
      /63 processes, reduced to sums over all of them/,
    );
    expect(clusterWords(cluster)).toEqual({
      title: 'ranks 0-62: sum of 63 processes',
      done: ['126 threads', '40 s of CPU time', '8 to 9 iterations each'],
      state: [],
    });
    expect(clusterWords(reduced.clusters[1] ?? cluster)).toEqual({
      title: 'rank 63: 1 process',
      done: ['1 thread', '20 s of CPU time', '9 iterations'],
      state: ['1 no longer watched', '1 suspended'],
    });
  });

  it('says how many processes watch it, and how many of them are listed', () => {
    const node = { rank: 0, role: 'front end', host: 'n', state: 'up' } as const;
    expect(networkCount({ nodes: [node, node], failures: [] })).toBe('2 processes');
    expect(networkCount({ nodes: [node, node], notListed: 1024, failures: [] })).toBe(
      '1026 processes, 2 of them here',
    );
    expect(networkCount(undefined)).toBe('0 processes');
  });

  it('names the process that is late nearly always, and no other', () => {
    const words = (slowest: NonNullable<LiveRun['iterations']>['slowest'] & {}): string =>
      liveWords({ ...live, iterations: { phase: 'step', count: 90, written: 90, slowest } }).iterations;
    expect(words({ rank: 7, iterations: 80, of: 90, ratio: 1.5 })).toBe(
      '90 iterations of step. Rank 7 computed longest in 80 of the last 90, 1.50 times the mean.',
    );
    expect(words({ rank: 7, iterations: 60, of: 90, ratio: 1.5 })).toBe('90 iterations of step.');
    expect(words({ rank: 7, iterations: 90, of: 90, ratio: 1.01 })).toBe('90 iterations of step.');
  });

  it('says of a process what is unusual', () => {
    expect(processState(watched)).toBe('');
    expect(processState({ ...watched, isSuspended: true })).toBe('suspended');
    expect(processState({ ...watched, isSuspended: true, isWatched: false })).toBe('no longer watched');
  });
});
