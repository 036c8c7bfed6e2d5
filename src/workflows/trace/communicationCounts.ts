import { getOrMake } from '../../core/getOrMake';
import type { Location } from '../../formats/otf2/definitions/model';
import type { EventChunk } from '../../formats/otf2/events/chunk';
import { enumName } from '../../formats/otf2/layouts/enums';
import { collectiveEnds, eventKind } from '../../formats/otf2/layouts/events';
import { messageEnd, type MessageEnd, type Partners } from '../../formats/otf2/messages';
import type { ReportedCollective, TraceReport, Transfers } from './report.types';

interface Counted {
  count: number;
  bytes: number;
}

/** Position of the bytes among the fields; those of an atomic operation are sent and received. */
const oneSided: ReadonlyMap<
  number,
  readonly [operation: 'put' | 'get' | 'atomic', bytes: readonly number[]]
> = new Map([
  [eventKind('RMA_PUT'), ['put', [2]]],
  [eventKind('RMA_GET'), ['get', [2]]],
  [eventKind('RMA_ATOMIC'), ['atomic', [3, 4]]],
]);
const fileOperation = eventKind('IO_OPERATION_BEGIN');
/** All bits set: the number of bytes is unknown. */
const undefinedBytes = 2 ** 64;

/** Messages, collective and one-sided operations, and operations on files. Memory is for the pairs of processes that communicate. */
export class CommunicationCounts {
  readonly #sent: Counted = { count: 0, bytes: 0 };
  readonly #received: Counted = { count: 0, bytes: 0 };
  /** Sends less receives between two processes: by communicator and sender, the receivers; −1: unknown. */
  readonly #pairs = new Map<number, Map<number, Map<number, number>>>();
  readonly #collectives = new Map<string, { calls: number; sentBytes: number; receivedBytes: number }>();
  readonly #oneSided = new Map<'put' | 'get' | 'atomic', Counted>();
  readonly #files = new Map<string, Counted>();

  constructor(private readonly partners: Partners) {}

  /** @param index of an event of this location */
  add({ rank }: Location, chunk: EventChunk, index: number): void {
    const end = messageEnd(chunk, index);
    if (end !== undefined) this.#message(end, rank);
    else this.#other(chunk, index);
  }

  #message(end: MessageEnd, own: number): void {
    count(end.isSend ? this.#sent : this.#received, end.bytes);
    const partner = this.partners.worldRank(end, own);
    // Ranks in a communicator between two groups are those of the other group.
    const [sender, receiver] =
      partner === undefined ? [-1, -1] : end.isSend ? [own, partner] : [partner, own];
    const senders = getOrMake(this.#pairs, end.communicator, () => new Map<number, Map<number, number>>());
    const receivers = getOrMake(senders, sender, () => new Map<number, number>());
    receivers.set(receiver, (receivers.get(receiver) ?? 0) + (end.isSend ? 1 : -1));
  }

  #other({ kind, first, values }: EventChunk, index: number): void {
    const type = kind[index] ?? 0;
    const at = first[index] ?? 0;
    const value = (field: number): number => values[at + field] ?? 0;
    if (collectiveEnds.includes(type)) {
      const own = getOrMake(this.#collectives, enumName('collectiveOp', value(0)), () => ({
        calls: 0,
        sentBytes: 0,
        receivedBytes: 0,
      }));
      own.calls++;
      own.sentBytes += known(value(3));
      own.receivedBytes += known(value(4));
    } else if (type === fileOperation) {
      const operation = enumName('ioOperationMode', value(1)).toLowerCase();
      count(getOrMake(this.#files, operation, none), value(3));
    } else {
      const [operation, fields = []] = oneSided.get(type) ?? [];
      if (operation === undefined) return;
      const bytes = fields.reduce((sum, field) => sum + known(value(field)), 0);
      count(getOrMake(this.#oneSided, operation, none), bytes);
    }
  }

  /** @param isWhole whether all locations were read, so that both ends of messages were */
  messages(isWhole: boolean): TraceReport['messages'] {
    const totals = { sent: this.#sent, received: this.#received };
    if (!isWhole) return totals;
    let unmatchedSends = 0;
    let unmatchedReceives = 0;
    for (const senders of this.#pairs.values())
      for (const receivers of senders.values())
        for (const difference of receivers.values())
          if (difference > 0) unmatchedSends += difference;
          else unmatchedReceives -= difference;
    return { ...totals, unmatchedSends, unmatchedReceives };
  }

  collectives(): readonly ReportedCollective[] {
    return [...this.#collectives].map(([operation, counts]) => ({ operation, ...counts }));
  }

  oneSided(): TraceReport['oneSided'] {
    return [...this.#oneSided].map(([operation, counts]) => ({ operation, ...counts }));
  }

  files(): readonly ({ readonly operation: string } & Transfers)[] {
    return [...this.#files].map(([operation, counts]) => ({ operation, ...counts }));
  }
}

function none(): Counted {
  return { count: 0, bytes: 0 };
}

function count(counted: Counted, bytes: number): void {
  counted.count++;
  counted.bytes += known(bytes);
}

function known(bytes: number): number {
  return bytes >= undefinedBytes ? 0 : bytes;
}
