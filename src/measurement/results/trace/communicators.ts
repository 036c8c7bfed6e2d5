import type { ResultHead } from '../../../formats/kymo-result/resultFile';
import type { Communicator, ProcessTrace } from '../../../formats/kymo-trace/traceFile';
import { enumerations } from '../../../formats/otf2/layouts/enums';
import type { ArchiveWriter } from '../../../formats/otf2/write/archiveWriter';

const paradigms: readonly string[] = enumerations.paradigm;
const groupTypes: readonly string[] = enumerations.groupType;
const mpiParadigm = paradigms.indexOf('MPI');
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

/** Communicators of the archive: 0 is `MPI_COMM_WORLD`, 1 `MPI_COMM_SELF`, others follow. */
export class Communicators {
  /** Numbers in the archive, by the numbers in the traces. */
  readonly numbers = new Map<number, number>();
  private readonly others: Communicator[] = [];

  /** @param traces of all processes; they know the same communicators by the same numbers */
  constructor(traces: readonly ProcessTrace[]) {
    for (const { communicators } of traces)
      for (const communicator of communicators) {
        const { id, kind } = communicator;
        if (this.numbers.has(id)) continue;
        if (kind === 'other') this.numbers.set(id, this.others.push(communicator) + 1);
        else this.numbers.set(id, kind === 'world' ? 0 : 1);
      }
  }

  /** Defines them, behind the locations. @param masters locations of the ranks' master threads */
  define(writer: ArchiveWriter, masters: readonly bigint[]): void {
    let groups = 0;
    const group = (type: string, members: readonly (number | bigint)[]): number => {
      const facts = {
        name: writer.string(''),
        type: groupTypes.indexOf(type),
        paradigm: mpiParadigm,
        flags: 0,
      };
      writer.define('GROUP', { id: groups, ...facts, members });
      return groups++;
    };
    group('COMM_LOCATIONS', masters);
    const facts = (name: string): { name: number; parent: number; flags: number } => ({
      name: writer.string(name),
      parent: undefinedId,
      flags: 0,
    });
    const world = group('COMM_GROUP', [...masters.keys()]);
    writer.define('COMM', { id: 0, ...facts('MPI_COMM_WORLD'), group: world });
    // In a group of this type each process is alone.
    writer.define('COMM', { id: 1, ...facts('MPI_COMM_SELF'), group: group('COMM_SELF', []) });
    for (const [index, { ranks, remote }] of this.others.entries()) {
      const id = index + 2;
      const own = group('COMM_GROUP', ranks);
      if (remote === undefined) writer.define('COMM', { id, ...facts(''), group: own });
      else
        writer.define('INTER_COMM', {
          id,
          ...facts(''),
          groupA: own,
          groupB: group('COMM_GROUP', remote),
          common: 0,
        });
    }
  }
}
