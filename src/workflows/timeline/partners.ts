import { getOrMake } from '../../core/getOrMake';
import type { Communicator, Definitions, Location, LocationId } from '../../formats/otf2/definitions/model';

/** Communicators that are told apart in messages. */
const mostCommunicators = 2 ** 20;

/** Who is at the other end of a message. Processes are numbered from 0 on. */
export class Partners {
  readonly #processOf = new Map<LocationId, number>();
  /** By communicator: its number, and the processes of its ranks. */
  readonly #communicators = new Map<
    number,
    { readonly number: number; readonly ranks: readonly number[] | 'own' }
  >();

  constructor({ locations, communicators, groups }: Definitions) {
    const numbers = new Map<number | string, number>();
    for (const { id, group } of locations) {
      const process = group === undefined ? `location ${id}` : (group.creator ?? group.id);
      this.#processOf.set(
        id,
        getOrMake(numbers, process, () => numbers.size),
      );
    }
    // Members of groups are positions among the locations of their paradigm.
    const all = new Map(
      [...groups.values()]
        .filter(({ type }) => type === 'COMM_LOCATIONS')
        .map(({ paradigm, members }) => [
          paradigm,
          members.map((member) => this.#processOf.get(member) ?? -1),
        ]),
    );
    for (const communicator of communicators.values()) {
      const ranks = ranksOf(communicator, all);
      const number = this.#communicators.size;
      if (ranks !== undefined && number < mostCommunicators)
        this.#communicators.set(communicator.id, { number, ranks });
    }
  }

  processOf({ id }: Location): number {
    return this.#processOf.get(id) ?? -1;
  }

  /** @returns number of the communicator and process of a rank; undefined where they are not known, as between two groups */
  find(
    communicator: number,
    rank: number,
    own: number,
  ): { readonly communicator: number; readonly process: number } | undefined {
    const known = this.#communicators.get(communicator);
    const process = known?.ranks === 'own' ? own : known?.ranks[rank];
    if (known === undefined || process === undefined || process < 0) return undefined;
    return { communicator: known.number, process };
  }
}

function ranksOf(
  { group }: Communicator,
  all: ReadonlyMap<string, readonly number[]>,
): readonly number[] | 'own' | undefined {
  if (group === undefined) return undefined;
  if (group.type === 'COMM_SELF') return 'own';
  const locations = all.get(group.paradigm) ?? [];
  if (group.flags.includes('GLOBAL_MEMBERS')) return locations;
  return group.members.map((member) => locations[Number(member)] ?? -1);
}
