import { at, atFloat, atUint } from '../at';
import type { GroupMatrices } from '../groups/comparison/compareGroups';
import type { Profile } from '../profile/profile';
import { addTo, pick, sumOf } from '../sums';
import type { ProcessRanges } from './ranks/processRanges';

/** Processes of a run that behave alike. */
export interface GroupSummary {
  /** Position among the groups, in the order in which `kymo groups` numbers them from 1. */
  readonly group: number;
  /** Positions of their locations. */
  readonly members: ProcessRanges;
  /** `Ranks 2–4` */
  readonly text: string;
  /** Of the member least like what most members call (0…1); 1: all call the same. */
  readonly similarity: number;
  /** How they differ from the largest group. */
  readonly sentence?: string;
}

/** A value of each process of a group, 0 where it does not have it. */
export interface MemberRange {
  readonly minimum: number;
  readonly mean: number;
  readonly maximum: number;
}

/** The groups of processes of a run, and how long their members were in the functions with the most time. */
export interface ProcessGroups {
  /** How groups were made, as `kymo groups` writes it: `10 processes in 5 groups, by 19 pairs of caller and callee`. */
  readonly heading: string;
  /** Plain sentences: why the groups are not what to go by, and what they are not. */
  readonly notes: readonly string[];
  /** What people name the processes by, one number per location: ranks, or threads in a run of one process. */
  readonly numbers: Uint32Array;
  readonly noun: 'rank' | 'thread';
  /** Processes have several threads, so that the members are threads. */
  readonly hasThreads: boolean;
  /** Positions of the functions of the sections. */
  readonly functions: readonly number[];
  /** The largest first. */
  readonly groups: readonly GroupRow[];
  /** Number of groups that are not told, because there are too many. */
  readonly leftOut: number;
}

export interface GroupRow extends GroupSummary {
  /** Number of members. */
  readonly count: number;
  /** Exclusive seconds of the members in `ProcessGroups.functions`, and in all other functions at last; undefined: none of them has any. */
  readonly sections: readonly (MemberRange | undefined)[];
  /** All of it together; absent: the profile has no time, or it is too large to add it up by process. */
  readonly whole?: MemberRange;
}

/** The groups in their order; empty where they are not compared. */
export interface GroupMatrix extends GroupMatrices {
  /** As within a sentence: `ranks 2–4`. */
  readonly names: readonly string[];
  readonly isOne: readonly boolean[];
}

/** A group, or two groups, in words; the same sentences and lines as `kymo groups` has. */
export interface GroupDetails {
  readonly title: string;
  /** Each with its lines, the most significant first. */
  readonly lists: readonly { readonly title: string; readonly lines: readonly string[] }[];
}

/** What groups have in common, to be drawn; or why it is not. */
export type GroupPicture =
  | {
      readonly width: number;
      readonly height: number;
      readonly nodes: readonly PicturedNode[];
      /** Alternating x and y, from the upper to the lower box. */
      readonly edges: readonly (readonly number[])[];
    }
  | { readonly reason: string };

export interface PicturedNode {
  /** Of the centre. */
  readonly x: number;
  readonly y: number;
  readonly lines: readonly string[];
  /** The processes that the node names: its group, or all that have what it holds. */
  readonly processes: ProcessRanges;
  /** All that have what it holds, where these are more. */
  readonly all?: ProcessRanges;
  /** Positions of the nodes above. */
  readonly above: readonly number[];
}

/** The functions with the most exclusive time of all processes together, which the groups are compared by. */
export const mostSections = 10;

/** Exclusive seconds of functions by location. */
export interface FunctionTimes {
  /** Positions of the functions with the most time, the first first; at most `mostSections`. */
  readonly regions: readonly number[];
  /** One value per location each, in this order; `rest`: of all other functions. */
  readonly seconds: readonly Float64Array[];
  readonly rest: Float64Array;
  readonly whole: Float64Array;
}

/** @param cells exclusive seconds per call path and location */
export function functionTimes(
  { callPaths, regions, locations }: Pick<Profile, 'callPaths' | 'regions' | 'locations'>,
  cells: Float64Array,
): FunctionTimes {
  const width = locations.length;
  const row = (path: number): Float64Array => cells.subarray(path * width, (path + 1) * width);
  const totals = new Float64Array(regions.length);
  for (let path = 0; path < callPaths.count; path++) {
    const region = atUint(callPaths.region, path);
    totals[region] = atFloat(totals, region) + sumOf(row(path));
  }
  const chosen = [...totals.keys()]
    .filter((region) => atFloat(totals, region) > 0)
    .sort((a, b) => atFloat(totals, b) - atFloat(totals, a) || a - b)
    .slice(0, mostSections);
  const place = new Map(chosen.map((region, index) => [region, index]));
  const seconds = chosen.map(() => new Float64Array(width));
  const rest = new Float64Array(width);
  for (let path = 0; path < callPaths.count; path++) {
    const own = place.get(atUint(callPaths.region, path));
    addTo(own === undefined ? rest : at(seconds, own), row(path));
  }
  const whole = rest.slice();
  for (const own of seconds) addTo(whole, own);
  return { regions: chosen, seconds, rest, whole };
}

/** @param positions of the locations, at least one */
export function rangeOf(seconds: Float64Array, positions: Uint32Array): MemberRange {
  const values = pick(seconds, positions);
  let [minimum, maximum] = [Infinity, -Infinity];
  for (const value of values) [minimum, maximum] = [Math.min(minimum, value), Math.max(maximum, value)];
  return { minimum, mean: Math.min(maximum, Math.max(minimum, sumOf(values) / values.length)), maximum };
}
