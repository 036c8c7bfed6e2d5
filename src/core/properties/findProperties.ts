import type { CallGraph } from '../callgraph/callGraph';
import { timedOneIn } from '../profile/metrics';
import type { Profile, Region } from '../profile/profile';
import {
  scorepPairCosts,
  visitCost,
  type PairCost,
  type PairCosts,
  type SiteKind,
} from '../selection/pairCost';
import { regionKey, regionKeys } from '../selection/regionKeys';
import { regionTimes } from '../selection/regionTimes';
import { findHotSpots } from './hotSpot';
import { findInlinedAway } from './inlinedAway';
import { findOverheads } from './overhead';
import type { Property } from './property';
import type { PropertyContext } from './propertyContext';
import { unrecordedCallees } from './unrecordedCallees';
import { defaultThresholds, type PropertyThresholds } from './thresholds';

export interface PropertyInput {
  readonly profile: Profile;
  /** For functions that the profile cannot know, and for names and places. */
  readonly graph?: CallGraph;
  /** Cost of recording in this run; without it nothing is taken off the times. */
  readonly calibration?: PairCosts;
  /** Kind of site per function key. */
  readonly sites?: ReadonlyMap<string, SiteKind>;
  /** Keys of functions that should be recorded if they could; default: enough statements, or a loop. */
  readonly wanted?: ReadonlySet<string>;
  readonly thresholds?: Partial<PropertyThresholds>;
}

/** All static properties of a profile, the most severe first; the same input gives the same properties with the same ids. */
export function findProperties(input: PropertyInput): readonly Property[] {
  const { profile, graph, calibration, sites } = input;
  const thresholds = { ...defaultThresholds, ...input.thresholds };
  const keys = graph === undefined ? profile.regions.map(regionKey) : regionKeys(profile, graph);
  const calibrated = (region: number): PairCost | undefined =>
    isRecorded(profile.regions[region], keys[region] ?? '', sites)
      ? calibration?.[sites?.get(keys[region] ?? '') ?? 'entry']
      : undefined;
  const assumed = isScorepProfile(profile) ? scorepPairCosts.entry.pairSeconds : undefined;
  const context: PropertyContext = {
    profile,
    keys,
    times: regionTimes(profile, calibrated),
    thresholds,
    unrecordedCalleesOf: graph === undefined ? () => 0 : unrecordedCallees(profile, graph, keys),
    costOf: (region) => {
      const own = calibrated(region);
      if (own !== undefined) {
        const interval = timedOneIn(profile.regions[region]);
        return { pairSeconds: visitCost(own, interval), calibrated: true };
      }
      return assumed !== undefined && isRecorded(profile.regions[region], keys[region] ?? '', undefined)
        ? { pairSeconds: assumed, calibrated: false }
        : undefined;
    },
  };
  const found = [
    ...findHotSpots(context),
    ...findOverheads(context),
    ...(graph === undefined || sites === undefined
      ? []
      : findInlinedAway(graph, sites, thresholds, input.wanted)),
  ];
  return found.sort((a, b) => b.severity - a.severity || (a.id < b.id ? -1 : 1));
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
