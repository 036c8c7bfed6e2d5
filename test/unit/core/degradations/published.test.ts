import { describe, expect, it } from 'vitest';
import { DynamicsAnalysis } from '../../../../src/core/degradations/analysis';
import type { DynamicsResult } from '../../../../src/core/degradations/model/result';
import { rankSet } from '../../../../src/core/properties/rankSet';
import {
  burstsOf,
  cx3d,
  pepc,
  pepcProblems,
  pepcTrends,
  rankList,
  teraPeakRow,
  teraProblems,
  teraTf,
  teraTrends,
  type PublishedProblem,
  type PublishedTrend,
  type Study,
} from '../../../fixtures/dynamics/published';

function report(study: Study, burst: number, reportThreshold: number): DynamicsResult {
  const analysis = new DynamicsAnalysis({ method: 'periscope', reportThreshold });
  for (const one of burstsOf(study, burst)) analysis.addBurst(one);
  return analysis.finish();
}

const isDegradation = (kind: string): boolean => kind.startsWith('degradation');

function staticRows({ rows }: DynamicsResult): string[] {
  return rows
    .filter(({ kind }) => kind === 'communication')
    .map(({ region, ranks }) => `${region.name} ${ranks}`)
    .sort();
}

function wantedStatic(problems: readonly PublishedProblem[]): string[] {
  return problems.map(({ region, ranks }) => `${region} ${rankSet(ranks)}`).sort();
}

/** The row of exactly these ranks, with intervals that are near enough. */
function expectRow({ rows }: DynamicsResult, { ranks, intervals }: PublishedTrend, tolerance: number): void {
  const row = rows.find(({ kind, ranks: own }) => isDegradation(kind) && own === rankSet(ranks));
  expect(row?.iterations, `ranks ${rankSet(ranks)}`).toHaveLength(intervals.length);
  intervals.forEach(([from, to], at) => {
    const [first = NaN, last = NaN] = row?.iterations[at] ?? [];
    expect(Math.abs(first - from), `${rankSet(ranks)}: ${first} for ${from}`).toBeLessThanOrEqual(tolerance);
    expect(Math.abs(last - to), `${rankSet(ranks)}: ${last} for ${to}`).toBeLessThanOrEqual(tolerance);
  });
}

describe('published studies', () => {
  it.each([1, 2, 3])(
    'tera_tf: 128 series become the eight published rows, and one for rank 0 (seed %i)',
    (seed) => {
      const result = report(teraTf(seed), 64, 0.1);
      expect(staticRows(result)).toEqual(wantedStatic(teraProblems));
      for (const trend of teraTrends) expectRow(result, trend, 3);
      expectRow(result, teraPeakRow, 1);
      expect(result.rows).toHaveLength(9);
      for (const { region, ranks, severity } of teraProblems) {
        const row = result.rows.find(
          (one) => one.kind === 'communication' && one.region.name === region && one.ranks === rankSet(ranks),
        );
        expect(row?.severity).toBeCloseTo(severity, 2);
      }
      const peaks = result.rows.find(({ kind }) => kind === 'degradation-peaks');
      expect(peaks).toMatchObject({ ranks: '1-31', belowThreshold: true });
      expect(peaks?.excess).toBeCloseTo(0.04, 2);
    },
  );

  it('late rank: rank 0 lacks the peaks that all others have, and is named', () => {
    const result = report(teraTf(), 64, 0.1);
    const late = result.properties.find(({ kind }) => kind === 'late-rank');
    expect(late).toMatchObject({ ranks: '0', region: { name: 'MPI_Allreduce' } });
    expect(late?.title).toBe(
      'Rank 0 has none of the peaks of MPI_Allreduce in iterations 5–7, 51–57, 67–69, 118–120 that the others have: they wait for it',
    );
    const parent = result.properties.find(({ id }) => id === late?.refines);
    expect(parent).toMatchObject({ kind: 'degradation-peaks', ranks: '1-31' });
  });

  it('PEPC: 1,280 series become twelve rows with the published rank sets; no rank is lost', () => {
    const result = report(pepc(), 1024, 0.05);
    expect(staticRows(result)).toEqual(wantedStatic(pepcProblems));
    // Degradations of 2 % and less are below the noise of their borders.
    for (const trend of pepcTrends) expectRow(result, trend, trend.severity > 0.03 ? 40 : 60);
    expect(result.rows).toHaveLength(12);
    const covered = new Set(result.rows.flatMap(({ ranks }) => rankList(ranks)));
    expect([...covered].sort((a, b) => a - b)).toEqual(rankList('0-63'));
    const withTrend = result.rows
      .filter(({ kind }) => isDegradation(kind))
      .flatMap(({ ranks }) => rankList(ranks));
    expect(withTrend).not.toContain(13);
    expect(result.rows.filter(({ region }) => region.name === 'MPI_Allgather')).toHaveLength(1);
  });

  it('CX3D: the hot spot, its rise and its peak; not that it varies', () => {
    const { rows } = report(cx3d(), 64, 0.1);
    expect(rows.map(({ title }) => title)).toEqual([
      'Hot spot',
      'Degradation trend in time',
      'Degradation peak in time',
    ]);
    expect(rows[0]?.severity).toBeCloseTo(0.86, 2);
    const [from, to] = rows[2]?.iterations[0] ?? [];
    expect(from).toBeLessThanOrEqual(14);
    expect(to).toBeGreaterThanOrEqual(21);
  });
});
