import { describe, expect, it } from 'vitest';
import { Gaps } from '../../../../../src/core/degradations/places/gaps';
import {
  allRanks,
  PhaseTimes,
  wholeValues,
  withLength,
} from '../../../../../src/core/degradations/places/phaseTimes';
import { placesAcrossRanks, placesOf } from '../../../../../src/core/degradations/places/places';
import {
  contextKey,
  type Burst,
  type Series,
  type SeriesContext,
} from '../../../../../src/core/series/series';
import { series, solve, step, send } from '../bursts';

const burst = (length: number, ...list: readonly Series[]): Burst => ({ first: 0, length, series: list });
const onThread = (thread: number, { context, values }: Series): Series => ({
  context: { ...context, thread },
  values,
});

describe('iterations without a value', () => {
  const notes = (missing: number, of: number, method: 'zero' | 'linear' = 'zero'): readonly string[] => {
    const gaps = new Gaps();
    const values = Array.from({ length: of }, (_, i) => (i < missing ? NaN : 1));
    gaps.add(burst(of, series(solve, 0, values)));
    return gaps.notes(of, method);
  };

  it('are a note from a tenth on, unless there is no value at all', () => {
    expect(notes(10, 100)).toEqual([
      '10 % of the iterations have no value in any series and count as 0. If the program logs only some of its iterations, --set missing=linear (or constant) fills the gaps.',
    ]);
    expect(notes(20, 100, 'linear')).toEqual([
      '20 % of the iterations have no value in any series; the gaps are filled (linear).',
    ]);
    expect(notes(9, 100)).toEqual([]);
    expect(notes(99, 100)).toHaveLength(1);
    expect(notes(100, 100)).toEqual([]);
    expect(notes(0, 0)).toEqual([]);
  });

  it('are those that no series has', () => {
    const gaps = new Gaps();
    gaps.add(
      burst(
        4,
        series(solve, 0, [1, NaN, NaN, NaN]),
        series(send, 0, [NaN, NaN, 0, 3, 4, 5]),
        series(send, 1, [1]),
      ),
    );
    gaps.add(burst(2, series(solve, 0, [1, 2]), series(solve, 1, [NaN, NaN])));
    gaps.add(burst(2));
    // One of the first four, both of the last two.
    expect(gaps.notes(30, 'linear')[0]).toMatch(/^10 % /);
    expect(gaps.notes(31, 'linear')).toEqual([]);
    expect(gaps.notes(8, 'linear')[0]).toMatch(/^38 % /);
  });
});

describe('the time of the phase', () => {
  const start = (...list: readonly Series[]): PhaseTimes => {
    const phases = new PhaseTimes('zero');
    phases.begin(burst(3, ...list));
    return phases;
  };
  const values = (phases: PhaseTimes, rank: number, thread = 0): readonly number[] => [
    ...phases.values(rank, thread),
  ];

  it('is the measured one of the thread, or of its process', () => {
    const phases = start(
      series(step, 0, [1, 2, 3]),
      onThread(2, series(step, 0, [4, 5, 6])),
      series(step, 1, [7, NaN]),
      series(step, 1, [0, 0, 0]),
      series(step, 1, [9, 9, 9], 'visits'),
    );
    expect([values(phases, 0), values(phases, 0, 2), values(phases, 0, 1), values(phases, 1)]).toEqual([
      ...[
        [1, 2, 3],
        [4, 5, 6],
        [1, 2, 3],
        [7, 0, 0],
      ],
    ]);
    expect([phases.knowledge, phases.name]).toEqual(['measured', 'step']);
  });

  it('is at least what the regions of a thread took', () => {
    const list = [
      series(step, 0, [4, 4, 4]),
      series(solve, 0, [9, 9, 9]),
      onThread(1, series(send, 0, [1, 30, NaN])),
      onThread(1, series(solve, 0, [2, 2, 7])),
      onThread(1, series(solve, 0, [90, 90, 90], 'visits')),
    ];
    const phases = start(...list);
    expect([values(phases, 0), values(phases, 0, 1), values(phases, 0, 2)]).toEqual([
      ...[
        [4, 4, 4],
        [4, 32, 7],
        [4, 4, 4],
      ],
    ]);
    // Of inclusive times the longest is that of the thread.
    const inclusive = start(...list, series(solve, 0, [9, 9, 9], 'computing'));
    expect(values(inclusive, 0, 1)).toEqual([4, 30, 7]);
    phases.begin(burst(1, series(step, 0, [1]), onThread(1, series(send, 0, [3]))));
    expect(values(phases, 0, 1)).toEqual([3]);
  });

  it('is the mean of the measured ones for a rank without', () => {
    const phases = start(series(step, 0, [1, 2, 3]), series(step, 2, [3, 4, 7]));
    expect(values(phases, allRanks)).toEqual([2, 3, 5]);
    expect(phases.knowledge).toBe('measured');
    expect(values(phases, 1)).toEqual([2, 3, 5]);
    expect(phases.knowledge).toBe('of other ranks');
    phases.begin(burst(1, series({ ...step, name: 'other' }, 0, [5])));
    expect(values(phases, 1)).toEqual([5]);
    expect([phases.knowledge, phases.name]).toEqual(['of other ranks', 'step']);
  });

  it('is the sum of the times of the regions where none was measured', () => {
    const phases = start(
      series(solve, 0, [1, 2, 3]),
      series(send, 0, [10, 10, 10]),
      series(send, 1, [1, NaN, 1]),
      series(send, 1, [5, 5, 5], 'visits'),
    );
    expect([values(phases, 0), values(phases, 1), values(phases, 2)]).toEqual([
      ...[
        [11, 12, 13],
        [1, 0, 1],
        [0, 0, 0],
      ],
    ]);
    expect([phases.knowledge, phases.name]).toEqual(['sum of its regions', undefined]);
    const all = start(series(solve, 0, [1, 2, 3]), series(send, 1, [3, 4, 5]));
    expect(values(all, allRanks)).toEqual([2, 3, 4]);
    phases.begin(burst(3, series(step, 0, [1, 1, 1])));
    values(phases, 5);
    expect(phases.knowledge).toBe('sum of its regions');
  });

  it('is summed over the run', () => {
    const phases = start(series(step, 0, [1, 2, 3]));
    phases.count(0, 0);
    phases.begin(burst(2, series(step, 0, [10, 20])));
    phases.count(0, 0);
    phases.count(1, 0);
    expect([phases.sum(0, 0), phases.sum(1, 0), phases.sum(2, 0)]).toEqual([36, 30, 0]);
    const huge = start(series(step, 0, [1e308, 1e308, 0]));
    for (let n = 0; n < 1e3; n++) huge.count(0, 0);
    expect(huge.sum(0, 0)).toBeCloseTo(2e303, -295);
  });

  it('has values without gaps, of the length of the burst, of which sums are numbers', () => {
    expect([...wholeValues(Float64Array.of(1, NaN, 3), 'linear')]).toEqual([1, 2, 3]);
    expect([...wholeValues(Float64Array.of(1e301, -1e308, 1e300, -1e300), 'zero')]).toEqual([
      1e300, -1e300, 1e300, -1e300,
    ]);
    const own = Float64Array.of(1, 2);
    expect(withLength(own, 2)).toBe(own);
    expect([...withLength(own, 3)]).toEqual([1, 2, NaN]);
    expect([...withLength(own, 1)]).toEqual([1]);
  });
});

