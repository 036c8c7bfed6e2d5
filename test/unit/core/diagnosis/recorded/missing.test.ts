import { describe, expect, test } from 'vitest';
import { kymoAttributes } from '../../../../../src/core/profile/measuredBy';
import type { Profile } from '../../../../../src/core/profile/profile';
import { runOf } from '../../problems/runs';
import { at, nodeAt, runsOf, searched, valuesOf, withMetric } from './searched';

const two = runOf(
  {
    region: { name: 'main', firstLine: 1 },
    seconds: [2, 1],
    calls: [
      { region: { name: 'MPI_Recv', paradigm: 'mpi', role: 'point2point', file: 'MPI' }, seconds: [1, 5] },
    ],
  },
  2,
);
const withAttributes = (profile: Profile, ...attributes: (readonly [string, string])[]): Profile => ({
  ...profile,
  attributes: new Map([...profile.attributes, ...attributes]),
});
const byKymo = (profile: Profile): Profile => withAttributes(profile, kymoAttributes.creator);
const missing = (profile: Profile, metric: string): string | undefined => valuesOf(profile).missing(metric);
const notes = (profile: Profile): string =>
  searched(runsOf(profile))
    .notices.map(({ message }) => message)
    .join('\n');

describe('what Kymo’s own profiles do not show', () => {
  test('is not to be measured with Kymo’s own back-end once more', () => {
    const threads = runOf({ region: { name: 'main' }, seconds: [2, 1] }, 1, 2);
    for (const profile of [two, threads]) {
      expect(
        notes(profile) +
          searched(runsOf(profile))
            .nodes.map(({ problem }) => problem)
            .join('\n'),
      ).toContain('Kymo’s own back-end');
      const own = byKymo(profile);
      expect(
        notes(own) +
          searched(runsOf(own))
            .nodes.map(({ problem }) => problem)
            .join('\n'),
      ).not.toContain('back-end');
    }
  });

  test('is named with its setting, or with what the program has to do', () => {
    expect(missing(byKymo(two), 'lateSender')).toBe(
      'The profile has calls of MPI, but not how long they waited for others: Kymo finds that at MPI_Finalize, which the program has to reach.',
    );
    expect(missing(byKymo(two), 'inputOutput')).toMatch(
      /^The profile shows no input and output: set "io": true/,
    );
    const threads = byKymo(runOf({ region: { name: 'main' }, seconds: [2, 1] }, 1, 2));
    expect(missing(threads, 'lockWaiting')).toContain('set "pthreads": true in kymo.json');
  });

  test('a kind of waiting in MPI that there was none of is false, because Kymo looks for all', () => {
    const waited = withMetric(two, 'mpi_wait_nxn', { MPI_Recv: [0.5, 4] });
    expect(missing(waited, 'lateSender')).toBe('The profile has waiting in MPI, but none of this kind.');
    const values = valuesOf(byKymo(waited));
    expect(values.answer('lateSender', at({}))).toEqual({ value: 0 });
    expect(values.answer('lateReceiver', at({ SyncObject: ['Message', 'MPI_Recv'] }))).toEqual({ value: 0 });
    expect(nodeAt(searched(runsOf(byKymo(waited))), 'LateSender')).toMatchObject({
      truth: 'false',
      value: 0,
    });
  });

  test('input and output that was recorded, and that the program does not make, is false', () => {
    const recorded = withAttributes(byKymo(two), kymoAttributes.io);
    expect(nodeAt(searched(runsOf(two)), 'ExcessiveIOBlockingTime')?.problem).toMatch(
      /^The profile shows no input/,
    );
    const search = searched(runsOf(recorded));
    expect(nodeAt(search, 'ExcessiveIOBlockingTime')).toMatchObject({ truth: 'false', value: 0 });
    expect(notes(recorded)).not.toContain('TooManySmallIOOps');
  });
});
