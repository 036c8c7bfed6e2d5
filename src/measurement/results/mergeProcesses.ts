import { kymoAttributes } from '../../core/profile/measuredBy';
import {
  explainCounters,
  refusedCountersAttribute,
  refusedCountersText,
  type CounterUse,
} from '../../core/profile/hardwareCounters';
import { standardMetrics, timedVisitsMetric, waitingTimeMetric } from '../../core/profile/metrics';
import type { Location, Metric, Profile } from '../../core/profile/profile';
import type { ResultHead, ResultFlags } from '../../formats/kymo-result/resultFile';
import type { Calibration } from '../../core/profile/experiment';
import { withConstructNames } from '../layers/constructNames';
import { calibrationOf } from './calibration';
import { communicationOf } from './communication';
import { counterMetrics } from './counterMetrics';
import { mergeTrees, type MergedTree } from './mergedTree';
import { processorAttributes, processorTimes, rankCpuSeconds, type ProcessorTimes } from './processorTimes';
import type { ProcessResult } from './readResults';
import { callEdges, visitsOfKeys, type MeasuredEdge } from './measuredEdges';
import { SlotRegions, type SlotRegionsOptions } from './slotRegions';
import { systemTree } from './systemTree';
import { present } from '../../core/present';

/** What the processes of a run hold. */
export interface MergedProcesses {
  /** Metrics `visits`, `time`, `min_time`, `max_time`, `kymo_child_events`, `waiting_time` (except in old results), `kymo_timed_visits` if not all visits were timed, and what layers and the processor counted (`counterMetrics.ts`); one root region for the program, as in Score-P. */
  readonly profile: Profile;
  readonly calibration: Calibration;
  /** A flag is true if it is set for any process. */
  readonly flags: ResultFlags;
  /** By function key, over all call paths, processes and threads. */
  readonly visits: ReadonlyMap<string, number>;
  readonly edges: readonly MeasuredEdge[];
  /** Sentences for the user about data that the profile lacks. */
  readonly messages: readonly string[];
  readonly processCount: number;
  readonly threadCount: number;
  /** Maximum memory that the library mapped in one process. */
  readonly mappedBytes: number;
  readonly processor: ProcessorTimes | undefined;
  /** CPU time of each rank's processes. */
  readonly rankCpuSeconds: ReadonlyMap<number, number> | undefined;
  /** Size of MPI_COMM_WORLD in each process that called MPI. */
  readonly worldSizes: readonly number[];
}

/** Enter and exit pairs recorded below a call path, for the overhead model. */
const childEventsMetric: Metric = {
  name: 'kymo_child_events',
  displayName: 'Recorded Events Below',
  unit: 'occ',
  dtype: 'UINT64',
  stored: 'inclusive',
  combine: 'sum',
  description: 'Number of enter and exit pairs that were recorded below',
};

/** What is needed to read more of the processes' files. */
export interface MergedParts {
  readonly results: readonly ProcessResult[];
  readonly regions: SlotRegions;
  readonly tree: MergedTree;
  readonly locations: readonly Location[];
  readonly profile: Profile;
}

/** The program that the processes ran. */
export interface ProgramOfProcesses extends SlotRegionsOptions {
  /** Names the selection that they recorded. */
  readonly selectionId: string;
  /** Their calls of input and output were recorded. */
  readonly recordsIo?: boolean | undefined;
}

/** Merges processes into one profile, whether their results come from files, or from processes that still run. */
export async function mergeProcesses(
  read: readonly ProcessResult[],
  options: ProgramOfProcesses,
): Promise<MergedProcesses & { readonly parts: MergedParts }> {
  const results = await withConstructNames(read);
  const regions = new SlotRegions(options);
  const tree = await mergeTrees(results, regions);
  const flags = combinedFlags(results);
  const processor = processorTimes(results);
  const { system, locations } = systemTree(results);
  const profile: Profile = {
    attributes: new Map([...attributesOf(results, options), ...processorAttributes(processor)]),
    metrics: [
      standardMetrics.visits,
      standardMetrics.time,
      standardMetrics.minimumTime,
      standardMetrics.maximumTime,
      childEventsMetric,
      ...(tree.waitingSeconds === undefined ? [] : [waitingTimeMetric]),
      ...(tree.timedVisits === undefined ? [] : [timedVisitsMetric]),
      ...[...tree.counters.keys()].map((name) => counterMetrics[name]),
    ],
    regions: regions.regions,
    callPaths: tree.callPaths,
    system,
    locations,
    stored: columnsOf(tree),
    ...present({ communication: await communicationOf(results) }),
  };
  return {
    profile,
    parts: { results, regions, tree, locations, profile },
    calibration: calibrationOf(results),
    flags,
    visits: visitsOfKeys(tree, regions),
    edges: callEdges(tree, regions),
    messages: [...explainFlags(results), ...explainCounters(counterUses(results))],
    processCount: results.length,
    threadCount: locations.length,
    mappedBytes: results.reduce((most, r) => Math.max(most, r.mappedBytes), 0),
    processor,
    rankCpuSeconds: rankCpuSeconds(results),
    worldSizes: results.filter(callsMpi).map(({ rankCount }) => rankCount),
  };
}