describe('places', () => {
  const context = (region: SeriesContext['region'], rank: number, metric = ''): SeriesContext => ({
    ...{ region, metric, rank, thread: 0 },
  });
  const list = (places: ReturnType<typeof placesOf>): unknown =>
    places.map(({ key, context: own, metrics }) => [
      key,
      own,
      [...metrics].map(([name, values]) => [name, [...values]]),
    ]);

  it('are regions on threads with their metrics, without the time of the phase', () => {
    const places = placesOf(
      burst(
        3,
        series(step, 0, [9, 9, 9]),
        series(step, 0, [1, 1, 1], 'visits'),
        series(solve, 0, [1, 2]),
        series(solve, 0, [3, 3, 3], 'visits'),
        series(solve, 0, [7, 7, 7]),
        series(solve, 1, [4, 4, 4]),
      ),
    );
    expect(list(places)).toEqual([
      [contextKey(context(step, 0)), context(step, 0), [['visits', [1, 1, 1]]]],
      [
        contextKey(context(solve, 0)),
        context(solve, 0),
        [
          ['time', [1, 2, NaN]],
          ['visits', [3, 3, 3]],
        ],
      ],
      [contextKey(context(solve, 1)), context(solve, 1), [['time', [4, 4, 4]]]],
    ]);
  });

  const across = (...all: readonly Series[]): unknown =>
    list(placesAcrossRanks(placesOf(burst(2, ...all)), 2));

  it('across ranks have the slowest rank and the mean of all', () => {
    const key = contextKey(context(solve, allRanks));
    expect(
      across(
        series(solve, 0, [1, 5]),
        series(solve, 1, [3, NaN]),
        series(send, 2, [1, 1]),
        series(solve, 2, [0, 0], 'visits'),
      ),
    ).toEqual([
      [
        key,
        context(solve, allRanks),
        [
          ['slowest', [3, 5]],
          ['average', [4 / 3, 5 / 3]],
        ],
      ],
    ]);
    // Threads count where they are more than the ranks.
    expect(
      across(
        series(solve, 0, [1, 5]),
        onThread(1, series(solve, 0, [2, 2])),
        onThread(2, series(solve, 0, [0, 1])),
        series(solve, 1, [9, 0]),
      ),
    ).toEqual([
      [
        key,
        context(solve, allRanks),
        [
          ['slowest', [9, 5]],
          ['average', [3, 2]],
        ],
      ],
    ]);
  });

  it('across ranks are those that two ranks have, and not the phase', () => {
    expect(across(series(solve, 0, [1, 1]), onThread(1, series(solve, 0, [2, 2])))).toEqual([]);
    expect(
      across(series(solve, 0, [1, 1]), onThread(1, series(solve, 0, [2, 2])), series(send, 1, [1, 1])),
    ).toEqual([]);
    expect(across(series(step, 0, [1, 1], 'visits'), series(step, 1, [1, 1], 'visits'))).toEqual([]);
    expect(across(series(solve, 0, [1, 1]), series(solve, 1, [1, 1], 'visits'))).toEqual([]);
  });
});
