import { at } from '../../core/at';
import { efficiencies, ofFunction } from '../../core/efficiency/efficiencies';
import { efficiencySummary, type EfficiencySummary } from '../../core/efficiency/summary';
import type { EfficiencyOfFunction } from '../../core/functions/functionRow';
import type { Base } from '../../core/functions/base';
import type { Combine, Metric, Profile } from '../../core/profile/profile';
import { subtreeEnds } from '../../core/profile/tree';
import { exclusive, inclusive } from '../../core/profile/values';
import { locationValues, type LocationValues } from '../../core/views/locationValues';
import { rankTimes, type RankTimes } from '../../core/views/rankTimes';
import { makeContext, type PropertyInput } from '../../core/problems/context/makeContext';
import type { PropertyContext } from '../../core/problems/context/propertyContext';

/** The profile of the hot-spot panel: one region per function, with the same times as everywhere. */
export interface PanelProfile {
  readonly profile: Profile;
  readonly columns: readonly PanelColumn[];
  /** Base of time shares; absent: the time is shown as measured. */
  readonly base?: Base;
  readonly efficiency?: EfficiencySummary;
  /** By position of the region. */
  readonly efficiencyOf: (region: number) => EfficiencyOfFunction | undefined;
  /** Computing and waiting of each process in a function with its callees, or in the run; absent: the profile has no time. */
  readonly rankTimes?: (region: number | undefined) => RankTimes;
}

/** A metric per call path, combined over locations. */
export interface PanelColumn {
  readonly name: string;
  readonly displayName: string;
  readonly unit: string;
  readonly combine: Combine;
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
  /** Values of one call path at each location; undefined if there is no such call path. */
  readonly at: (callPath: number) => LocationValues | undefined;
}

/** Maximum number of metrics; further ones (hardware counters) are omitted. */
const mostMetrics = 32;
/** Maximum number of call paths × locations; more values would exceed the memory. */
const mostCells = 30_000_000;

export function panelProfile(input: PropertyInput): PanelProfile {
  const { callPaths, locations } = input.profile;
  if (!hasTime(input.profile) || callPaths.count * locations.length > mostCells) {
    const ends = subtreeEnds(callPaths);
    const columns = metricsOf(input.profile).map((metric) => asStored(input.profile, metric, ends));
    return { profile: input.profile, columns, efficiencyOf: () => undefined };
  }
  const context = makeContext(input);
  const { profile, base } = context;
  const ends = subtreeEnds(profile.callPaths);
  const stored = metricsOf(profile).map((metric) => asStored(profile, metric, ends));
  const columns = stored.map((column) => (column.name === 'time' ? ofBase(column, context, ends) : column));
  const measured = stored.find(({ name }) => name === 'time');
  const differs = base.leftOut.length > 0 && measured !== undefined;
  return {
    profile,
    base,
    ...efficiencyIn(context),
    rankTimes: (region) => rankTimes(context, region),
    columns: [
      ...columns,
      ...(differs ? [{ ...measured, name: 'measured_time', displayName: 'Time as Measured' }] : []),
    ],
  };
}

function efficiencyIn(context: PropertyContext): Pick<PanelProfile, 'efficiency' | 'efficiencyOf'> {
  const found = efficiencies(context);
  if ('missing' in found) return { efficiencyOf: () => undefined };
  return {
    efficiency: efficiencySummary(found, (region) => at(context.names, region)),
    efficiencyOf: (region) => {
      const own = found.functions.get(region);
      return own === undefined ? undefined : ofFunction(own);
    },
  };
}

function metricsOf({ metrics, stored }: Profile): readonly Metric[] {
  return metrics
    .filter((metric) => metric.stored !== 'derived' && metric.ghost !== true)
    .filter(({ name }) => name === 'time' || name === 'visits' || stored.has(name))
    .slice(0, mostMetrics);
}

function hasTime({ metrics }: Profile): boolean {
  return metrics.some(({ name, stored }) => name === 'time' && stored !== 'derived');
}

function asStored(
  profile: Profile,
  { name, displayName, unit, combine }: Metric,
  ends: Uint32Array,
): PanelColumn {
  return {
    name,
    displayName,
    unit,
    combine,
    inclusive: inclusive(profile, name),
    exclusive: exclusive(profile, name),
    at: (callPath) => {
      const end = ends[callPath];
      return end === undefined ? undefined : locationValues(profile, name, callPath, end);
    },
  };
}

/** The base time of shares: without waiting time if the profile has it, and without the cost of recording. */
function ofBase(time: PanelColumn, context: PropertyContext, ends: Uint32Array): PanelColumn {
  const { profile, times, base, cells } = context;
  const { parent, count } = profile.callPaths;
  const own = times.callPathSeconds;
  const whole = own.slice();
  for (let path = count - 1; path >= 0; path--) {
    const above = parent[path] ?? -1;
    if (above >= 0) whole[above] = (whole[above] ?? 0) + (whole[path] ?? 0);
  }
  const width = profile.locations.length;
  return {
    ...time,
    displayName: base.clock === 'cpu' ? 'Computing Time' : time.displayName,
    inclusive: whole,
    exclusive: own,
    at: (callPath) => {
      const end = ends[callPath];
      if (end === undefined) return undefined;
      const sums = new Float64Array(width);
      for (let cell = callPath * width; cell < end * width; cell++)
        sums[cell % width] = (sums[cell % width] ?? 0) + (cells[cell] ?? 0);
      return { inclusive: sums, exclusive: cells.slice(callPath * width, (callPath + 1) * width) };
    },
  };
}
