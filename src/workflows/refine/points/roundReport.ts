import { present } from '../../../core/present';
import type { PointReport, RefineRound } from '../../studies/refine.types';
import { overheadReport } from '../bench/eachNumberOfRanks';
import { measuredOverhead } from '../loop/digest';
import { baselineSecondsOf, type PointEvidence } from './pointRounds';

/** The overhead at a point, by the clock of its runs. */
export function pointReport(evidence: PointEvidence): PointReport {
  const { coordinates, measured } = evidence;
  return { coordinates, runs: measured.length, ...overheadReport(measuredOverhead(evidence)) };
}

/**
 * The overhead of a round: of the accumulated time of all points, each by its own clock, as PIRA II reports it. The noise of a sum is less
 * than that of its parts.
 */
export function roundOverhead(
  evidence: readonly PointEvidence[],
): Pick<
  RefineRound,
  'points' | 'runs' | 'medianSeconds' | 'baselineSeconds' | 'overheadPercent' | 'noisePercent'
> {
  const points = evidence.map(pointReport);
  const sums = { wall: 0, baselineWall: 0, added: 0, base: 0, noise: 0, runs: 0 };
  evidence.forEach(({ measured, beside }, position) => {
    const {
      overheadPercent = 0,
      noisePercent,
      medianSeconds = 0,
      baselineSeconds = 0,
    } = points[position] ?? {};
    const base = baselineSecondsOf({ measured, beside });
    sums.wall += medianSeconds;
    sums.baselineWall += baselineSeconds;
    sums.base += base;
    sums.added += base * overheadPercent;
    sums.noise += (base * (noisePercent ?? 0)) ** 2;
    sums.runs += measured.length;
  });
  const isNoiseKnown = points.every(({ noisePercent }) => noisePercent !== undefined);
  return {
    points,
    runs: sums.runs,
    medianSeconds: sums.wall,
    baselineSeconds: sums.baselineWall,
    overheadPercent: sums.added / sums.base,
    ...present({ noisePercent: isNoiseKnown ? Math.sqrt(sums.noise) / sums.base : undefined }),
  };
}
