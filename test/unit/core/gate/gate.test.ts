import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { at } from '../../../../src/core/at';
import { dependenceOf } from '../../../../src/core/gate/dependence';
import {
  gateOf,
  mayBeRegression,
  verdictOfAll,
  type GateEntry,
  type GateLimits,
  type MeasuredFigures,
} from '../../../../src/core/gate/gate';
import type { FigureName } from '../../../../src/core/gate/figures';
import { judge, judgeBudget, type Effect } from '../../../../src/core/gate/verdict';
import { quantileOfT } from '../../../../src/core/compare/studentT';
import { entrySentence, signed, verdictText, wholeSentence } from '../../../../src/core/gate/words';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { measuredSides, type Runs } from './runs';

const limits: GateLimits = {
  minimumChange: 0.03,
  leastStake: 0.005,
  budgets: { figures: {}, functions: {} },
};
const noFigures: MeasuredFigures = { whole: [], growth: [] };
const seeds = Array.from({ length: 200 }, (_, seed) => seed);
const gateRuns = (seed: number, runs: Runs) =>
  gateOf(measuredSides(seed, runs), runs.after !== true, noFigures, limits).entries;
const regressions = (entries: readonly GateEntry[]) =>
  entries.filter(({ verdict }) => verdict === 'regression');

describe('equal programs', () => {
  const kinds: Readonly<Record<string, Runs>> = {
    usual: {},
    'few functions': { functions: 4 },
    'one function': { functions: 1 },
    'heavy tails': { isHeavy: true, functions: 3, repetitions: 5 },
    'a machine that becomes slower': { drift: 0.02, functions: 3 },
    'runs a third longer now and then': { outlierIn: 10, functions: 4 },
    'a machine that is busy for a while': { machine: [0.8, 0.05], functions: 4 },
    'much noise': { noise: 0.1 },
    'three repetitions': { repetitions: 3 },
    'recording that costs more in some places': { recorded: 0.3, noise: 0.005 },
    'a machine that slows some functions down': { uneven: 0.2, noise: 0.005 },
    'time that is waited for others': { waiting: 1, functions: 4 },
    'one after the other': { after: true },
    'one after the other, while the machine becomes slower': { after: true, drift: 0.005 },
    'one after the other, few functions, on a busy machine': {
      after: true,
      functions: 3,
      machine: [0.9, 0.05],
    },
  };
  it.each(Object.keys(kinds))('have a regression in 2 of 100 gates at most: %s', (kind) => {
    const alarms = seeds.filter((seed) => regressions(gateRuns(seed, kinds[kind] ?? {})).length > 0);
    // 200 gates at 2 % have more than 9 alarms once in 100 times.
    expect(alarms.length).toBeLessThanOrEqual(9);
  });

  it('have no change that matters in 95 of 100 gates where the noise is small', () => {
    const open = seeds.filter(
      (seed) => verdictOfAll(gateRuns(seed, { noise: 0.004, machine: [0, 0.004] })) !== 'no-change',
    );
    expect(open.length).toBeLessThanOrEqual(10);
  });

  it.each([
    ['much was subtracted for recording, from both sides alike', { recorded: 0.1 }],
    ['a rank waits for others', { waiting: 1 }],
  ] as const)('are told by turns as well where %s', (_, given) => {
    const small = { noise: 0.004, machine: [0, 0.004] } as const;
    const open = seeds.filter((seed) => verdictOfAll(gateRuns(seed, { ...small, ...given })) !== 'no-change');
    expect(open.length).toBeLessThanOrEqual(10);
    const [after] = gateRuns(1, { ...small, ...given, after: true });
    expect(after?.values[0]).toBeLessThan(1.5);
  });
});

