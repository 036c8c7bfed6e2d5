import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../../src/core/strategies/budget';
import { explainReason } from '../../../../src/core/selection/explainReason';
import { lowCosts, scaledCosts, visitCost } from '../../../../src/core/cost/pairCost';
import { showsPairCost } from '../../../../src/core/knowledge/recordingCost';
import { chooseIntervals, costWith } from '../../../../src/core/strategies/sampling';
import {
  changedFunctions,
  intervalsOf,
  sameFunctions,
  type Decision,
  type Selection,
} from '../../../../src/core/selection/selection';
import { costs, sampledCosts } from '../selection/simulatedProgram';

const nothing: ReadonlySet<string> = new Set();

/** Costs of a second's run, with sleds. */
function candidate(key: string, visits: number): Candidate {
  const percent = (interval?: number): number => visits * visitCost(sampledCosts.probe, interval) * 100;
  return {
    key,
    measured: {
      visits,
      allVisits: visits,
      inclusiveSeconds: 0.1,
      exclusiveSeconds: 0.1,
      timesMeasured: 1,
      callers: new Map(),
    },
    overheadPercent: percent(),
    sampledPercent: percent,
  };
}

const choose = (
  hot: readonly Candidate[],
  below: (key: string) => ReadonlySet<string> = () => nothing,
  fixed = 0,
): ReturnType<typeof chooseIntervals> => {
  const recorded = new Set(['main', ...hot.map((c) => c.key)]);
  return chooseIntervals(hot, recorded, below, fixed, 5);
};

describe('intervals of samples', () => {
  it('are not chosen while all visits can be timed', () => {
    expect(choose([candidate('a', 1e6), candidate('b', 1e6)]).intervals).toEqual(new Map());
  });

  it('are the smallest that suffice', () => {
    // 10 M visits: 17 % in full, 2.5 % for counting alone, and 21.5 % ÷ interval on top.
    const { intervals, percent } = choose([candidate('a', 1e7)]);
    expect(intervals).toEqual(new Map([['a', 16]]));
    expect(percent).toBeCloseTo(2.5 + 21.5 / 16, 6);
    expect(choose([candidate('a', 1e7)], () => nothing, 2).intervals).toEqual(new Map([['a', 64]]));
  });

  it('begin with the first and go on where that is not enough', () => {
    const { intervals, percent } = choose([candidate('tiny', 1.5e7), candidate('small', 2e6)]);
    expect(intervals).toEqual(
      new Map([
        ['tiny', 512],
        ['small', 16],
      ]),
    );
    expect(percent).toBeLessThanOrEqual(5);
  });

  it('leave enough visits timed for a mean that can be relied on', () => {
    const { intervals } = choose([candidate('a', 1.5e6)], () => nothing, 4.62);
    expect(intervals.get('a')).toBe(64);
  });

  it('are for functions below which nothing is recorded, themselves included', () => {
    const [a, b] = [candidate('a', 1e7), candidate('b', 1e6)];
    expect(choose([a, b], (key) => new Set(key === 'a' ? ['b'] : [])).intervals.has('a')).toBe(false);
    expect(choose([a], () => new Set(['a'])).intervals.size).toBe(0);
    expect(choose([a], () => new Set(['not recorded'])).intervals.size).toBe(1);
  });

  it('are not chosen where the measurement cannot sample', () => {
    const { key, measured, overheadPercent } = candidate('a', 1e7);
    const { intervals, percent } = choose([{ key, measured, overheadPercent }]);
    expect(intervals.size).toBe(0);
    expect(percent).toBeCloseTo(17, 6);
  });

  it('determine the cost', () => {
    const a = candidate('a', 1e7);
    expect(costWith(new Map(), a)).toBeCloseTo(17, 6);
    expect(costWith(new Map([['a', 16]]), a)).toBeCloseTo(3.84375, 6);
    expect(visitCost(scaledCosts(sampledCosts, 2).probe, 16)).toBeCloseTo(2 * 3.84375e-9, 15);
  });
});

