import { counted } from '../../format';
import { closedSets, subsumptionMatrix } from '../closure';
import { clusterProcesses, looselyEqual, nearlyEqual, type Clustering } from '../clusters/clusterProcesses';
import { clusterByTime, functionRows, mixedClusters } from '../clusters/timeClusters';
import { dividedByTime } from '../clusters/timeDivision';
import type { AttributeKind, ProcessContext } from '../context';
import type { ProcessTimes } from '../differences/processTimes';
import type { ReadingOptions } from '../differences/readings';
import { comparableAfter, comparableWithin, type Comparable, type FallbackStep } from '../graph/fallbacks';
import { drawingNodeLimit } from '../graph/export';
import { measureMatrix } from '../measures';
import { present } from '../../present';

/** What is compared, and which processes are a group. */
export interface Grouping {
  /** Default: pairs of caller and callee. */
  readonly kind?: AttributeKind;
  /** What a callee calls counts as called by its caller, too: inlining and intermediate calls are no difference. */
  readonly closure?: boolean;
  /** Any two processes of a group are at least this similar (0…1; 1: equal); absent: what prototypes and chance explain. */
  readonly threshold?: number;
  /** In place of structure, similar times in the functions with the most time: the number of groups, or as many as by structure. */
  readonly kMeans?: number | 'structure';
  /** Compares more coarsely by this step; default: irregular processes as coarsely as is needed. */
  readonly coarser?: FallbackStep;
}

/** Processes in groups. */
export interface Comparison {
  /** A context whose sets are the groups, each with what most of its processes do. */
  readonly groups: ProcessContext;
  readonly clustering: Clustering;
  /** Of the processes as they are. */
  readonly verdict: Clustering['verdict'];
  readonly comparable: Comparable;
  /** Absent: the profile has no times. */
  readonly times?: ProcessTimes;
  /** Plain sentences on what the groups are not. */
  readonly notes: readonly string[];
}

/**
 * Groups of the processes of a context.
 * @param timesOf times of a context's attributes; undefined: there are none, and thus no groups by time
 */
export function compareGroups(
  whole: ProcessContext,
  grouping: Grouping,
  timesOf: (context: ProcessContext) => ProcessTimes | undefined,
): Comparison {
  const {
    clustering: found,
    comparable,
    first,
  } = byStructure(grouping.closure === true ? closed(whole) : whole, grouping);
  const times = timesOf(comparable.context);
  const isUsual = grouping.threshold === undefined && comparable.step === undefined;
  const structure = isUsual && times !== undefined ? dividedByTime(comparable.context, found, times) : found;
  const clustering = byTime(grouping, comparable.context, structure, times) ?? structure;
  const { clusters, clusterOf } = clustering;
  return {
    groups: { ...comparable.context, sets: clusters.map(({ prototype }) => prototype), groupOf: clusterOf },
    clustering,
    verdict: first.verdict,
    comparable,
    ...present({ times }),
    notes: [
      ...notesOf(first, whole),
      ...comparable.notices,
      ...(grouping.kMeans === undefined ? [] : timeNotes(clustering, structure)),
    ],
  };
}

/** What readings of the groups need to know. */
export function readingOptions({ clustering, comparable, times }: Comparison): ReadingOptions {
  return {
    nearly: nearlyEqual(clustering),
    loose: looselyEqual(clustering),
    ...present({ times, combined: comparable.combined }),
  };
}

/** Of groups, `[row * groups + column]`. */
export interface GroupMatrices {
  /** Jaccard. */
  readonly similarity: Float64Array;
  /** The degree to which the group of the row does at least the work of the group of the column. */
  readonly subsumption: Float64Array;
}

export function groupMatrices(groups: ProcessContext): GroupMatrices {
  return { similarity: measureMatrix(groups.sets), subsumption: subsumptionMatrix(groups) };
}

/** What is irregular is compared more coarsely, where it has too many groups. `first`: of the processes as they are. */
function byStructure(
  context: ProcessContext,
  { threshold, coarser }: Grouping,
): { readonly comparable: Comparable; readonly clustering: Clustering; readonly first: Clustering } {
  const first = clusterProcesses(context, present({ threshold }));
  const asItIs = { context, dropped: [], notices: [] };
  if (coarser === undefined && first.verdict === 'regular')
    return { comparable: asItIs, clustering: first, first };
  const comparable =
    coarser === undefined
      ? comparableWithin(context)
      : comparableAfter(context, coarser, { groups: drawingNodeLimit, nodes: drawingNodeLimit });
  if (comparable.step === undefined) return { comparable, clustering: first, first };
  const least = comparable.step === 'equality' ? 1 : threshold;
  return {
    comparable,
    clustering: clusterProcesses(comparable.context, present({ threshold: least })),
    first,
  };
}

function byTime(
  { kMeans }: Grouping,
  context: ProcessContext,
  structure: Clustering,
  times: ProcessTimes | undefined,
): Clustering | undefined {
  if (kMeans === undefined || times === undefined) return undefined;
  const count = kMeans === 'structure' ? structure.clusters.length : kMeans;
  return clusterByTime(context, functionRows(context, times), count);
}

function closed(context: ProcessContext): ProcessContext {
  const { attributes, sets } = closedSets(context);
  return { ...context, attributes, sets };
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

function timeNotes(clustering: Clustering, structure: Clustering): readonly string[] {
  if (clustering === structure) return ['There are no times to group by: the groups are those by structure.'];
  const mixed = mixedClusters(clustering, structure);
  const which =
    mixed === 0
      ? 'none of these groups does'
      : `${mixed} of these ${counted(clustering.clusters.length, 'group')} ${mixed === 1 ? 'does' : 'do'}`;
  return [
    `k-means compares only the times in the ten functions with the most exclusive time, so that a group may mix processes that do different work: ${which}.`,
  ];
}
