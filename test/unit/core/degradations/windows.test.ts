import { describe, expect, it } from 'vitest';
import { BurstWindows } from '../../../../src/core/degradations/bursts/burstWindows';
import { ImpactRecord } from '../../../../src/core/degradations/bursts/impactRecord';
import { noOthers } from '../../../../src/core/degradations/bursts/largestPatterns';
import { energies } from '../../../../src/core/transforms/haar';
import type { Pattern, SeriesAnalysis } from '../../../../src/core/signal/signal';
import { pattern } from './report/made';

const ramp = (length: number, start = 0): Float64Array => Float64Array.from({ length }, (_, i) => start + i);
const analysis = (
  patterns: readonly Pattern[],
  values: Float64Array = new Float64Array(),
): SeriesAnalysis => ({
  ...{ energies: energies(values), noise: 0.5, episodes: [], patterns, sentence: 'as a whole' },
});
const peak = (at: number): Pattern => pattern('peak', at, at);

describe('windows of a long run', () => {
  /** What was analysed: first value and length; the values count iterations. */
  function windows(lengths: readonly number[], found: (start: number, length: number) => readonly Pattern[]) {
    const seen: (readonly number[])[] = [];
    const list = new BurstWindows(64, 0.01);
    let end = 0;
    for (const length of lengths) {
      list.push(ramp(length, end), (window) => {
        const start = window[0] ?? NaN;
        seen.push([start, window.length]);
        // Peaks keep the level of their values, so that their extent stays.
        return analysis(found(start, window.length));
      });
      end += length;
    }
    return { seen, patterns: list.patterns().patterns, list };
  }

  it('share 64 values with the one before; fewer than 16 values wait for the following ones', () => {
    expect(windows([100, 100, 15, 15, 16, 30], () => []).seen).toEqual([
      [0, 100],
      [36, 164],
      [136, 110],
      [182, 94],
    ]);
    expect(windows([20, 16, 15], () => []).seen).toEqual([
      [0, 20],
      [0, 36],
    ]);
  });

  it('count a pattern once, where it is in two of them: by its top, or by its end', () => {
    const places = [10, 67, 68, 99, 110, 150, 190];
    const { patterns } = windows([100, 100], (start, length) =>
      places.filter((at) => at >= start && at < start + length).map((at) => peak(at - start)),
    );
    expect(patterns.map(({ from }) => from)).toEqual(places);
    // At the border of the last 32 values: 68 is new in the second window, 67 is not.
    const second = (at: number): number =>
      windows([100, 100], (start) => (start === 36 ? [peak(at - start)] : [])).patterns.length;
    expect([67, 68].map(second)).toEqual([0, 1]);
    const wide = (top: number): number =>
      windows([100, 100], (start) => (start === 36 ? [pattern('peak', 0, 60, { at: top - start })] : []))
        .patterns.length;
    expect([67, 68].map(wide)).toEqual([0, 1]);
    const step = (to: number): number =>
      windows([100, 100], (start) => (start === 36 ? [pattern('step', to - 1 - start, to - start)] : []))
        .patterns.length;
    expect([67, 68].map(step)).toEqual([0, 1]);
  });

  it('confirm short patterns at the border in the next one, if that is analysed', () => {
    const first = (start: number): readonly Pattern[] => (start === 0 ? [peak(50), peak(90)] : []);
    expect(windows([100, 100], first).patterns.map(({ from }) => from)).toEqual([50]);
    expect(windows([100], first).patterns.map(({ from }) => from)).toEqual([50, 90]);
    const list = new BurstWindows(64, 0.01);
    list.push(ramp(100), () => analysis([peak(50), peak(90)]));
    list.push(ramp(100), () => undefined);
    expect(list.patterns().patterns.map(({ from }) => from)).toEqual([50, 90]);
  });

  it('are asked without a trace: what is open goes on', () => {
    const list = new BurstWindows(64, 0.01);
    list.push(ramp(100), () => analysis([peak(50), peak(90)]));
    const places = (): readonly number[] => list.patterns().patterns.map(({ from }) => from);
    expect([places(), places()]).toEqual([
      [50, 90],
      [50, 90],
    ]);
    // This one does not confirm the second.
    list.push(ramp(100), () => analysis([]));
    expect(places()).toEqual([50]);
  });

  it('join a rise that goes on, at most a fiftieth of the new values from the border, and two iterations', () => {
    const rise = (from: number, to: number): Pattern =>
      pattern('trend', from, to, { levels: [from, to], excess: 0, sum: 0 });
    const both = (gap: number, length: number): readonly (readonly number[])[] =>
      windows([100, length], (start) => {
        if (start === 0) return [rise(40, 99)];
        const begin = 100 + gap - start;
        const value = (at: number): number => at + start;
        const [from, to] = [begin, 90 + length / 2];
        return [{ ...rise(from, to), levels: [value(from), value(to)] }];
      }).patterns.map(({ from, to }) => [from, to]);
    expect(both(2, 100)).toHaveLength(1);
    expect(both(3, 100)).toHaveLength(2);
    expect(both(4, 200)).toHaveLength(1);
    expect(both(5, 200)).toHaveLength(2);
  });

  it('may be followed by more after a look at the result', () => {
    const list = new BurstWindows(64, 0.01);
    const all = (values: Float64Array): SeriesAnalysis =>
      analysis(
        [90, 120, 190]
          .filter((at) => at >= values[0]! && at < values[0]! + values.length)
          .map((at) => peak(at - values[0]!)),
      );
    list.push(ramp(100), all);
    expect(list.patterns().patterns.map(({ from }) => from)).toEqual([90]);
    expect(list.patterns().firstPeaks).toHaveLength(1);
    list.push(ramp(100, 100), all);
    expect(list.patterns().patterns.map(({ from }) => from)).toEqual([90, 120, 190]);
    expect(list.patterns().firstPeaks.map(({ from }) => from)).toEqual([90, 120, 190]);
    expect(list.patterns().others).toEqual(noOthers);
  });
});

