import { describe, expect, it } from 'vitest';
import { findRelations } from '../../../../../src/core/degradations/report/relations';
import type { AnalysedSeries, ReportRow } from '../../../../../src/core/degradations/model/result';
import { analysedSeries, pattern, row, solve } from './made';

describe('dependences', () => {
  const peaksAt = (...places: readonly number[]): AnalysedSeries =>
    analysedSeries(places.map((at) => pattern('peak', at, at + 1)));
  const a = row({ property: 'a', region: { name: 'adapt', kind: 'function' }, series: [0] });
  const b = row({ property: 'b', region: solve, series: [1], iterations: [[8, 9]], severity: 0.125 });

  it('say which degradation follows which, and by how much', () => {
    expect(findRelations([a, b], [peaksAt(20, 70, 150), peaksAt(23, 73, 153)], 200)).toEqual([
      {
        id: 'dynamics:dependent-degradation:b<a',
        kind: 'dependent-degradation',
        title:
          'Communication time of solve follows communication time of adapt 3 iterations later (100 % alike)',
        region: { name: 'solve', file: '/a.c', line: 3 },
        ranks: '0',
        severity: 0.125,
        confidence: 1,
        iterations: [[8, 9]],
        evidence: { lagIterations: 3, similarity: 1, sharedChanges: 3 },
        refines: 'b',
      },
    ]);
  });

  const titles = (
    rows: readonly ReportRow[],
    series: readonly AnalysedSeries[],
    iterations = 200,
  ): string[] => findRelations(rows, series, iterations).map(({ title }) => title.replace(/ \(.*/, ''));

  it('name the later one first, and one iteration as one', () => {
    expect(titles([a, b], [peaksAt(21, 71, 95, 150), peaksAt(20, 70, 94, 149)])).toEqual([
      'Communication time of adapt follows communication time of solve 1 iteration later',
    ]);
    expect(titles([a, b], [peaksAt(20, 70, 95), peaksAt(20, 70, 95)])).toEqual([
      'Communication time of solve and communication time of adapt change together',
    ]);
    const both = [peaksAt(20, 70, 95), peaksAt(20, 70, 95)];
    const [only] = findRelations([a, row({ ...b, severity: undefined })], both, 200);
    expect(only?.severity).toBe(0);
  });

  it('give rises an order only where they begin further apart than borders are known', () => {
    const rise = (from: number): AnalysedSeries =>
      analysedSeries([
        pattern('trend', from, from + 30),
        pattern('trend', from + 57, from + 71),
        pattern('trend', from + 120, from + 163),
      ]);
    const trends = [a, b].map((each) => ({ ...each, kind: 'degradation-trend' as const }));
    // Two per cent of 200 iterations are four.
    expect(titles(trends, [rise(10), rise(14)])).toEqual([expect.stringContaining('change together')]);
    expect(titles(trends, [rise(10), rise(15)])).toEqual([expect.stringContaining('5 iterations later')]);
    // One of them is no peak.
    expect(titles([a, trends[1]!], [peaksAt(20, 70, 150), peaksAt(24, 74, 154)])).toEqual([
      expect.stringContaining('change together'),
    ]);
  });

  it('are not told where they may be by chance: few changes, and two periods', () => {
    expect(titles([a, b], [peaksAt(20), peaksAt(22)])).toEqual([]);
    const each = (period: number, first: number): AnalysedSeries =>
      peaksAt(...Array.from({ length: Math.floor(190 / period) }, (_, i) => first + i * period));
    expect(titles([a, b], [each(10, 5), each(10, 8)])).toEqual([]);
    expect(titles([a, b], [each(19, 5), each(19, 15)])).toEqual([]);
  });

  it('are none of what is one event', () => {
    const same = [peaksAt(20, 70, 95), peaksAt(20, 70, 95)];
    expect(titles([a, { ...b, partOf: 'a' }], same)).toEqual([]);
  });

  it('are those of different regions with a cost, of the first sixteen', () => {
    const series = [peaksAt(20, 70, 95, 121, 150), peaksAt(23, 73, 98, 124, 153)];
    expect(titles([a, { ...b, region: a.region }], series)).toEqual([]);
    expect(titles([a, { ...b, region: { ...a.region, line: 3 } }], series)).toHaveLength(1);
    expect(titles([a, row({ ...b, excess: undefined })], series)).toEqual([]);
    expect(titles([a, { ...b, kind: 'late-rank' }], series)).toEqual([]);
    expect(titles([a, { ...b, kind: 'improvement' }], series)).toEqual([]);
    const flat = row({ property: 'flat', series: [2], region: { name: 'flat', kind: 'function' } });
    const many = (count: number): ReportRow[] => [a, ...new Array<ReportRow>(count).fill(flat), b];
    expect(titles(many(14), [...series, analysedSeries([])])).toHaveLength(1);
    expect(titles(many(15), [...series, analysedSeries([])])).toEqual([]);
  });

  it('are one for each follower, that of the most similar leader', () => {
    const c = row({ property: 'c', region: { name: 'write', kind: 'io' }, series: [2] });
    const other = analysedSeries([
      pattern('peak', 20, 21),
      pattern('peak', 70, 71),
      pattern('step', 150, 151),
    ]);
    const series = [other, peaksAt(28, 78, 158), peaksAt(26, 76, 156)];
    expect(titles([a, b, c], series)).toEqual([
      'Communication time of solve follows communication time of write 2 iterations later',
      'Communication time of write follows communication time of adapt 6 iterations later',
    ]);
    // What changes together is said once of each pair.
    const same = [peaksAt(20, 70, 95, 150), peaksAt(20, 70, 95, 150), peaksAt(20, 70, 95, 150)];
    expect(titles([a, b, c], same)).toHaveLength(3);
    expect(titles([a, b, { ...b, property: 'd' }], same)).toHaveLength(1);
  });

  it('look at the values where they are not means of several', () => {
    const places = [20, 70, 95, 150];
    const values = (lag: number): Float64Array =>
      Float64Array.from({ length: 200 }, (_, i) => (places.includes(i - lag) ? 5 : 1));
    const exact = (lag: number): AnalysedSeries => ({
      ...peaksAt(...places.map((place) => place + Math.sign(lag))),
      ...{ values: values(lag), valueLength: 1 },
    });
    expect(titles([a, b], [exact(0), exact(2)])).toEqual([expect.stringContaining('2 iterations later')]);
    const coarse = { ...exact(2), valueLength: 2 };
    expect(titles([a, b], [exact(0), coarse])).toEqual([expect.stringContaining('1 iteration later')]);
  });
});
