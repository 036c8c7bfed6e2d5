import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSearches } from '../../../../../src/core/diagnosis/comparison/compareSearches';
import { foundAt, record } from './records';

describe('comparison of searches', () => {
  it('T9: utility sums of 5, 10, 20, 40 s and 2, 4, 20, 30 s are 75 and 56, for each of 4 known 18.75 and 14 s', () => {
    const { known, trials } = compareSearches([
      { label: 'call graph', runs: [foundAt(5, 10, 20, 40)] },
      { label: 'Deep Start', runs: [foundAt(2, 4, 20, 30)] },
    ]);
    expect(known.map(({ seconds }) => seconds)).toEqual([2, 4, 20, 30]);
    expect(trials.map(({ utilitySum, utilityMean }) => [utilitySum, utilityMean])).toEqual([
      [75, 18.75],
      [56, 14],
    ]);
  });

  it.each([
    ['ALARA', 191.9, 134.1, -30.1],
    ['DRACO', 152.7, 75.2, -50.8],
    ['om3', 158.1, 124.5, -21.3],
    ['su3_rmd', 141.8, 114.3, -19.4],
  ])('T9: the published utilities of %s, %d and %d, differ by %d %%', (_, callGraph, deepStart, percent) => {
    const { trials } = compareSearches([
      { label: 'call graph', runs: [foundAt(callGraph)] },
      { label: 'Deep Start', runs: [foundAt(deepStart)] },
    ]);
    expect(trials[0]?.change).toBeUndefined();
    expect(100 * (trials[1]?.change?.utility ?? NaN)).toBeCloseTo(percent, 1);
  });

  it('T9: values are means over five runs, known is what any run found, and the profile has the best and the worst run', () => {
    const runs = [foundAt(10), foundAt(20, 30), foundAt(30, 60), foundAt(10, 30), foundAt(30, 40)];
    const other = record([
      { at: 'f0', trueAfter: 5 },
      { at: 'elsewhere', trueAfter: 8 },
      { at: 'cold' },
      { at: 'waiting', tested: false },
    ]);
    const { known, trials } = compareSearches([
      { label: 'call graph', runs },
      { label: 'other', runs: [other] },
    ]);
    expect(known.map(({ focus }) => focus.Code[1])).toEqual(['f0', 'f1', 'elsewhere']);
    expect(trials[0]).toEqual({
      label: 'call graph',
      runs: 5,
      experiments: 1.8,
      found: 1.8,
      utilitySum: 52,
      utilityMean: 52 / 3,
      profile: [
        { share: 1 / 3, time: { mean: 20, best: 10, worst: 30 }, runs: 5 },
        { share: 2 / 3, time: { mean: 40, best: 30, worst: 60 }, runs: 4 },
      ],
      half: { mean: 40, best: 30, worst: 60 },
      finish: { mean: 34, best: 10, worst: 60 },
    });
    expect(trials[1]).toMatchObject({
      experiments: 3,
      found: 2,
      utilitySum: 13,
      change: { utility: 13 / 52 - 1, equalFound: 5 / 20 - 1, half: 8 / 40 - 1, finish: 8 / 34 - 1 },
    });
  });

  it('T9: a search that finds more is compared up to as many as the other found', () => {
    const { trials } = compareSearches([
      { label: 'call graph', runs: [foundAt(20, 40)] },
      { label: 'Deep Start', runs: [foundAt(10, 20, 90)] },
    ]);
    expect(trials[1]?.change).toMatchObject({ utility: 120 / 60 - 1, equalFound: -0.5 });
  });

  it('T9: a search that found nothing has no times', () => {
    const { trials } = compareSearches([
      { label: 'one', runs: [foundAt(5)] },
      { label: 'nothing', runs: [record([{ at: 'cold' }])] },
    ]);
    expect(trials[1]).toEqual({
      label: 'nothing',
      runs: 1,
      experiments: 1,
      found: 0,
      utilitySum: 0,
      utilityMean: 0,
      profile: [],
      change: { utility: -1 },
    });
    const nothing = compareSearches([{ label: 'nothing', runs: [record([])] }]);
    expect(nothing.trials[0]).toMatchObject({ utilityMean: 0, profile: [] });
  });

  it('T9: a bottleneck is what is true at the end, found when it was first true; only measured hypotheses are ones', () => {
    const [flipped, ended] = record([
      { at: 'flipped', trueAfter: 10 },
      { at: 'ended', trueAfter: 10 },
    ]).nodes;
    if (flipped === undefined || ended === undefined) throw new Error('two nodes');
    const conclusions = [
      { time: 20, truth: 'false', value: 0.1 },
      { time: 30, truth: 'true', value: 0.5 },
      { time: 50, truth: 'false', value: 0.1 },
      { time: 70, truth: 'true', value: 0.5 },
    ] as const;
    const search = record([], {
      nodes: [
        { ...flipped, conclusions },
        { ...ended, truth: 'false' },
        { ...flipped, hypothesis: 'TopLevelHypothesis' },
      ],
    });
    const { known } = compareSearches([{ label: 'one', runs: [search] }]);
    expect(known.map(({ focus, seconds }) => [focus.Code[1], seconds])).toEqual([['flipped', 30]]);
  });

  it('T9: the same function on another process is another bottleneck', () => {
    const { known } = compareSearches([
      {
        label: 'one',
        runs: [
          record([
            { at: 'f', trueAfter: 1, machine: ['c1', 'p1'] },
            { at: 'f', trueAfter: 1, machine: ['c1', 'p2'] },
            { at: 'f', trueAfter: 1 },
          ]),
        ],
      },
    ]);
    expect(known).toHaveLength(3);
  });

  it('T9: recall and precision are against the truth, where it is given', () => {
    const truth = foundAt(0, 0, 0, 0);
    const wrong = record([
      { at: 'f0', trueAfter: 10 },
      { at: 'cold', trueAfter: 20 },
    ]);
    const compared = compareSearches([{ label: 'one', runs: [wrong, foundAt(1, 2)] }], truth);
    expect(compared.truth).toBe(4);
    expect(compared.trials[0]).toMatchObject({ recall: (1 / 4 + 2 / 4) / 2, precision: (1 / 2 + 1) / 2 });
    expect(compareSearches([{ label: 'none', runs: [record([])] }], record([])).trials[0]).toMatchObject({
      recall: 1,
      precision: 1,
    });
  });

  it('T9: nothing to compare, and times of different clocks, are refused with what to do', () => {
    expect(() => compareSearches([])).toThrow(/no search to compare/);
    expect(() =>
      compareSearches([
        { label: 'one', runs: [foundAt(1)] },
        { label: 'empty', runs: [] },
      ]),
    ).toThrow(/“empty”/);
    expect(() =>
      compareSearches([{ label: 'both', runs: [foundAt(1), record([], { clock: 'wall' })] }]),
    ).toThrow(/virtual.*wall/);
  });

  it('T9: profiles rise, best and worst enclose the mean, and the last point of all runs is at the finish', () => {
    const anyRun = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(anyRun, { minLength: 1, maxLength: 5 }), (all) => {
        const { known, trials } = compareSearches([
          { label: 'any', runs: all.map((times) => foundAt(...times)) },
        ]);
        const trial = trials[0];
        if (trial === undefined) throw new Error('one trial');
        expect(trial.profile.map(({ share }) => Math.round(share * known.length))).toEqual(
          known.map((_, index) => index + 1),
        );
        expect(trial.profile.at(-1)?.share).toBe(1);
        for (const { time } of trial.profile) {
          expect(time.best).toBeLessThanOrEqual(time.mean + 1e-9);
          expect(time.mean).toBeLessThanOrEqual(time.worst + 1e-9);
        }
        trial.profile.forEach(({ time, runs }, index) => {
          const next = trial.profile[index + 1];
          if (next?.runs === runs) expect(next.time.mean).toBeGreaterThanOrEqual(time.mean);
        });
        expect(trial.finish?.worst).toBe(Math.max(...all.flat()));
        expect(trial.utilitySum * all.length).toBeCloseTo(
          all.flat().reduce((sum, time) => sum + time, 0),
          6,
        );
      }),
    );
  });
});
