import { describe, expect, it } from 'vitest';
import { findProperties } from '../../../../src/core/problems/findProperties';
import { samplingAttribute } from '../../../../src/core/profile/metrics';
import type { Profile } from '../../../../src/core/profile/profile';
import type { Property } from '../../../../src/core/properties/property';
import { runOf, type Call } from './runs';

const main = { name: 'main', firstLine: 1 };
const solve = { name: 'solve', firstLine: 10 };
const kernel = { name: 'kernel', firstLine: 20 };
const first = { name: 'first', firstLine: 30 };
const second = { name: 'second', firstLine: 40 };

/** The findings of a kind in a profile that Score-P did not write: nothing of its times is recording. */
function found(
  root: Call,
  kind: string,
  threads = 1,
  change = (profile: Profile) => profile,
): readonly Property[] {
  const profile = { ...runOf(root, 1, threads), attributes: new Map<string, string>() };
  return findProperties({ profile: change(profile) }).filter((property) => property.kind === kind);
}

/** FNV-1a with 32 bits (Fowler, Noll and Vo), as 8 hexadecimal digits. */
function fnv1a(text: string): string {
  let hash = 2166136261n;
  for (const character of text) hash = ((hash ^ BigInt(character.charCodeAt(0))) * 16777619n) % 2n ** 32n;
  return hash.toString(16).padStart(8, '0');
}

const base = { run: 'profile', clock: 'wall', seconds: 20, leftOut: [] };
const origin = { run: 'profile', analysis: 'profile' };

describe('a function that takes long', () => {
  const root: Call = {
    region: main,
    seconds: [1],
    calls: [
      {
        region: first,
        seconds: [0],
        calls: [{ region: solve, seconds: [1], calls: [{ region: kernel, seconds: [4] }] }],
      },
      {
        region: second,
        seconds: [0],
        calls: [{ region: solve, seconds: [1], calls: [{ region: kernel, seconds: [8] }] }],
      },
      { region: kernel, seconds: [4] },
      { region: { name: 'brief', firstLine: 50 }, seconds: [1], calls: [{ region: kernel, seconds: [0.5] }] },
    ].map((call) => call),
  };
  // 20.5 s without the last half second: make the whole 20 s.
  const whole: Call = { ...root, seconds: [0.5] };
  const key = 'kernel@/src/a.c:20';
  const path = (
    severity: number,
    title: string,
    names: readonly string[],
    keys: readonly string[],
  ): unknown => ({
    id: `hot-spot:${key}@${fnv1a([...keys].reverse().join('\n'))}`,
    kind: 'hot-spot',
    title,
    severity,
    confidence: 1,
    region: { name: 'kernel', file: '/src/a.c', line: 20 },
    callPath: names,
    evidence: { exclusiveSeconds: severity * 20, exclusiveShare: severity, thresholdShare: 0.05 },
    refines: `hot-spot:${key}`,
    base,
    origin,
  });
  const mainKey = 'main@/src/a.c:1';

  it('is found with each of its call paths that takes long by itself', () => {
    expect(found(whole, 'hot-spot').filter(({ region }) => region?.name === 'kernel')).toEqual([
      {
        id: `hot-spot:${key}`,
        kind: 'hot-spot',
        title: 'kernel itself takes 82.5 % of the run time',
        severity: 0.825,
        confidence: 1,
        region: { name: 'kernel', file: '/src/a.c', line: 20 },
        evidence: {
          exclusiveSeconds: 16.5,
          inclusiveSeconds: 16.5,
          exclusiveShare: 0.825,
          inclusiveShare: 0.825,
          visits: 4,
          thresholdShare: 0.05,
        },
        base,
        origin,
      },
      path(
        0.4,
        'kernel takes 40.0 % of the run time when called from solve in second',
        ['main', 'second', 'solve', 'kernel'],
        [mainKey, 'second@/src/a.c:40', 'solve@/src/a.c:10', key],
      ),
      ...[
        path(
          0.2,
          'kernel takes 20.0 % of the run time when called from main',
          ['main', 'kernel'],
          [mainKey, key],
        ),
        path(
          0.2,
          'kernel takes 20.0 % of the run time when called from solve in first',
          ['main', 'first', 'solve', 'kernel'],
          [mainKey, 'first@/src/a.c:30', 'solve@/src/a.c:10', key],
        ),
      ].sort((a, b) => ((a as Property).id < (b as Property).id ? -1 : 1)),
    ]);
  });

  it('has its one call path', () => {
    const [only] = found(
      { region: main, seconds: [1], calls: [{ region: solve, seconds: [3] }] },
      'hot-spot',
    );
    expect(only).toMatchObject({ severity: 0.75, callPath: ['main', 'solve'] });
    expect(only).not.toHaveProperty('refines');
  });

  it('names as many callers as tell its call paths apart', () => {
    const [outer, inner] = ['outer', 'inner'].map((name) => ({ ...solve, name }));
    const below = (region: typeof main, seconds: number): Call => ({
      region,
      seconds: [0],
      calls: [{ region: solve, seconds: [0], calls: [{ region: kernel, seconds: [seconds] }] }],
    });
    const [a, b] = [outer ?? main, inner ?? main];
    const calls = [a, b].map((region, i): Call => ({ region, seconds: [0], calls: [below(main, 2 + i)] }));
    const titles = found({ region: main, seconds: [0], calls }, 'hot-spot').map(({ title }) => title);
    expect(titles).toEqual([
      'kernel itself takes 100 % of the run time',
      'kernel takes 60.0 % of the run time when called from solve in main in inner',
      'kernel takes 40.0 % of the run time when called from solve in main in outer',
    ]);
  });

  it('is not found again with the one call path that has all its time', () => {
    const calls: Call[] = [
      { region: kernel, seconds: [100_000] },
      { region: solve, seconds: [0], calls: [{ region: kernel, seconds: [1] }] },
    ];
    const titles = found({ region: main, seconds: [0], calls }, 'hot-spot').map(({ title }) => title);
    expect(titles).toEqual(['kernel itself takes 100 % of the run time']);
  });

  it('may be the root and what it calls itself', () => {
    const recursive: Call = {
      region: main,
      seconds: [2],
      calls: [{ region: solve, seconds: [1], calls: [{ region: main, seconds: [1] }] }],
    };
    const titles = found(recursive, 'hot-spot').map(({ title, evidence }) => [
      title,
      evidence.inclusiveSeconds,
    ]);
    expect(titles).toEqual([
      ['main itself takes 75.0 % of the run time', 4],
      ['main takes 50.0 % of the run time when called from the root', undefined],
      ['main takes 25.0 % of the run time when called from solve', undefined],
      ['solve itself takes 25.0 % of the run time', 2],
    ]);
  });

  it('tells that its time is an estimate, on each call path', () => {
    const sampled = { ...kernel, attributes: new Map([[samplingAttribute, '16']]) };
    const calls: Call[] = [
      { region: sampled, seconds: [3] },
      { region: solve, seconds: [1], calls: [{ region: sampled, seconds: [4] }] },
    ];
    const [hot, ...paths] = found({ region: main, seconds: [0], calls }, 'hot-spot');
    expect(hot?.title).toBe('kernel itself takes 87.5 % of the run time (estimated from 1 of 16 visits)');
    expect(hot?.evidence.timedOneIn).toBe(16);
    expect(paths.map(({ title }) => title).slice(0, 2)).toEqual([
      'kernel takes 50.0 % of the run time when called from solve (estimated from 1 of 16 visits)',
      'kernel takes 37.5 % of the run time when called from main (estimated from 1 of 16 visits)',
    ]);
  });

  it('is found above the threshold, and not at it', () => {
    const at = (seconds: number): readonly string[] =>
      found(
        { region: main, seconds: [20 - seconds], calls: [{ region: solve, seconds: [seconds] }] },
        'hot-spot',
      ).map(({ region }) => region?.name ?? '');
    expect(at(1)).toEqual(['main']);
    expect(at(1.01)).toEqual(['main', 'solve']);
  });
});

