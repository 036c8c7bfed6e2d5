import { describe, expect, it } from 'vitest';
import type { AxisComparison } from '../../../../src/core/series/commonAxis';
import { comparisonMarkdown } from '../../../../src/formats/dynamics-report/comparisonMarkdown';

const phase = (from: number, to: number, axis: readonly [number, number], cost: number) => ({
  from,
  to,
  axis,
  cost,
  speed: (axis[1] - axis[0]) / cost,
});

const indeed: AxisComparison = {
  ownPhases: true,
  runs: [
    {
      cost: 32.68,
      patterns: [],
      phases: [phase(0, 24, [0, 23.5], 4.72), phase(25, 54, [23.5, 51.22], 25.77)],
    },
    {
      cost: 36.7,
      patterns: [{ type: 'peak', from: 13, to: 29, sum: 29.86, excess: 12.5, axis: [24, 51.02] }],
      phases: [phase(0, 12, [0, 24], 4), phase(13, 29, [24, 51.02], 29.86)],
    },
  ],
  hybrid: { runs: [1, 0], cost: 31.96, gain: 0.0223 },
};

describe('a comparison of two runs', () => {
  const text = comparisonMarkdown({
    comparison: indeed,
    files: ['/w/<first>.csv', '/w/second_run.csv'],
    unit: 'min',
  });

  it('has the phases side by side, with iterations from 1 and places on the axis', () => {
    expect(text).toContain('| 1 | 1–25 | \\(0, 23.5\\] | 4.72 | 4.979 | 1–13 | \\(0, 24\\] | 4 | 6 |');
    expect(text).toContain('- run 2: peak in 14–30, at \\(24, 51.02\\] of the axis, costs 12.5');
  });

  it('says what both together would cost', () => {
    expect(text).toContain(
      '**Hybrid**: phase 1 as in run 2, phase 2 as in run 1: 31.96 min, 2.23 % better than the better run.',
    );
    const { ownPhases, runs } = indeed;
    expect(comparisonMarkdown({ comparison: { ownPhases, runs }, files: ['a', 'b'], unit: 's' })).toContain(
      'One run is the better one in all phases.',
    );
  });

  it('makes no markup of names of files', () => {
    expect(text).toContain('/w/\\<first\\>.csv');
    expect(text).toContain('second\\_run.csv');
  });
});
