import { at, atFloat, atInt } from '../../core/at';
import { efficiencies, spentIn, type Spent } from '../../core/efficiency/efficiencies';
import { efficiencySummary, type EfficiencySummary } from '../../core/efficiency/summary';
import { automaticGroups } from '../../core/functions/functionGroups';
import type { Base } from '../../core/functions/base';
import { baseOf } from '../../core/functions/measuredRun';
import { withWaitingOfBase } from '../../core/functions/mpiStart';
import { processNamer } from '../../core/groups/words';
import { hasTime, waitingTimeMetric } from '../../core/profile/metrics';
import type { Metric, Profile } from '../../core/profile/profile';
import { subtreeEnds } from '../../core/profile/tree';
import { valuesOver } from '../../core/profile/values';
import type { RegionFacts } from '../../core/views/profilePieces';
import { locationValues } from '../../core/views/ranks/locationValues';
import type { ValuesAtLocations } from '../../core/views/rowValues';
import { tupleValue } from '../../core/profile/tupleValues';
import { RankRows } from '../../core/views/ranks/rankRows';
import { rankTimes, type RankTimes } from '../../core/views/ranks/rankTimes';
import { present } from '../../core/present';
import { columnSums, pick, rowSums } from '../../core/sums';
import { makeContext, type PropertyInput } from '../../core/problems/context/makeContext';
import type { PropertyContext } from '../../core/problems/context/propertyContext';

/** The profile of the hot-spot panel: one region per function, with the same times as everywhere. */
export interface PanelProfile {
  /** The locations are those whose values the columns have. */
  readonly profile: Pick<Profile, 'callPaths' | 'regions' | 'locations' | 'system'>;
  readonly columns: readonly PanelColumn[];
  /** Base of time shares; absent: the time is shown as measured. */
  readonly base?: Base;
  readonly efficiency?: EfficiencySummary;
  /** By position of the region. */
  readonly efficiencyOf: (region: number) => RegionFacts['efficiency'];
  /** Computing and waiting of each process in a function with its callees, or in the run; absent: the profile has no time. */
  readonly rankTimes?: (region: number | undefined) => RankTimes;
  /** Values of functions by rank. */
  readonly rankRows: () => RankRows;
  /** Group of functions by position of the region. */
  readonly groups: () => readonly string[];
  /** Line of the call by call path, 0: unknown; undefined: the profile has no call sites. */
  readonly lines: () => Int32Array | undefined;
}

/** The same of all processes. */
export interface WholePanel extends PanelProfile {
  readonly profile: Profile;
  /** Exclusive seconds per call path and location, of the base; absent: the profile has no time, or is too large. */
  readonly cells?: Float64Array;
  /** The same of some of the processes. @param locations their positions, ascending */
  readonly of: (locations: Uint32Array) => PanelProfile;
}

/** A metric per call path, combined over locations. */
export interface PanelColumn extends ValuesAtLocations {
  readonly name: string;
  readonly displayName: string;
  readonly unit: string;
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
}

/** Maximum number of metrics; further ones (hardware counters) are omitted. */
const mostMetrics = 32;
/** Maximum number of call paths × locations; more values would exceed the memory. */
const mostCells = 30_000_000;

/** Maximum number of functions × locations whose times are kept for efficiencies of some of the processes, a few dozen megabytes. */
const mostKept = 1_000_000;

export function panelProfile(input: PropertyInput): WholePanel {
  const { callPaths, locations } = input.profile;
  const all = Uint32Array.from(locations.keys());
  if (!hasTime(input.profile) || callPaths.count * locations.length > mostCells) {
    const of = (chosen: Uint32Array): PanelProfile => withoutContext(input.profile, chosen);
    return { ...of(all), profile: input.profile, of };
  }
  const context = makeContext(input);
  const { profile, cells } = context;
  const isSmall = profile.regions.length * profile.locations.length <= mostKept;
  const spent = isSmall ? spentIn(context) : undefined;
  const of = (chosen: Uint32Array): PanelProfile => ofContext(context, spent, chosen);
  // Added up in another order, the base would differ by a rounding from that of other views.
  return { ...of(all), base: context.base, profile, cells, of };
}

function withoutContext(profile: Profile, chosen: Uint32Array): PanelProfile {
  const ends = subtreeEnds(profile.callPaths);
  return {
    ...partOf(profile, chosen),
    columns: metricsOf(profile).map((metric) => asStored(profile, metric, ends, chosen)),
    efficiencyOf: () => undefined,
  };
}

function ofContext(context: PropertyContext, spent: Spent | undefined, chosen: Uint32Array): PanelProfile {
  const { profile } = context;
  const base = baseOfProcesses(context, chosen);
  const ends = subtreeEnds(profile.callPaths);
  const metrics = metricsOf(profile);
  const waits = withWaitingOfBase(profile, context.base);
  const columns = metrics.map((metric) =>
    metric.name === 'time'
      ? ofBase(metric, context, ends, chosen)
      : asStored(metric.name === waitingTimeMetric.name ? waits : profile, metric, ends, chosen),
  );
  // All parts of a run have the same metrics.
  const measured = context.base.leftOut.length > 0 ? metrics.find(({ name }) => name === 'time') : undefined;
  return {
    ...partOf(profile, chosen),
    base,
    ...efficiencyIn(context, spent, chosen),
    rankTimes: (region) => rankTimes(context, region, chosen),
    columns: [
      ...columns,
      ...(measured === undefined
        ? []
        : [
            {
              ...asStored(profile, measured, ends, chosen),
              name: 'measured_time',
              displayName: 'Time as Measured',
            },
          ]),
    ],
  };
}

