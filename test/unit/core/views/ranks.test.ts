import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { efficiencies } from '../../../../src/core/efficiency/efficiencies';
import { parallelFacts } from '../../../../src/core/efficiency/parallelFacts';
import { computationPerLocation } from '../../../../src/core/functions/computationSpread';
import { rankSpreads } from '../../../../src/core/efficiency/rankSpread';
import { makeContext } from '../../../../src/core/problems/context/makeContext';
import { flatProfile } from '../../../../src/core/profile/regions';
import { subtreeEnds } from '../../../../src/core/profile/tree';
import { locationValues } from '../../../../src/core/views/ranks/locationValues';
import { rankNames, RankRows } from '../../../../src/core/views/ranks/rankRows';
import { rankTimes } from '../../../../src/core/views/ranks/rankTimes';
import { readCube } from '../../../../src/formats/cube4/read';
import { sharedData } from '../../../shared';
import { randomRun } from '../functions/randomRuns';
import { runOf } from '../problems/runs';

const mpi = (name: string) => ({ name, paradigm: 'mpi', role: 'barrier' });
/** Rank 0 computes more, so that the others wait for it. */
const unbalanced = (threads = 1) =>
  runOf(
    {
      region: { name: 'main' },
      seconds: Array.from({ length: 3 * threads }, () => 1),
      calls: [
        { region: mpi('MPI_Init'), seconds: Array.from({ length: 3 * threads }, () => 0.125) },
        {
          region: { name: 'solve' },
          seconds: [5, 2, 1].flatMap((own) => Array.from({ length: threads }, () => own)),
          calls: [
            {
              region: mpi('MPI_Barrier'),
              seconds: [0, 3, 4].flatMap((own) => [own, ...Array.from({ length: threads - 1 }, () => 0)]),
            },
          ],
        },
      ],
    },
    3,
    threads,
  );

describe('the ranks of a profile', () => {
  it('compute and communicate for the times that the profile has of them', () => {
    const context = makeContext({ profile: unbalanced() });
    const run = rankTimes(context);
    expect([...run.computing]).toEqual([6, 3, 2]);
    expect([...run.moving]).toEqual([0, 3, 4]);
    expect([...run.other]).toEqual([0, 0, 0]);
    expect(run.waiting).toBeUndefined();
    expect(run.hidesMpi).toBe(false);
    const solve = context.profile.regions.findIndex(({ name }) => name === 'solve');
    expect([...rankTimes(context, solve).computing]).toEqual([5, 2, 1]);
  });

  it('are those with the efficiency of the run', () => {
    for (const file of [
      'lulesh-mpi-trace/lulesh.p8.s4.i20.trace',
      'foreign/kripke.p8.d2.g32.r1',
      'foreign/blast.p64.r1',
    ]) {
      const cube = sharedData(`scorep/${file}/profile.cubex`);
      if (cube === undefined) continue;
      const context = makeContext({ profile: readCube(readFileSync(cube), cube) });
      const found = efficiencies(context);
      if ('missing' in found) throw new Error(found.missing);
      const { computing, waiting, moving, other } = rankTimes(context);
      expect(computing.length).toBe(found.run.processes);
      expect(Math.max(...computing)).toBeCloseTo(found.run.maximumSeconds, 9);
      expect(computing.reduce((sum, own) => sum + own, 0) / computing.length).toBeCloseTo(
        found.run.meanSeconds,
        9,
      );
      const whole = computing.map(
        (own, rank) => own + (waiting?.[rank] ?? 0) + (moving[rank] ?? 0) + (other[rank] ?? 0),
      );
      expect(Math.max(...whole)).toBeCloseTo(found.run.runSeconds, 9);
      for (const [region, efficiency] of [...found.functions].slice(0, 40))
        expect(Math.max(...rankTimes(context, region).computing)).toBeCloseTo(efficiency.maximumSeconds, 9);
    }
  });

  it('have the values of a function that the flat profile adds up', () =>
    fc.assert(
      fc.property(
        randomRun,
        fc.constantFrom('exclusive' as const, 'inclusive' as const),
        ({ profile }, extent) => {
          const rows = new RankRows(profile);
          const ends = subtreeEnds(profile.callPaths);
          const flat = flatProfile(profile);
          profile.regions.forEach((_, region) => {
            const row = rows.row(region, extent, 'sum', (path) =>
              locationValues(profile, 'time', path, ends[path] ?? 0),
            );
            expect(row.length).toBe(rankNames(profile).length);
            expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(flat[extent][region] ?? NaN, 6);
          });
        },
      ),
    ));

  it('combine minima and maxima over the threads that were there', () => {
    const profile = unbalanced(2);
    const rows = new RankRows(profile);
    const solve = profile.regions.findIndex(({ name }) => name === 'solve');
    const valuesAt = () => {
      const values = Float64Array.from([4, 2, 0, 3, 0, 0]);
      return { exclusive: values, inclusive: values };
    };
    expect([...rows.row(solve, 'exclusive', 'minimum', valuesAt)]).toEqual([2, 3, 0]);
    expect([...rows.row(solve, 'exclusive', 'maximum', valuesAt)]).toEqual([4, 3, 0]);
    expect([...rows.row(solve, 'exclusive', 'sum', valuesAt)]).toEqual([6, 3, 0]);
  });

  it('have the node that they ran on', () => {
    const profile = unbalanced();
    const system = [
      { name: 'cluster', kind: 'machine' },
      { name: 'node17', kind: 'node', parent: 0 },
      { name: 'rank 0', kind: 'process', parent: 1, rank: 0 },
    ];
    const [first] = profile.locations;
    const there = { ...profile, system, locations: first === undefined ? [] : [{ ...first, process: 2 }] };
    expect(rankNames(there)).toEqual([{ rank: 0, host: 'node17' }]);
    expect(rankNames(profile)).toEqual([{ rank: 0 }, { rank: 1 }, { rank: 2 }]);
  });
});