describe('a construct or a library that takes long', () => {
  const barrier = { name: '!$omp barrier', paradigm: 'openmp', role: 'barrier', firstLine: 60 };
  const send = { name: 'MPI_Send', paradigm: 'mpi', role: 'point2point', file: 'MPI' };
  const twice = (region: Call['region']): Call => ({
    region: main,
    seconds: [1],
    calls: [
      { region: first, seconds: [1], calls: [{ region, seconds: [5] }] },
      { region: second, seconds: [1], calls: [{ region, seconds: [2] }] },
    ],
  });

  it('stands in the functions that execute it', () => {
    expect(found(twice(barrier), 'synchronisation').map(({ title, region }) => [title, region])).toEqual([
      [
        '!$omp barrier in first takes 70.0 % of the run time',
        { name: '!$omp barrier', file: '/src/a.c', line: 60 },
      ],
      ['Waiting of threads for each other takes 70.0 % of the run time (2 calls)', undefined],
      [
        '!$omp barrier takes 50.0 % of the run time in first',
        { name: '!$omp barrier', file: '/src/a.c', line: 60 },
      ],
      [
        '!$omp barrier takes 20.0 % of the run time in second',
        { name: '!$omp barrier', file: '/src/a.c', line: 60 },
      ],
    ]);
    const alone: Call = { region: { ...barrier, file: '' }, seconds: [1] };
    expect(found(alone, 'synchronisation')[0]?.title).toBe('!$omp barrier takes 100 % of the run time');
  });

  it('is looked at where it is called most', () => {
    expect(found(twice(send), 'communication').map(({ title, region }) => [title, region])).toEqual([
      ['MPI_Send takes 70.0 % of the run time', { name: 'MPI_Send', file: '/src/a.c', line: 30 }],
      ['Communication takes 70.0 % of the run time (70.0 % point-to-point, 2 calls)', undefined],
      [
        'MPI_Send takes 50.0 % of the run time when called from first',
        { name: 'MPI_Send', file: '/src/a.c', line: 30 },
      ],
      [
        'MPI_Send takes 20.0 % of the run time when called from second',
        { name: 'MPI_Send', file: '/src/a.c', line: 40 },
      ],
    ]);
  });
});