describe('a function of 30 % that takes 5 % longer', () => {
  it.each([
    ['usual noise of 1.5 %', { noise: 0.015 }],
    ['a machine that becomes slower', { noise: 0.015, drift: 0.01 }],
    [
      'a machine that is busy for a while, with few functions',
      { noise: 0.005, machine: [0.5, 0.01], functions: 4 },
    ],
    ['one after the other', { noise: 0.015, after: true }],
  ] satisfies readonly (readonly [string, Runs])[])(
    'is named in 95 of 100 gates with 10 repetitions, and no other one: %s',
    (_, runs) => {
      const named = seeds.map((seed) =>
        regressions(gateRuns(seed, { ...runs, slower: 1.05 })).map(({ name }) => name),
      );
      expect(named.filter((names) => names.includes('f0')).length).toBeGreaterThanOrEqual(190);
      expect(
        named.filter((names) => names.some((name) => name !== 'f0' && name !== undefined)).length,
      ).toBeLessThanOrEqual(4);
    },
  );
});

describe('what most functions have in common', () => {
  it('is nothing by turns where one of ten changed, also on a machine that slows half of them down now and then', () => {
    const few: Runs = { functions: 10, noise: 0.005, machine: [0, 0.001] };
    for (const seed of seeds.slice(0, 50)) {
      const sides = measuredSides(seed, { ...few, uneven: 0.2, slower: 1.3 });
      const { effects, entries } = gateOf(sides, true, noFigures, limits);
      expect(effects.shift).toBeGreaterThan(0.99);
      expect(effects.shift).toBeLessThan(1.01);
      expect(entries.find(({ name }) => name === 'f0')?.ratio).toBeCloseTo(1.3, 1);
    }
  });
});

describe('all functions that take 10 % longer', () => {
  it('are a regression of the whole where both ran by turns', () => {
    const entries = gateRuns(1, { all: 1.1 });
    expect(entries.find(({ criterion }) => criterion === 'total')?.verdict).toBe('regression');
  });

  it('may be the machine where one was measured after the other', () => {
    for (const seed of seeds.slice(0, 20)) {
      const entries = gateRuns(seed, { all: 1.1, after: true });
      expect(regressions(entries)).toEqual([]);
      expect(verdictOfAll(entries)).toBe('cannot-tell');
    }
  });
});

test('a small function matters only where it changes by half a percent of the run', () => {
  const entries = gateRuns(3, { functions: 100, noise: 0.005 });
  for (const { share = 1, matters, criterion } of entries)
    if (criterion === 'time') expect(matters - 1).toBeCloseTo(Math.max(0.03, 0.005 / share), 9);
});

