import { describe, expect, it } from 'vitest';
import { liveText } from '../../../../src/cli/terminal/liveText';

describe('a report of a run that is under way', () => {
  it('tells findings of one function apart by their ranks, and names its line', () => {
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
