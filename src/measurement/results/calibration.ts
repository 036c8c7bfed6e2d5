import { lowerQuartile } from '../../core/cost/pairCost';
import type { Calibration, SiteCost } from '../../core/profile/experiment';
import type { ResultHead } from '../../formats/kymo-result/resultFile';

type Calibrated = Pick<ResultHead, 'probeCost' | 'entryCost'>;

/** Costs of recording in a run, by those of its processes. */
export function calibrationOf(processes: readonly Calibrated[]): Calibration {
  return {
    probe: lowCost(processes.map(({ probeCost }) => probeCost)),
    entry: lowCost(processes.map(({ entryCost }) => entryCost)),
  };
}

/** Of a visit of which the kind of site is not known: as low as it can be. */
export function leastPairSeconds({ probe, entry }: Calibration): number {
  return Math.min(probe.pairSeconds, entry.pairSeconds);
}

/** The costs of the process at the lower quartile: other work on the machine can only increase a calibration. */
function lowCost(costs: readonly SiteCost[]): SiteCost {
  const low = lowerQuartile(costs, (cost) => cost.pairSeconds);
  return low ?? { pairSeconds: 0, spreadSeconds: 0, insideSeconds: 0, outsideSeconds: 0 };
}
