import { getOrMake } from '../../core/getOrMake';
import { present } from '../../core/present';
import type { Communicator, Definitions, Group, LocationId } from './definitions/model';
import type { EventChunk } from './events/chunk';
import { eventKind } from './layouts/events';

/** One end of a message from point to point. */
export interface MessageEnd {
  readonly isSend: boolean;
  /** Rank of the other end in the communicator. */
  readonly partner: number;
  readonly communicator: number;
  readonly tag: number;
  readonly bytes: number;
  /** Of a receive that was posted before (`post`). */
  readonly request?: number;
}

/** `complete`: of a receive that was posted before, with an event of its own. */
export type MessageKind = 'send' | 'receive' | 'post' | 'complete';

const messageKinds: readonly (readonly [kind: number, means: MessageKind])[] = [
  [eventKind('MPI_SEND'), 'send'],
  [eventKind('MPI_ISEND'), 'send'],
  [eventKind('MPI_RECV'), 'receive'],
  [eventKind('MPI_IRECV_REQUEST'), 'post'],
  [eventKind('MPI_IRECV'), 'complete'],
];

/** By the record's type: reading passes here with every event. */
const kinds = Array.from({ length: 256 }, (_, type) => messageKinds.find(([kind]) => kind === type)?.[1]);

/** What an event means for messages; undefined: nothing. */
export function messageKind(type: number): MessageKind | undefined {
  return kinds[type];
}

/** @returns undefined for other events */
export function messageEnd({ kind, first, values }: EventChunk, index: number): MessageEnd | undefined {
  const means = messageKind(kind[index] ?? 0);
  if (means === undefined || means === 'post') return undefined;
  const fields = values.subarray(first[index] ?? 0, first[index + 1] ?? 0);
  const [partner = 0, communicator = 0, tag = 0, bytes = 0, request = 0] = fields;
  const end = { isSend: means === 'send', partner, communicator, tag, bytes };
  return means === 'complete' ? { ...end, request } : end;
}

/** Ranks in `MPI_COMM_WORLD` of the ranks of communicators, in which messages name their other end. */
export class Partners {
  readonly #communicators: ReadonlyMap<
    number,
    Pick<Communicator, 'group' | 'sides'> & { readonly number: number }
  >;
  /** Members of the groups of communicators between two of them. */
  readonly #members = new Map<Group, ReadonlySet<number | undefined>>();
  /** Ranks of the locations that members of groups are positions among, by paradigm. */
  readonly #ofParadigm: ReadonlyMap<string, readonly number[]>;
  /** For groups of a paradigm whose locations are not listed. */
  readonly #ofProcesses: readonly number[];

  constructor({ locations, communicators, groups }: Definitions) {
    const rankOf = new Map<LocationId, number>(locations.map(({ id, rank }) => [id, rank]));
    this.#communicators = new Map(
      [...communicators.values()].map(({ id, group, sides }, number) => [
        id,
        { number, ...present({ group, sides }) },
      ]),
    );
    // The first list counts, as it does for the ranks of locations.
    this.#ofParadigm = new Map(
      [...groups.values()]
        .filter(({ type }) => type === 'COMM_LOCATIONS')
        .toReversed()
        .map(({ paradigm, members }) => [paradigm, members.map((member) => rankOf.get(member) ?? -1)]),
    );
    const largest = locations.reduce((most, { rank }) => Math.max(most, rank), -1);
    this.#ofProcesses = Array.from({ length: largest + 1 }, (_, rank) => rank);
  }

  /** Communicators are numbered from 0 on: their ids may be any. */
  numberOf(communicator: number): number | undefined {
    return this.#communicators.get(communicator)?.number;
  }

  /** Number of processes; undefined: unknown, or a communicator between two groups. */
  sizeOf(communicator: number): number | undefined {
    const group = this.#communicators.get(communicator)?.group;
    if (group?.type === 'COMM_SELF') return 1;
    return group?.type === 'COMM_GROUP' ? group.members.length : undefined;
  }

  /**
   * @param own rank of the process that communicates
   * @returns undefined where the communicator or the other end is not defined
   */
  worldRank(
    { communicator, partner }: Pick<MessageEnd, 'communicator' | 'partner'>,
    own: number,
  ): number | undefined {
    const { group, sides } = this.#communicators.get(communicator) ?? {};
    if (group?.type === 'COMM_SELF') return own;
    const other = sides === undefined ? group : this.#otherSide(sides, own);
    return other === undefined ? undefined : this.#rankIn(other, partner);
  }

  /** The group that the process is not in. */
  #otherSide([a, b]: readonly [Group, Group], own: number): Group | undefined {
    if (this.#membersOf(a).has(own)) return b;
    return this.#membersOf(b).has(own) ? a : undefined;
  }

  #membersOf(group: Group): ReadonlySet<number | undefined> {
    return getOrMake(
      this.#members,
      group,
      () => new Set(Array.from(group.members, (member) => this.#rankAt(group, Number(member)))),
    );
  }

  #rankIn(group: Group, member: number): number | undefined {
    if (group.type !== 'COMM_GROUP') return undefined;
    return this.#rankAt(
      group,
      group.flags.includes('GLOBAL_MEMBERS') ? member : Number(group.members[member]),
    );
  }

  /** @param position among the locations of the paradigm */
  #rankAt({ paradigm }: Group, position: number): number | undefined {
    const rank = (this.#ofParadigm.get(paradigm) ?? this.#ofProcesses)[position] ?? -1;
    return rank < 0 ? undefined : rank;
  }
}