describe('the record of an impact', () => {
  const options = {
    wholeRun: 100,
    coarseValues: 16,
    falseAlarm: 0.01,
    patternsKept: 8,
    thresholdEnergy: 0.01,
    shortGate: 0.001,
  };
  const always = (): boolean => true;
  const none = (values: Float64Array): SeriesAnalysis => analysis([], values);

  it('stores a short run as it is', () => {
    const record = new ImpactRecord(options);
    record.push(ramp(30), always, none);
    record.push(ramp(70, 30), always, none);
    expect([record.iterations, record.kept().valueLength, [...record.kept().values]]).toEqual([
      100,
      1,
      [...ramp(100)],
    ]);
    const found = record.dynamics((values) => ({
      ...analysis(
        [peak(10), peak(20), peak(30), peak(40), peak(50), { ...peak(7), improvement: true }],
        values,
      ),
      episodes: [{ letter: 'E', from: 0, to: 99, sum: 3, stability: 1 }],
    }));
    expect(found).toEqual({
      energies: energies(ramp(100)),
      analysis: expect.objectContaining({ sentence: 'as a whole', noise: 0.5 }) as unknown,
      patterns: [...[10, 20, 30, 40, 50].map((at) => peak(at)), { ...peak(7), improvement: true }],
      others: noOthers,
      period: 10,
    });
  });

  it('becomes means of several iterations where the run is longer', () => {
    const record = new ImpactRecord(options);
    for (const start of [0, 40, 80]) record.push(ramp(40, start), always, none);
    expect([record.iterations, record.kept().valueLength]).toEqual([120, 8]);
    expect([...record.kept().values]).toEqual(Array.from({ length: 15 }, (_, n) => 8 * n + 3.5));
    record.shrink(8);
    expect(record.kept().valueLength).toBe(16);
    const sizes = [new ImpactRecord(options), record].map(({ size }) => size);
    expect(sizes).toEqual([0, 16]);
    const short = new ImpactRecord(options);
    short.push(ramp(30), always, none);
    expect(short.size).toBe(30);
    short.push(ramp(10), always, none);
    expect(short.size).toBe(60);
    short.push(ramp(50), always, none);
    expect(short.size).toBe(100);
  });

  it('takes iterations without the place as zeros', () => {
    const record = new ImpactRecord({ ...options, wholeRun: 20_000 });
    record.push(ramp(2, 5), always, none);
    record.skip(9000, always, none);
    record.skip(0, always, none);
    record.skip(-5, always, none);
    record.push(ramp(1, 7), always, none);
    expect(record.iterations).toBe(9003);
    expect(
      [...record.kept().values].map((value, at) => [at, value]).filter(([, value]) => value !== 0),
    ).toEqual([
      ...[
        [0, 5],
        [1, 6],
        [9002, 7],
      ],
    ]);
  });

  it('analyses windows that vary while the problem holds', () => {
    const count = (values: Float64Array, isWorth: boolean, others = {}): number => {
      let calls = 0;
      const record = new ImpactRecord({ ...options, wholeRun: 0, ...others });
      record.push(
        values,
        () => isWorth,
        (window) => {
          calls++;
          return none(window);
        },
      );
      return calls;
    };
    const spike = (height: number): Float64Array =>
      Float64Array.from({ length: 100 }, (_, i) => (i === 50 ? 1 + height : 1));
    expect(count(spike(3), true)).toBe(1);
    expect(count(spike(3), false)).toBe(0);
    expect(count(new Float64Array(100).fill(1), true)).toBe(0);
    expect(count(new Float64Array(100), true)).toBe(0);
    // The energy of its change is 0.000945 of all.
    expect(count(spike(0.31), true)).toBe(0);
    expect(count(spike(0.31), true, { shortGate: 0.0009 })).toBe(1);
    expect(count(spike(0.31), true, { thresholdEnergy: 0.0009 })).toBe(1);
  });

  /** A run of 400 iterations in windows of 100, with means of 32: patterns of the windows, and of the means. */
  function both(fine: readonly Pattern[], coarse: readonly Pattern[], coarseValues = 16) {
    const record = new ImpactRecord({ ...options, wholeRun: 0, coarseValues });
    for (const start of [0, 100, 200, 300])
      record.push(ramp(100, start), always, (window) => {
        const begin = window[0]!;
        const own = fine.filter(({ from }) => from >= begin && from < begin + window.length);
        return analysis(
          own.map((each) => ({
            ...each,
            from: each.from - begin,
            to: each.to - begin,
            ...(each.at === undefined ? {} : { at: each.at - begin }),
            ...(each.core === undefined
              ? {}
              : { core: [each.core[0] - begin, each.core[1] - begin] as const }),
          })),
        );
      });
    return record.dynamics((values) => ({
      ...analysis(coarse, values),
      episodes: [
        { letter: 'A', from: 0, to: 3, sum: 2, stability: 1 },
        { letter: 'G', from: 4, to: 12, sum: 3, stability: 1 },
      ],
    }));
  }
  const places = ({ patterns }: ReturnType<typeof both>): unknown =>
    patterns.map(({ type, from, to }) => [type, from, to]);

  it('has the energies of all values, and letters and words in iterations', () => {
    const found = both([], []);
    expect(found.energies.total).toBeCloseTo(energies(ramp(400)).total, 3);
    expect(found.analysis.episodes).toEqual([
      { letter: 'A', from: 0, to: 127, sum: 64, stability: 1 },
      { letter: 'G', from: 128, to: 399, sum: 96, stability: 1 },
    ]);
    expect(found.analysis.sentence).toBe('flat 129-400');
    expect(found.period).toBeUndefined();
    expect(both([20, 60, 100, 140, 180, 220].map(peak), []).period).toBe(40);
  });

  it('has long patterns from the means instead of their pieces in windows', () => {
    const piece = pattern('peak', 150, 160, { at: 155, excess: 1 });
    const outside = pattern('peak', 350, 352, { at: 351 });
    const wide = pattern('peak', 3, 6, { at: 4, excess: 2 });
    // 96 to 223 are longer than a window of 100.
    expect(places(both([piece, outside], [wide]))).toEqual([
      ['peak', 96, 223],
      ['peak', 350, 352],
    ]);
    // Its pieces have most of its cost.
    expect(places(both([{ ...piece, excess: 33 }, outside], [wide]))).toEqual([
      ['peak', 150, 160],
      ['peak', 350, 352],
    ]);
    expect(places(both([{ ...piece, excess: 32 }], [wide]))).toEqual([['peak', 96, 223]]);
    // Half of a piece is inside.
    const across = (to: number): Pattern => pattern('peak', 90, to, { at: to, excess: 1 });
    expect(places(both([across(101)], [wide]))).toEqual([['peak', 96, 223]]);
    expect(places(both([across(100)], [wide]))).toEqual([
      ['peak', 90, 100],
      ['peak', 96, 223],
    ]);
    // Of another sort: no piece.
    const better = { ...piece, improvement: true } as const;
    expect(places(both([better], [wide]))).toHaveLength(2);
    // A peak that a window could show counts only there.
    expect(places(both([piece], [pattern('peak', 3, 5, { at: 4 })]))).toEqual([['peak', 150, 160]]);
  });

  it('has steps where the windows see them, with the cost that the means see', () => {
    const fine = pattern('step', 150, 151, { excess: 1, aftermath: 20 });
    const coarse = (aftermath: number): Pattern =>
      pattern('step', 4, 5, { core: [4, 5], excess: 1, aftermath });
    const [step] = both([fine], [coarse(9)]).patterns;
    expect(step).toMatchObject({ type: 'step', from: 150, to: 151, excess: 32, aftermath: 288 });
    expect(both([fine], [coarse(-0.5)]).patterns[0]).toMatchObject({ excess: 1, aftermath: 20 });
    expect(places(both([], [coarse(9)]))).toEqual([['step', 128, 191]]);
    const far = pattern('step', 250, 251);
    expect(places(both([far], [coarse(9)]))).toEqual([
      ['step', 128, 191],
      ['step', 250, 251],
    ]);
    const twice = [fine, pattern('step', 170, 171)];
    expect(both(twice, [coarse(9)]).patterns.map(({ aftermath }) => aftermath)).toEqual([20, 0]);
  });
});