describe('costs of several calibrations', () => {
  const factor = fc.double({ min: 1, max: 100, noNaN: true });

  it('are those of one that was not disturbed, whatever up to three in four were', () => {
    fc.assert(
      fc.property(fc.array(factor, { maxLength: 12 }), fc.nat(), (disturbed, at) => {
        const quiet = Math.ceil((disturbed.length + 1) / 3);
        const all = [...disturbed, ...Array.from({ length: quiet }, () => 1)];
        const from = at % all.length;
        const scaled = [...all.slice(from), ...all.slice(0, from)].map((one) =>
          scaledCosts(sampledCosts, one),
        );
        expect(lowCosts(scaled)).toMatchObject(sampledCosts);
      }),
    );
  });

  it('are not the very lowest where there are many', () => {
    expect(lowCosts([3, 0.1, 1, 1, 2].map((one) => scaledCosts(sampledCosts, one)))).toMatchObject(
      sampledCosts,
    );
  });

  it('do without samples where there are none, and keep the parts of a pair together', () => {
    expect(lowCosts([costs])).toEqual(costs);
    expect(lowCosts([costs, scaledCosts(sampledCosts, 3)]).probe.sampled?.countedSeconds).toBeCloseTo(
      3 * (sampledCosts.probe.sampled?.countedSeconds ?? NaN),
      15,
    );
    const odd = { pairSeconds: 20e-9, insideSeconds: 1e-9, outsideSeconds: 19e-9 };
    expect(lowCosts([costs, { probe: odd, entry: odd }]).probe).toEqual(costs.probe);
  });
});

describe('what a run tells of the cost of pairs', () => {
  const decision = (key: string, countedFirst?: number): [string, Decision] => [
    key,
    {
      key,
      selected: true,
      reason: { rule: 'statements', ...(countedFirst === undefined ? {} : { countedFirst }) },
    },
  ];
  const percents = new Map([
    ['timed', 3],
    ['few', 0.5],
    ['many', 2],
  ]);
  const predict = ({ decisions }: Selection): number =>
    [...decisions.keys()].reduce((sum, key) => sum + (percents.get(key) ?? 0), 0);

  it('is much unless merely counted functions are a large part of its cost', () => {
    const shows = (key: string): boolean =>
      showsPairCost({ decisions: new Map([decision('timed'), decision(key, 1024)]) }, predict);
    expect(shows('few')).toBe(true);
    expect(shows('many')).toBe(false);
    expect(showsPairCost({ decisions: new Map([decision('timed'), decision('many')]) }, predict)).toBe(true);
  });
});

describe('a selection with samples', () => {
  const selection = (interval: number | undefined): Selection => ({
    decisions: new Map([
      [
        'f',
        {
          key: 'f',
          selected: true,
          reason: {
            rule: 'hot-spot',
            value: 0.081,
            threshold: 0.04,
            measure: 'exclusive',
            cost: {
              visits: 19_000_000,
              pairSeconds: 2.4e-9,
              overheadPercent: 3.1,
              ...(interval === undefined ? {} : { interval }),
            },
          },
        },
      ],
    ]),
  });

  it('says how many visits are timed', () => {
    const reason = selection(64).decisions.get('f')?.reason;
    expect(reason === undefined ? '' : explainReason(reason)).toBe(
      'in: 8.1 % of the run time is spent in itself (threshold 4.0 %); costs 3.1 % (19 M visits × 2.4 ns: 1 in 64 visits is timed)',
    );
  });

  it('differs from one with all visits timed, or with far more or fewer', () => {
    expect(intervalsOf(selection(64))).toEqual(new Map([['f', 64]]));
    expect(changedFunctions(selection(undefined), selection(16))).toBe(1);
    expect(changedFunctions(selection(1024), selection(64))).toBe(1);
    expect(sameFunctions(selection(64), selection(128))).toBe(true);
  });
});
