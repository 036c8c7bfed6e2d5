import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardMetrics, waitingTimeMetric } from '../../../../src/core/profile/metrics';
import { regionTimes } from '../../../../src/core/functions/regionTimes';
import { slowestRank, slowestRankSeconds } from '../../../../src/core/functions/slowestRank';
import { programTime } from '../../../../src/core/functions/programTime';
import type { Profile } from '../../../../src/core/profile/profile';
import { ProfileBuilder } from '../../../profileBuilder';

/** Seconds of one rank: of its threads in `work`, and of the first one in MPI, of which it is blocked for a part. */
interface Rank {
  readonly work: readonly number[];
  readonly mpi: number;
  readonly blocked?: number;
}

/** `main` calls `work` and MPI_Recv; other threads call `work` alone. */
function runOf(ranks: readonly Rank[], { blocked = true, mpi = 'MPI_Recv' } = {}): Profile {
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  if (blocked) builder.metric(waitingTimeMetric);
  const machine = builder.systemNode({ name: 'machine', kind: 'machine' });
  const region = (name: string, paradigm = 'compiler') =>
    builder.region({ name, paradigm, role: 'function' });
  const root = builder.callPath(undefined, region('main'));
  const work = builder.callPath(root, region('work'));
  const receive = builder.callPath(root, region(mpi, mpi.startsWith('MPI') ? 'mpi' : 'compiler'));
  ranks.forEach((own, rank) => {
    const process = builder.systemNode({ name: `${rank}`, kind: 'process', parent: machine, rank });
    own.work.forEach((seconds, thread) => {
      const at = builder.location({ name: `${rank}.${thread}`, rank, thread, process, kind: 'thread' });
      const waits = thread === 0 ? own.mpi : 0;
      builder.set('time', work, at, seconds).set('visits', work, at, 10 * (rank + 1));
      builder.set('time', receive, at, waits).set('time', root, at, seconds + waits);
      if (!blocked) return;
      const blockedSeconds = thread === 0 ? (own.blocked ?? 0) : 0;
      for (const path of [root, receive]) builder.set('waiting_time', path, at, blockedSeconds);
    });
  });
  return builder.build();
}

const cpuOf = (ranks: readonly Rank[], beside = 0): ReadonlyMap<number, number> =>
  new Map(
    ranks.map(({ work, mpi, blocked = 0 }, rank) => [
      rank,
      beside + work.reduce((sum, own) => sum + own, 0) + mpi - blocked,
    ]),
  );

/** Rank 1 computes most; rank 0 waits for it actively, and so uses up more CPU time. */
const ranks = [
  { work: [2], mpi: 9 },
  { work: [5], mpi: 1 },
  { work: [3], mpi: 3, blocked: 2 },
] as const;

describe('the slowest rank', () => {
  it('computes most, whoever uses up most CPU time while it waits', () => {
    expect(slowestRank(runOf(ranks), cpuOf(ranks))).toEqual({ rank: 1, seconds: 5 });
  });
  it('with all its threads, also those that record nothing', () => {
    const hybrid = [
      { work: [2, 2, 2], mpi: 1 },
      { work: [4], mpi: 1 },
    ];
    expect(slowestRank(runOf(hybrid), cpuOf(hybrid))).toMatchObject({ rank: 0, seconds: 6 });
    // The profile of a run without recorded functions shows the first thread only.
    const quiet = runOf(hybrid.map((rank) => ({ ...rank, work: rank.work.slice(0, 1) })));
    expect(slowestRank(quiet, cpuOf(hybrid))).toMatchObject({ rank: 0, seconds: 6 });
  });
  it('is the largest of all computing times, for any ranks', () => {
    const seconds = fc.double({ min: 0, max: 100, noNaN: true });
    const rank = fc.record({ work: fc.array(seconds, { minLength: 1, maxLength: 3 }), mpi: seconds });
    fc.assert(
      fc.property(fc.array(rank, { minLength: 2, maxLength: 6 }), seconds, (all, beside) => {
        const truth = all.map(({ work }) => work.reduce((sum, own) => sum + own, 0));
        const profile = runOf(all);
        const found = slowestRank(profile, cpuOf(all, beside));
        expect(found?.seconds).toBeCloseTo(Math.max(...truth) + beside, 6);
        expect(truth[found?.rank ?? -1]).toBeCloseTo(Math.max(...truth), 6);
        const { exclusive } = programTime(profile, () => undefined);
        expect(slowestRankSeconds(profile, exclusive)).toBeCloseTo(Math.max(...truth), 6);
      }),
    );
  });
  it.each([
    ['one rank', runOf(ranks.slice(0, 1))],
    ['no MPI', runOf(ranks, { mpi: 'receive' })],
    ['unknown blocked time', runOf(ranks, { blocked: false })],
  ])('is unknown with %s', (_, profile) => {
    expect(slowestRank(profile, cpuOf(ranks))).toBeUndefined();
    expect(regionTimes(profile, () => undefined).slowestRankSeconds).toBeUndefined();
  });
  it('is unknown without the CPU time of each', () =>
    expect(slowestRank(runOf(ranks), undefined)).toBeUndefined());
});

describe('visits of the busiest rank', () => {
  it('are those of all its threads', () => {
    const run = runOf([
      { work: [1, 1, 1], mpi: 0 },
      { work: [1], mpi: 0 },
    ]);
    const work = run.regions.findIndex(({ name }) => name === 'work');
    expect(regionTimes(run, () => undefined).regions[work]).toMatchObject({
      visits: 50,
      busiestVisits: 20,
      busiestRankVisits: 30,
    });
  });
});
