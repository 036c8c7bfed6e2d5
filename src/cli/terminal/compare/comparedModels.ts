import { at } from '../../../core/at';
import { formatPercent, formatValue } from '../../../core/format';
import { modelText, readableModel } from '../../../core/modeling/formulaText';
import { metricUnit } from '../../../core/modeling/metricUnit';
import { ModelMatch } from '../../../core/views/models/modelMatch';
import type { Unmatched } from '../../../core/views/models/modelPieces';
import type { ModelRow, ModelsReport } from '../../../workflows/models';
import { shortPath } from '../models/models';
import { table } from '../table';

/** Models of two inputs that have the same metric and call path, with their predictions for the first point. */
export class ComparedModels {
  private readonly match: ModelMatch;

  /**
   * @param title names the other input
   * @throws KymoError `usage` if both have other parameters
   */
  constructor(
    private readonly report: ModelsReport,
    private readonly other: ModelsReport,
    private readonly title: string,
  ) {
    this.match = new ModelMatch(report, other);
  }

  /** @param most number of rows of each metric */
  text(most: number): string {
    const { parameters, points, models, notes, properties } = this.report;
    const where = parameters.map((name, i) => `${name} = ${points[0]?.[i] ?? ''}`).join(', ');
    const metrics = [...new Set(models.map(({ metric }) => metric))];
    const { onlyHere, onlyThere } = this.match.facts();
    return [
      ...metrics.flatMap((metric) => {
        const rows = this.pairs().filter(({ row }) => row.metric === metric);
        const omitted = rows.length - most;
        return [
          `${metric === '' ? 'Values' : metric}, predicted for ${where}, compared with ${this.title}:`,
          '',
          this.table(rows.slice(0, most)),
          ...(omitted > 0 ? [`${omitted} more models: --models ${rows.length}`] : []),
          '',
        ];
      }),
      ...unmatchedText('Not there', onlyHere),
      ...unmatchedText('Only there', onlyThere),
      ...notes,
      ...properties.map(({ title }) => `${title}.`),
    ].join('\n');
  }

  /** For the JSON document. */
  document(): object {
    const { onlyHere, onlyThere } = this.match.facts();
    return {
      input: this.title,
      models: this.pairs().map(({ row, there, value, ratio }) => ({
        callPath: row.callPath,
        metric: row.metric,
        formula: modelText(there, this.other.parameters),
        predicted: value,
        ...(Number.isFinite(ratio) && { ratio }),
      })),
      onlyHere: onlyHere.count,
      onlyThere: onlyThere.count,
    };
  }

  private pairs(): readonly {
    readonly row: ModelRow;
    readonly there: ModelRow;
    readonly value: number;
    readonly ratio: number;
  }[] {
    const point = this.match.pointThere(this.report.points[0] ?? []);
    return this.report.models.flatMap((row, position) => {
      const place = this.match.rowThere(position);
      if (place === undefined) return [];
      const there = at(this.other.models, place);
      const { value } = there.predict(point);
      return [{ row, there, value, ratio: value / (row.predictions[0]?.value ?? NaN) }];
    });
  }

  private table(rows: ReturnType<ComparedModels['pairs']>): string {
    const cells = rows.map(({ row, there, value, ratio }) => {
      const text = (number: number): string => formatValue(number, metricUnit(row.metric));
      return [
        row.share === undefined ? '' : formatPercent(row.share),
        text(row.predictions[0]?.value ?? NaN),
        text(value),
        Number.isFinite(ratio) ? String(Number(ratio.toPrecision(3))) : '',
        readableModel(row, this.report.parameters, text),
        readableModel(there, this.other.parameters, text),
        shortPath(row.callPath),
      ];
    });
    return table(
      ['share', 'predicted', 'compared', 'ratio', 'model', 'compared model', 'call path'],
      cells,
      4,
    );
  }
}

function unmatchedText(where: string, { count, examples }: Unmatched): readonly string[] {
  if (count === 0) return [];
  const more = count > examples.length ? ', …' : '';
  return [
    `${where}: ${count} ${count === 1 ? 'model' : 'models'} (${examples.map(shortPath).join(', ')}${more}).`,
  ];
}