describe('the verdict of an interval', () => {
  const effect = (difference: number, runError: number, more: Partial<Effect> = {}): Effect => ({
    ...{ difference: Math.log1p(difference), runError, otherError: 0, freedom: Infinity, repetitions: 10 },
    ...more,
  });
  const verdict = (difference: number, error: number, more?: Partial<Effect>): string =>
    judge(effect(difference, error, more), 0.03, 1).verdict;

  it('follows its ends and what matters', () => {
    expect(verdict(0.05, 0.01)).toBe('regression');
    expect(verdict(0.05, 0.02)).toBe('cannot-tell');
    expect(verdict(-0.05, 0.01)).toBe('improvement');
    expect(verdict(0.02, 0.001)).toBe('no-change');
    expect(verdict(0.02, 0.01)).toBe('cannot-tell');
    expect(verdict(0.5, 0, { freedom: 0 })).toBe('cannot-tell');
  });

  it('says the repetitions that would tell, and that none would', () => {
    const open = judge(effect(0.05, 0.02), 0.03, 1);
    const needed = open.repetitions ?? 0;
    expect(needed).toBeGreaterThan(10);
    const shorter = 0.02 * Math.sqrt(10 / needed);
    expect(verdict(0.05, shorter)).toBe('regression');
    expect(verdict(0.05, 0.02 * Math.sqrt(10 / (needed - 1)))).toBe('cannot-tell');
    expect(judge(effect(0.05, 0.02, { otherError: 0.05 }), 0.03, 1).repetitions).toBeUndefined();
  });

  it('of more effects at once needs more, and never turns round', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -0.3, max: 0.3, noNaN: true }),
        fc.double({ min: 1e-4, max: 0.2, noNaN: true }),
        fc.integer({ min: 2, max: 200 }),
        fc.integer({ min: 1, max: 40 }),
        (difference, error, count, freedom) => {
          const given = effect(difference, error, { freedom });
          const [one, many] = [judge(given, 0.03, 1), judge(given, 0.03, count)];
          expect(at(many.interval ?? [], 0)).toBeLessThanOrEqual(at(one.interval ?? [], 0));
          expect(at(many.interval ?? [], 1)).toBeGreaterThanOrEqual(at(one.interval ?? [], 1));
          if (many.verdict !== 'cannot-tell') expect(one.verdict).toBe(many.verdict);
          const back = judge({ ...given, difference: -given.difference }, 0.03, 1);
          if (one.verdict === 'regression') expect(back.verdict).toBe('improvement');
        },
      ),
    );
  });

  it('has ends that are numbers, however little is known', () => {
    const { interval, verdict: open } = judge(effect(0.5, 3, { freedom: 0.05 }), 0.03, 40);
    expect(open).toBe('cannot-tell');
    expect(interval?.every((end) => Number.isFinite(end) && end > 0)).toBe(true);
    expect(verdict(1e6, 3, { freedom: 0.05 })).toBe('cannot-tell');
  });

  it('has the quantiles of Student’s t (tables: 0.05 of both tails)', () => {
    expect(quantileOfT(0.05, 1)).toBeCloseTo(12.706, 2);
    expect(quantileOfT(0.05, 9)).toBeCloseTo(2.262, 3);
    expect(quantileOfT(0.01, 9)).toBeCloseTo(3.25, 2);
    expect(quantileOfT(0.05, Infinity)).toBeCloseTo(1.96, 3);
  });
});

describe('a budget', () => {
  it('is exceeded, kept, or open', () => {
    const values = (middle: number): Float64Array =>
      Float64Array.of(0.98, 1, 1.02, 0.99, 1.01).map((one) => one * middle);
    expect(judgeBudget(values(1.2), 1).verdict).toBe('regression');
    expect(judgeBudget(values(0.8), 1).verdict).toBe('no-change');
    expect(judgeBudget(values(1), 1).verdict).toBe('cannot-tell');
    expect(judgeBudget(Float64Array.of(0.1), 1).verdict).toBe('cannot-tell');
  });

  it('of a function is judged beside its change, and one of an unknown function is an error with a name that is near', () => {
    const sides = measuredSides(1, { noise: 0.001, machine: [0, 0.001] });
    const budget = (functions: GateLimits['budgets']['functions']) =>
      gateOf(sides, true, noFigures, { ...limits, budgets: { figures: {}, functions } }).entries.filter(
        ({ criterion }) => criterion === 'budget',
      );
    expect(budget({ f0: { seconds: 0.2 } })).toMatchObject([
      { name: 'f0', verdict: 'regression', values: [0.2, expect.closeTo(0.3, 2)] },
    ]);
    expect(budget({ f0: { seconds: 0.4 } })).toMatchObject([{ verdict: 'no-change' }]);
    expect(() => budget({ f00: { seconds: 1 } })).toThrow(/budget for "f00".*did you mean "f0"/);
  });

  it('of a figure is judged, and is an error where no run tells what it is', () => {
    const of = (figures: GateLimits['budgets']['figures'], whole: MeasuredFigures['whole'] = []) =>
      gateOf(
        measuredSides(1),
        true,
        { whole, growth: [] },
        { ...limits, budgets: { figures, functions: {} } },
      ).entries.filter(({ criterion }) => criterion === 'budget');
    expect(() => of({ memory: 1 })).toThrow(/memory of the largest process cannot be judged/);
    expect(() => of({ imbalance: 1 })).toThrow(/imbalance of ranks cannot be judged.*several ranks/);
    expect(() => of({ dynamics: 1 })).toThrow(/over the iterations cannot be judged.*phase/);
    const overhead = [{ criterion: 'overhead', values: new Float64Array(20).fill(0.04) }] as const;
    expect(of({ overhead: 0.05 }, overhead)).toMatchObject([{ verdict: 'no-change', figure: 'overhead' }]);
    const growth = [{ criterion: 'dynamics', values: new Float64Array(20).fill(-0.04) }] as const;
    expect(of({ dynamics: 0.06 }, growth)).toMatchObject([
      {
        verdict: 'no-change',
        values: [0.06, expect.closeTo(-0.04) as number],
        ratio: expect.closeTo(0.96 / 1.06) as number,
      },
    ]);
    const [exceeded] = of({ overhead: 0.03 }, overhead);
    expect(exceeded).toMatchObject({ verdict: 'regression', unit: 'share' });
    expect(exceeded && entrySentence(exceeded)).toBe(
      'Overhead of recording: 4.0 %, of a budget of 3.0 %, which is exceeded.',
    );
  });
});

