import { at } from '../core/at';
import type { AttributeOptions } from '../core/groups/attributes/artificial';
import { joinContexts } from '../core/groups/attributes/joinContexts';
import { profileContext } from '../core/groups/attributes/profileContext';
import { closedSets, subsumptionMatrix } from '../core/groups/closure';
import {
  clusterProcesses,
  nearlyEqual,
  type Cluster,
  type Clustering,
  type ClusterOptions,
} from '../core/groups/clusters/clusterProcesses';
import { representative } from '../core/groups/clusters/representative';
import type { AttributeKind, FunctionPair, Process, ProcessContext } from '../core/groups/context';
import type { DifferenceKind } from '../core/groups/differences/difference';
import { joinTimes, profileTimes, type ProcessTimes } from '../core/groups/differences/processTimes';
import { groupReadings } from '../core/groups/differences/readings';
import { comparableWithin, type Comparable } from '../core/groups/graph/fallbacks';
import { measureMatrix } from '../core/groups/measures';
import { condensedNames } from '../core/groups/processNames';
import { membersOf } from '../core/groups/sets/bitSet';
import { foldIterations } from '../core/profile/foldIterations';
import type { Profile } from '../core/profile/profile';
import type { PropertyInput } from '../core/problems/context/makeContext';
import { processProperties } from '../core/problems/findProperties';
import { present } from '../core/present';
import type { Property } from '../core/properties/property';
import type { TracedProcesses } from './tracedProcesses';

/** A profile whose processes are compared, or a trace, which is read once the options are known. */
export type GroupsInput = MeasuredInput | TracedInput;

export interface MeasuredInput {
  /** Name of its run; processes carry it where there are several inputs. */
  readonly run: string;
  readonly measured: PropertyInput;
}

/** Compared without times. */
export interface TracedInput {
  readonly run: string;
  readonly traced: (options: AttributeOptions) => TracedProcesses;
}

export interface GroupsOptions extends AttributeOptions, Pick<ClusterOptions, 'threshold'> {
  /** What a callee calls counts as called by its caller, too: inlining and intermediate calls are no difference. */
  readonly closure?: boolean;
}

/** Which processes behave alike, and how the others differ (docs/INTERFACES.md). */
export interface GroupsReport {
  readonly measure: AttributeKind;
  readonly closure: boolean;
  /** Absent: the default grouping, by prototypes. */
  readonly threshold?: number;
  readonly attributes: readonly FunctionPair[];
  readonly processes: readonly Process[];
  readonly groups: readonly ReportedGroup[];
  /** Of the groups: [row][column], 0…1. */
  readonly similarity: readonly (readonly number[])[];
  /** [row][column]: the degree to which the group of the row does at least the work of the group of the column. */
  readonly subsumption: readonly (readonly number[])[];
  readonly differences: readonly ReportedDifference[];
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
}

/** Compares the processes of one profile or trace, or of several, whose functions correspond by name. */
export function compareProcesses(inputs: readonly GroupsInput[], options: GroupsOptions = {}): GroupsReport {
  const measured = inputs.flatMap((input) => ('measured' in input ? [input.measured] : []));
  const folded: { readonly profile: Profile }[] = [];
  const notes: string[] = [];
  const contextOf = (input: GroupsInput): ProcessContext => {
    if ('traced' in input) return tracedContext(input, options, notes);
    const profile = foldIterations(input.measured.profile);
    folded.push({ profile });
    return profileContext(profile, options);
  };
  const contexts = inputs.map((input) => ({
    context: contextOf(input),
    ...(inputs.length === 1 ? {} : { run: input.run }),
  }));
  const [only] = contexts;
  const whole = contexts.length === 1 && only !== undefined ? only.context : joinContexts(contexts);
  const { comparable, clustering, first } = grouped(
    options.closure === true ? closed(whole) : whole,
    options,
  );
  const groups = prototypes(comparable.context, clustering);
  const times = measured.length < inputs.length ? undefined : timesOf(folded, groups, options);
  const standsFor = representativeBy(times);
  const readings = groupReadings(groups, {
    nearly: nearlyEqual(clustering),
    ...present({ times, combined: comparable.combined }),
  });
  return {
    measure: groups.kind,
    closure: options.closure === true,
    ...present({ threshold: options.threshold }),
    attributes: groups.attributes,
    processes: groups.processes,
    groups: clustering.clusters.map(({ processes, prototype, similarity }) => ({
      members: processes,
      processes: condensedNames(groups.processes, processes),
      representative: standsFor(processes),
      attributes: membersOf(prototype),
      similarity,
    })),
    similarity: rowsOf(measureMatrix(groups.sets), groups.sets.length),
    subsumption: rowsOf(subsumptionMatrix(groups), groups.sets.length),
    differences: readings.differences.map(({ kind, one, other, functions, seconds, sentence }) => ({
      kind,
      groups: [one, other],
      functions,
      seconds,
      sentence,
    })),
    sentences: readings.sentences,
    verdict: first.verdict,
    notes: [...notes, ...notesOf(first, whole), ...comparable.notices],
    properties: times === undefined ? [] : measured.flatMap((input) => processProperties(input)),
  };
}

