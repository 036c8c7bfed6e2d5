import { describe, expect, test } from 'vitest';
import type { Hypothesis } from '../../../../../src/core/diagnosis/hypotheses/hypothesis';
import { isMetricId, metricValueText } from '../../../../../src/core/diagnosis/hypotheses/metrics';
import { publishedHypotheses } from '../../../../../src/core/diagnosis/hypotheses/published';
import { usualHypotheses } from '../../../../../src/core/diagnosis/hypotheses/usual';

describe('P3: hypotheses are data', () => {
  test('the published ones have the published thresholds and trees that are not refined', () => {
    const rows = publishedHypotheses.map(({ id, holds, threshold, pruned }) => [
      id,
      holds,
      threshold,
      ...pruned,
    ]);
    expect(rows).toEqual([
      ['CPUBound', 'above', 0.3, 'SyncObject'],
      ['ExcessiveSyncWaitingTime', 'above', 0.2, 'Machine'],
      ['ExcessiveIOBlockingTime', 'above', 0.2, 'SyncObject'],
      ['TooManySmallIOOps', 'below', 4096, 'SyncObject'],
    ]);
  });

  test('small operations are tried where input and output cannot be refined any more', () => {
    const io = publishedHypotheses.find(({ id }) => id === 'ExcessiveIOBlockingTime');
    expect(io).toMatchObject({ expansion: 'where-before-why', children: ['TooManySmallIOOps'] });
  });

  test.each([
    ['published', publishedHypotheses as readonly Hypothesis[]],
    ['usual', usualHypotheses],
  ])('the %s ones are complete', (_, all) => {
    const ids = all.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { metric, children, advice, label } of all) {
      if (metric !== undefined) expect(isMetricId(metric)).toBe(true);
      else expect(children).not.toEqual([]);
      for (const child of children) expect(ids).toContain(child);
      expect(advice).toMatch(/^[A-Z].*\.$/);
      expect(label).not.toBe('');
    }
  });

  test('the usual ones are the published ones and more, and refine waiting to processes', () => {
    for (const published of publishedHypotheses) {
      const usual = usualHypotheses.find(({ id }) => id === published.id);
      expect(usual).toMatchObject({ threshold: published.threshold, metric: published.metric });
    }
    expect(usualHypotheses.find(({ id }) => id === 'ExcessiveSyncWaitingTime')?.pruned).toEqual([]);
  });

  test('values have their units', () => {
    expect(metricValueText('computing', 0.312)).toBe('31.2 %');
    expect(metricValueText('processImbalance', 0.5)).toBe('50.0 %');
    expect(metricValueText('bytesPerOperation', 512)).toBe('512 B an operation');
    expect(metricValueText('cacheMisses', 12.345)).toBe('12.3 misses per 1000 instructions');
    expect(metricValueText('memoryTraffic', 2 ** 31)).toBe('2 GiB/s');
  });
});