test('figures of runs are judged, too', () => {
  const sides = measuredSides(1);
  const figure = (criterion: FigureName, before: number, after: number): GateEntry | undefined =>
    gateOf(
      sides,
      true,
      {
        whole: [
          { criterion, values: Float64Array.from({ length: 20 }, (_, i) => (i < 10 ? before : after)) },
        ],
        growth: [],
      },
      limits,
    ).entries.find((entry) => entry.criterion === criterion);
  expect(figure('memory', 100e6, 120e6)).toMatchObject({ verdict: 'regression', unit: 'bytes' });
  expect(figure('memory', 2e6, 2.5e6)?.verdict).toBe('no-change');
  expect(figure('imbalance', 0.02, 0.3)).toMatchObject({ verdict: 'regression', unit: 'share' });
  expect(figure('imbalance', 0.02, 0.03)?.verdict).toBe('no-change');
  expect(figure('overhead', 0.02, 0.08)).toMatchObject({ verdict: 'regression', unit: 'share' });
  expect(figure('dynamics', -0.01, 0.1)).toMatchObject({ verdict: 'regression', unit: 'growth' });
  expect(figure('dynamics', 0.2, 0)?.verdict).toBe('improvement');
});

describe('growth over the iterations', () => {
  /** Of all functions, with noise of 2 %; the candidate's first function grows by this. */
  const entries = (
    seed: number,
    growth: number,
    noise = 0.02,
    isGrowing: (own: number) => boolean = (own) => own === 0,
  ): readonly GateEntry[] => {
    const sides = measuredSides(seed);
    const random = randomNumbers(seed + 1);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const rows = sides.functions.map((_, own) => ({
      function: own,
      values: Float64Array.from(
        { length: 20 },
        (__, run) => (isGrowing(own) && run >= 10 ? 1 + growth : 1) * Math.exp(noise * normal()),
      ),
    }));
    return gateOf(sides, true, { whole: [], growth: rows }, limits).entries.filter(
      ({ criterion }) => criterion === 'dynamics',
    );
  };

  it('that is new is named with its function, and no other one', () => {
    const named = seeds.map((seed) => entries(seed, 0.06).filter(({ verdict }) => verdict === 'regression'));
    expect(named.filter((one) => one.some(({ name }) => name === 'f0')).length).toBeGreaterThan(190);
    expect(named.filter((one) => one.some(({ name }) => name !== 'f0')).length).toBeLessThanOrEqual(4);
    const [one] = named.flat();
    expect(one && entrySentence(one)).toMatch(
      /^Growth of f0 over the iterations is larger: it becomes slower from their first half to their second: [+−±]\S+ % → \+6\.\d %, \+\d\.\d % \(/,
    );
  });

  it('of a small function matters where the mean iteration takes half a percent of the run longer', () => {
    // It has 0.7 ÷ 19 of the run: half of a growth of 27 % is half a percent of it.
    const small = (growth: number): string | undefined =>
      entries(1, growth, 0.001, (own) => own === 1).find(({ name }) => name === 'f1')?.verdict;
    expect([small(0.2), small(0.35)]).toEqual(['no-change', 'regression']);
  });

  it('that all functions have alike is no function’s: it is that of the whole', () => {
    const named = entries(1, 0.5, 0.001, () => true).map(({ verdict }) => verdict);
    expect(new Set(named)).toEqual(new Set(['no-change']));
  });

  it('of equal programs is called a regression in at most 2 % of the gates', () => {
    const alarms = seeds.filter((seed) =>
      entries(seed, 0, 0.05).some(({ verdict }) => verdict === 'regression'),
    );
    expect(alarms.length).toBeLessThanOrEqual(4);
  });
});

describe('the dependence of runs that follow each other', () => {
  const series = (kept: number, seed: number, length = 20): Float64Array => {
    const random = randomNumbers(seed);
    let state = 0;
    return Float64Array.from({ length }, () => {
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      return (state = kept * state + normal);
    });
  };
  it('is found in those that keep something of the run before, and not in others', () => {
    const many = (kept: number): number => dependenceOf(seeds.slice(0, 15).map((seed) => series(kept, seed)));
    expect(many(0)).toBe(0);
    expect(many(0.6)).toBeGreaterThan(0.35);
    expect(many(0.6)).toBeLessThan(0.85);
    expect(dependenceOf([Float64Array.of(1, 1, 1, 1)])).toBe(0);
    expect(dependenceOf([])).toBe(0);
  });
});

describe('words', () => {
  it('say the change with its sign, and nothing where there is none', () => {
    expect([1.18, 0.97, 1.0001, 0.9999].map(signed)).toEqual(['+18.0 %', '−3.0 %', '±0 %', '±0 %']);
  });

  it('are a sentence for each entry and for the whole', () => {
    const entries = gateRuns(1, { noise: 0.005, slower: 1.2 });
    for (const entry of entries) expect(entrySentence(entry)).toMatch(/^[^\n]+\.$/);
    expect(entries.map(entrySentence).find((text) => text.startsWith('f0'))).toMatch(
      /^f0 takes longer itself: \d+ ms → 36\d ms, \+\d+\.\d % \(\+\d+\.\d % to \+\d+\.\d %\)\.$/,
    );
    expect(wholeSentence('regression', entries)).toMatch(/^Regression: \d+ criteri/);
    expect(wholeSentence('cannot-tell', gateRuns(2, { noise: 0.1 }))).toMatch(
      /^Cannot tell: .* repetitions of each would tell\.$/,
    );
    expect(wholeSentence('no-change', [])).toBe('No regression.');
    const open = {
      ...at(gateRuns(2, { noise: 0.1 }), 0),
      verdict: 'cannot-tell',
      interval: [0.9, 1.1],
    } as const;
    const whole = (...needed: readonly (number | undefined)[]): string =>
      wholeSentence(
        'cannot-tell',
        needed.map((repetitions) => ({ ...open, repetitions }) as GateEntry),
      ).replace(/^.*\. (?=About|More)/, '');
    expect(whole(12, 30)).toBe('About 30 repetitions of each would tell.');
    expect(whole(12, undefined)).toBe(
      'About 12 repetitions of each would tell of 1; of 1, more repetitions alone would not tell.',
    );
    expect(whole(undefined)).toBe('More repetitions alone would not tell.');
  });

  it('what cannot be told is no matter where only improvements are possible', () => {
    const entry = {
      ...at(gateRuns(1, {}), 0),
      verdict: 'cannot-tell' as const,
      interval: [0.9, 1.01] as const,
    };
    expect(mayBeRegression(entry)).toBe(false);
    expect([verdictText(entry), verdictText({ ...entry, interval: [0.9, 1.04] })]).toEqual([
      'not worse',
      'cannot tell',
    ]);
    expect(entrySentence(entry)).toMatch(/: not worse: [^;]*\)\.$/);
    expect(verdictOfAll([entry])).toBe('no-change');
    expect(mayBeRegression({ ...entry, interval: [0.9, 1.04] })).toBe(true);
  });
});
