/** A run that is under way, and how it is said. */
import { formatCount, formatPercent, formatSeconds } from '../format';
import { shareOf } from '../functions/share';
import type { Calibration } from '../profile/experiment';

/** `live.json` (docs/INTERFACES.md). Times are in seconds since the run began, by the wall clock, except for `cpuSeconds`. */
export interface LiveRun {
  readonly kymoLive: 1;
  readonly target: string;
  readonly study: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** When this was written. */
  readonly seconds: number;
  /** Process that writes it. */
  readonly pid: number;
  readonly host: string;
  readonly state: 'starting' | 'running' | 'suspended' | 'ending';
  /** None in a reduced run. */
  readonly processes: readonly LiveProcess[];
  /** Of a reduced run, whose processes are known as sums only: those that do alike, by their ranks. */
  readonly clusters?: readonly LiveCluster[];
  /** Processor time of all processes so far, and the part of it that recording takes, by visits and calibrated cost. */
  readonly cpuSeconds: number;
  readonly recordingSeconds: number;
  /** What recording costs, by the processes so far; absent: none is known yet. */
  readonly calibration?: Calibration;
  readonly iterations?: LiveIterationCount;
  /** Absent until all processes can be watched. */
  readonly recording?: LiveRecording;
  /** `profile.cubex` beside it has the run up to then; 0: it is not there yet. */
  readonly profileSeconds: number;
  /** Absent while all processes are on the host of the process that watches them. */
  readonly network?: LiveNetwork;
}

/** What is recorded now; `live-functions.json` beside it names each function. */
export interface LiveRecording {
  /** Number of functions. */
  readonly functions: number;
  /** What watchers switched, the oldest first; the last ones. */
  readonly changes: readonly LiveChange[];
}

export interface LiveChange {
  /** Id of the wish. */
  readonly wish: string;
  /** When it was done. */
  readonly seconds: number;
  readonly recorded: SwitchedFunctions;
  readonly leftOut: SwitchedFunctions;
  /** What could not be done, in sentences. */
  readonly problems: readonly string[];
}

/** Functions that were switched; those that were so before do not count. */
export interface SwitchedFunctions {
  readonly count: number;
  /** The first ones. */
  readonly names: readonly string[];
}

/** The processes of Kymo itself that watch a run on several hosts: a tree, whose root writes this. */
export interface LiveNetwork {
  /** Those too that have ended, by rank; of agents at work the first 64. */
  readonly nodes: readonly LiveNode[];
  /** Further agents, which are all at work; absent: none. */
  readonly notListed?: number;
  /** What went wrong in it, in sentences; the last ones. The program is not affected by any. */
  readonly failures: readonly string[];
}

export interface LiveNode {
  /** In the network: no rank of the program. */
  readonly rank: number;
  /** Absent: of the root. */
  readonly parent?: number;
  readonly role: 'front end' | 'inner process' | 'agent';
  readonly host: string;
  /** Absent until it has reported, as are those below, which are of its last second. */
  readonly pid?: number;
  readonly state: 'up' | 'awaited' | 'lost' | 'left';
  /** CPU seconds per second. */
  readonly cpu?: number;
  /** Messages that it read and wrote per second; each has one packet or several. */
  readonly messagesPerSecond?: number;
  readonly bytesPerSecond?: number;
  /** Bytes of resident memory. */
  readonly memory?: number;
}

export interface LiveProcess {
  readonly pid: number;
  readonly host: string;
  readonly rank: number;
  readonly threads: number;
  readonly cpuSeconds: number;
  /** Of all phases. */
  readonly iterations: number;
  readonly isSuspended: boolean;
  /** False: it has ended, or its connection was lost. */
  readonly isWatched: boolean;
}

export interface LiveCluster {
  /** `0-3,7`; processes may have the same rank. */
  readonly ranks: string;
  readonly processes: number;
  /** Sums over them. */
  readonly threads: number;
  readonly cpuSeconds: number;
  /** Of all phases, in the process that has least and in the one that has most. */
  readonly leastIterations: number;
  readonly mostIterations: number;
  /** How many of them are suspended, and how many have ended or were lost. */
  readonly suspended: number;
  readonly ended: number;
}

export interface LiveIterationCount {
  readonly phase: string;
  /** Iterations that all processes have. */
  readonly count: number;
  /** Number of them in `iterations.kymo` beside it; 0: it is not there yet. */
  readonly written: number;
  /** Mean time of an iteration since this was written before, in seconds by the wall; absent when there was none. */
  readonly seconds?: number;
  /** Of a reduced run: the process that computed longest (outside of MPI) most often in the last iterations, how often, and how long then, as a multiple of the mean. */
  readonly slowest?: {
    readonly rank: number;
    readonly iterations: number;
    readonly of: number;
    readonly ratio: number;
  };
}

/** A slowest process is named when it is that in so many of the iterations, and by so much beyond the mean. */
const oftenShare = 0.75;
const lateRatio = 1.05;

