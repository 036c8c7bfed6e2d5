import { at } from '../../at';
import type { PropertyContext } from './propertyContext';

export interface RecordingCost {
  readonly seconds: number;
  readonly visits: number;
  /** Whether no cost is a guess. */
  readonly isCalibrated: boolean;
}

/** Estimated cost of recording all visits of a run. */
export function recordingCost(context: PropertyContext): RecordingCost {
  let [seconds, visits, isCalibrated] = [0, 0, true];
  context.profile.regions.forEach((_, region) => {
    const cost = context.costOf(region);
    if (cost === undefined) return;
    const own = at(context.times.regions, region).visits;
    seconds += own * cost.pairSeconds;
    visits += own;
    isCalibrated &&= cost.calibrated;
  });
  return { seconds, visits, isCalibrated };
}
