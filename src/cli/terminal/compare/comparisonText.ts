import type { AxisPattern, AxisPhase } from '../../../core/series/commonAxis';

import type { ComparedRuns } from '../../../workflows/compareDynamics';
import { comparisonMarkdown, digits, gainText } from '../../../formats/dynamics-report/comparisonMarkdown';
import { printable, table } from '../table';

/** The document of `kymo dynamics --compare --json` (docs/INTERFACES.md). Iterations count from 1. */
export function comparisonDocument({
  comparison,
  files,
  unit,
}: ComparedRuns): Readonly<Record<string, unknown>> {
  const { runs, ownPhases, hybrid } = comparison;
  return {
    unit,
    ownPhases,
    runs: runs.map(({ phases, patterns, cost }, index) => ({
      file: files[index],
      cost,
      phases: phases.map(({ from, to, axis, cost: own, speed }) => ({
        iterations: [from + 1, to + 1],
        axis,
        cost: own,
        speed,
      })),
      patterns: patterns.map(({ type, from, to, axis, sum, excess }) => ({
        type,
        iterations: [from + 1, to + 1],
        axis,
        sum,
        excess,
      })),
    })),
    ...(hybrid === undefined
      ? {}
      : { hybrid: { runs: hybrid.runs.map((run) => run + 1), cost: hybrid.cost, gain: hybrid.gain } }),
  };
}

/** The text of a comparison for `--out` and `--format`. */
export function comparisonReport(runs: ComparedRuns, format: 'json' | 'markdown'): string {
  return format === 'json'
    ? `${JSON.stringify(comparisonDocument(runs), undefined, 2)}\n`
    : comparisonMarkdown(runs);
}

/** Shows the phases of both runs side by side, the degradations on the common axis, and the cost of the best mixture of both. */
export function comparisonText({ comparison, files, unit }: ComparedRuns): string {
  const { runs, ownPhases, hybrid } = comparison;
  const [a, b] = runs;
  const shownUnit = printable(unit);
  const rows = Array.from({ length: Math.max(a.phases.length, b.phases.length) }, (_, index) => [
    String(index + 1),
    ...phaseCells(a.phases[index]),
    ...phaseCells(b.phases[index]),
  ]);
  const heads = ['iterations', 'axis', `cost (${shownUnit})`, 'speed'];
  const degradations = runs.flatMap(({ patterns }, run) =>
    patterns.map((pattern) => patternLine(run + 1, pattern)),
  );
  return [
    `1: ${files[0]}, ${digits(a.cost)} ${shownUnit}`,
    `2: ${files[1]}, ${digits(b.cost)} ${shownUnit}`,
    ownPhases ? 'Phases as each run has them.' : 'Phases of run 1, carried over to run 2 by the axis.',
    '',
    table(['phase', ...heads.map((head) => `1: ${head}`), ...heads.map((head) => `2: ${head}`)], rows, 9),
    ...(degradations.length === 0 ? [] : ['', ...degradations]),
    '',
    hybrid === undefined
      ? 'No hybrid: one run is the better one in all phases.'
      : `Hybrid: ${hybrid.runs.map((run, index) => `phase ${index + 1} as in run ${run + 1}`).join(', ')}: ${digits(hybrid.cost)} ${shownUnit}, ${gainText(hybrid.gain)} better than the better run.`,
  ].join('\n');
}

function phaseCells(phase: AxisPhase | undefined): readonly string[] {
  if (phase === undefined) return ['', '', '', ''];
  const { from, to, axis, cost, speed } = phase;
  return [`${from + 1}-${to + 1}`, `(${digits(axis[0])},${digits(axis[1])}]`, digits(cost), digits(speed)];
}

function patternLine(run: number, { type, from, to, axis, excess }: AxisPattern): string {
  return `run ${run}: ${type} in ${from + 1}-${to + 1}, at (${digits(axis[0])},${digits(axis[1])}] of the axis, costs ${digits(excess)}`;
}