describe('how the ranks differ in a function', () => {
  it('names those with the least and the most computation', () => {
    const context = makeContext({ profile: unbalanced() });
    const facts = parallelFacts(context);
    const solve = context.keys.find((key) => key.includes('solve')) ?? '';
    expect(facts.get(solve)?.ranks).toEqual({
      leastSeconds: 1,
      meanSeconds: 8 / 3,
      mostSeconds: 5,
      leastRanks: '2',
      mostRanks: '0',
    });
    expect(facts.get(solve)?.efficiency?.slowestRanks).toBe('0');
  });

  it('says where waiting in MPI may be in it', () => {
    const profile = runOf({ region: { name: 'main' }, seconds: [1, 2, 2.001] }, 3);
    const [ranks] = [...parallelFacts(makeContext({ profile })).values()].map((facts) => facts.ranks);
    expect(ranks).toMatchObject({ leastRanks: '0', mostRanks: '1-2', hidesMpi: true });
  });

  it('is nothing for one process', () =>
    expect(
      rankSpreads(runOf({ region: { name: 'main' }, seconds: [1, 2] }, 1, 2), Float64Array.of(1, 2)).size,
    ).toBe(0));

  it('has the mean of all ranks between least and most', () =>
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 9, noNaN: true }), { minLength: 2, maxLength: 9 }),
        (seconds) => {
          const profile = runOf({ region: { name: 'main' }, seconds }, seconds.length);
          const spread = rankSpreads(profile, Float64Array.from(seconds)).get(0);
          expect(spread === undefined).toBe(seconds.every((own) => own === 0));
          if (spread === undefined) return;
          const { leastSeconds, meanSeconds, mostSeconds } = spread;
          expect([leastSeconds, mostSeconds]).toEqual([Math.min(...seconds), Math.max(...seconds)]);
          expect(meanSeconds).toBeCloseTo(seconds.reduce((sum, own) => sum + own, 0) / seconds.length, 9);
          expect(computationPerLocation(profile, Float64Array.from(seconds)).get(0)).toEqual(
            Float64Array.from(seconds),
          );
        },
      ),
    ));
});
