import type { AxisComparison, AxisPattern, AxisPhase } from '../../core/series/commonAxis';
import { formatPercent } from '../../core/format';

/** Two runs that were compared on a common axis. */
export interface ComparedFiles {
  readonly comparison: AxisComparison;
  readonly files: readonly [string, string];
  /** Unit of the costs. */
  readonly unit: string;
}

/** The comparison of two runs for readers: phases side by side, degradations on the axis, and the cost of both together. */
export function comparisonMarkdown({ comparison, files, unit }: ComparedFiles): string {
  const { runs, ownPhases, hybrid } = comparison;
  const [a, b] = runs;
  const [first, second] = files;
  const cost = `cost (${escaped(unit)})`;
  const rows = Array.from(
    { length: Math.max(a.phases.length, b.phases.length) },
    (_, phase) =>
      `| ${[String(phase + 1), ...phaseCells(a.phases[phase]), ...phaseCells(b.phases[phase])].join(' | ')} |`,
  );
  const degradations = runs.flatMap(({ patterns }, run) =>
    patterns.map((pattern) => patternLine(run + 1, pattern)),
  );
  return [
    '# Two runs by a common axis',
    '',
    `1. ${escaped(first)}: ${digits(a.cost)} ${escaped(unit)}`,
    `2. ${escaped(second)}: ${digits(b.cost)} ${escaped(unit)}`,
    '',
    ownPhases ? 'Phases as each run has them.' : 'Phases of run 1, carried over to run 2 by the axis.',
    '',
    `| phase | 1: iterations | axis | ${cost} | speed | 2: iterations | axis | ${cost} | speed |`,
    '| --: | :-- | :-- | --: | --: | :-- | :-- | --: | --: |',
    ...rows,
    '',
    hybrid === undefined
      ? 'One run is the better one in all phases.'
      : `**Hybrid**: ${hybrid.runs.map((run, phase) => `phase ${phase + 1} as in run ${run + 1}`).join(', ')}: ` +
        `${digits(hybrid.cost)} ${escaped(unit)}, ${gainText(hybrid.gain)} better than the better run.`,
    ...(degradations.length === 0 ? [] : ['', '## Degradations', '', ...degradations]),
    '',
  ].join('\n');
}

function phaseCells(phase: AxisPhase | undefined): readonly string[] {
  if (phase === undefined) return ['', '', '', ''];
  const { from, to, axis, cost, speed } = phase;
  return [iterations(from, to), interval(axis), digits(cost), digits(speed)];
}

function patternLine(run: number, { type, from, to, axis, excess }: AxisPattern): string {
  return `- run ${run}: ${type} in ${iterations(from, to)}, at ${interval(axis)} of the axis, costs ${digits(excess)}`;
}

/** Converts iterations to numbers from 1. */
function iterations(from: number, to: number): string {
  return from === to ? String(from + 1) : `${from + 1}–${to + 1}`;
}

/** The interval begins after the iteration before it and includes its last one. */
function interval([from, to]: readonly [number, number]): string {
  return `\\(${digits(from)}, ${digits(to)}\\]`;
}

/** Four significant digits. */
export function digits(value: number): string {
  return String(Number(value.toPrecision(4)));
}

export function gainText(share: number): string {
  return share < 0.1 ? `${(share * 100).toFixed(2)} %` : formatPercent(share);
}

/** Escapes Markdown in file names. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!<>|&~]/g, (c) => `\\${c}`).replace(/\s+/g, ' ');
}