function callsMpi({ regions }: ResultHead): boolean {
  return regions.some(({ kind }) => kind === 'mpi');
}

function columnsOf(tree: MergedTree): ReadonlyMap<string, Float64Array> {
  return new Map([
    [standardMetrics.visits.name, tree.visits],
    [standardMetrics.time.name, tree.seconds],
    [standardMetrics.minimumTime.name, tree.minimumSeconds],
    [standardMetrics.maximumTime.name, tree.maximumSeconds],
    [childEventsMetric.name, tree.childEvents],
    ...(tree.waitingSeconds === undefined ? [] : [[waitingTimeMetric.name, tree.waitingSeconds] as const]),
    ...(tree.timedVisits === undefined ? [] : [[timedVisitsMetric.name, tree.timedVisits] as const]),
    ...[...tree.counters].map(([name, values]) => [counterMetrics[name].name, values] as const),
  ]);
}

function combinedFlags(results: readonly ResultHead[]): ResultFlags {
  const any = (flag: keyof ResultFlags): boolean => results.some((r) => r.flags[flag]);
  return {
    incomplete: any('incomplete'),
    depthLimitHit: any('depthLimitHit'),
    outOfMemory: any('outOfMemory'),
    monotonicClock: any('monotonicClock'),
    iterationsLost: any('iterationsLost'),
    unbalanced: any('unbalanced'),
    unpatched: any('unpatched'),
    confined: any('confined'),
  };
}

function attributesOf(
  results: readonly ResultHead[],
  options: ProgramOfProcesses,
): ReadonlyMap<string, string> {
  const count = (flag: keyof ResultFlags): string => String(results.filter((r) => r.flags[flag]).length);
  return new Map([
    kymoAttributes.creator,
    ['kymo::executable', options.executable],
    ['kymo::selection', options.selectionId],
    ['kymo::processes', String(results.length)],
    ['kymo::incompleteProcesses', count('incomplete')],
    ['kymo::depthLimitHit', count('depthLimitHit')],
    ['kymo::outOfMemory', count('outOfMemory')],
    ['kymo::monotonicClock', count('monotonicClock')],
    ...(options.recordsIo === true ? [kymoAttributes.io] : []),
    ...refusalOf(counterUses(results)),
  ]);
}

function counterUses(results: readonly ResultHead[]): readonly CounterUse[] {
  return results.flatMap(({ counters }) => (counters === undefined ? [] : [counters]));
}

/** As an attribute; none if any process has counters. */
function refusalOf(uses: readonly CounterUse[]): readonly (readonly [string, string])[] {
  const [first] = uses;
  if (first === undefined || uses.some(({ error }) => error === 0)) return [];
  return [[refusedCountersAttribute, refusedCountersText(first)]];
}

function explainFlags(results: readonly ResultHead[]): readonly string[] {
  const explain = (flag: keyof ResultFlags, sentence: string): readonly string[] => {
    const affected = results.filter((r) => r.flags[flag]).length;
    return affected === 0 ? [] : [`${affected} of ${results.length} processes: ${sentence}`];
  };
  return [
    ...explain('incomplete', 'a fatal signal ended the program; the profile has the measurement up to then.'),
    ...explain(
      'depthLimitHit',
      'the call tree was deeper than the limit. Deeper calls are counted and timed per function under “calls beyond the depth limit”, without who called whom; raise KYMO_DEPTH_LIMIT to see that.',
    ),
    ...explain(
      'iterationsLost',
      'the iterations could not be written to their end (is the disk full?); later ones are missing.',
    ),
    ...explain(
      'unpatched',
      'the code of the program, or of one of its libraries, may not be changed here (a security policy such as SELinux); nothing is measured there.',
    ),
    ...explain(
      'confined',
      'the program forbade itself system calls (seccomp); what it did from then on is not measured.',
    ),
    ...explain(
      'unbalanced',
      'a region of the source began or ended where it should not; the output of the run names it.',
    ),
    ...explain(
      'outOfMemory',
      'the library could get no more memory and stopped measuring; later visits are missing. Select fewer functions.',
    ),
  ];
}
