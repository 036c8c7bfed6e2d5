import { describe, expect, it } from 'vitest';
import { AnalysisPieces } from '../../../../src/core/views/analysisPieces';
import { defaultDynamicsOptions } from '../../../../src/core/degradations/model/options';
import type {
  AnalysedSeries,
  DynamicsResult,
  ReportRow,
  RuleTrace,
} from '../../../../src/core/degradations/model/result';
import type { Property } from '../../../../src/core/properties/property';

const wait = { name: 'MPI_Wait', kind: 'mpi', file: '/w/exchange.c', line: 40 } as const;
const velo = { name: 'velo', kind: 'function' } as const;

function series(rank: number, facts: Partial<AnalysedSeries> = {}): AnalysedSeries {
  return {
    rule: 'communication',
    kind: 'communication',
    context: { region: wait, metric: 'time', rank, thread: 0 },
    impactShare: 0.2,
    impact: 2,
    phaseTime: 10,
    energies: { total: 4, dynamic: 1, short: 0.25, wide: 0.75 },
    noise: 0.1,
    episodes: [
      { letter: 'D', from: 0, to: 1, sum: 1, stability: 3 },
      { letter: 'G', from: 2, to: 3, sum: 1, stability: 3 },
    ],
    patterns: [],
    others: { count: 0, sum: 0 },
    sentence: 'rising 1-2, flat 3-4',
    values: Float64Array.of(rank, rank + 1, NaN, rank + 3),
    valueLength: 16,
    missing: 0,
    ...facts,
  };
}

function property(id: string, facts: Partial<Property> = {}): Property {
  return { id, kind: 'communication', title: id, severity: 0.2, confidence: 1, evidence: {}, ...facts };
}

function row(of: string, facts: Partial<ReportRow> = {}): ReportRow {
  return {
    kind: 'communication',
    title: of,
    region: wait,
    metric: 'time',
    ranks: '0-2',
    iterations: [
      [1, 10],
      [20, 30],
    ],
    severity: 0.2,
    confidence: 1,
    belowThreshold: false,
    rule: 'communication',
    property: of,
    series: [0, 1, 2],
    ...facts,
  };
}

function resultOf(facts: Partial<DynamicsResult>): DynamicsResult {
  return {
    iterations: 64,
    unit: 's',
    settings: defaultDynamicsOptions,
    series: [],
    rows: [],
    properties: [],
    trace: [],
    noDynamics: false,
    notes: [],
    ...facts,
  };
}

describe('the maps of an analysis', () => {
  it('have a row per rank in the order of ranks, one map per problem and region', () => {
    const pieces = new AnalysisPieces(
      'a',
      resultOf({
        series: [
          series(2),
          series(0),
          series(0, { context: { region: velo, metric: 'time', rank: 0, thread: 0 } }),
        ],
      }),
    );
    expect(pieces.header().maps).toEqual([
      {
        region: 'MPI_Wait',
        problem: 'communication',
        metric: 'time',
        rows: 2,
        columns: 4,
        iterationsPerColumn: 16,
        seriesPerRow: 1,
      },
      expect.objectContaining({ region: 'velo', rows: 1 }),
    ]);
    const map = pieces.map(0, 0, 10);
    expect(map?.ranks).toEqual(['0', '2']);
    expect(map && [...map.series]).toEqual([1, 0]);
    expect(map && [...map.values]).toEqual([0, 1, NaN, 3, 2, 3, NaN, 5]);
    expect(pieces.series(0, 3).map(({ map: at, mapRow }) => [at, mapRow])).toEqual([
      [0, 1],
      [0, 0],
      [1, 0],
    ]);
    expect(pieces.map(2, 0, 1)).toBeUndefined();
  });

  it('put many ranks together, each row the largest of some', () => {
    const many = Array.from({ length: 3000 }, (_, rank) => series(rank));
    const pieces = new AnalysisPieces('a', resultOf({ series: many }));
    const [header] = pieces.header().maps;
    expect(header).toMatchObject({ rows: 1000, seriesPerRow: 3 });
    const map = pieces.map(0, 999, 5);
    expect(map?.ranks).toEqual(['2997-2999']);
    expect(map && [...map.values]).toEqual([2999, 3000, NaN, 3002]);
  });
});

