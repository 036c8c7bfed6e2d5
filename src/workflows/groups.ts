import { at } from '../core/at';
import type { AttributeOptions } from '../core/groups/attributes/artificial';
import { joinContexts } from '../core/groups/attributes/joinContexts';
import { profileContext } from '../core/groups/attributes/profileContext';
import type { Cluster, Clustering } from '../core/groups/clusters/clusterProcesses';
import { representative } from '../core/groups/clusters/representative';
import { functionRows } from '../core/groups/clusters/timeClusters';
import {
  compareGroups,
  groupMatrices,
  readingOptions,
  type Comparison,
  type Grouping,
} from '../core/groups/comparison/compareGroups';
import type { AttributeKind, FunctionPair, Process, ProcessContext } from '../core/groups/context';
import { anchorPoints, type AnchorPoint } from '../core/groups/differences/anchors';
import { differingBlocks, type Block, type BlockOrder } from '../core/groups/differences/blocks';
import type { DifferenceKind } from '../core/groups/differences/difference';
import {
  joinTimes,
  profileTimes,
  profileValues,
  type ProcessTimes,
  type ProfileValues,
} from '../core/groups/differences/processTimes';
import { groupReadings } from '../core/groups/differences/readings';
import { rankedSpreads, type Spread } from '../core/groups/differences/spreads';
import { condensedNames } from '../core/groups/processNames';
import { membersOf } from '../core/groups/sets/bitSet';
import { temporalSimilarities } from '../core/groups/temporal';
import { foldIterations } from '../core/profile/foldIterations';
import { hasTime } from '../core/profile/metrics';
import type { Profile } from '../core/profile/profile';
import type { PropertyInput } from '../core/problems/context/makeContext';
import { processProperties } from '../core/problems/findProperties';
import { present } from '../core/present';
import type { Property } from '../core/properties/property';
import type { TracedProcesses } from './trace/tracedProcesses';

/** A profile or a trace whose processes are compared. */
export type GroupsInput = {
  /** Name of its run; processes carry it where there are several inputs. */
  readonly run: string;
} & ({ readonly measured: PropertyInput } | { readonly traced: TracedProcesses });

export interface GroupsOptions extends AttributeOptions, Grouping {
  /** By what the blocks of differences are ranked. Default: the time that they take. */
  readonly order?: BlockOrder;
}

/** Which processes behave alike, and how the others differ (docs/INTERFACES.md). */
export interface GroupsReport {
  readonly measure: AttributeKind;
  readonly closure: boolean;
  /** Absent: the default grouping, by prototypes. */
  readonly threshold?: number;
  /** The number of groups that was asked for; absent: groups are not by time. */
  readonly kMeans?: number | 'structure';
  readonly attributes: readonly FunctionPair[];
  readonly processes: readonly Process[];
  readonly groups: readonly ReportedGroup[];
  /** Of the groups: [row][column], 0…1. */
  readonly similarity: readonly (readonly number[])[];
  /** [row][column]: the degree to which the group of the row does at least the work of the group of the column. */
  readonly subsumption: readonly (readonly number[])[];
  readonly differences: readonly ReportedDifference[];
  /** Calls that correspond in all processes, the first hundred; empty where visits are not counted. */
  readonly anchors: readonly AnchorPoint[];
  /** Plain sentences: what is common, which processes are equal, and how groups differ. */
  readonly sentences: readonly string[];
  /** Groups of irregular processes are not what a user should go by; `notes` give the reason. */
  readonly verdict: Clustering['verdict'];
  readonly notes: readonly string[];
  /** Findings about processes that differ. */
  readonly properties: readonly Property[];
}

export interface ReportedGroup {
  /** Positions in `processes`, ascending. */
  readonly members: readonly number[];
  /** `0, 2–4` */
  readonly processes: string;
  /** Position of the process that stands for the group. */
  readonly representative: number;
  /** Positions in `attributes` of what more than half of the members do. */
  readonly attributes: readonly number[];
  /** Similarity of the members and these attributes: least, and mean. */
  readonly similarity: Cluster['similarity'];
  /** Of the times of the members and of the representative, by function; absent: the profile has no times. */
  readonly timeSimilarity?: Cluster['similarity'];
  /** The attributes whose times differ most among the members, the first ten. */
  readonly spreads: readonly Spread[];
}

export interface ReportedDifference {
  readonly kind: DifferenceKind;
  /** Positions in `groups`: the first one does more where one of both does. */
  readonly groups: readonly [number, number];
  /** What the first one calls and the second one does not, the longest first. */
  readonly functions: readonly string[];
  /** Inclusive time of these calls in the first group's median process. */
  readonly seconds: number;
  readonly sentence: string;
  /** Attributes that always occur together, and that one of both has, the most significant first. */
  readonly blocks: readonly Block[];
}