/** Processes that said how many iterations they have before more of them arrived: none has fewer than all have. */
export function withArrived(
  processes: readonly LiveProcess[],
  all: LiveIterationCount | undefined,
): readonly LiveProcess[] {
  const { count } = all ?? { count: 0 };
  return processes.map((process) =>
    process.iterations === 0 || process.iterations >= count ? process : { ...process, iterations: count },
  );
}

/** A run that is under way in words, as the command line and the editor say it: a sentence on its times, and one on its iterations. */
export interface LiveWords {
  readonly times: string;
  readonly iterations: string;
}

export function liveWords(live: LiveRun): LiveWords {
  const { target, state, seconds, cpuSeconds, recordingSeconds, iterations } = live;
  const share = formatPercent(shareOf(recordingSeconds, { seconds: cpuSeconds }));
  const count = processCount(live);
  const each =
    iterations?.seconds === undefined
      ? ''
      : `, ${formatSeconds(iterations.seconds)} each by the wall clock at the moment`;
  return {
    times: `${target} ${words[state]} ${formatSeconds(seconds)}: ${count}, ${formatSeconds(cpuSeconds)} of CPU time, ${share} of it for recording (by visits and the calibrated cost of each).`,
    iterations:
      iterations === undefined
        ? 'No iterations so far.'
        : `${formatCount(iterations.count)} iterations of ${iterations.phase}${each}.${slowestWords(iterations)}`,
  };
}

/** Where one process is late nearly always. */
function slowestWords({ slowest }: LiveIterationCount): string {
  if (slowest === undefined || slowest.iterations < oftenShare * slowest.of) return '';
  const { rank, iterations, of, ratio } = slowest;
  if (ratio < lateRatio) return '';
  return ` Rank ${rank} computed longest in ${formatCount(iterations)} of the last ${formatCount(of)}, ${ratio.toFixed(2)} times the mean.`;
}

/** `63 processes`; how they are known, if not one by one. */
export function processCount({ processes, clusters }: LiveRun): string {
  const all = clusters?.reduce((sum, cluster) => sum + cluster.processes, 0) ?? processes.length;
  const count = `${all} ${all === 1 ? 'process' : 'processes'}`;
  return clusters === undefined ? count : `${count}, reduced to sums over ${groupCount(clusters.length)}`;
}

/** `1026 processes, 66 of them here` */
export function networkCount(network: LiveNetwork | undefined): string {
  const { nodes = [], notListed = 0 } = network ?? {};
  const count = `${formatCount(nodes.length + notListed)} processes`;
  return notListed === 0 ? count : `${count}, ${nodes.length} of them here`;
}

function groupCount(groups: number): string {
  return groups === 1 ? 'all of them' : `${groups} groups that do alike`;
}

/** What a watcher switched, as a sentence: `At 12.3 s: solve and 2 more recorded from then on; extra left out.` */
export function changeWords({ seconds, recorded, leftOut, problems }: LiveChange): string {
  const parts = [
    ...(recorded.count === 0 ? [] : [`${namesWords(recorded)} recorded from then on`]),
    ...(leftOut.count === 0 ? [] : [`${namesWords(leftOut)} left out from then on`]),
  ];
  const what = parts.length === 0 ? 'nothing to switch' : parts.join('; ');
  return [`At ${formatSeconds(seconds)}: ${what}.`, ...problems].join(' ');
}

function namesWords({ count, names }: SwitchedFunctions): string {
  const shown = names.slice(0, shownNames);
  const more = count - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const shownNames = 3;

const words: Readonly<Record<LiveRun['state'], string>> = {
  starting: 'has been starting for',
  running: 'has been running for',
  suspended: 'is suspended after',
  ending: 'ended after',
};

/** `ranks 0-62: 63 processes`, and each what it has done; what is unusual of them. */
export function clusterWords(cluster: LiveCluster): {
  readonly title: string;
  readonly done: readonly string[];
  readonly state: readonly string[];
} {
  const { ranks, processes, threads, cpuSeconds, leastIterations, mostIterations, suspended, ended } =
    cluster;
  const each = processes === 1 ? '' : ' each';
  const iterations =
    leastIterations === mostIterations
      ? `${formatCount(mostIterations)} iterations${each}`
      : `${formatCount(leastIterations)} to ${formatCount(mostIterations)} iterations${each}`;
  return {
    title: processes === 1 ? `rank ${ranks}: 1 process` : `ranks ${ranks}: sum of ${processes} processes`,
    done: [
      `${threads} ${threads === 1 ? 'thread' : 'threads'}`,
      `${formatSeconds(cpuSeconds)} of CPU time`,
      ...(mostIterations === 0 ? [] : [iterations]),
    ],
    state: [
      ...(ended === 0 ? [] : [`${ended} no longer watched`]),
      ...(suspended === 0 ? [] : [`${suspended} suspended`]),
    ],
  };
}

/** Empty of one that runs. */
export function processState({ isWatched, isSuspended }: LiveProcess): string {
  return !isWatched ? 'no longer watched' : isSuspended ? 'suspended' : '';
}