describe('the rows of an analysis', () => {
  const result = resultOf({
    series: [series(0), series(1), series(2)],
    properties: [
      property('s'),
      property('t', { kind: 'degradation-trend', iterations: [[1, 10]], refines: 's' }),
      property('v', { kind: 'significant-variability', severity: 0, refines: 's' }),
      property('l', { kind: 'late-rank', refines: 't' }),
    ],
    rows: [row('s'), row('t', { excess: 0.05, series: [2] }), variability()],
  });
  const pieces = new AnalysisPieces('a', result);

  function variability(): ReportRow {
    const { severity, ...rest } = row('v', { belowThreshold: true });
    expect(severity).toBeDefined();
    return rest;
  }

  it('name what they refine and their series by position', () => {
    const rows = pieces.properties(0, 10);
    expect(rows.map(({ refines, series: of }) => [refines, of])).toEqual([
      [undefined, [0, 1, 2]],
      [0, [2]],
      [0, [0, 1, 2]],
      // It relates rows to each other: the series of what it refines show it.
      [1, [2]],
    ]);
    expect(rows[1]).toMatchObject({ severity: 0.2, excess: 0.05 });
    expect(rows[2]?.severity).toBeUndefined();
  });

  it('have the report in the words of the report', () => {
    expect(pieces.report(0, 3)).toEqual([
      {
        title: 's',
        region: 'MPI_Wait',
        ranks: '0-2',
        iterations: '[1-10],[20-30]',
        severity: 0.2,
        property: 0,
      },
      expect.objectContaining({ excess: 0.05, property: 1 }),
      expect.objectContaining({ belowThreshold: true, property: 2 }),
    ]);
  });

  it('come in pieces', () => {
    expect(pieces.properties(1, 1).map(({ title }) => title)).toEqual(['t']);
    expect(pieces.properties(9, 5)).toEqual([]);
    expect(pieces.header()).toMatchObject({ id: 'a', properties: 4, series: 3, reportRows: 3 });
    expect(pieces.series(1, 1)[0]).toMatchObject({ rank: 1, variability: 0.25, letters: 'DG' });
    expect(pieces.values(1)?.values).toEqual(Float64Array.of(1, 2, NaN, 4));
    expect(pieces.values(3)).toBeUndefined();
    expect(pieces.regionOf('property', 0)).toBeUndefined();
    expect(pieces.regionOf('report', 0)).toMatchObject({ file: '/w/exchange.c', line: 40 });
    expect(new AnalysisPieces('a', resultOf({ series: [series(0)] })).regionOf('series', 0)).toMatchObject({
      name: 'MPI_Wait',
      file: '/w/exchange.c',
      line: 40,
    });
  });
});

describe('the trace of a series', () => {
  const test = { text: 'share > 0.1', left: 0.2, operator: '>', right: 0.1, holds: true };
  const trace = (rank: number, facts: Partial<RuleTrace> = {}): RuleTrace => ({
    rule: 'degradation-peak',
    context: { region: wait, metric: 'time', rank, thread: 0 },
    iterations: [1, 64],
    quantities: { share: 0.2 },
    tests: [test],
    holds: true,
    confidence: 1,
    ...facts,
  });

  it('holds what was tried on it by position, and before it had one by its context', () => {
    const pieces = new AnalysisPieces(
      'a',
      resultOf({
        series: [series(0), series(1)],
        trace: [trace(0), trace(1, { rule: 'hotSpot' }), trace(1, { series: 1, holds: false })],
      }),
    );
    expect(pieces.trace(1).map(({ title, passed }) => [title, passed])).toEqual([
      ['Hot spot', true],
      ['Degradation peak', false],
    ]);
    expect(pieces.trace(0)[0]?.conditions).toEqual([
      { text: 'share > 0.1', value: 0.2, operator: '>', threshold: 0.1, passed: true },
    ]);
    expect(pieces.trace(5)).toEqual([]);
  });
});

