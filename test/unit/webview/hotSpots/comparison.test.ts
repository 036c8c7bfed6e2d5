import { describe, expect, it } from 'vitest';
import {
  comparisonText,
  shownBaseText,
  type ComparedProfiles,
} from '../../../../webview/hotSpots/data/comparison';

const time = { name: 'time', displayName: 'Time', unit: 'sec' };
const visits = { name: 'visits', displayName: 'Visits', unit: 'occ' };
const compared = (more: Partial<ComparedProfiles> = {}): string =>
  comparisonText({
    main: { target: 'heat', metrics: [visits, time] },
    compare: { target: 'heat', title: 'heat · iteration 1 · run 1', metrics: [visits, time] },
    callPaths: 40,
    inBoth: 40,
    metric: 1,
    ...more,
  });

describe('what is said of the times', () => {
  const base = { run: 'i3.r1', clock: 'cpu' as const, seconds: 2, leftOut: [] };
  const main = { base, metrics: [visits, time] };
  it('is what shares are of, for the time that they are of', () => {
    expect(shownBaseText(main, undefined, 1)).toBe('Shares of 2 s computing time in run i3.r1.');
    expect(shownBaseText(main, { base: { ...base, run: 'i1.r1', seconds: 4 } }, 1)).toBe(
      'Shares of 2 s computing time in run i3.r1; compared with 4 s computing time in run i1.r1.',
    );
    expect(shownBaseText(main, undefined, 0)).toBeUndefined();
    expect(shownBaseText({ metrics: [visits, time] }, undefined, 1)).toBeUndefined();
  });
});

describe('what is said of a comparison', () => {
  it('names the other run, and how much of the two is in both', () => {
    expect(compared()).toBe('Compared with heat · iteration 1 · run 1. Both have the same call paths.');
    expect(compared({ inBoth: 12 })).toContain('12 of 40 call paths are in both.');
    expect(compared({ inBoth: 0 })).toContain('No call path is in both');
  });

  it('names the processes that are compared', () => {
    const chosen = { processes: [2, 4], text: 'Ranks 2–4', of: 8 };
    const main = { target: 'heat', metrics: [time], chosen };
    const other = { target: 'heat', title: 'run 1', metrics: [time] };
    expect(compared({ main, compare: { ...other, chosen } })).toMatch(
      /^Compared with run 1, Ranks 2–4 of it\./,
    );
    expect(compared({ main, compare: other })).toMatch(/^Compared with run 1, all processes of it\./);
  });

  it('says that it is another program, where that is known', () => {
    const other = { target: 'nbody', title: 'nbody', metrics: [time] };
    expect(compared({ compare: other })).toContain('It is another program');
    expect(compared({ compare: { title: 'a.cubex', metrics: [time] } })).not.toContain('another program');
  });

  it('says that there is nothing to compare when the other one lacks the metric', () => {
    expect(compared({ compare: { title: 'x', metrics: [visits] } })).toContain('has no metric Time');
  });
});
