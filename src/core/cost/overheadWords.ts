import { formatPercent, formatSeconds } from '../format';
import { clockWords, type DecisionClock } from './runTime';

/** A measured overhead, percent. */
export interface MeasuredOverhead {
  readonly overheadPercent: number;
  /** Absent: unknown, because no configuration was run twice. */
  readonly noisePercent?: number | undefined;
}

/** Whether a measured overhead can be claimed. */
export type Standing = 'measured' | 'noise unknown' | 'within noise';

export function standingOf({ overheadPercent, noisePercent }: MeasuredOverhead): Standing {
  if (noisePercent === undefined) return 'noise unknown';
  return Math.abs(overheadPercent) > noisePercent ? 'measured' : 'within noise';
}

/** `overhead 4.1 %`; it is claimed only beyond the noise. */
export function overheadWords(overhead: MeasuredOverhead, format = formatPercent): string {
  const value = format(overhead.overheadPercent / 100);
  switch (standingOf(overhead)) {
    case 'measured':
      return `overhead ${value}`;
    case 'noise unknown':
      return `overhead ${value} (noise unknown: one run of each)`;
    case 'within noise':
      return `the overhead (${value}) cannot be told from noise (${noiseOf(overhead, format)})`;
  }
}

/** Times of both kinds by the clock of the overhead. */
interface Clocked {
  readonly clock?: DecisionClock;
  readonly cpuSeconds?: number;
  readonly baselineCpuSeconds?: number;
  readonly rankSeconds?: number;
  readonly baselineRankSeconds?: number;
  readonly slowestRank?: number;
}

/**
 * ` of the CPU time (1.05 s, 1.00 s with nothing recorded)`: what an overhead is a share of, for a sentence that gives wall times; empty where
 * it is of these.
 */
export function ofClock(times: Clocked): string {
  const { clock, rankSeconds, baselineRankSeconds, cpuSeconds, baselineCpuSeconds, slowestRank = 0 } = times;
  const both = (measured: number, baseline: number): string =>
    `${formatSeconds(measured)}, ${formatSeconds(baseline)} with nothing recorded`;
  if (clock === 'rank' && rankSeconds !== undefined && baselineRankSeconds !== undefined)
    return ` of the ${clockWords(clock)} (mostly rank ${slowestRank}: ${both(rankSeconds, baselineRankSeconds)})`;
  if (clock === 'cpu' && cpuSeconds !== undefined && baselineCpuSeconds !== undefined)
    return ` of the ${clockWords(clock)} (${both(cpuSeconds, baselineCpuSeconds)})`;
  return '';
}

/** `4.1 %`: the same for a table's cell. */
export function overheadCell(overhead: MeasuredOverhead): string {
  const value = formatPercent(overhead.overheadPercent / 100);
  switch (standingOf(overhead)) {
    case 'measured':
      return value;
    case 'noise unknown':
      return `${value}, noise unknown`;
    case 'within noise':
      return `${value}, cannot be told from noise (${noiseOf(overhead, formatPercent)})`;
  }
}

function noiseOf({ noisePercent = 0 }: MeasuredOverhead, format: typeof formatPercent): string {
  return `±${format(noisePercent / 100)}`;
}