describe('an analysis of ranks and threads', () => {
  const at = (rank: number, thread: number, facts: Partial<AnalysedSeries> = {}): AnalysedSeries =>
    series(rank, { context: { region: wait, metric: 'time', rank, thread }, ...facts });
  const peak = {
    type: 'peak',
    from: 1,
    to: 1,
    sum: 2,
    excess: 1,
  } as unknown as AnalysedSeries['patterns'][number];
  const trend = { ...peak, type: 'increase' } as unknown as AnalysedSeries['patterns'][number];
  const pieces = new AnalysisPieces(
    'b',
    resultOf({
      phase: 'step',
      series: [
        at(1, 1, { patterns: [peak, trend, peak], period: 7 }),
        at(1, 0, { values: Float64Array.of(9, NaN) }),
        at(0, 2, {
          values: Float64Array.of(4, 5, 6, 7, 8),
          energies: { total: 0, dynamic: 0, short: 0, wide: 0 },
        }),
      ],
      properties: [property('p', { region: { name: 'f', file: '/f.c', line: 2 }, refines: 'gone' })],
      rows: [row('p'), row('absent', { region: velo })],
    }),
  );

  it('has its rows ordered by rank and thread, named by both', () => {
    expect(pieces.header()).toMatchObject({
      phase: 'step',
      maps: [{ rows: 3, columns: 5, seriesPerRow: 1 }],
    });
    expect(pieces.map(0, 0, 3)).toEqual({
      values: Float32Array.of(4, 5, 6, 7, 8, 9, NaN, NaN, NaN, NaN, 1, 2, NaN, 4, NaN),
      ranks: ['0:2', '1', '1:1'],
      series: Uint32Array.of(2, 1, 0),
    });
    expect(pieces.map(0, 1, 1)?.ranks).toEqual(['1']);
    expect(pieces.map(0, 3, 1)).toEqual({ values: new Float32Array(), ranks: [], series: new Uint32Array() });
    expect(pieces.map(0, 5, 1)?.ranks).toEqual([]);
  });

  it('has each series as a whole row', () => {
    expect(pieces.series(0, 1)).toEqual([
      {
        region: 'MPI_Wait',
        file: '/w/exchange.c',
        line: 40,
        problem: 'communication',
        metric: 'time',
        rank: 1,
        thread: 1,
        share: 0.2,
        variability: 0.25,
        peaks: 2,
        trends: 1,
        letters: 'DG',
        period: 7,
        sentence: 'rising 1-2, flat 3-4',
        map: 0,
        mapRow: 2,
      },
    ]);
    expect(
      pieces.series(1, 2).map(({ variability, mapRow, period }) => [variability, mapRow, period]),
    ).toEqual([
      [0.25, 1, undefined],
      [0, 0, undefined],
    ]);
  });

  it('knows where its regions are, and that there are no others', () => {
    expect(pieces.regionOf('property', 0)).toEqual({ name: 'f', file: '/f.c', line: 2 });
    expect(pieces.regionOf('report', 1)).toEqual({ name: 'velo' });
    for (const kind of ['property', 'series', 'report'] as const)
      expect(pieces.regionOf(kind, 9)).toBeUndefined();
    expect(pieces.report(1, 1)).toHaveLength(1);
    expect(pieces.report(1, 1)[0]).not.toHaveProperty('property');
    // What a property refines may not be part of the analysis.
    expect(pieces.properties(0, 1)[0]).not.toHaveProperty('refines');
  });

  it('fills the rows of a map up to 1024, then several series share one', () => {
    const header = (count: number) =>
      new AnalysisPieces(
        'c',
        resultOf({ series: Array.from({ length: count }, (_, rank) => at(rank, 0)) }),
      ).header().maps[0];
    expect(header(1024)).toMatchObject({ rows: 1024, seriesPerRow: 1 });
    expect(header(1025)).toMatchObject({ rows: 513, seriesPerRow: 2 });
    const shared = new AnalysisPieces(
      'c',
      resultOf({ series: Array.from({ length: 1025 }, (_, rank) => at(rank, 1)) }),
    );
    expect(shared.map(0, 511, 2)?.ranks).toEqual(['1022-1023', '1024:1']);
    expect(shared.map(0, 511, 2)?.series).toEqual(Uint32Array.of(1022, 1024));
    expect(shared.series(1023, 2).map(({ mapRow }) => mapRow)).toEqual([511, 512]);
  });

  it('names at most 64 series of a property', () => {
    const many = Array.from({ length: 100 }, (_, rank) => rank);
    const wide = resultOf({ properties: [property('p')], rows: [row('p', { series: many })] });
    expect(new AnalysisPieces('d', wide).properties(0, 1)[0]?.series).toEqual(many.slice(0, 64));
  });
});
