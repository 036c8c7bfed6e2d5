import type { ResultHead } from '../../../formats/kymo-result/resultFile';
import type { Communicator, ProcessTrace } from '../../../formats/kymo-trace/traceFile';
import { enumerations } from '../../../formats/otf2/layouts/enums';
import type { ArchiveWriter } from '../../../formats/otf2/write/archiveWriter';

const paradigms: readonly string[] = enumerations.paradigm;
const groupTypes: readonly string[] = enumerations.groupType;
export const mpiParadigm = paradigms.indexOf('MPI');
const undefinedId = 0xffff_ffff;

/** The process of each rank of `MPI_COMM_WORLD`, by position in the results; undefined when some rank has none, or several. */
export function processesOfRanks(results: readonly ResultHead[]): readonly number[] | undefined {
  const byRank: (number | undefined)[] = [];
  let size = 0;
  for (const [process, { rank, rankCount, regions }] of results.entries()) {
    if (!regions.some(({ kind }) => kind === 'mpi')) continue;
    if (byRank[rank] !== undefined) return undefined;
    byRank[rank] = process;
    size = Math.max(size, rankCount);
  }
  const processes = Array.from({ length: size }, (_, rank) => byRank[rank] ?? -1);
  return byRank.length > size || processes.includes(-1) ? undefined : processes;
}

/**
 * Defines the communicators of all processes.
 * @param locations of the ranks' master threads
 * @returns the numbers in the archive, by the numbers in the traces
 */
export function defineCommunicators(
  writer: ArchiveWriter,
  traces: readonly ProcessTrace[],
  locations: readonly bigint[],
): ReadonlyMap<number, number> {
  const known = new Map<number, Communicator>();
  for (const { communicators } of traces)
    for (const communicator of communicators)
      if (!known.has(communicator.id)) known.set(communicator.id, communicator);
  let groups = 0;
  const group = (type: string, members: readonly (number | bigint)[]): number => {
    writer.define('GROUP', {
      id: groups,
      name: writer.string(''),
      type: groupTypes.indexOf(type),
      paradigm: mpiParadigm,
      flags: 0,
      members,
    });
    return groups++;
  };
  group('COMM_LOCATIONS', locations);
  const defined = new Map<number, number>();
  let count = 0;
  const define = (name: string, groupId: number): number => {
    writer.define('COMM', {
      id: count,
      name: writer.string(name),
      group: groupId,
      parent: undefinedId,
      flags: 0,
    });
    return count++;
  };
  const world = define('MPI_COMM_WORLD', group('COMM_GROUP', [...locations.keys()]));
  // In a group of this type each process is alone.
  const self = define('MPI_COMM_SELF', group('COMM_SELF', []));
  for (const { id, kind, ranks, remote } of known.values()) {
    if (kind === 'world') defined.set(id, world);
    else if (kind === 'self') defined.set(id, self);
    else if (remote === undefined) defined.set(id, define('', group('COMM_GROUP', ranks)));
    else {
      writer.define('INTER_COMM', {
        id: count,
        name: writer.string(''),
        groupA: group('COMM_GROUP', ranks),
        groupB: group('COMM_GROUP', remote),
        common: world,
        flags: 0,
      });
      defined.set(id, count++);
    }
  }
  return defined;
}
