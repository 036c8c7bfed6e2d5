import type { AnalysedSeries, DynamicsResult } from '../../../core/degradations/model/result';
import { formatCount, formatValue } from '../../../core/format';
import { headOf, relatedTitles, seriesOfRows } from '../../../formats/dynamics-report/rows';
import { runDynamics } from '../../../workflows/dynamics';
import type { CliContext } from '../../execution/context';
import { workspaceRules } from '../../terminal/dynamics/dynamicsInputs';
import { dynamicsRows, mostRows, seriesName, seriesSentences } from '../../terminal/dynamics/dynamicsText';
import { listBlock, tableBlock, texts, type Chart, type Section } from '../base/document';
import type { Reported } from '../base/reported';

const mostCharts = 4;

/**
 * What changes over the iterations of the run.
 * @throws KymoError `no-iterations`, and the errors of reading
 */
export async function dynamicsSection(
  { input, run }: Reported,
  context: CliContext,
): Promise<Section | undefined> {
  if (run === undefined) return undefined;
  const { workspace, signal, progress } = context;
  const rules = await workspaceRules([input], context);
  const { result } = await runDynamics(
    { inputs: [input], ...(rules === undefined ? {} : { rules }) },
    { workspace, signal, progress },
  );
  const { phase, rows, notes } = result;
  const more = rows.length - mostRows;
  return {
    id: 'dynamics',
    title: 'Dynamics',
    blocks: [
      ...texts([headOf(result, phase)]),
      ...tableBlock(
        more > 0 ? `What changes: the ${mostRows} most severe of ${rows.length} findings` : 'What changes',
        dynamicsRows(result),
        rows.map(({ severity = 0 }) => severity),
      ),
      ...texts(relatedTitles(result)),
      ...shownSeries(result).map((series, index) => ({
        kind: 'chart' as const,
        chart: seriesChart(result, series, index),
      })),
      ...listBlock('Series in words', seriesSentences(result, 'kymo dynamics ')),
      ...texts(notes, 'note'),
    ],
  };
}

/** Those that change; of a run in which nothing does, the first one. */
function shownSeries({ rows, series }: DynamicsResult): readonly AnalysedSeries[] {
  const changing = seriesOfRows({ rows: rows.filter(({ excess }) => excess !== undefined), series });
  return changing.length > 0 ? changing.slice(0, mostCharts) : seriesOfRows({ rows, series }).slice(0, 1);
}

/** One rank of a row, because the ranks of a row behave alike. */
function seriesChart(result: DynamicsResult, series: AnalysedSeries, index: number): Chart {
  const { values, valueLength, sentence } = series;
  const pointsOf = (all: Float64Array): Chart['lines'][number]['points'] =>
    [...all].map((y, position) => ({ x: position * valueLength + 1, y }));
  const model = series.model?.();
  const position = result.series.indexOf(series);
  const rows = result.rows.filter((row) => row.series.includes(position));
  const unit = result.unit === 's' ? 'sec' : result.unit;
  const mean = valueLength > 1 ? ` (means of ${formatCount(valueLength)} iterations)` : '';
  return {
    title: `${seriesName(series)}${mean}`,
    description: sentence === '' ? `Series ${index + 1}` : sentence,
    x: { label: 'Iteration', format: formatCount, whole: true },
    y: { label: 'Per iteration', format: (value) => formatValue(value, unit) },
    lines: [
      { name: 'measured', style: 'line', points: pointsOf(values) },
      ...(model === undefined
        ? []
        : [{ name: 'without noise and peaks', style: 'line' as const, points: pointsOf(model) }]),
    ],
    spans: rows
      .filter(({ excess }) => excess !== undefined)
      .flatMap(({ iterations }) => iterations.slice(0, mostSpans)),
  };
}

const mostSpans = 50;
