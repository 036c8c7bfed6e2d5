import { KymoError } from '../errors';
import type { Base } from '../functions/base';
import { differsByPlace } from '../functions/doubt';
import { countsOf } from '../functions/programTime';
import { present } from '../present';
import type { PropertyContext } from '../problems/context/propertyContext';
import { hasNumbers, metricNamed } from '../profile/metrics';
import type { CallPaths, Profile, Region } from '../profile/profile';
import { exclusiveCells } from '../profile/values';
import { rowSums } from '../sums';

/** What is compared. */
export interface ComparedMetric {
  readonly name: string;
  /** In sentences: `Instructions`. */
  readonly displayName: string;
  readonly unit: string;
}

export const timeMetric: ComparedMetric = { name: 'time', displayName: 'Computing Time', unit: 'sec' };

/** Hardware counter of instructions that were completed (PAPI). */
const instructionsMetric = 'PAPI_TOT_INS';

/** One run as it is compared; columns have a value for each call path, of all locations together, and exclusive. */
export interface ComparedRun {
  readonly callPaths: Pick<CallPaths, 'count' | 'parent' | 'region'>;
  readonly regions: readonly Region[];
  /** Function key and name for sentences, by region. */
  readonly keys: readonly string[];
  readonly names: readonly string[];
  readonly visits: Float64Array;
  /** Computing time. */
  readonly seconds: Float64Array;
  /** By how much `values` may be wrong, because recording cost more or less in this place than on the whole (standard deviations). */
  readonly doubts: Float64Array;
  /** Of the compared metric; of the time, `seconds` itself. */
  readonly values: Float64Array;
  /** Completed instructions, where they were counted. */
  readonly instructions?: Float64Array;
  readonly metric: ComparedMetric;
  /** Number of processes that the columns are of. */
  readonly processes: number;
  /** Number of processes and threads. */
  readonly locations: number;
  /** Name of the phase, if the profile has one. */
  readonly phase?: string;
  readonly base: Base;
}

/**
 * The run of a profile with one of its metrics.
 * @param metric `time`, `instructions`, or the name of a metric that adds up
 * @throws KymoError `unknown-metric`, `not-additive`
 */
export function comparedRun(context: PropertyContext, metric = timeMetric.name): ComparedRun {
  const { profile, keys, names, times, base, phase } = context;
  const { callPaths, regions, locations } = profile;
  const all = Uint32Array.from(locations.keys());
  const sums = (cells: Float64Array): Float64Array => rowSums(cells, locations.length, all);
  const seconds = Float64Array.from(times.callPathSeconds);
  const own = metric === timeMetric.name ? timeMetric : additive(profile, metric);
  const column = (name: string): Float64Array => sums(exclusiveCells(profile, name));
  const hasInstructions = profile.metrics.some(
    (one) => one.name === instructionsMetric && hasNumbers(one) && profile.stored.has(one.name),
  );
  return {
    ...{ callPaths, regions, keys, names, seconds, metric: own, base },
    visits: sums(countsOf(profile).visits),
    doubts: times.callPathTakenSeconds.map((taken) =>
      own === timeMetric ? differsByPlace * Math.max(0, taken) : 0,
    ),
    values: own === timeMetric ? seconds : column(own.name),
    ...(hasInstructions ? { instructions: column(instructionsMetric) } : {}),
    processes: new Set(locations.map(({ rank }) => rank)).size,
    locations: locations.length,
    ...present({ phase: phase === undefined ? undefined : names[phase] }),
  };
}

function additive(profile: Profile, wanted: string): ComparedMetric {
  const name = wanted === 'instructions' ? instructionsMetric : wanted;
  const metric = metricNamed(profile, name);
  const { displayName, unit, combine } = metric;
  if (combine !== 'sum' || !hasNumbers(metric))
    throw new KymoError(
      'not-additive',
      `The metric “${name}” does not add up over calls, so functions cannot be compared by it. Choose another one: ${profile.metrics
        .filter((one) => one.combine === 'sum' && hasNumbers(one) && one.ghost !== true)
        .map((one) => one.name)
        .join(', ')}.`,
      {},
    );
  return { name, displayName, unit };
}
