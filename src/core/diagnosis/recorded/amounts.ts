import { at, atByte, atFloat, atUint } from '../../at';
import { countsAs } from '../../efficiency/countsAs';
import { mpiWaitingMetrics } from '../../efficiency/mpiWaiting';
import { seenWaiting, type SeenWaiting } from '../../efficiency/seenWaiting';
import type { Activity } from '../../functions/activities';
import { isByKymo, recordsIo } from '../../profile/measuredBy';
import { hasNumbers } from '../../profile/metrics';
import type { Profile } from '../../profile/profile';
import { workGroups, type WorkGroups } from '../../profile/workGroups';
import { exclusiveCells } from '../../profile/values';
import type { PropertyContext } from '../../problems/context/propertyContext';
import type { ResourcePath } from '../resources/focus';
import { syncResources, threadSyncTypes } from './syncResources';

/** What of a profile is added up: cells (`[callPath * locations + location]`) of the call paths that count. */
export interface Part {
  readonly cells: Float64Array;
  readonly counts: (path: number) => boolean;
  /** By region: the synchronisation object that it belongs to. */
  readonly sync?: readonly (ResourcePath | undefined)[];
}

/** Addends of one quantity. */
export type Amount = readonly Part[];

/** The quantities that the metrics of hypotheses are made of; absent is what the profile does not have. */
export interface Amounts {
  readonly computing: Amount;
  /** Of it, what several threads of a process do on the same call path. */
  readonly sharedComputing: Amount;
  /** Of it, what the first thread does outside of parallel regions while the others do nothing. */
  readonly serial?: Amount;
  readonly synchronisation: Amount;
  readonly mpiWaiting?: Amount;
  readonly lateSender?: Amount;
  readonly lateReceiver?: Amount;
  readonly collectiveWaiting?: Amount;
  readonly barrierWaiting: Amount;
  readonly lockWaiting: Amount;
  readonly inputOutput?: Amount;
  readonly ioBytes?: Amount;
  readonly ioOperations?: Amount;
  readonly blocked?: Amount;
  readonly instructions?: Amount;
  readonly cacheMisses?: Amount;
  /** Seconds by location: in no function, until the next parallel region begins. */
  readonly resting: Float64Array;
  readonly seen: SeenWaiting;
  readonly groups: WorkGroups;
}

/** Metrics of waiting in MPI by whom is waited for; see `mpiWaiting.ts`. */
const lateSender = /^mpi_latesender$/;
const lateReceiver = /^mpi_latereceiver$/;
const collective = /^mpi_(latebroadcast|earlyreduce|earlyscan|wait_nxn|barrier_wait)$/;

/** The cache next to memory that was counted: Score-P's names of PAPI's counters, and those of perf. */
const missCounters = [/^(PAPI_L3_TCM|LLC[-_](load[-_])?misses|cache[-_]misses)$/i, /^PAPI_L2_TCM$/i];
const instructionCounters = [/^(PAPI_TOT_INS|instructions|INST_RETIRED.*)$/i];
const bytesRead = /^(io_)?bytes_read$/;
const bytesWritten = /^(io_)?bytes_written$/;

/** Maximum share of other threads in what is computed outside of parallel regions for the rest to be the work of one thread. */
const othersShare = 0.1;

export function amountsOf(context: PropertyContext): Amounts {
  const { profile, activities, cells, elapsed, names } = context;
  const { region } = profile.callPaths;
  const groups = workGroups(profile.locations);
  const sync = syncResources(profile.regions, activities, names);
  const whose = (chosen: (activity: Activity, own: number) => boolean) => {
    const counts = activities.map(chosen);
    return (path: number): boolean => at(counts, atUint(region, path));
  };
  const computes = whose(isComputing);
  const communicates = whose(countsAs.mpi);
  const ofType = (type: string) =>
    whose((_, own) => sync[own]?.[0] === type && activities[own] === 'synchronisation');
  const resting = restingThreads(context, groups);
  const metrics = (wanted: (name: string) => boolean): Part[] =>
    profile.metrics
      .filter((metric) => hasNumbers(metric) && metric.combine === 'sum' && wanted(metric.name))
      .map(({ name }) => ({ cells: exclusiveCells(profile, name), counts: communicates, sync }));
  const waits = mpiWaitingMetrics(profile.metrics);
  // Kymo looks for all kinds of waiting, and its profiles have no metric of a kind that there was none of.
  const isComplete = isByKymo(profile) && waits.length > 0;
  const waiting = (wanted: RegExp): Amount => {
    const found = metrics((name) => waits.includes(name) && wanted.test(name));
    if (found.length > 0 || !isComplete) return found;
    return [{ cells: new Float64Array(cells.length), counts: communicates, sync }];
  };
  const counted = (wanted: readonly RegExp[], counts: Part['counts']): Amount => {
    for (const pattern of wanted) {
      const [first] = metrics((name) => pattern.test(name));
      if (first !== undefined) return [{ cells: first.cells, counts }];
    }
    return [];
  };
  const hasIo = activities.includes('io') || recordsIo(profile);
  const bytes = [...counted([bytesRead], always), ...counted([bytesWritten], always)];
  const shared = isSharedPath(context, groups, computes);
  return {
    computing: [{ cells, counts: computes }],
    sharedComputing: [{ cells, counts: (path) => atByte(shared, path) === 1 }],
    ...some('serial', serial(context, groups, computes)),
    synchronisation: [
      {
        cells: elapsed.cells,
        counts: whose((activity) => activity === 'communication' || activity === 'synchronisation'),
        sync,
      },
    ],
    ...some('mpiWaiting', waiting(/./)),
    ...some('lateSender', waiting(lateSender)),
    ...some('lateReceiver', waiting(lateReceiver)),
    ...some('collectiveWaiting', waiting(collective)),
    barrierWaiting: [{ cells: elapsed.cells, counts: ofType(threadSyncTypes.barrier), sync }],
    lockWaiting: [{ cells: elapsed.cells, counts: ofType(threadSyncTypes.lock), sync }],
    ...(hasIo
      ? { inputOutput: [{ cells: elapsed.cells, counts: whose((activity) => activity === 'io') }] }
      : {}),
    // Where they are recorded, their absence is 0.
    ...(recordsIo(profile) ? { ioBytes: bytes } : some('ioBytes', bytes)),
    ...some(
      'ioOperations',
      hasIo
        ? counted(
            [/^visits$/],
            whose((_, own) => moves(at(profile.regions, own).role)),
          )
        : [],
    ),
    ...(elapsed.base.clock === context.base.clock
      ? {}
      : { blocked: [{ cells: blockedCells(context, resting), counts: computes }] }),
    resting,
    ...some('instructions', counted(instructionCounters, computes)),
    ...some('cacheMisses', counted(missCounters, computes)),
    seen: seenInJob(profile, seenWaiting(profile, activities)),
    groups,
  };
}

