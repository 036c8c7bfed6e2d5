import { pushTo } from '../remembered';
import { present } from '../present';
import { contextKey, placeToLookAt, type SeriesRegion, type SourcePlace } from '../series/series';
import type { AnalysedSeries, DynamicsResult, ReportRow, RuleTrace } from '../degradations/model/result';
import { allText, type Property } from '../properties/property';
import { SeriesMaps } from './seriesMaps';
import type {
  DynamicsHeader,
  MapPiece,
  PropertyRow,
  ReportPiece,
  RuleCheck,
  SeriesDetail,
  SeriesRow,
} from './dynamicsPieces';

/** Positions of series that a property names. */
const mostSeries = 64;

/** An analysis as viewers ask for it: rows by position, values and maps when they are looked at. */
export class AnalysisPieces {
  private readonly maps: SeriesMaps;
  private readonly rowOfProperty: ReadonlyMap<string, ReportRow>;
  private readonly positions: ReadonlyMap<string, number>;
  private traces: ReadonlyMap<number, readonly RuleTrace[]> | undefined;

  /** @param id names the analysis; another one for each */
  constructor(
    readonly id: string,
    readonly result: DynamicsResult,
  ) {
    this.maps = new SeriesMaps(result.series);
    this.rowOfProperty = new Map(result.rows.map((row) => [row.property, row]));
    this.positions = new Map(result.properties.map((property, index) => [property.id, index]));
  }

  header(): DynamicsHeader {
    const { iterations, unit, phase, properties, series, rows, noDynamics, notes } = this.result;
    return {
      id: this.id,
      iterations,
      unit,
      ...present({ phase }),
      properties: properties.length,
      series: series.length,
      reportRows: rows.length,
      maps: this.maps.headers,
      noDynamics,
      notes,
    };
  }

  properties(first: number, count: number): readonly PropertyRow[] {
    return this.result.properties.slice(first, first + count).map((property) => this.propertyRow(property));
  }

  series(first: number, count: number): readonly SeriesRow[] {
    return this.result.series.slice(first, first + count).map((series, index) => {
      const { map, row } = this.maps.placeOf(first + index);
      return seriesRow(series, map, row);
    });
  }

  report(first: number, count: number): readonly ReportPiece[] {
    return this.result.rows.slice(first, first + count).map((row) => {
      const property = this.positions.get(row.property);
      return {
        // What happens at the same time as the row above, because of it or with it.
        title: row.partOf === undefined ? row.title : `└ ${row.title}`,
        region: row.region.name,
        ranks: row.ranks,
        iterations: intervalsOf(row),
        ...present({ severity: row.severity, excess: row.excess }),
        ...(row.belowThreshold ? { belowThreshold: true } : {}),
        ...present({ property }),
      };
    });
  }

  /** Undefined when there is no such series. */
  values(position: number): SeriesDetail | undefined {
    const series = this.result.series[position];
    if (series === undefined) return undefined;
    const { values, model, valueLength, energies, episodes, patterns, sentence } = series;
    return {
      values: values.slice(),
      iterationsPerValue: valueLength,
      ...present({ model: model?.() }),
      energies,
      episodes,
      patterns,
      sentence,
    };
  }

  /** Undefined when there is no such map. */
  map(map: number, first: number, count: number): MapPiece | undefined {
    return this.maps.piece(map, first, count);
  }

  /** The rules that were tried on a series, in their order. */
  trace(position: number): readonly RuleCheck[] {
    this.traces ??= tracesBySeries(this.result);
    return (this.traces.get(position) ?? []).map(ruleCheck);
  }

  /** Where a row's region is defined. */
  regionOf(
    of: 'property' | 'series' | 'report',
    row: number,
  ): { readonly name: string; readonly file?: string; readonly line?: number } | undefined {
    switch (of) {
      case 'property':
        return this.result.properties[row]?.region;
      case 'series':
        return located(this.result.series[row]?.context.region);
      case 'report':
        return located(this.result.rows[row]?.region);
    }
  }

  private propertyRow(property: Property): PropertyRow {
    const { id, kind, title, severity, confidence, region, ranks, iterations, all } = property;
    const row = this.rowOfProperty.get(property.id);
    const refines = property.refines === undefined ? undefined : this.positions.get(property.refines);
    return {
      id,
      kind,
      title,
      // Significant variability has no share of time.
      ...(severity === undefined || (row !== undefined && row.severity === undefined) ? {} : { severity }),
      confidence,
      ...present({ region, ranks, iterations, all, excess: row?.excess, chance: row?.chance, refines }),
      series: (row?.series ?? this.seriesOf(property.refines)).slice(0, mostSeries),
    };
  }

  /** A relation between rows has no row of its own: the series of the refined property show it. */
  private seriesOf(refined: string | undefined): readonly number[] {
    return refined === undefined ? [] : (this.rowOfProperty.get(refined)?.series ?? []);
  }
}

function located(
  region: SeriesRegion | undefined,
): ({ readonly name: string } & Partial<SourcePlace>) | undefined {
  return region === undefined ? undefined : { name: region.name, ...placeToLookAt(region) };
}

function seriesRow(series: AnalysedSeries, map: number, mapRow: number): SeriesRow {
  const { region, metric, rank, thread } = series.context;
  const { file, line } = placeToLookAt(region);
  const { total, dynamic } = series.energies;
  return {
    region: region.name,
    ...present({ file, line, problem: series.kind }),
    metric,
    rank,
    thread,
    share: series.impactShare,
    variability: total > 0 ? dynamic / total : 0,
    peaks: series.patterns.filter(({ type }) => type === 'peak').length,
    trends: series.patterns.filter(({ type }) => type !== 'peak').length,
    letters: series.episodes.map(({ letter }) => letter).join(''),
    ...present({ period: series.period }),
    sentence: series.sentence,
    map,
    mapRow,
  };
}

/** Groups evaluations by series. Those from before a series was chosen belong to the series of the same context. */
function tracesBySeries({ series, trace }: DynamicsResult): ReadonlyMap<number, readonly RuleTrace[]> {
  const byContext = new Map<string, number[]>();
  series.forEach(({ context }, position) => pushTo(byContext, contextKey(context), position));
  const bySeries = new Map<number, RuleTrace[]>();
  for (const evaluation of trace) {
    const { context, series: own } = evaluation;
    const positions = own === undefined ? (byContext.get(contextKey(context)) ?? []) : [own];
    for (const position of positions) pushTo(bySeries, position, evaluation);
  }
  return bySeries;
}

function ruleCheck(trace: RuleTrace): RuleCheck {
  return {
    rule: trace.rule,
    title: ruleTitle(trace.rule),
    passed: trace.holds,
    iterations: trace.iterations,
    conditions: trace.tests.map(({ text, left, operator, right, holds }) => ({
      text,
      value: left,
      operator,
      threshold: right,
      passed: holds,
    })),
    ...present({ severity: trace.severity }),
    confidence: trace.confidence,
    numbers: trace.quantities,
  };
}

/** `degradation-peak` or `significantVariability` → `Degradation peak`, `Significant variability`. */
function ruleTitle(rule: string): string {
  const words = rule.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

function intervalsOf({ iterations, all }: ReportRow): string {
  if (all !== undefined) return allText(all);
  return iterations.map(([from, to]) => `[${from}-${to}]`).join(',');
}