const mostSpreads = 10;
const mostAnchors = 100;

/** The processes of one profile or trace, or of several, whose functions correspond by name, and what each of them calls. */
export function processesOf(inputs: readonly GroupsInput[], options: GroupsOptions = {}): ProcessContext {
  const contexts = inputs.map((input) => ({
    context:
      'traced' in input
        ? input.traced.context
        : profileContext(foldIterations(input.measured.profile), options),
    ...(inputs.length === 1 ? {} : { run: input.run }),
  }));
  const [only] = contexts;
  return contexts.length === 1 && only !== undefined ? only.context : joinContexts(contexts);
}

/**
 * Groups these processes.
 * @param values of a profile without iterations; undefined: its times are not asked for
 */
export function groupsOf(
  inputs: readonly GroupsInput[],
  options: GroupsOptions = {},
  whole = processesOf(inputs, options),
  values: (profile: Profile) => ProfileValues | undefined = profileValues,
): Comparison {
  return compareGroups(whole, options, (context) => timesOf(inputs, context, options, values));
}

/** Compares the processes of one profile, or of several. */
export function compareProcesses(inputs: readonly GroupsInput[], options: GroupsOptions = {}): GroupsReport {
  return reportOf(inputs, groupsOf(inputs, options), options);
}

export function reportOf(
  inputs: readonly GroupsInput[],
  comparison: Comparison,
  options: GroupsOptions,
): GroupsReport {
  const { groups, times, comparable, verdict, notes } = comparison;
  // Only equality is known then.
  const isCompared = comparable.step !== 'equality';
  const readings = groupReadings(groups, readingOptions(comparison));
  const matrices = isCompared ? groupMatrices(groups) : undefined;
  const blocksOf = differingBlocks(groups, times);
  return {
    measure: groups.kind,
    closure: options.closure === true,
    ...present({ threshold: options.threshold, kMeans: options.kMeans }),
    attributes: groups.attributes,
    processes: groups.processes,
    groups: reportedGroups(comparison),
    similarity: rowsOf(matrices?.similarity, groups.sets.length),
    subsumption: rowsOf(matrices?.subsumption, groups.sets.length),
    differences: (isCompared ? readings.differences : []).map(
      ({ kind, one, other, functions, seconds, sentence }) => ({
        kind,
        groups: [one, other],
        functions,
        seconds,
        sentence,
        blocks: blocksOf(one, other, options.order),
      }),
    ),
    anchors: times === undefined ? [] : anchorPoints(groups, times).slice(0, mostAnchors),
    sentences: readings.sentences.filter(
      (sentence) =>
        isCompared || !readings.differences.some((difference) => difference.sentence === sentence),
    ),
    verdict,
    notes: [...inputs.flatMap((input) => ('traced' in input ? input.traced.notes : [])), ...notes],
    properties:
      times === undefined
        ? []
        : inputs.flatMap((input) => ('traced' in input ? [] : processProperties(input.measured))),
  };
}

function reportedGroups({ groups, clustering, times }: Comparison): readonly ReportedGroup[] {
  const spreads = times === undefined ? [] : rankedSpreads(groups, times, [...groups.sets.keys()]);
  const vectors =
    times === undefined ? undefined : { processes: times.totals.length, rows: times.exclusiveRows() };
  const rows = times === undefined ? undefined : functionRows(groups, times);
  return clustering.clusters.map(({ processes, prototype, similarity }, group) => {
    // By exclusive times; the first one where they are unknown.
    const standsFor = vectors === undefined ? at(processes, 0) : representative(vectors, processes);
    return {
      members: processes,
      processes: condensedNames(groups.processes, processes),
      representative: standsFor,
      attributes: membersOf(prototype),
      similarity,
      ...(rows === undefined ? {} : { timeSimilarity: temporalSimilarities(rows, processes, standsFor) }),
      spreads: (spreads[group] ?? []).slice(0, mostSpreads),
    };
  });
}

/** Undefined without times. */
function timesOf(
  inputs: readonly GroupsInput[],
  context: ProcessContext,
  { artificial }: GroupsOptions,
  values: (profile: Profile) => ProfileValues | undefined,
): ProcessTimes | undefined {
  const parts = inputs.flatMap((input) => {
    // A trace is compared without times.
    if ('traced' in input) return [];
    const profile = foldIterations(input.measured.profile);
    const known = hasTime(profile) ? values(profile) : undefined;
    return known === undefined ? [] : [profileTimes(profile, context, artificial, known)];
  });
  return parts.length === inputs.length ? joinTimes(parts) : undefined;
}

/** No rows without a matrix. */
function rowsOf(matrix: Float64Array | undefined, width: number): readonly (readonly number[])[] {
  return matrix === undefined
    ? []
    : Array.from({ length: width }, (_, row) => [...matrix.subarray(row * width, (row + 1) * width)]);
}
