import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findProperties } from '../../../../src/core/problems/findProperties';
import { rankSet } from '../../../../src/core/properties/rankSet';
import type { Property } from '../../../../src/core/properties/property';
import type { Profile } from '../../../../src/core/profile/profile';
import { exclusivePerLocation } from '../../../../src/core/profile/values';
import { readCube } from '../../../../src/formats/cube4/read';
import { sharedData } from '../../../shared';
import { fn, graphOf } from '../selection/graphs';
import { runOf, type Call } from './runs';

const main = { name: 'main', firstLine: 1 };
const compute = { name: 'compute', firstLine: 10 };
const exchange = { name: 'exchange', firstLine: 20 };
const mpi = (name: string, role: string): Call['region'] => ({ name, paradigm: 'mpi', role, file: 'MPI' });

/** Rank 2 of 4 is slow; the others wait for it in what `exchange` calls. */
function slowRank(shown: boolean): Profile {
  const waiting = [3, 3, 0, 3];
  const exchanging: Call = shown
    ? {
        region: exchange,
        seconds: [0.1, 0.1, 0.1, 0.1],
        calls: [
          { region: mpi('MPI_Recv', 'point2point'), seconds: waiting },
          { region: mpi('MPI_Send', 'point2point'), seconds: [0.1, 0.1, 0.1, 0.1] },
        ],
      }
    : { region: exchange, seconds: waiting.map((seconds) => seconds + 0.2) };
  const calls: Call[] = [{ region: compute, seconds: [2, 2, 5, 2] }, exchanging];
  return runOf({ region: main, seconds: [0.5, 0.5, 0.5, 0.5], calls }, 4);
}

