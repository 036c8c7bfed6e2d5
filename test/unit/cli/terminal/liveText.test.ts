import { describe, expect, it } from 'vitest';
import { liveText } from '../../../../src/cli/terminal/liveText';

const live = {
  kymoLive: 1,
  target: 'tide',
  study: 's',
  startedAt: '2026-11-29T08:00:00.000Z',
  seconds: 9,
  pid: 1,
  host: 'n1',
  state: 'running',
  processes: [],
  cpuSeconds: 8,
  recordingSeconds: 0,
  profileSeconds: 0,
} as const;

describe('a report of a run that is under way', () => {
  it('says what watchers switched, and of which part of the run numbers are; names do nothing to the terminal', () => {
    const none = { count: 0, names: [] };
    const recorded = { count: 5, names: ['a\u001b[31m', 'b', 'c', 'd'] };
    const changes = [
      {
        wish: '1',
        seconds: 3,
        recorded,
        leftOut: { count: 1, names: ['e'] },
        problems: ['Process 7 records as before.'],
      },
      { wish: '2', seconds: 4, recorded: none, leftOut: none, problems: [] },
    ];
    const recordedPart = { from: 3, to: 9, seconds: 6, stretches: 1, ofSeconds: 9 };
    const rows = [
      { name: 'b', visits: 3, recordedPart },
      { name: 'main', visits: 1 },
    ];
    const base = { run: 'i0.r1 so far', clock: 'cpu', seconds: 9, leftOut: [], partlyRecorded: 1 };
    const run = {
      folder: '/w/.kymo',
      live: { ...live, recording: { functions: 6, changes } },
      functions: { base, rows },
    };
    const lines = liveText(run as never, '/w').split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'At 3 s: a\ufffd[31m, b, c and 2 more recorded from then on; e left out from then on. Process 7 records as before.',
        'At 4 s: nothing to switch.',
        'b was recorded from 3 s on, for 66.7 % of the run.',
      ]),
    );
    expect(lines.filter((line) => line.startsWith('main was'))).toEqual([]);
  });

  it('tells findings of one function apart by their ranks, and names its line', () => {
    const region = { name: 'flux', file: '/w/src/tide.c', line: 20 };
    const finding = {
      id: 'x',
      kind: 'hot-spot',
      title: 'Time of flux',
      severity: 0.4,
      confidence: 1,
      region,
      evidence: {},
    } as const;
    const properties = [
      { ...finding, ranks: '0' },
      { ...finding, ranks: '1', severity: 0.2 },
    ];
    const run = { folder: '/w/.kymo', live, dynamics: { iterations: 100, properties } };
    expect(
      liveText(run as never, '/w')
        .split('\n')
        .filter((line) => line.includes('flux')),
    ).toEqual([
      '  40.0 %  Time of flux · rank 0 · src/tide.c:20',
      '  20.0 %  Time of flux · rank 1 · src/tide.c:20',
    ]);
  });

  it('has a line for each group of a reduced run, and says that findings of its iterations are of all', () => {
    const counts = { threads: 9, leastIterations: 5, mostIterations: 7, suspended: 0, ended: 0 };
    const clusters = [
      { ...counts, ranks: '0-6', processes: 7, cpuSeconds: 30 },
      {
        ...counts,
        ranks: Array.from({ length: 99 }, (_, i) => 2 * i + 9).join(','),
        processes: 99,
        cpuSeconds: 8,
      },
    ];
    const found = {
      id: 'x',
      kind: 'hot-spot',
      title: 'Time of flux',
      confidence: 1,
      evidence: {},
      ranks: '0',
    };
    const run = {
      folder: '/w/.kymo',
      live: { ...live, clusters },
      dynamics: { iterations: 100, properties: [found] },
    };
    const lines = liveText(run as never, '/w').split('\n');
    expect(lines[0]).toMatch(/106 processes, reduced to sums over 2 groups that do alike/);
    expect(lines[1]).toBe(
      '  ranks 0-6: sum of 7 processes · 9 threads · 30 s of CPU time · 5 to 7 iterations each',
    );
    expect(lines[2]).toMatch(/^ {2}ranks 9,11,.*…: sum of 99 processes · /);
    expect(lines).toContain('  Time of flux · sum of all processes');
  });
});
