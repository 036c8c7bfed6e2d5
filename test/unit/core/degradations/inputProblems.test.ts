import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Series } from '../../../../src/core/series/series';
import { analysed, send, series, solve, step } from './bursts';

const flat = (value: number): Float64Array => new Float64Array(40).fill(value);
const onThread = ({ context, values }: Series, thread: number): Series => ({
  context: { ...context, thread },
  values,
});

function notesOf(all: readonly Series[], options: Parameters<typeof analysed>[1] = {}): readonly string[] {
  return analysed(all, options).notes.filter((note) => !note.startsWith('No dynamics'));
}

describe('notes about the input', () => {
  it('of a region that takes more time than its phase: which one, where, and by how much', () => {
    const run = [0, 1, 2].flatMap((rank) => [
      series(step, rank, flat(1)),
      series(solve, rank, flat(rank === 0 ? 0.9 : 1 + rank)),
    ]);
    expect(notesOf(run)).toEqual([
      'A region takes more time than its phase on ranks 1-2 (“solve” on rank 2: 300 % of the time of its phase), so shares are above 100 %. ' +
        'Check that both have the same unit, and that the phase contains the region in every iteration.',
    ]);
  });

  it('of regions that overlap: how much they add up to', () => {
    const run = [series(step, 0, flat(1)), series(solve, 0, flat(0.9)), series(send, 0, flat(0.6))];
    expect(notesOf(run)).toEqual([
      'The times of the regions on rank 0 overlap or contain each other (on rank 0 they add up to 150 % of the time of its phase), so shares do not add up. ' +
        'Give each region its time without that of other regions.',
    ]);
    // Times with what is called below contain each other because that was asked for.
    const inclusive = [...run, series(solve, 0, flat(0.9), 'computing')];
    expect(notesOf(inclusive)).toEqual([]);
  });

  it('of the cost of recording in its times, where shares differ by it from those of the profile', () => {
    const recorded = (solveCost: number, sendCost: number): readonly Series[] =>
      [0, 1].flatMap((rank) => [
        series(step, rank, flat(1)),
        series(solve, rank, flat(0.6)),
        series(solve, rank, flat(solveCost), 'overhead'),
        series(send, rank, flat(sendCost), 'overhead'),
        onThread(series(solve, rank, flat(9), 'overhead'), 1),
      ]);
    expect(notesOf(recorded(0.2, 0.02))).toEqual([
      'The times of iterations contain the cost of recording, at least 22 % of the time of the phase: functions with many visits have larger shares here than in the profile, which is without it. A refined selection costs less.',
    ]);
    expect(notesOf(recorded(0.03, 0.019))).toEqual([]);
  });

  it('none where times are rounded, or add up to the phase', () => {
    expect(notesOf([series(step, 0, flat(1)), series(solve, 0, flat(1.005))])).toEqual([]);
    const rounded = [series(step, 0, flat(1)), series(solve, 0, flat(0.52)), series(send, 0, flat(0.52))];
    expect(notesOf(rounded)).toEqual([]);
    expect(notesOf([series(step, 0, flat(1)), series(solve, 0, flat(7), 'visits')])).toEqual([]);
  });

  it('none of a thread that works longer than the phase of its process, nor without a phase', () => {
    const process = [series(step, 0, flat(1)), series(solve, 0, flat(0.9))];
    expect(notesOf([...process, onThread(series(solve, 0, flat(3)), 1)])).toEqual([]);
    expect(notesOf([series(solve, 0, flat(3)), series(send, 0, flat(3))])).toEqual([
      'The time of the phase was not measured: the sum of the times of its regions stands for it.',
    ]);
    const some = [...process, series(solve, 1, flat(9))];
    expect(notesOf(some)).toEqual(['Some ranks have no phase time: the mean of the others stands for it.']);
  });

  it.each([
    [1e3, 'milliseconds'],
    [1e6, 'microseconds'],
    [1e9, 'nanoseconds'],
  ])('of times that differ by a factor of %d: which units they may have', (factor, unit) => {
    const [phase, region] = [series(step, 0, flat(1)), series(solve, 0, flat(0.95 * factor))];
    const high = notesOf([phase, region]);
    expect(high).toHaveLength(2);
    expect(high[0]).toContain(`“solve” on rank 0: `);
    expect(high[1]).toMatch(
      new RegExp(`the regions take .* times as long as their phase, as ${unit} beside`),
    );
    const low = notesOf([series(step, 0, flat(factor)), series(solve, 0, flat(0.95))]);
    expect(low).toHaveLength(1);
    expect(low[0]).toMatch(new RegExp(`the phase takes .* times as long as its regions, as ${unit} beside`));
    const ranks = notesOf(
      [1, factor].flatMap((size, rank) => [
        series(step, rank, flat(size)),
        series(solve, rank, flat(0.5 * size)),
      ]),
    );
    expect(ranks).toHaveLength(1);
    expect(ranks[0]).toMatch(
      new RegExp(`the phase takes .* times as long on rank 1 as on rank 0, as ${unit} beside`),
    );
  });

  it('none of another unit where a region is small, or ranks differ', () => {
    for (const size of [0.002, 0.01, 0.5])
      expect(notesOf([series(step, 0, flat(1)), series(solve, 0, flat(size))])).toEqual([]);
    const ranks = [1, 30].flatMap((size, rank) => [
      series(step, rank, flat(size)),
      series(solve, rank, flat(0.5 * size)),
    ]);
    expect(notesOf(ranks)).toEqual([]);
  });
});

