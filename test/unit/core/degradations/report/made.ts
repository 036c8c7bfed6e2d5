/** Findings, rows and series made by hand, for the parts of a report. */
import { staticRule } from '../../../../../src/core/rules/catalogue';
import type { AnalysedSeries, ReportRow } from '../../../../../src/core/degradations/model/result';
import type { Found } from '../../../../../src/core/degradations/report/makeRows';
import type { DynamicFinding } from '../../../../../src/core/degradations/report/tryDynamics';
import { catalogue } from '../../../../../src/core/rules/catalogue';
import type { DynamicRule, StaticRuleDefinition } from '../../../../../src/core/rules/rule';
import { present } from '../../../../../src/core/present';
import type { SeriesRegion } from '../../../../../src/core/series/series';
import type { Pattern } from '../../../../../src/core/signal/signal';

export const wait: SeriesRegion = { name: 'MPI_Wait', kind: 'mpi' };
export const solve: SeriesRegion = { name: 'solve', kind: 'function', file: '/a.c', line: 3, endLine: 9 };

export const problemRule = (id: string): StaticRuleDefinition => staticRule.get(id)!.definition;
export const dynamicRule = (id: string): DynamicRule =>
  catalogue.find(({ definition }) => definition.id === id) as DynamicRule;

export function pattern(
  type: Pattern['type'],
  from: number,
  to: number,
  others: Partial<Pattern> = {},
): Pattern {
  return {
    ...{ type, from, to, levels: [1, 2], sum: 10, excess: 4, aftermath: 0, confidence: 1, stability: 12 },
    ...(type === 'peak' ? { at: from } : { core: [from, to] as const }),
    ...others,
  };
}

export function finding(
  rule: string,
  patterns: readonly Pattern[],
  others: Partial<DynamicFinding> = {},
): DynamicFinding {
  return {
    ...{ rule: dynamicRule(rule), confidence: 0.5, severity: 0.25, patterns, others: [], quantities: {} },
    ...others,
  };
}

export function found(rank: number, severity: number | undefined, others: Partial<Found> = {}): Found {
  return {
    rule: problemRule('communication'),
    context: { region: wait, metric: 'time', rank, thread: 0 },
    severity,
    confidence: 1,
    phaseTime: 100,
    mostCost: Infinity,
    dynamics: [],
    series: rank,
    ...others,
  };
}

/** Fields that are given as undefined are not there. */
export function row(
  others: { readonly [Name in keyof ReportRow]?: ReportRow[Name] | undefined } = {},
): ReportRow {
  return present({
    kind: 'degradation-peaks',
    title: 'Degradation peaks in communication time',
    region: wait,
    metric: 'time',
    ranks: '0',
    iterations: [[3, 4]],
    severity: 0.5,
    excess: 0.25,
    confidence: 1,
    belowThreshold: false,
    rule: 'degradation-peaks',
    property: 'p',
    series: [0],
    ...others,
  }) as ReportRow;
}

export function analysedSeries(
  patterns: readonly Pattern[],
  others: Partial<AnalysedSeries> = {},
): AnalysedSeries {
  return {
    rule: 'communication',
    context: { region: wait, metric: 'time', rank: 0, thread: 0 },
    ...{ impactShare: 0.5, impact: 50, phaseTime: 100, noise: 0 },
    energies: { total: 1, dynamic: 1, short: 1, wide: 0 },
    episodes: [{ letter: 'G', from: 0, to: 199, sum: 1, stability: 1 }],
    patterns,
    others: { count: 0, sum: 0 },
    sentence: '',
    ...{ values: new Float64Array(0), valueLength: 2, missing: 0 },
    ...others,
  };
}
