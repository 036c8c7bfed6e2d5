import { describe, expect, it } from 'vitest';
import { DynamicsAnalysis } from '../../../../src/core/degradations/analysis';
import type { DynamicsResult } from '../../../../src/core/degradations/model/result';
import { gauss } from '../../../fixtures/dynamics/signals';
import { rankSet } from '../../../../src/core/properties/rankSet';
import {
  changedRanks,
  manyRanks,
  movesEach,
  rankChanges,
  rankPatterns,
} from '../../../fixtures/dynamics/ranks';

const count = 16;

function analysed(...[pattern, change, ranks, seed]: Parameters<typeof manyRanks>): DynamicsResult {
  const series = manyRanks(pattern, change, ranks, seed);
  const analysis = new DynamicsAnalysis();
  analysis.addBurst({ first: 0, length: series[0]?.values.length ?? 0, series });
  return analysis.finish();
}

/** What changes, without its parts. */
const eventsOf = ({ rows }: DynamicsResult): DynamicsResult['rows'] =>
  rows.filter(({ rule, partOf }) => partOf === undefined && rule !== 'hot-spot' && rule !== 'imbalance');

describe('ranks together', () => {
  const still = rankPatterns.filter((pattern) => pattern !== 'moving' && pattern !== 'none');
  it.each(still.flatMap((pattern) => rankChanges.map((change) => [pattern, change] as const)))(
    'are one event with the right ranks: %s, %s',
    (pattern, change) => {
      const events = eventsOf(analysed(pattern, change, count, 3));
      expect(events.map(({ ranks }) => ranks)).toEqual([rankSet(changedRanks(pattern, count, 3))]);
    },
  );

  it('know the range of the onset and how well the cost is known, of a rise of one of them and of all', () => {
    for (const pattern of ['one', 'all'] as const) {
      const [event] = eventsOf(analysed(pattern, 'step', count, 3));
      const [first = NaN, last = NaN] = event?.onset ?? [];
      expect(first, pattern).toBeLessThanOrEqual(last);
      expect(last - first, pattern).toBeLessThan(10);
      expect(event?.excessDeviation, pattern).toBeGreaterThan(0);
    }
  });

  it('say nothing where nothing changes', () => {
    for (const seed of [1, 2, 3]) expect(eventsOf(analysed('none', 'step', count, seed))).toEqual([]);
  });

  it('say nothing where two of 64 constant ranks seem to rise alike by chance', () => {
    const noise = gauss(30_019);
    const analysis = new DynamicsAnalysis({ thresholdTime: 0.001 });
    const seriesOf = (kind: 'phase' | 'function', rank: number, values: Float64Array) => ({
      context: { region: { name: kind, kind }, metric: 'time', rank, thread: 0 },
      values,
    });
    const series = Array.from({ length: 64 }, (_, rank) => [
      seriesOf('phase', rank, new Float64Array(128).fill(4)),
      seriesOf(
        'function',
        rank,
        Float64Array.from({ length: 128 }, () => 1 + 0.3 * noise()),
      ),
    ]).flat();
    analysis.addBurst({ first: 0, length: 128, series });
    expect(eventsOf(analysis.finish()).filter(({ kind }) => kind.startsWith('degradation'))).toEqual([]);
  });

  it('tell of an imbalance that moves, and its peaks as a part of that', () => {
    const result = analysed('moving', 'ramp', count, 1);
    expect(eventsOf(result)).toEqual([]);
    const imbalance = result.rows.find(({ rule }) => rule === 'imbalance');
    expect(imbalance).toMatchObject({ title: 'Imbalance that moves', ranks: `0-${count - 1}` });
    const property = result.properties.find(({ id }) => id === imbalance?.property);
    expect(property?.title).toMatch(new RegExp(`the slow rank changes every ${movesEach} iterations$`));
  });

  it('show together what is too weak in each of them', () => {
    // A step of half of the noise: none of the ranks shows it for sure.
    const [phase, solve] = ['phase', 'function'] as const;
    const weak = manyRanks('none', 'step', 64, 5).map(({ context, values }) => ({
      context,
      values:
        context.region.kind === solve ? values.map((value, i) => value + (i >= 120 ? 0.05 : 0)) : values,
    }));
    const analysis = new DynamicsAnalysis();
    analysis.addBurst({ first: 0, length: 200, series: weak });
    const [event, ...others] = eventsOf(analysis.finish());
    expect(others).toEqual([]);
    expect(event).toMatchObject({ kind: 'degradation-step', ranks: '0-63', iterations: [[120, 121]] });
    expect(weak.some(({ context }) => context.region.kind === phase)).toBe(true);
  });
});
