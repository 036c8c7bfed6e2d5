import { overheadCell } from '../../../core/cost/overheadWords';
import { shareOf } from '../../../core/functions/share';
import { formatCount, formatPercent, formatSeconds } from '../../../core/format';
import type { ModelsReport, RefineRound } from '../../../workflows/studies/refine.types';
import { pointName } from '../../../core/study/texts';
import { rowsText, shortened, table, type Rows } from '../table';

const mostFunctions = 20;

/** What the models of a refinement predict, and what was decided. */
export function predictedTable(models: ModelsReport | undefined): string {
  if (models === undefined) return '';
  const { point, functions, totalSeconds, baseSeconds } = models;
  const shown = functions.slice(0, mostFunctions);
  const last = Math.max(...functions.map(({ round }) => round));
  const more = functions.length - shown.length;
  const isLeftOut = shown.some(({ round }) => round < last);
  return [
    `Predicted for ${point}, where a run with nothing recorded takes ${formatSeconds(baseSeconds)} by its own model:`,
    table(
      ['share', 'time', 'visits', 'model', 'function', 'recorded'],
      shown.map(({ seconds, visits, formula, name, selected, rule, doubt, round }) => [
        // What is no longer recorded is in the time of others.
        round < last ? '' : formatPercent(shareOf(seconds, { seconds: totalSeconds })),
        formatSeconds(seconds),
        formatCount(Math.round(visits)),
        doubt === undefined ? formula : `${formula} (${doubt})`,
        shortened(name),
        `${selected ? 'yes' : 'no'}: ${rule}`,
      ]),
      3,
    ),
    ...(more > 0 ? [`${formatCount(more)} more functions: --json`] : []),
    ...(isLeftOut
      ? [
          'Without a share: no longer recorded, with the model of an earlier round; its time is in that of its callers now.',
        ]
      : []),
    '',
    ...shown.slice(0, mostReasons).map(({ name, reason }) => `${shortened(name)} is ${reason}.`),
  ].join('\n');
}

const mostReasons = 8;

/** The overhead of the last round at each point, as text. */
export function pointsTable(iterations: readonly RefineRound[]): string {
  const rows = pointRows(iterations);
  return rows === undefined ? '' : `Overhead of the last round by point:\n${rowsText(rows)}`;
}

/** The overhead of the last round at each point; undefined where a round has one point. */
export function pointRows(iterations: readonly RefineRound[]): Rows | undefined {
  const { points } = iterations.at(-1) ?? {};
  if (points === undefined) return undefined;
  return {
    heads: ['point', 'time', 'nothing recorded', 'wall time', 'overhead'],
    cells: points.map((point) => {
      const { medianSeconds, baselineSeconds, rankSeconds, cpuSeconds } = point;
      return [
        pointName(point.coordinates),
        formatSeconds(rankSeconds ?? cpuSeconds ?? medianSeconds),
        formatSeconds(point.baselineRankSeconds ?? point.baselineCpuSeconds ?? baselineSeconds),
        formatSeconds(medianSeconds),
        overheadCell(point),
      ];
    }),
    numbers: 5,
  };
}
