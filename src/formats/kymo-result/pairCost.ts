import { present } from '../../core/present';

/** What recording a visit costs. */
export interface PairCost {
  readonly pairSeconds: number;
  readonly spreadSeconds: number;
  readonly insideSeconds: number;
  readonly outsideSeconds: number;
  /** Cost of visits of sampled slots; absent if the runtime cannot sample. */
  readonly sampled?: SampledCost;
}

/** Costs in seconds. */
export interface SampledCost {
  /** Cost of a visit that is counted but not timed, and its spread. */
  readonly countedSeconds: number;
  readonly spreadSeconds: number;
  /** Cost of a timed visit, and its part inside the measured interval. */
  readonly pairSeconds: number;
  readonly insideSeconds: number;
}

/** As they stand in the header of a result: pair, spread, inside and outside; of sampled slots: a counted visit, its spread, a timed pair and its part inside. */
export type FourCosts = readonly [number, number, number, number];

/** @param sampled all zero if the runtime did not calibrate */
export function pairCost(costs: FourCosts, sampled: FourCosts | undefined): PairCost {
  const [pairSeconds, spreadSeconds, insideSeconds, outsideSeconds] = costs;
  return {
    pairSeconds,
    spreadSeconds,
    insideSeconds,
    outsideSeconds,
    ...present({ sampled: sampledCost(sampled) }),
  };
}

function sampledCost(costs: FourCosts | undefined): SampledCost | undefined {
  if (costs === undefined) return undefined;
  const [countedSeconds, spreadSeconds, pairSeconds, insideSeconds] = costs;
  return pairSeconds === 0 ? undefined : { countedSeconds, spreadSeconds, pairSeconds, insideSeconds };
}
