import { describe, expect, it } from 'vitest';
import type { PairCost, PairCosts } from '../../../../src/core/cost/pairCost';
import {
  accumulateKnowledge,
  disturbedKnowledge,
  noKnowledge,
  unexplainedSeconds,
  type FunctionKnowledge,
  type Knowledge,
} from '../../../../src/core/knowledge/knowledge';
import { samplingAttribute, waitingTimeMetric } from '../../../../src/core/profile/metrics';
import type { Profile } from '../../../../src/core/profile/profile';
import { runOf, type Call } from '../problems/runs';
import { graphOf } from '../selection/graphs';

const free: PairCost = { pairSeconds: 0, insideSeconds: 0, outsideSeconds: 0 };
const costly: PairCost = { pairSeconds: 0.01, insideSeconds: 0.004, outsideSeconds: 0.006 };
const both = (cost: PairCost): PairCosts => ({ probe: cost, entry: cost });
const graph = graphOf([], []);
const all = ['main', 'solve', 'kernel'];

/** main calls solve, which calls kernel, and kernel once; two ranks. */
function run(kernel: Call['region'] = { name: 'kernel' }): Profile {
  return runOf(
    {
      region: { name: 'main' },
      seconds: [2, 1],
      calls: [
        {
          region: { name: 'solve' },
          seconds: [3, 1],
          visits: [10, 5],
          calls: [{ region: kernel, seconds: [4, 2], visits: [100, 60] }],
        },
        { region: kernel, seconds: [1, 0] },
      ],
    },
    2,
  );
}

const plain: FunctionKnowledge = {
  visits: 101,
  rankVisits: 101,
  allVisits: 161,
  inclusiveSeconds: 7,
  exclusiveSeconds: 7,
  takenSeconds: 0,
  doubtSeconds: 0,
  timesMeasured: 1,
  callers: new Map([
    ['solve', 6 / 7],
    ['main', 1 / 7],
  ]),
};

/** The computation of `kernel`, 2 and 5 s, over the two ranks. */
const kernelSpread = { locations: 2, maximumSeconds: 5, meanSeconds: 3.5, deviationSeconds: 1.5 };

