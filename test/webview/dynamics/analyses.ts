import { AnalysisPieces } from '../../../src/core/views/analysisPieces';
import type { PropertyRow } from '../../../src/core/views/dynamicsPieces';
import type { Burst, Series } from '../../../src/core/series/series';
import { DynamicsAnalysis } from '../../../src/core/degradations/analysis';
import { defaultsOf } from '../../../src/core/degradations/model/options';
import type { DynamicsResult } from '../../../src/core/degradations/model/result';
import type { Answers } from '../../../src/editor/surfaces/panels/panelChannel';
import {
  bytes,
  finiteNumber,
  type Guard,
  nothing,
  oneOf,
  record,
  text,
  wholeNumber,
} from '../../../src/protocol/guards';
import {
  dynamicsActions,
  type DynamicsExport,
  type DynamicsRequests,
  type DynamicsShown,
  maximumDynamicsRows,
} from '../../../src/protocol/dynamics';
import { burstsOf, teraTf } from '../../fixtures/dynamics/published';
import { gauss, signals } from '../../fixtures/dynamics/signals';

/** What the product itself finds in these bursts, by the method whose pictures the panel explains. */
export function analysed(bursts: readonly Burst[]): DynamicsResult {
  const analysis = new DynamicsAnalysis({ ...defaultsOf('periscope'), all: true });
  for (const burst of bursts) analysis.addBurst(burst);
  return analysis.finish();
}

/** The published study with 32 ranks and 128 iterations. */
export function teraTfPieces(): AnalysisPieces {
  return new AnalysisPieces('tera', analysed(burstsOf(teraTf(), 1024)));
}

/** One series: that of the specification that looks like CX3D. */
export function cxPieces(name = 'velo'): AnalysisPieces {
  const values = signals.cx();
  const velo = { name, file: '/home/me/cx3d/velo.f90', line: 12, kind: 'function' } as const;
  const phase = { name: 'step', kind: 'phase' } as const;
  const context = { metric: 'time', rank: 0, thread: 0 };
  return new AnalysisPieces(
    'cx',
    analysed([
      {
        first: 0,
        length: values.length,
        series: [
          { context: { ...context, region: phase }, values: new Float64Array(values.length).fill(1.2) },
          { context: { ...context, region: velo }, values },
        ],
      },
    ]),
  );
}

/** By the detector, on four ranks: a search that becomes slower on rank 3, a step on all of them, and checkpoints on rank 0. */
export function detectedPieces(): AnalysisPieces {
  const length = 160;
  const noise = gauss(7);
  const series = (name: string, rank: number, sd: number, valueAt: (i: number) => number): Series => ({
    context: {
      region: { name, kind: name === 'advance' ? 'phase' : 'function', file: '/home/me/plate.cpp', line: 14 },
      ...{ metric: 'time', rank, thread: 0 },
    },
    values: Float64Array.from({ length }, (_, i) => Math.max(0.001, valueAt(i) + sd * noise())),
  });
  const ranks = [0, 1, 2, 3].flatMap((rank) => [
    series('advance', rank, 0.01, () => 1),
    series(
      'Contacts::search',
      rank,
      0.04,
      (i) => 0.2 + (rank === 3 ? 0.4 * Math.min(1, Math.max(0, (i - 46) / 60)) : 0),
    ),
    series('Plate::relax', rank, 0.03, (i) => (i < 95 ? 0.3 : 0.36)),
    ...(rank === 0 ? [series('writeCheckpoint', rank, 0.01, (i) => (i % 15 === 14 ? 2.4 : 0.1))] : []),
  ]);
  const analysis = new DynamicsAnalysis(defaultsOf('likelihood'));
  analysis.addBurst({ first: 0, length, series: ranks });
  return new AnalysisPieces('detected', analysis.finish());
}

/** Nothing changes. */
export function flatPieces(): AnalysisPieces {
  const constant = new Float64Array(64).fill(0.5);
  const context = { metric: 'time', rank: 0, thread: 0 };
  const series = [
    {
      context: { ...context, region: { name: 'step', kind: 'phase' } as const },
      values: constant.map(() => 1),
    },
    { context: { ...context, region: { name: 'solve', kind: 'function' } as const }, values: constant },
  ];
  return new AnalysisPieces('flat', analysed([{ first: 0, length: 64, series }]));
}

