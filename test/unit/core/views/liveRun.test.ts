import { describe, expect, it } from 'vitest';
import { liveWords, processState, type LiveRun } from '../../../../src/core/views/liveRun';

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

  it('says of a process what is unusual', () => {
    expect(processState(watched)).toBe('');
    expect(processState({ ...watched, isSuspended: true })).toBe('suspended');
    expect(processState({ ...watched, isSuspended: true, isWatched: false })).toBe('no longer watched');
  });
});