describe('what one run shows', () => {
  it('is the visits and times of each function, and that a selected one was not executed', () => {
    expect(accumulateKnowledge(undefined, run(), graph, both(free), [...all, 'never'])).toEqual({
      runs: 1,
      runSeconds: 14,
      costFactor: 1,
      functions: new Map<string, FunctionKnowledge>([
        [
          'main',
          {
            ...plain,
            visits: 1,
            rankVisits: 1,
            allVisits: 2,
            inclusiveSeconds: 14,
            exclusiveSeconds: 3,
            spread: { locations: 2, maximumSeconds: 10, meanSeconds: 7, deviationSeconds: 3 },
            callers: new Map(),
          },
        ],
        [
          'solve',
          {
            ...plain,
            visits: 10,
            rankVisits: 10,
            allVisits: 15,
            inclusiveSeconds: 10,
            exclusiveSeconds: 4,
            spread: { locations: 2, maximumSeconds: 7, meanSeconds: 5, deviationSeconds: 2 },
            callers: new Map([['main', 1]]),
          },
        ],
        ['kernel', { ...plain, spread: kernelSpread }],
        [
          'never',
          {
            visits: 0,
            allVisits: 0,
            inclusiveSeconds: 0,
            exclusiveSeconds: 0,
            timesMeasured: 1,
            callers: new Map(),
          },
        ],
      ]),
    });
  });

  it('is without the cost of recording what was selected, by the kind of its site', () => {
    const times = (knowledge: Knowledge): unknown =>
      [...knowledge.functions].map(([key, { inclusiveSeconds, exclusiveSeconds, takenSeconds = NaN }]) => [
        key,
        ...[inclusiveSeconds, exclusiveSeconds, takenSeconds].map((seconds) => Number(seconds.toFixed(9))),
      ]);
    const whole = accumulateKnowledge(undefined, run(), graph, both(costly), all);
    expect(times(whole)).toEqual([
      // 2 visits of its own, 15 and 161 below it; 15 and 160; 161.
      ['main', 14 - 1.768, 2.896, 1.768],
      ['solve', 10 - 1.66, 2.98, 1.66],
      ['kernel', 7 - 0.644, 7 - 0.644, 0.644],
    ]);
    expect(whole.runSeconds).toBeCloseTo(14 - 1.768, 9);
    expect(whole.functions.get('kernel')?.doubtSeconds).toBeCloseTo(0.268, 3);
    const sites = new Map([['kernel', 'probe' as const]]);
    const probes = accumulateKnowledge(undefined, run(), graph, { probe: costly, entry: free }, all, sites);
    expect(times(probes)).toEqual([
      // The call of `kernel` from `main` costs 6 ms outside of it.
      ['main', 14 - 1.61, 3 - 0.006, 1.61],
      ['solve', 10 - 1.6, 4 - 0.96, 1.6],
      ['kernel', 7 - 0.644, 7 - 0.644, 0.644],
    ]);
    const few = accumulateKnowledge(undefined, run(), graph, both(costly), ['solve']);
    expect(times(few)).toEqual([
      ['main', 14 - 0.15, 3 - 0.09, 0.15],
      ['solve', 10 - 0.06, 4 - 0.06, 0.06],
      ['kernel', 7, 7, 0],
    ]);
  });

  const heavy = (seconds: readonly number[], visits: readonly number[]): Profile =>
    runOf(
      {
        region: { name: 'main' },
        seconds: seconds.map(() => 1),
        calls: [{ region: { name: 'kernel' }, seconds, visits }],
      },
      seconds.length,
    );
  const pair: PairCost = { pairSeconds: 0.04, insideSeconds: 0.01, outsideSeconds: 0.03 };

  it('has a cost of recording that leaves a tenth of the run', () => {
    // 4 s, of which the pairs would take 4.01 s.
    const knowledge = accumulateKnowledge(undefined, heavy([3], [100]), graph, both(pair), all);
    const factor = 3.6 / 4.01;
    expect(knowledge.costFactor).toBeCloseTo(factor, 12);
    expect(knowledge.runSeconds).toBeCloseTo(0.4, 9);
    expect(knowledge.functions.get('kernel')?.takenSeconds).toBeCloseTo(factor, 9);
    // 87 pairs and the inside of one of main leave 0.51 s.
    expect(accumulateKnowledge(undefined, heavy([3], [87]), graph, both(pair), all).costFactor).toBe(1);
  });

  it('is judged by all locations or by the longest, as the run with nothing recorded was', () => {
    const profile = heavy([3, 3], [200, 0]);
    const by = (clock: 'cpu' | 'wall'): number | undefined =>
      accumulateKnowledge(undefined, profile, graph, both(pair), all, undefined, { clock, seconds: 1 })
        .costFactor;
    expect(by('wall')).toBe(1);
    // 4 − 8.01 s and 4 − 0.01 s of 8 s.
    expect(by('cpu')).toBeCloseTo(7.2 / 8.02, 12);
    const times = { rootSeconds: Float64Array.of(3, 5) } as Parameters<typeof unexplainedSeconds>[0];
    expect(unexplainedSeconds(times, { clock: 'cpu', seconds: 6 })).toBe(2);
    expect(unexplainedSeconds(times, { clock: 'wall', seconds: 4.5 })).toBe(0.5);
    expect(unexplainedSeconds(times, { clock: 'wall', seconds: 7 })).toBe(0);
    expect(unexplainedSeconds(times, undefined)).toBe(0);
    expect(unexplainedSeconds(times, { clock: 'rank', seconds: 4 })).toBe(1);
    expect(unexplainedSeconds({ ...times, slowestRankSeconds: 4.5 }, { clock: 'rank', seconds: 4 })).toBe(
      0.5,
    );
  });

  it('leaves a tenth of the slowest rank’s computing time, however much more is taken off', () => {
    const calls = [
      { region: { name: 'kernel' }, seconds: [3, 2], visits: [400, 400] },
      { region: { name: 'MPI_Barrier', paradigm: 'mpi' }, seconds: [5, 6] },
    ];
    const profile = runOf({ region: { name: 'main' }, seconds: [1, 1], calls }, 2);
    const blocked = new Float64Array(profile.callPaths.count * 2);
    const ranks = {
      ...profile,
      metrics: [...profile.metrics, waitingTimeMetric],
      stored: new Map([...profile.stored, [waitingTimeMetric.name, blocked]]),
    };
    const base = { clock: 'rank', seconds: 1 } as const;
    const { costFactor, runSeconds, functions } = accumulateKnowledge(
      undefined,
      ranks,
      graph,
      both(pair),
      all,
      undefined,
      base,
    );
    // 400 pairs and the inside of one of main, 16.01 s, leave 0.4 s of 4 s of rank 0, beside 5 s in MPI.
    expect(costFactor).toBeCloseTo(3.6 / 16.01, 12);
    expect(runSeconds).toBeGreaterThan(0);
    expect(functions.get('kernel')?.doubtSeconds).toBeGreaterThan(0);
  });

  it('is less certain by what recording cost beyond what was subtracted', () => {
    const doubt = (seconds: number): number =>
      accumulateKnowledge(undefined, run(), graph, both(costly), all, undefined, {
        clock: 'wall',
        seconds,
      }).functions.get('kernel')?.doubtSeconds ?? NaN;
    expect(doubt(100)).toBeCloseTo(0.268, 3);
    expect(doubt(5)).toBeGreaterThan(1);
  });
});