/** A profile of the processes of one host may have one process that waits for those of others. */
function seenInJob({ system }: Profile, seen: SeenWaiting): SeenWaiting {
  const isPart = system.some(({ kind, name }) => kind === 'process' && name.startsWith('MPI Rank'));
  return isPart ? { ...seen, processes: Math.max(2, seen.processes) } : seen;
}

function some<Name extends string>(name: Name, amount: Amount): Partial<Record<Name, Amount>> {
  return amount.length === 0 ? {} : ({ [name]: amount } as Partial<Record<Name, Amount>>);
}

const always = (): boolean => true;

/** As for efficiency, but without input and output. */
function isComputing(activity: Activity): boolean {
  return countsAs.computing(activity) && activity !== 'io';
}

/** Operations on data, not those on files as such (`file io metadata`). */
function moves(role: string): boolean {
  return role === 'file io';
}

/** What computing time leaves of the time. Threads that rest until the next parallel region are not blocked. */
function blockedCells(
  { profile: { callPaths, locations }, cells, elapsed }: PropertyContext,
  resting: Float64Array,
): Float64Array {
  const width = locations.length;
  return elapsed.cells.map((seconds, cell) =>
    at(callPaths.parent, Math.floor(cell / width)) < 0 && atFloat(resting, cell % width) > 0
      ? 0
      : Math.max(0, seconds - atFloat(cells, cell)),
  );
}

/** What the threads of OpenMP programs, but the first of each process, have outside of all functions. */
function restingThreads(context: PropertyContext, { teams }: WorkGroups): Float64Array {
  const { profile, elapsed } = context;
  const { callPaths, locations } = profile;
  const resting = new Float64Array(locations.length);
  if (!parallelRegions(profile).includes(true)) return resting;
  for (const location of teams.flatMap((team) => team.locations.slice(1)))
    for (let path = 0; path < callPaths.count; path++)
      if (at(callPaths.parent, path) < 0)
        resting[location] =
          atFloat(resting, location) + atFloat(elapsed.cells, path * locations.length + location);
  return resting;
}

function parallelRegions({ regions }: Pick<Profile, 'regions'>): readonly boolean[] {
  return regions.map(({ paradigm, role }) => paradigm === 'openmp' && role === 'parallel');
}

/** 1 for call paths on which several threads of a process compute. */
function isSharedPath(
  { profile, cells }: PropertyContext,
  { teams }: WorkGroups,
  computes: Part['counts'],
): Uint8Array {
  const width = profile.locations.length;
  const shared = new Uint8Array(profile.callPaths.count);
  for (let path = 0; path < shared.length; path++) {
    if (!computes(path)) continue;
    const works = (location: number): boolean => atFloat(cells, path * width + location) > 0;
    if (teams.some(({ locations }) => locations.filter(works).length > 1)) shared[path] = 1;
  }
  return shared;
}

/** Nothing where there are no parallel regions, or where threads of other kinds compute meanwhile. */
function serial(context: PropertyContext, { teams }: WorkGroups, computes: Part['counts']): Amount {
  const { profile, cells } = context;
  const { callPaths, locations } = profile;
  const isParallel = parallelRegions(profile);
  if (!isParallel.includes(true)) return [];
  const width = locations.length;
  const outside = new Uint8Array(callPaths.count);
  for (let path = 0; path < outside.length; path++) {
    const above = at(callPaths.parent, path);
    outside[path] =
      !at(isParallel, atUint(callPaths.region, path)) && (above < 0 || outside[above] === 1) ? 1 : 0;
  }
  const counts = (path: number): boolean => atByte(outside, path) === 1 && computes(path);
  const own = new Float64Array(cells.length);
  for (const { locations: team } of teams) {
    const [first, ...others] = team;
    if (first === undefined) continue;
    const sum = (location: number): number => {
      let seconds = 0;
      for (let path = 0; path < callPaths.count; path++)
        if (counts(path)) seconds += atFloat(cells, path * width + location);
      return seconds;
    };
    if (others.reduce((seconds, location) => seconds + sum(location), 0) > othersShare * sum(first)) continue;
    for (let path = 0; path < callPaths.count; path++)
      own[path * width + first] = atFloat(cells, path * width + first);
  }
  return [{ cells: own, counts }];
}
