import { overheadCell } from '../../../core/cost/overheadWords';
import { formatCount, formatPercent, formatSeconds } from '../../../core/format';
import type { RefineRound } from '../../../workflows/studies/refine.types';
import type { Rows } from '../table';

/** A row for each round. */
export function roundRows(iterations: readonly RefineRound[]): Rows {
  const { clock, points } = iterations.at(-1) ?? {};
  const processor = clock === 'rank' ? 'slowest rank' : 'CPU time';
  const time = points === undefined ? processor : 'computing time';
  return {
    heads: [
      'round',
      'functions',
      'executed',
      'changed',
      'visits',
      time,
      'wall time',
      'predicted',
      'overhead',
    ],
    cells: iterations.map((i) => [
      String(i.index),
      String(i.instrumented),
      String(i.executed),
      String(i.changed),
      formatCount(i.visits),
      i.points === undefined ? decidingTime(i) : accumulatedTime(i, i.points),
      withBaseline(i.medianSeconds, i.baselineSeconds),
      i.predictedPercent === undefined ? '' : formatPercent(i.predictedPercent / 100),
      overheadCell(i),
    ]),
    numbers: 9,
  };
}

/** By the clock that overheads are of, if it is not the wall's. */
export function decidingTime(
  times: Pick<RefineRound, 'rankSeconds' | 'baselineRankSeconds' | 'cpuSeconds' | 'baselineCpuSeconds'>,
): string {
  const { rankSeconds, baselineRankSeconds, cpuSeconds, baselineCpuSeconds } = times;
  return withBaseline(rankSeconds ?? cpuSeconds, baselineRankSeconds ?? baselineCpuSeconds);
}

/** Of all points, each by its own clock. The overhead is that of this sum; sums of medians would differ from it. */
function accumulatedTime(
  { overheadPercent }: RefineRound,
  points: NonNullable<RefineRound['points']>,
): string {
  const baseline = points.reduce(
    (sum, { baselineRankSeconds, baselineCpuSeconds, baselineSeconds }) =>
      sum + (baselineRankSeconds ?? baselineCpuSeconds ?? baselineSeconds),
    0,
  );
  return withBaseline(baseline * (1 + overheadPercent / 100), baseline);
}

/** `1.05 s (1.00 s)`: the time in brackets is that of the run with nothing recorded. */
export function withBaseline(seconds: number | undefined, baseline: number | undefined): string {
  if (seconds === undefined || baseline === undefined) return 'unknown';
  return `${formatSeconds(seconds)} (${formatSeconds(baseline)})`;
}

/** What the columns of the rounds mean. */
export function roundsLegend(iterations: readonly RefineRound[]): string {
  const turns = iterations.some(({ paired }) => paired === true)
    ? ' Runs with and without recording took turns on one processor, so that wall times are about twice those of runs alone.'
    : iterations.some(({ window }) => window === true)
      ? ' Rounds are parts of one run; what they would take with nothing recorded follows from the visits and the calibrated cost of each, and visits that began before a round are no part of it.'
      : '';
  const lacking = iterations.flatMap(({ index, unpredicted }) =>
    unpredicted === undefined ? [] : [`${unpredicted} in round ${index}`],
  );
  const unknown =
    lacking.length === 0
      ? ''
      : ` Predictions exclude functions without any earlier measurement: ${lacking.join(', ')}.`;
  return `In brackets: with nothing recorded. ${clockSentence(iterations.at(-1))}${turns}${unknown}`;
}

/** What overheads are of. */
function clockSentence(round: RefineRound | undefined): string {
  if (round?.points !== undefined)
    return 'Times are those of all points together, visits those of the point that takes longest. Overheads are of the accumulated computing time, by rank the slowest one’s.';
  switch (round?.clock) {
    case 'rank':
      return `Overheads are of the computation of the slowest rank (mostly rank ${String(round.slowestRank ?? 0)}): its computing time outside MPI; MPI calls are recorded in all runs.`;
    case 'cpu':
      return 'Overheads are of CPU time.';
    case 'wall':
    case undefined:
      return 'Overheads are of wall time, for CPU time is unknown.';
  }
}