function imbalances(properties: readonly Property[]): readonly (readonly (string | undefined)[])[] {
  return properties
    .filter(({ kind }) => kind === 'imbalance')
    .map(({ region, ranks, waitingRanks }) => [region?.name, ranks, waitingRanks])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

const unknown = ({ id }: Property): boolean => id === 'unknown-time:mpi';

describe('one slow rank', () => {
  it('is late by its computation, and the ranks that wait are those that wait', () => {
    const properties = findProperties({ profile: slowRank(true) });
    expect(imbalances(properties)).toEqual([
      [undefined, '2', '0-1,3'],
      ['compute', '2', '0-1,3'],
    ]);
    const [whole] = properties.filter(({ id }) => id === 'imbalance:ranks');
    expect(whole?.title).toBe(
      'Work of the whole run is unbalanced over ranks: rank 2 computes 67.2 % longer than the average; ranks 0-1,3 wait for it, most of all in MPI_Recv (costs 39.5 % of the run time of the slowest rank)',
    );
    expect(whole?.evidence).toMatchObject({ waitingRanks: 3, waitingSeconds: 9 });
    expect(properties.some(unknown)).toBe(false);
  });

  it('without MPI in the profile, no waiting rank is called late, and that is said', () => {
    const properties = findProperties({ profile: slowRank(false) });
    expect(imbalances(properties)).toEqual([]);
    expect(properties.filter(unknown)).toEqual([]);
    const uneven = { region: exchange, seconds: [2, 2, 1, 2] };
    const found = findProperties({ profile: runOf({ ...uneven, calls: [] }, 4) });
    expect(imbalances(found)).toEqual([]);
    expect(found.find(unknown)).toMatchObject({
      kind: 'unknown-time',
      severity: 0.125,
      title:
        'Which ranks are late is unknown: this profile does not show MPI, so waiting in MPI functions counts as work of their callers (times of 4 ranks differ by 12.5 %)',
    });
  });

  it('is late where the call graph shows that its function calls no MPI', () => {
    const names = ['main', 'compute', 'exchange', 'helper', 'MPI_Recv'];
    const functions = names.map((name) => fn(name, { statements: 5, hasBody: name !== 'MPI_Recv' }));
    const graph = graphOf(functions, [
      ['main', 'compute'],
      ['main', 'exchange'],
      ['exchange', 'helper'],
      ['helper', 'MPI_Recv'],
    ]);
    const properties = findProperties({
      profile: slowRank(false),
      graph,
      keys: ['main', 'compute', 'exchange'],
    });
    expect(imbalances(properties)).toEqual([['compute', '2', undefined]]);
    // A program that does not call MPI at all waits nowhere else.
    const without = graphOf(functions.slice(0, 3), [['main', 'compute']]);
    const all = findProperties({
      profile: slowRank(false),
      graph: without,
      keys: ['main', 'compute', 'exchange'],
    });
    expect(imbalances(all)).toEqual([
      ['compute', '2', undefined],
      ['exchange', '0-1,3', undefined],
    ]);
  });

  it('threads that wait at a barrier are named, too', () => {
    const barrier = { name: '!$omp implicit barrier', paradigm: 'openmp', role: 'implicit barrier' };
    const root: Call = {
      region: main,
      seconds: [1, 0, 0],
      calls: [{ region: compute, seconds: [1, 1, 3], calls: [{ region: barrier, seconds: [2, 2, 0] }] }],
    };
    const [own] = findProperties({ profile: runOf(root, 1, 3) }).filter(
      ({ id }) => id === 'imbalance:threads:compute@/src/a.c:10',
    );
    expect(own?.title).toMatch(
      /thread 2 needs .*; threads 0-1 wait for it, most of all in !\$omp implicit barrier/,
    );
    expect(own?.evidence).toMatchObject({ waitingThreads: 2, waitingSeconds: 4 });
    expect(own?.waitingRanks).toBeUndefined();
  });
});

/** The same profile as a tool that does not know MPI writes it: the time of its functions is that of their callers. */
function withoutMpi(profile: Profile): Profile {
  const isMpi = profile.regions.map(({ name }) => name.startsWith('MPI_'));
  const regions = profile.regions.map((region, index) =>
    isMpi[index] === true
      ? { ...region, name: `wrapper${index}`, paradigm: 'compiler', role: 'function' }
      : region,
  );
  return { ...profile, regions };
}

describe('a real run with slow ranks', () => {
  const file = sharedData('scorep/foreign/blast.p64.r1/profile.cubex');
  if (file === undefined) return;
  const profile = readCube(readFileSync(file), file);

  it('late are the ranks that compute most, and those that wait are in MPI longer than each of them', () => {
    const [found] = findProperties({ profile }).filter(({ kind }) => kind === 'imbalance');
    expect(found).toMatchObject({ region: { name: 'ComputeCornerForces' }, ranks: '0-1,8-9' });
    // By hand: seconds in MPI of each rank, without its start and end.
    const width = profile.locations.length;
    const time = exclusivePerLocation(profile, 'time');
    const inMpi = profile.locations.map((_, location) =>
      profile.callPaths.region.reduce((sum, region, path) => {
        const { name } = profile.regions[region]!;
        const counts = name.startsWith('MPI_') && !/Init|Finalize/.test(name);
        return counts ? sum + time[path * width + location]! : sum;
      }, 0),
    );
    const late = [0, 1, 8, 9];
    const most = Math.max(...late.map((rank) => inMpi[rank]!));
    const named = found?.waitingRanks ?? '';
    expect(named).not.toBe('');
    const longer = inMpi.flatMap((seconds, rank) => (seconds > most ? [rank] : []));
    for (const rank of late) expect(longer).not.toContain(rank);
    // Each named rank is among those; only such with little more are not named.
    expect(rankSet([...longer, ...ranksIn(named)])).toBe(rankSet(longer));
  });

  it('says of no rank that it is late where MPI is not told apart', () => {
    expect(imbalances(findProperties({ profile: withoutMpi(profile) }))).toEqual([]);
  });
});

function ranksIn(set: string): readonly number[] {
  return set.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