describe('what several runs show', () => {
  const before: FunctionKnowledge = {
    visits: 90,
    allVisits: 200,
    inclusiveSeconds: 5,
    exclusiveSeconds: 6,
    takenSeconds: 1,
    doubtSeconds: 0.2,
    timesMeasured: 3,
    callers: new Map([['other', 1]]),
  };
  const knowing = (kernel: FunctionKnowledge, facts: Partial<Knowledge> = {}): Knowledge => ({
    runs: 3,
    runSeconds: 20,
    functions: new Map([
      ['kernel', kernel],
      ['other', plain],
    ]),
    ...facts,
  });
  const after = (
    kernel: Partial<FunctionKnowledge>,
    cost = free,
    profile = run(),
  ): FunctionKnowledge | undefined =>
    accumulateKnowledge(knowing({ ...before, ...kernel }), profile, graph, both(cost), all).functions.get(
      'kernel',
    );

  it('is one run more, the shortest run, and all functions so far', () => {
    const knowledge = accumulateKnowledge(knowing(before), run(), graph, both(free), ['kernel']);
    expect([knowledge.runs, knowledge.runSeconds]).toEqual([4, 14]);
    expect([...knowledge.functions.keys()]).toEqual(['kernel', 'other', 'main', 'solve']);
    expect(knowledge.functions.get('other')).toEqual(plain);
    const shorter = knowing(before, { runSeconds: 3 });
    expect(accumulateKnowledge(shorter, run(), graph, both(free), []).runSeconds).toBe(3);
    const disturbed = accumulateKnowledge(disturbedKnowledge(shorter), run(), graph, both(free), []);
    expect(disturbed.runSeconds).toBe(14);
    expect(disturbed).not.toHaveProperty('disturbed');
    const empty = runOf({ region: { name: 'main' }, seconds: [0], visits: [1] }, 1);
    expect(accumulateKnowledge(noKnowledge, empty, graph, both(free), []).runSeconds).toBe(Infinity);
  });

  // The doubt of this run is 0, but a doubt below 2 % of 5 s counts as that: 0.1 s.
  it('is the smaller times where the doubts are comparable', () => {
    expect(after({})).toEqual({
      visits: 101,
      rankVisits: 101,
      allVisits: 200,
      inclusiveSeconds: 5,
      exclusiveSeconds: 6,
      takenSeconds: 0,
      doubtSeconds: 0,
      timesMeasured: 4,
      spread: kernelSpread,
      callers: plain.callers,
    });
    expect(after({ inclusiveSeconds: 9, exclusiveSeconds: 9 })).toMatchObject({
      inclusiveSeconds: 7,
      exclusiveSeconds: 7,
    });
    expect(after({ doubtSeconds: 0.05 })).toMatchObject({ inclusiveSeconds: 5 });
  });

  it('is the times of this run where its doubt is less than half of that before', () => {
    expect(after({ doubtSeconds: 0.3 })).toMatchObject({
      inclusiveSeconds: 7,
      exclusiveSeconds: 7,
      takenSeconds: 0,
    });
    // 2 % of 7 s, the shorter of both, are 0.14 s.
    expect(after({ doubtSeconds: 0.28, inclusiveSeconds: 40 })?.exclusiveSeconds).toBe(6);
    expect(after({ doubtSeconds: 0.29, inclusiveSeconds: 40 })?.exclusiveSeconds).toBe(7);
  });

  it('is the times before where their doubt is less than half of that of this run', () => {
    // Recording makes this run doubtful by 0.268 s; 2 % of 6 s are 0.12 s.
    const times = { inclusiveSeconds: 6, exclusiveSeconds: 6.9 };
    expect(after({ ...times, doubtSeconds: 0 }, costly)).toMatchObject({
      ...times,
      takenSeconds: 1,
      doubtSeconds: 0,
    });
    const { doubtSeconds, ...unknownDoubt } = before;
    expect(doubtSeconds).toBe(0.2);
    const knowledge = knowing({ ...unknownDoubt, ...times });
    expect(
      accumulateKnowledge(knowledge, run(), graph, both(costly), all).functions.get('kernel')
        ?.exclusiveSeconds,
    ).toBe(6.9);
    expect(after({ ...times, doubtSeconds: 0.14 }, costly)?.exclusiveSeconds).toBeCloseTo(6.356, 9);
  });

  it('is the times of this run after one that was disturbed, or in which it was not executed', () => {
    const now = { ...plain, allVisits: 200, timesMeasured: 4, spread: kernelSpread };
    expect(after({ disturbed: true })).toEqual(now);
    expect(after({ visits: 0 })).toEqual(now);
  });

  it('is that most visits were only counted, until a run times them all', () => {
    const counting = run({ name: 'kernel', attributes: new Map([[samplingAttribute, '16']]) });
    expect(after({ counted: true }, free, counting)?.counted).toBe(true);
    expect(after({}, free, counting)).not.toHaveProperty('counted');
    expect(after({ counted: true })).not.toHaveProperty('counted');
    expect(
      accumulateKnowledge(undefined, counting, graph, both(free), all).functions.get('kernel')?.counted,
    ).toBe(true);
  });

  it('can all be disturbed, but for the visits', () => {
    expect(disturbedKnowledge(knowing(before))).toEqual({
      ...knowing({ ...before, disturbed: true }, { disturbed: true }),
      functions: new Map([
        ['kernel', { ...before, disturbed: true }],
        ['other', { ...plain, disturbed: true }],
      ]),
    });
  });

  it('has no times of regions without visits', () => {
    const idle = runOf(
      { region: { name: 'main' }, seconds: [1], calls: [{ region: { name: 'idle' }, seconds: [0] }] },
      1,
    );
    expect([...accumulateKnowledge(undefined, idle, graph, both(free), []).functions.keys()]).toEqual([
      'main',
    ]);
  });

  it('has callers without a share where no time was measured', () => {
    const instant = runOf(
      {
        region: { name: 'main' },
        seconds: [1],
        calls: [{ region: { name: 'f' }, seconds: [0], visits: [3] }],
      },
      1,
    );
    expect(
      accumulateKnowledge(undefined, instant, graph, both(free), []).functions.get('f')?.callers,
    ).toEqual(new Map([['main', 0]]));
  });
});