function baseOfProcesses(context: PropertyContext, chosen: Uint32Array): Base {
  const { locations } = context.profile;
  const base = baseOf(context, chosen);
  return chosen.length === locations.length
    ? base
    : { ...base, processes: processNamer(locations)(chosen).text };
}

function partOf(
  profile: Profile,
  chosen: Uint32Array,
): Pick<PanelProfile, 'profile' | 'rankRows' | 'groups' | 'lines'> {
  const { callPaths, regions, system } = profile;
  const locations = Array.from(chosen, (location) => at(profile.locations, location));
  const part = { callPaths, regions, system, locations };
  let rows: RankRows | undefined;
  let groups: readonly string[] | undefined;
  let lines: Int32Array | undefined;
  return {
    profile: part,
    rankRows: () => (rows ??= new RankRows(part)),
    groups: () => (groups ??= automaticGroups(regions)),
    lines: () => (lines ??= linesOf(callPaths)),
  };
}

function linesOf({ count, callSites }: Profile['callPaths']): Int32Array | undefined {
  if (callSites === undefined) return undefined;
  const lines = new Int32Array(count);
  for (const [path, { line }] of callSites) if (line !== undefined) lines[path] = line;
  return lines;
}

function efficiencyIn(
  context: PropertyContext,
  spent: Spent | undefined,
  chosen: Uint32Array,
): Pick<PanelProfile, 'efficiency' | 'efficiencyOf'> {
  const found = efficiencies(context, chosen, spent);
  if ('missing' in found) return { efficiencyOf: () => undefined };
  return {
    efficiency: efficiencySummary(found, (region) => at(context.names, region)),
    efficiencyOf: (region) => {
      const own = found.functions.get(region);
      if (own === undefined) return undefined;
      const { parallel, loadBalance, communication, runSeconds } = own;
      return { parallel, loadBalance, communication, runSeconds };
    },
  };
}

function metricsOf({ metrics, stored }: Profile): readonly Metric[] {
  return metrics
    .filter((metric) => metric.stored !== 'derived' && metric.ghost !== true)
    .filter(({ name }) => name === 'time' || name === 'visits' || stored.has(name))
    .slice(0, mostMetrics);
}

function asStored(profile: Profile, metric: Metric, ends: Uint32Array, chosen: Uint32Array): PanelColumn {
  const { name, displayName, unit, combine } = metric;
  const values = valuesOver(profile, name, chosen);
  return {
    name,
    displayName,
    unit,
    combine,
    inclusive: values.inclusive(),
    exclusive: values.exclusive(),
    at: (callPath) => {
      const end = ends[callPath];
      if (end === undefined) return undefined;
      const all = locationValues(profile, name, callPath, end);
      return { inclusive: pick(all.inclusive, chosen), exclusive: pick(all.exclusive, chosen) };
    },
    ...present({ alone: aloneIn(profile, metric, chosen) }),
  };
}

/** Values of single call paths of a metric that adds up. */
function aloneIn(profile: Profile, metric: Metric, chosen: Uint32Array): PanelColumn['alone'] {
  const { name, combine, stored, dtype, unsupported } = metric;
  // The parts of tuples, such as sums of squares, are combined before the value is computed from them.
  if (combine !== 'sum' || (stored !== 'inclusive' && stored !== 'exclusive')) return undefined;
  if (tupleValue(dtype) !== undefined) return undefined;
  const column = profile.stored.get(name);
  const width = profile.locations.length;
  // Integers below 0 may stand for large ones (`Profile.stored`).
  let isPlain: boolean | undefined;
  const plain = (): boolean => unsupported !== true && column?.every((value) => value >= 0) === true;
  return {
    extent: stored,
    at: (path) =>
      pick(
        column !== undefined && (isPlain ??= plain())
          ? column.subarray(path * width, (path + 1) * width)
          : locationValues(profile, name, path, path + 1)[stored],
        chosen,
      ),
  };
}

/** The base time of shares: without waiting time if the profile has it, and without the cost of recording. */
function ofBase(
  { name, displayName, unit, combine }: Metric,
  { profile, base, cells }: PropertyContext,
  ends: Uint32Array,
  chosen: Uint32Array,
): PanelColumn {
  const { parent, count } = profile.callPaths;
  const width = profile.locations.length;
  const exclusive = rowSums(cells, width, chosen);
  const whole = exclusive.slice();
  for (let path = count - 1; path >= 0; path--) {
    const above = atInt(parent, path);
    if (above >= 0) whole[above] = atFloat(whole, above) + atFloat(whole, path);
  }
  const own = (callPath: number): Float64Array =>
    pick(cells.subarray(callPath * width, (callPath + 1) * width), chosen);
  return {
    name,
    displayName: base.clock === 'cpu' ? 'Computing Time' : displayName,
    unit,
    combine,
    inclusive: whole,
    exclusive,
    at: (callPath) => {
      const end = ends[callPath];
      if (end === undefined) return undefined;
      const sums = columnSums(cells.subarray(callPath * width, end * width), width);
      return { inclusive: pick(sums, chosen), exclusive: own(callPath) };
    },
    alone: { extent: 'exclusive', at: own },
  };
}
