import { assertNever } from '../errors';
import type { ComputationSpread } from '../functions/computationSpread';
import type { ImbalanceMetric } from '../selection/imbalanceOptions';

/**
 * Imbalance of a function (instrumentation-refinement §2.8), over the n locations that compute in it: `imbalance-percentage` is
 * (max − mean) ÷ max · n ÷ (n − 1), which is 1 where one does everything while the others do next to nothing; `efficiency` max ÷ mean; `variation` the standard deviation ÷ mean.
 */
export function imbalanceOf(
  metric: ImbalanceMetric,
  { locations: n, maximumSeconds: most, meanSeconds: mean, deviationSeconds }: ComputationSpread,
): number {
  const isEven = n <= 1 || !(mean > 0);
  switch (metric) {
    case 'imbalance-percentage':
      return isEven ? 0 : (((most - mean) / most) * n) / (n - 1);
    case 'efficiency':
      return isEven ? 1 : most / mean;
    case 'variation':
      return isEven ? 0 : deviationSeconds / mean;
    default:
      return assertNever(metric);
  }
}

/** Of a function that one location executes, or that is balanced to the last digit. */
export function balancedValue(metric: ImbalanceMetric): number {
  return metric === 'efficiency' ? 1 : 0;
}