function tracedContext({ traced }: TracedInput, options: GroupsOptions, notes: string[]): ProcessContext {
  const { context, notes: found } = traced(options);
  notes.push(...found);
  return context;
}

/** What is irregular is compared more coarsely, where it has too many groups. `first`: of the processes as they are. */
function grouped(
  context: ProcessContext,
  { threshold }: GroupsOptions,
): { readonly comparable: Comparable; readonly clustering: Clustering; readonly first: Clustering } {
  const first = clusterProcesses(context, present({ threshold }));
  const asItIs = { context, dropped: [], notices: [] };
  if (first.verdict === 'regular') return { comparable: asItIs, clustering: first, first };
  const comparable = comparableWithin(context);
  if (comparable.step === undefined) return { comparable: asItIs, clustering: first, first };
  return { comparable, clustering: clusterProcesses(comparable.context, present({ threshold })), first };
}

function closed(context: ProcessContext): ProcessContext {
  const { attributes, sets } = closedSets(context);
  return { ...context, attributes, sets };
}

/** A context whose groups are the clusters, each with what most of its processes do. */
function prototypes(context: ProcessContext, { clusters, clusterOf }: Clustering): ProcessContext {
  return { ...context, sets: clusters.map(({ prototype }) => prototype), groupOf: clusterOf };
}

/** Undefined without times. */
function timesOf(
  inputs: readonly { readonly profile: Profile }[],
  context: ProcessContext,
  { artificial }: GroupsOptions,
): ProcessTimes | undefined {
  const haveTime = inputs.every(({ profile }) =>
    profile.metrics.some(({ name, stored }) => name === 'time' && stored !== 'derived'),
  );
  return haveTime
    ? joinTimes(inputs.map(({ profile }) => profileTimes(profile, context, artificial)))
    : undefined;
}

/** By exclusive times; the first one where they are unknown. */
function representativeBy(times: ProcessTimes | undefined): (members: readonly number[]) => number {
  if (times === undefined) return (members) => at(members, 0);
  const vectors = { processes: times.totals.length, rows: times.exclusiveRows() };
  return (members) => representative(vectors, members);
}

function rowsOf(matrix: Float64Array, width: number): readonly (readonly number[])[] {
  return Array.from({ length: width }, (_, row) => [...matrix.subarray(row * width, (row + 1) * width)]);
}

const reasons = {
  'many clusters':
    'The processes are irregular: there are too many groups for their number, as in programs whose scheduler or whose data decide what a process calls. A longer run makes them more alike.',
  'much noise':
    'The processes are irregular: members of a group differ in many functions by chance, as in short sampled runs. A longer run makes them more alike.',
} as const;

function notesOf({ reason, isApproximate }: Clustering, { processes }: ProcessContext): readonly string[] {
  return [
    ...(processes.length === 0 ? ['There are no processes.'] : []),
    ...(processes.length === 1 ? ['There is one process only: nothing is compared.'] : []),
    ...(reason === undefined ? [] : [reasons[reason]]),
    ...(isApproximate
      ? ['There are too many different processes to compare each with each; the threshold was not applied.']
      : []),
  ];
}
