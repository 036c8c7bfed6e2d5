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
});
