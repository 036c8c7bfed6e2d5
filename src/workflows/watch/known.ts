import { mergeDigests } from '../../core/digest/mergeDigests';
import type { Profile } from '../../core/profile/profile';
import type { WindowResult } from '../../measurement/results/live/liveResult';
import { mergeProcesses, type ProgramOfProcesses } from '../../measurement/results/mergeProcesses';
import { profileOfDigest } from '../../measurement/results/reduced/profileOfDigest';
import { resultsOfDigest } from '../../measurement/results/reduced/resultsOfDigest';
import { digestOf } from '../agents/hostDigests';
import type { RunProcesses } from '../agents/runProcesses';
import { rangeText, type Cluster, type Digest } from '../../core/digest/digest';
import type { LiveCluster, LiveProcess, LiveRun } from '../../core/views/liveRun';
import type { KnownProcess, WatchedJob } from '../online/watchedJob';

/** What is known of a run so far, whether its processes are known one by one or as sums. */
export interface Known {
  readonly state: RunState;
  /** With the sums of the run: one for each process, or for each cluster of them. */
  readonly results: readonly WindowResult[];
  readonly profile: () => Promise<Profile>;
  /** Of a reduced run. */
  readonly digest?: Digest;
}

export function knownOf(job: WatchedJob, elsewhere: RunProcesses, program: ProgramOfProcesses): Known {
  if (!elsewhere.isReduced) {
    const results = job.known.map(({ result }) => result.window());
    return {
      state: stateOfProcesses(job.known),
      results,
      profile: async () => (await mergeProcesses(results, program)).profile,
    };
  }
  const digest = mergeDigests([...elsewhere.digests, digestOf(job, program.slots.length)]);
  return {
    state: stateOfDigest(digest),
    results: resultsOfDigest(digest),
    profile: () => profileOfDigest(digest, program),
    digest,
  };
}

/** What `live.json` has of the processes of a run. */
interface RunState extends Pick<LiveRun, 'processes' | 'clusters' | 'cpuSeconds'> {
  /** A process waits at the end of an iteration: the others do, too, or wait for it in MPI. */
  readonly isSuspended: boolean;
}

function stateOfProcesses(known: readonly KnownProcess[]): RunState {
  const processes = known.map(({ result: { process: own }, isWatched }): LiveProcess => ({
    pid: own.pid,
    host: own.host,
    rank: own.rank,
    threads: own.threadCount,
    cpuSeconds: own.cpuSeconds,
    iterations: own.iterations,
    isSuspended: own.isSuspended,
    isWatched,
  }));
  return {
    processes,
    cpuSeconds: sum(processes, ({ cpuSeconds }) => cpuSeconds),
    isSuspended: processes.some(({ isWatched, isSuspended }) => isWatched && isSuspended),
  };
}

function stateOfDigest({ clusters }: Digest): RunState {
  return {
    processes: [],
    clusters: clusters.map(liveCluster),
    cpuSeconds: sum(clusters, ({ cpuSeconds }) => cpuSeconds),
    isSuspended: clusters.some(({ suspended }) => suspended > 0),
  };
}

function liveCluster(cluster: Cluster): LiveCluster {
  const { processes, threads, cpuSeconds, leastIterations, mostIterations, suspended, ended } = cluster;
  return {
    ranks: rangeText(cluster.ranks),
    processes,
    threads,
    cpuSeconds,
    leastIterations,
    mostIterations,
    suspended,
    ended,
  };
}

function sum<Element>(elements: readonly Element[], of: (element: Element) => number): number {
  return elements.reduce((total, element) => total + of(element), 0);
}
