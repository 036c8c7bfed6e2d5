import { at, atFloat, atInt, atUint } from '../../core/at';
import { efficiencies, ofFunction, spentIn, type Spent } from '../../core/efficiency/efficiencies';
import { efficiencySummary, type EfficiencySummary } from '../../core/efficiency/summary';
import type { EfficiencyOfFunction } from '../../core/functions/functionRow';
import { automaticGroups } from '../../core/functions/functionGroups';
import type { Base } from '../../core/functions/base';
import { baseOf } from '../../core/functions/measuredRun';
import type { Combine, Metric, Profile } from '../../core/profile/profile';
import { subtreeEnds } from '../../core/profile/tree';
import { valuesOver } from '../../core/profile/values';
import { locationValues, type LocationValues } from '../../core/views/locationValues';
import { RankRows } from '../../core/views/rankRows';
import { rankTimes, type RankTimes } from '../../core/views/rankTimes';
import { columnSums, pick } from '../../core/sums';
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
  readonly efficiencyOf: (region: number) => EfficiencyOfFunction | undefined;
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

/** Maximum number of functions × locations whose times are kept for efficiencies of some of the processes, a few dozen megabytes. */
const mostKept = 2_000_000;

export function panelProfile(input: PropertyInput): WholePanel {
  const { callPaths, locations } = input.profile;
  const all = Uint32Array.from(locations.keys());
  if (!hasTime(input.profile) || callPaths.count * locations.length > mostCells) {
    const of = (chosen: Uint32Array): PanelProfile => withoutContext(input.profile, chosen);
    return { ...of(all), profile: input.profile, of };
  }
  const context = makeContext(input);
  const { profile, cells } = context;
  const spent = spentIn(context);
  const kept = profile.regions.length * profile.locations.length <= mostKept ? keptOf(spent) : undefined;
  const of = (chosen: Uint32Array): PanelProfile => ofContext(context, kept ?? spentIn(context), chosen);
  // Added up in another order, the base would differ by a rounding from that of other views.
  return { ...ofContext(context, kept ?? spent, all), base: context.base, profile, cells, of };
}

/** Without the values of all call paths, which `spent` refers to. */
function keptOf({ functions, ...spent }: Spent): Spent {
  const all = [...functions()];
  return { ...spent, functions: () => all };
}

function withoutContext(profile: Profile, chosen: Uint32Array): PanelProfile {
  const ends = subtreeEnds(profile.callPaths);
  return {
    ...partOf(profile, chosen),
    columns: metricsOf(profile).map((metric) => asStored(profile, metric, ends, chosen)),
    efficiencyOf: () => undefined,
  };
}

function ofContext(context: PropertyContext, spent: Spent, chosen: Uint32Array): PanelProfile {
  const { profile } = context;
  const base = baseOf(context, chosen);
  const ends = subtreeEnds(profile.callPaths);
  const stored = metricsOf(profile).map((metric) => asStored(profile, metric, ends, chosen));
  const columns = stored.map((column) =>
    column.name === 'time' ? ofBase(column, context, ends, chosen) : column,
  );
  const measured = stored.find(({ name }) => name === 'time');
  // All parts of a run have the same metrics.
  const differs = context.base.leftOut.length > 0 && measured !== undefined;
  return {
    ...partOf(profile, chosen),
    base,
    ...efficiencyIn(context, spent, chosen),
    rankTimes: (region) => rankTimes(context, region, chosen),
    columns: [
      ...columns,
      ...(differs ? [{ ...measured, name: 'measured_time', displayName: 'Time as Measured' }] : []),
    ],
  };
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
  spent: Spent,
  chosen: Uint32Array,
): Pick<PanelProfile, 'efficiency' | 'efficiencyOf'> {
  const found = efficiencies(context, spent, chosen);
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
  chosen: Uint32Array,
): PanelColumn {
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
  };
}

/** The base time of shares: without waiting time if the profile has it, and without the cost of recording. */
function ofBase(
  time: PanelColumn,
  { profile, base, cells }: PropertyContext,
  ends: Uint32Array,
  chosen: Uint32Array,
): PanelColumn {
  const { parent, count } = profile.callPaths;
  const width = profile.locations.length;
  const own = new Float64Array(count);
  for (let path = 0; path < count; path++) {
    let sum = 0;
    for (let l = 0; l < chosen.length; l++) sum += atFloat(cells, path * width + atUint(chosen, l));
    own[path] = sum;
  }
  const whole = own.slice();
  for (let path = count - 1; path >= 0; path--) {
    const above = atInt(parent, path);
    if (above >= 0) whole[above] = atFloat(whole, above) + atFloat(whole, path);
  }
  return {
    ...time,
    displayName: base.clock === 'cpu' ? 'Computing Time' : time.displayName,
    inclusive: whole,
    exclusive: own,
    at: (callPath) => {
      const end = ends[callPath];
      if (end === undefined) return undefined;
      const sums = columnSums(cells.subarray(callPath * width, end * width), width);
      const row = cells.subarray(callPath * width, (callPath + 1) * width);
      return { inclusive: pick(sums, chosen), exclusive: pick(row, chosen) };
    },
  };
}
