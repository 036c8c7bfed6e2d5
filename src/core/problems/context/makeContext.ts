import { largestColumn } from '../../sums';
import type { CallGraph } from '../../callgraph/callGraph';
import { timeWords } from '../../functions/base';
import { oneRegionPerFunction, type FunctionRegions } from '../../functions/functionRegions';
import { measuredTimes } from '../../functions/measuredRun';
import type { CostOfRegion } from '../../functions/programTime';
import { usualSite } from '../../cost/regionCost';
import { shareOf } from '../../functions/share';
import { clockOf } from '../../profile/computingTime';
import { foldIterations } from '../../profile/foldIterations';
import { present } from '../../present';
import { iterationsIn } from '../../series/profileIterations';
import { timedOneIn } from '../../profile/metrics';
import type { Profile, Region } from '../../profile/profile';
import {
  scorepPairCosts,
  visitCost,
  type PairCost,
  type PairCosts,
  type SiteKind,
} from '../../cost/pairCost';
import { regionKey, regionKeys } from '../../callgraph/regionKeys';
import { activityOf } from '../../functions/activities';
import type { PropertyContext } from './propertyContext';
import { shownNames } from '../../names/shownNames';
import { hiddenMpi } from './hiddenMpi';
import { defaultThresholds, type PropertyThresholds } from './thresholds';
import { unrecordedCallees, unrecordedInRows, type CallRow } from './unrecordedCallees';

export interface PropertyInput {
  readonly profile: Profile;
  /** Name of the run (`runName`); default: `profile`. */
  readonly run?: string;
  /** Region of the phase; default: the one whose iterations the profile has. */
  readonly phase?: string;
  /** For functions that are not in the profile, and for names and places. */
  readonly graph?: CallGraph;
  /** The functions of the study, for what they call, where there is no graph. */
  readonly rows?: readonly CallRow[];
  /** Function key per region, where that is known without the graph. */
  readonly keys?: readonly string[];
  /** Cost of recording in this run; without it nothing is subtracted from the times. */
  readonly calibration?: PairCosts;
  /** Kind of site per function key. */
  readonly sites?: ReadonlyMap<string, SiteKind>;
  /** Keys of functions that should be recorded if they could; default: enough statements, or a loop. */
  readonly wanted?: ReadonlySet<string>;
  /** Why a function has no site, where it was not inlined: the text after its name in a sentence. */
  readonly whyNotRecorded?: (key: string) => string | undefined;
  readonly thresholds?: Partial<PropertyThresholds>;
}

/** The context of all finders, computed once. */
export function makeContext(input: PropertyInput): PropertyContext {
  const { graph, calibration } = input;
  const { profile, keys, regionsOf } = functionsOf(input);
  const activities = profile.regions.map(activityOf);
  const phase = phaseOf(input, regionsOf);
  const calibrated = calibratedCost(profile, keys, input);
  // Score-P's events of libraries cost as much as those of functions.
  const assumed = (region: number): PairCost | undefined =>
    calibration === undefined && activities[region] !== 'artificial' ? scorepPairCosts.entry : undefined;
  const isAssumed = calibration === undefined && isScorepProfile(profile);
  const run = input.run ?? 'profile';
  const computing = measuredTimes(profile, run, calibrated);
  const elapsed = clockOf(profile) === 'wall' ? computing : measuredTimes(profile, run, calibrated, 'wall');
  const { times, base } = computing;
  const pure = isAssumed ? measuredTimes(profile, run, assumed).times : times;
  return {
    profile,
    keys,
    regionsOf,
    names: shownNames(profile.regions),
    ...present({ phase }),
    activities,
    times,
    base,
    cells: computing.cells,
    parts: computing.parts,
    elapsed,
    whole: {
      longestSeconds: largestColumn(computing.cells, profile.locations.length),
      words: timeWords(base),
    },
    thresholds: { ...defaultThresholds, ...input.thresholds },
    unrecordedCalleesOf:
      graph === undefined
        ? unrecordedInRows(profile, input.rows ?? [], keys)
        : unrecordedCallees(profile, graph, keys),
    hidesMpi: hiddenMpi(profile, activities, keys, graph),
    undisturbedOf: (region) =>
      isAssumed
        ? shareOf(pure.regions[region]?.exclusiveSeconds ?? 0, {
            seconds: times.regions[region]?.exclusiveSeconds ?? 0,
          })
        : 1,
    costOf: (region) => {
      const own = calibrated(region);
      if (own !== undefined)
        return { pairSeconds: visitCost(own, timedOneIn(profile.regions[region])), calibrated: true };
      const guess = isAssumed ? assumed(region) : undefined;
      return guess === undefined ? undefined : { pairSeconds: guess.pairSeconds, calibrated: false };
    },
  };
}

/** What recording visits of regions cost in a run; nothing without a calibration. @param keys of the functions of the regions */
export function calibratedCost(
  { regions }: Profile,
  keys: readonly string[],
  { calibration, sites }: Pick<PropertyInput, 'calibration' | 'sites'>,
): CostOfRegion {
  return (region) =>
    isRecorded(regions[region], keys[region] ?? '', sites)
      ? calibration?.[sites?.get(keys[region] ?? '') ?? usualSite]
      : undefined;
}

/** Position of the phase among the regions of functions. */
function phaseOf(
  { profile, phase }: PropertyInput,
  regionsOf: FunctionRegions['regionsOf'],
): number | undefined {
  const stored =
    phase === undefined
      ? iterationsIn(profile)?.phase
      : profile.regions.findIndex(({ name }) => name === phase);
  const position = regionsOf.findIndex((regions) => stored !== undefined && regions.includes(stored));
  return position < 0 ? undefined : position;
}

function functionsOf({ profile, graph, keys }: PropertyInput): FunctionRegions {
  const known = graph === undefined ? profile.regions.map(regionKey) : regionKeys(profile, graph);
  return oneRegionPerFunction(foldIterations(profile), keys ?? known);
}

/** Regions that are recorded through sites or compiler instrumentation; MPI, OpenMP and artificial regions are not. */
function isRecorded(
  region: Region | undefined,
  key: string,
  sites: ReadonlyMap<string, SiteKind> | undefined,
): boolean {
  if (region === undefined) return false;
  return sites === undefined ? ['compiler', 'user'].includes(region.paradigm) : sites.has(key);
}

/** Whether Score-P wrote it, by the attributes of the file. */
export function isScorepProfile(profile: Profile): boolean {
  return [...profile.attributes.values()].some((value) => value.includes('Score-P'));
}
