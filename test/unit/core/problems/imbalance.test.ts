import { describe, expect, it } from 'vitest';
import { findProperties } from '../../../../src/core/problems/findProperties';
import { summedAttribute } from '../../../../src/core/profile/summed';
import type { Property } from '../../../../src/core/properties/property';
import { runOf, type Call } from './runs';

const main = { name: 'main', firstLine: 1 };
const work = { name: 'work', firstLine: 10 };
const other = { name: 'other', firstLine: 20 };

/** The profile shows MPI, in which nobody waits. */
function withMpi(root: Call): Call {
  const barrier = { name: 'MPI_Barrier', paradigm: 'mpi', role: 'barrier', file: 'MPI' };
  const none = root.seconds.map(() => 0);
  return { ...root, calls: [...(root.calls ?? []), { region: barrier, seconds: none }] };
}

function uneven(root: Call, ranks: number, threads = 1): readonly Property[] {
  return findProperties({ profile: runOf(withMpi(root), ranks, threads) }).filter(
    ({ id }) => id.startsWith('imbalance:') && id !== 'imbalance:one-thread',
  );
}

const titles = (properties: readonly Property[]): readonly string[] => properties.map(({ title }) => title);

describe('work that is distributed unevenly', () => {
  it('is not looked for between locations that are sums over several processes', () => {
    const root: Call = { region: main, seconds: [1, 63], calls: [{ region: work, seconds: [2, 130] }] };
    const profile = runOf(withMpi(root), 2);
    const between = (attributes: ReadonlyMap<string, string>): readonly Property[] =>
      findProperties({ profile: { ...profile, attributes } }).filter(({ ranks }) => ranks !== undefined);
    expect(between(new Map())).not.toEqual([]);
    expect(between(new Map([[summedAttribute, '64']]))).toEqual([]);
  });

  it('between ranks: the whole finding, of several late ranks', () => {
    const root: Call = {
      region: main,
      seconds: [1, 1, 1, 1],
      calls: [{ region: work, seconds: [2, 6, 2, 7] }],
    };
    // Work: 2, 6, 2, 7, of which the mean is 4.25; with 1 s of main 3, 7, 3, 8 and 5.25. The longest rank takes 8 s.
    const base = { run: 'profile', clock: 'wall', seconds: 21, leftOut: [] };
    const origin = { run: 'profile', analysis: 'profile' };
    expect(uneven(root, 4)).toEqual([
      {
        id: 'imbalance:ranks',
        kind: 'imbalance',
        title:
          'Work of the whole run is unbalanced over ranks: ranks 1,3 compute up to 52.4 % longer than the average (costs 34.4 % of the run time of the slowest rank)',
        severity: 2.75 / 8,
        confidence: 1,
        ranks: '1,3',
        evidence: {
          maximumSeconds: 8,
          meanSeconds: 5.25,
          minimumSeconds: 3,
          lostSeconds: 2.75,
          imbalanceRatio: 2.75 / 8,
          ranks: 4,
          lateRanks: 2,
          thresholdRatio: 0.1,
          thresholdShare: 0.02,
        },
        base: { ...base, processes: 'the slowest rank', seconds: 8 },
        origin,
      },
      {
        id: 'imbalance:ranks:work@/src/a.c:10',
        kind: 'imbalance',
        title:
          'work is unbalanced over ranks: ranks 1,3 need up to 64.7 % more than the average (costs 34.4 % of the run time of the slowest rank)',
        severity: 2.75 / 8,
        confidence: 1,
        region: { name: 'work', file: '/src/a.c', line: 10 },
        ranks: '1,3',
        evidence: {
          maximumSeconds: 7,
          meanSeconds: 4.25,
          minimumSeconds: 2,
          lostSeconds: 2.75,
          imbalanceRatio: 2.75 / 7,
          ranks: 4,
          lateRanks: 2,
          thresholdRatio: 0.1,
          thresholdShare: 0.02,
        },
        base: { ...base, processes: 'the slowest rank', seconds: 8 },
        refines: 'imbalance:ranks',
        origin,
      },
    ]);
  });

  it('of a function may be made even by another one', () => {
    const root: Call = {
      region: main,
      seconds: [0.5, 0.5],
      calls: [
        { region: work, seconds: [3, 1] },
        { region: other, seconds: [1, 3] },
      ],
    };
    const found = uneven(root, 2);
    expect(found.map(({ id, refines, ranks }) => [id, refines, ranks])).toEqual([
      ['imbalance:ranks:other@/src/a.c:20', undefined, '1'],
      ['imbalance:ranks:work@/src/a.c:10', undefined, '0'],
    ]);
  });

  it.each<[string, readonly number[], string]>([
    ['nine tenths', [9, 0.25, 0.25, 0.5], 'work is done nearly alone by rank 0 (of 4 ranks)'],
    ['less', [8, 0.5, 0.5, 1], 'work is unbalanced over ranks: rank 0 needs 220 % more than the average'],
    ['two of them', [5, 5, 0.5, 0.5], 'work is done nearly alone by ranks 0-1 (of 4 ranks)'],
  ])('is done nearly alone by those that do %s of it', (_, seconds, title) => {
    const found = uneven({ region: main, seconds: [1, 1, 1, 1], calls: [{ region: work, seconds }] }, 4);
    const own = found.find(({ id }) => id.endsWith(':work@/src/a.c:10'));
    expect(own?.title.replace(/ \(costs .*/, '')).toBe(title);
  });

  it('counts as late from the middle between the mean and the slowest', () => {
    // Mean 4, slowest 8: late is more than 6.
    const root: Call = { region: work, seconds: [1, 6, 1, 8] };
    expect(uneven(root, 4)[0]?.ranks).toBe('3');
  });

  it('needs a tenth of the slowest member, and two hundredths of the run', () => {
    expect(uneven({ region: work, seconds: [1, 1.25] }, 2)).toEqual([]);
    expect(titles(uneven({ region: work, seconds: [1, 1.3] }, 2))).toHaveLength(2);
    const small: Call = { region: main, seconds: [10, 10], calls: [{ region: work, seconds: [0, 0.4] }] };
    expect(uneven(small, 2)).toEqual([]);
  });

  it('between the threads of the rank that loses most', () => {
    const parallel = { name: 'parallel', firstLine: 30 };
    const root: Call = {
      region: main,
      seconds: [1, 0, 1, 0, 1, 0],
      calls: [{ region: parallel, seconds: [1, 1.25, 1, 3, 1, 2] }],
    };
    const found = uneven(root, 3, 2).filter(({ id }) => id.startsWith('imbalance:threads'));
    // Rank 1: 1 and 3, mean 2, of a run whose longest thread takes 3 s.
    expect(found.map(({ id, title, ranks, severity }) => ({ id, title, ranks, severity }))).toEqual([
      {
        id: 'imbalance:threads',
        title:
          'Work of the whole run is unbalanced over threads: thread 1 of rank 1 computes 50.0 % longer than the average (costs 33.3 % of the run time of the slowest thread)',
        ranks: '1',
        severity: 1 / 3,
      },
      {
        id: 'imbalance:threads:parallel@/src/a.c:30',
        title:
          'parallel is unbalanced over threads: thread 1 of rank 1 needs 50.0 % more than the average (costs 33.3 % of the run time of the slowest thread)',
        ranks: '1',
        severity: 1 / 3,
      },
    ]);
    expect(found[0]?.evidence).toEqual({
      maximumSeconds: 3,
      meanSeconds: 2,
      minimumSeconds: 1,
      lostSeconds: 1,
      imbalanceRatio: 1 / 3,
      threads: 2,
      lateThreads: 1,
      thresholdRatio: 0.1,
      thresholdShare: 0.02,
    });
  });

  it('between threads is not hidden by a rank whose threads share nothing', () => {
    const parallel = { name: 'parallel', firstLine: 30 };
    const root: Call = {
      region: main,
      seconds: [0.5, 0, 0.5, 0],
      calls: [{ region: parallel, seconds: [0, 0, 0.2, 0.8] }],
    };
    expect(uneven(root, 2, 2).find(({ id }) => id === 'imbalance:threads')?.ranks).toBe('1');
  });

  it('between the threads of rank 0 does not name the rank', () => {
    const parallel = { name: 'parallel', firstLine: 30 };
    const root: Call = {
      region: main,
      seconds: [1, 0, 0],
      calls: [{ region: parallel, seconds: [1, 3, 3] }],
    };
    expect(titles(uneven(root, 1, 3))[0]).toMatch(
      /^Work of the whole run is unbalanced over threads: threads 1-2 compute up to 28\.6 % /,
    );
  });

  it('is nothing on one rank with one thread', () => {
    expect(uneven({ region: work, seconds: [3] }, 1)).toEqual([]);
  });
});