/** Many properties, with names that are hostile. */
export function manyProperties(count: number): readonly PropertyRow[] {
  const kinds = ['degradation-trend', 'degradation-peak', 'degradation-step', 'communication'] as const;
  return Array.from({ length: count }, (_, at) => ({
    id: `p${at}`,
    kind: kinds[at % kinds.length] ?? 'hot-spot',
    title: at === 0 ? '<img src=x onerror=alert(1)>' : `Degradation ${at} in time of region ${at % 97}`,
    severity: 0.6 / (1 + at),
    excess: 0.3 / (1 + at),
    confidence: 1,
    region: { name: `region_${at % 97}()`, file: `/src/file${at % 13}.c`, line: 1 + (at % 500) },
    ranks: `${at % 64}-${(at % 64) + 3}`,
    iterations: [[1 + (at % 100), 101 + (at % 100)]],
    series: [at % 3],
  }));
}

/** What the view asked for, besides reading. */
export type Asked = readonly [name: keyof DynamicsRequests, parameters: unknown];

export interface Served {
  shown: DynamicsShown;
  pieces: AnalysisPieces;
  /** Instead of those of the analysis. */
  properties?: readonly PropertyRow[];
  /** No values can be read. */
  isBroken?: boolean;
}

export function done(pieces: AnalysisPieces, properties?: readonly PropertyRow[]): DynamicsShown {
  const header = pieces.header();
  return {
    kind: 'done',
    panel: 'p1',
    title: '129.tera_tf',
    settings: { burst: 0, improvements: false },
    header: properties === undefined ? header : { ...header, properties: properties.length },
  };
}

const piece = { id: text(100), first: wholeNumber, count: wholeNumber };
const oneSeries = record({ id: text(100), series: wholeNumber });

const exported: Guard<DynamicsExport> = (value) =>
  record({ kind: oneOf('png', 'svg', 'csv'), name: text(1000), content: bytes(1 << 25) })(value) ??
  record({ kind: oneOf('report-csv', 'report-markdown', 'report-json'), threshold: finiteNumber })(value);

/** The extension's answers on an analysis that the test holds. */
export function answersOf(served: Served, asked: Asked[]): Answers<DynamicsRequests> {
  const note =
    <Name extends keyof DynamicsRequests>(name: Name, result: DynamicsRequests[Name]['result']) =>
    (parameters: unknown) => {
      asked.push([name, parameters]);
      return result;
    };
  const within = <Row>(rows: (first: number, count: number) => readonly Row[]) => ({
    guard: record(piece),
    answer: ({ first, count }: { first: number; count: number }) => {
      if (count > maximumDynamicsRows) throw new Error('too many rows');
      return rows(first, count);
    },
  });
  const there = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('there is no such series');
    return value;
  };
  return {
    open: { guard: nothing, answer: () => served.shown },
    properties: within(
      (first, count) =>
        served.properties?.slice(first, first + count) ?? served.pieces.properties(first, count),
    ),
    series: within((first, count) => served.pieces.series(first, count)),
    report: within((first, count) => served.pieces.report(first, count)),
    values: {
      guard: oneSeries,
      answer: ({ series }) => there(served.isBroken === true ? undefined : served.pieces.values(series)),
    },
    map: {
      guard: record({ ...piece, map: wholeNumber }),
      answer: ({ map, first, count }) => there(served.pieces.map(map, first, count)),
    },
    trace: { guard: oneSeries, answer: ({ series }) => served.pieces.trace(series) },
    openSource: {
      guard: record({ id: text(100), of: oneOf('property', 'series', 'report'), row: wholeNumber }),
      answer: note('openSource', { opened: true }),
    },
    analyse: {
      guard: record({
        settings: record({
          burst: wholeNumber,
          improvements: (value) => (value === true || value === false ? value : undefined),
        }),
      }),
      answer: note('analyse', { started: true }),
    },
    cancel: { guard: nothing, answer: note('cancel', { cancelled: true }) },
    save: { guard: exported, answer: note('save', { saved: true }) },
    act: { guard: record({ action: oneOf(...dynamicsActions) }), answer: note('act', {}) },
  };
}