describe('what a degradation costs', () => {
  const noise = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 48, maxLength: 48 });
  const shape = fc.record({
    noise,
    size: fc.constantFrom(0, 0.05, 0.5, 3),
    low: fc.constantFrom(0, 0.01, 1),
    from: fc.nat(40),
    width: fc.integer({ min: 1, max: 48 }),
    high: fc.constantFrom(0, 1, 10),
    spikes: fc.integer({ min: 2, max: 12 }),
    spike: fc.constantFrom(0, 5),
    falls: fc.boolean(),
  });
  const times = shape.map(({ noise: random, size, low, from, width, high, spikes, spike, falls }) => {
    const values = random.map((own, i) => {
      const rise = Math.min(1, Math.max(0, (i - from) / width));
      return low + size * own ** 4 + high * rise ** 2 + (i % spikes === 1 ? spike : 0);
    });
    return falls ? values.toReversed() : values;
  });

  it('is at most the time of the region, and no level of a time is below zero', () => {
    fc.assert(
      fc.property(
        fc.array(times, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('likelihood' as const, 'periscope' as const),
        fc.constantFrom(0, 2048),
        (all, method, wholeRun) => {
          const run = all.flatMap((values, rank) => [
            series(
              step,
              rank,
              values.map((value) => 1.5 * value),
            ),
            series(solve, rank, values),
          ]);
          const result = analysed(run, { method, wholeRun, all: true, improvements: true }, 16);
          for (const row of result.rows) {
            if (row.excess === undefined || row.kind === 'improvement') continue;
            const own = row.series.map((position) => {
              const { impact = 0, phaseTime = 1 } = result.series[position] ?? {};
              return impact / phaseTime;
            });
            const mean = own.reduce((sum, share) => sum + share, 0) / own.length;
            expect(row.excess).toBeLessThanOrEqual(mean * (1 + 1e-9));
          }
          for (const { patterns, impact } of result.series)
            for (const { levels, excess, aftermath, improvement } of patterns) {
              expect(Math.min(...levels)).toBeGreaterThanOrEqual(0);
              if (improvement !== true) expect(excess + aftermath).toBeLessThanOrEqual(impact * (1 + 1e-9));
            }
        },
      ),
      { numRuns: 60 },
    );
  });
});
