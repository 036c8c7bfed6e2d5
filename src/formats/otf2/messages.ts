import type { Definitions, Group } from './definitions/model';
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
}

const sends = [eventKind('MPI_SEND'), eventKind('MPI_ISEND')];
const receives = [eventKind('MPI_RECV'), eventKind('MPI_IRECV')];

/** @returns undefined for other events */
export function messageEnd({ kind, first, values }: EventChunk, index: number): MessageEnd | undefined {
  const type = kind[index] ?? 0;
  const isSend = sends.includes(type);
  if (!isSend && !receives.includes(type)) return undefined;
  const at = first[index] ?? 0;
  const [partner = 0, communicator = 0, tag = 0, bytes = 0] = values.subarray(at, at + 4);
  return { isSend, partner, communicator, tag, bytes };
}

/** Ranks in `MPI_COMM_WORLD` of the ranks of communicators, in which messages name their other end. */
export class Partners {
  readonly #groups: ReadonlyMap<number, Group | undefined>;

  constructor(definitions: Definitions) {
    this.#groups = new Map([...definitions.communicators.values()].map(({ id, group }) => [id, group]));
  }

  /**
   * @param own rank of the process that communicates
   * @returns undefined where the communicator is unknown, or between two groups
   */
  worldRank({ communicator, partner }: MessageEnd, own: number): number | undefined {
    const group = this.#groups.get(communicator);
    if (group?.type === 'COMM_SELF') return own;
    if (group?.type !== 'COMM_GROUP') return undefined;
    if (group.flags.includes('GLOBAL_MEMBERS')) return partner;
    const member = group.members[partner];
    return member === undefined ? undefined : Number(member);
  }
}
