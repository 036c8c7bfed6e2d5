import { describe, expect, it } from 'vitest';
import { findProperties } from '../../../../src/core/problems/findProperties';
import { waitingTimeMetric } from '../../../../src/core/profile/metrics';
import type { Profile } from '../../../../src/core/profile/profile';
import type { Property } from '../../../../src/core/properties/property';
import { runOf, type Call } from './runs';

const main = { name: 'main', firstLine: 1 };
const work = { name: 'work', firstLine: 10 };
const other = { name: 'other', firstLine: 20 };
const region = { name: 'parallel', firstLine: 30 };
const pool = { name: 'THREADS', paradigm: 'measurement', role: 'artificial', file: '' };

function aloneIn(profile: Profile): Property | undefined {
  return findProperties({ profile }).find(({ id }) => id === 'imbalance:one-thread');
}

/** Below `main`, where only the first of three threads computes, a region in which each computes a second. */
function program(seconds: number, ...calls: readonly Call[]): Call {
  const parallel: Call = { region, seconds: [1, 1, 1], calls };
  return { region: main, seconds: [seconds, 0, 0], calls: [parallel] };
}

describe('what one thread of a team computes alone', () => {
  const mineAndTheirs = (mine: number, theirs: readonly number[]): Call => ({
    ...program(5, { region: work, seconds: [0, ...theirs] }),
    calls: [
      { region, seconds: [1, 1, 1], calls: [{ region: work, seconds: [0, ...theirs] }] },
      { region: work, seconds: [mine, 0, 0] },
    ],
  });
  it.each<[string, Call, number | undefined]>([
    ['is what no other executes', program(5), 5],
    ['is the work of any thread', { ...program(5), seconds: [0, 0, 5] }, 5],
    ['is the sum of its functions', program(5, { region: other, seconds: [2, 0, 0] }), 7],
    ['may be the rest of a function in which others take a tenth', mineAndTheirs(5, [0.25, 0.25]), 9.5],
    // 5 s, less the second by which the busiest of the others takes longer.
    ['may be less because others do the same elsewhere', mineAndTheirs(5, [6, 0]), 4],
    ['is not more where others do the same for shorter', mineAndTheirs(5, [3, 2]), 5],
    ['is less by all that others may do meanwhile', mineAndTheirs(1, [3, 2.5]), 5 - 2 - 1.5],
    ['is less by what one does meanwhile', mineAndTheirs(1, [3, 0.5]), 5 - 2],
    ['is less than half of what another does in a function', mineAndTheirs(2, [4, 3]), 5 - 2],
    ['may be nothing', mineAndTheirs(1, [4, 4]), undefined],
    ['is less by what the others do in no function', program(5, { region: pool, seconds: [9, 1, 0.5] }), 3.5],
  ])('%s', (_, root, seconds) => {
    expect(aloneIn(runOf(root, 1, 3))?.evidence.oneThreadSeconds ?? undefined).toEqual(
      seconds === undefined ? undefined : expect.closeTo(seconds, 9),
    );
  });

  it('is told of the team where it is most, as a share of the time of the busiest location', () => {
    const root: Call = {
      region: main,
      seconds: [2, 0, 0, 5],
      calls: [{ region, seconds: [1, 1, 1, 1] }],
    };
    // The other thread of rank 1 loses half of the 5 s; its busiest thread takes 6 s.
    expect(aloneIn(runOf(root, 2, 2))).toMatchObject({
      title:
        'Only one of 2 threads is at work (this profile does not know who waits) for at least 83.3 % of the run time',
      severity: expect.closeTo(2.5 / 6, 12) as number,
      confidence: 1,
      ranks: '1',
      evidence: { oneThreadSeconds: 5, oneThreadShare: 5 / 6, threads: 2, thresholdShare: 0.05 },
    });
  });

  it('is less by the time of threads without a recorded function', () => {
    const profile = runOf(program(5), 1, 3);
    const withSeconds = (all: string, recorded: string): Profile => ({
      ...profile,
      attributes: new Map([
        ...profile.attributes,
        ['kymo::cpuSeconds', all],
        ['kymo::recordedCpuSeconds', recorded],
      ]),
    });
    expect(aloneIn(withSeconds('10', '8'))?.evidence.oneThreadSeconds).toBe(3);
    expect(aloneIn(withSeconds('8', '10'))?.evidence.oneThreadSeconds).toBe(5);
    expect(aloneIn(withSeconds('14', '8'))).toBeUndefined();
    const onlyAll = new Map([...profile.attributes, ['kymo::cpuSeconds', '1']]);
    expect(aloneIn({ ...profile, attributes: onlyAll })?.evidence.oneThreadSeconds).toBe(4);
  });

  it('is computing where the profile has waiting times', () => {
    const profile = runOf(program(5), 1, 3);
    expect(aloneIn({ ...profile, metrics: [...profile.metrics, waitingTimeMetric] })?.title).toBe(
      'Only one of 3 threads computes for at least 83.3 % of the run time',
    );
  });
});
