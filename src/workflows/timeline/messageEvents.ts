import type { MessageEnd } from '../../core/timeline/messages/matchEnds';
import type { EventChunk } from '../../formats/otf2/events/chunk';
import { eventKind } from '../../formats/otf2/layouts/events';
import type { Location } from '../../formats/otf2/definitions/model';
import type { Partners } from './partners';

const otherKind = 0;
const sendKind = 1;
const receiveKind = 2;
const requestedReceive = 3;
const receiveRequest = 4;
/** What records mean for messages, by their type. */
const meaning = new Uint8Array(256).fill(otherKind);
meaning[eventKind('MPI_SEND')] = sendKind;
meaning[eventKind('MPI_ISEND')] = sendKind;
meaning[eventKind('MPI_RECV')] = receiveKind;
meaning[eventKind('MPI_IRECV')] = requestedReceive;
meaning[eventKind('MPI_IRECV_REQUEST')] = receiveRequest;

/** Receives that were posted and are not complete. More are forgotten: they match in the order in which they were complete. */
const mostRequests = 2 ** 18;

interface Posted {
  readonly posted: number;
  readonly sequence: number;
}

/** Finds the ends of messages among the events of one location. */
export class MessageEvents {
  /** Ends whose other one is not known. */
  unknown = 0;
  #sequence = 0;
  #now = -Infinity;
  readonly #requests = new Map<number, Posted>();

  constructor(
    private readonly location: Location,
    private readonly row: number,
    private readonly partners: Partners,
    private readonly add: (end: MessageEnd) => void,
  ) {}

  visit(chunk: EventChunk): void {
    const { count, kind, time } = chunk;
    for (let index = 0; index < count; index++) {
      // As for calls: what is earlier than the event before is simultaneous with it.
      const at = time[index] ?? 0;
      if (at > this.#now) this.#now = at;
      const type = meaning[kind[index] ?? 0] ?? otherKind;
      if (type === otherKind) continue;
      const own = { posted: this.#now, sequence: this.#sequence++ };
      const [first = 0, communicator = 0, tag = 0, bytes = 0, request = 0] = fieldsOf(chunk, index);
      if (type === receiveRequest) {
        if (this.#requests.size < mostRequests) this.#requests.set(first, own);
        continue;
      }
      const posted = type === requestedReceive ? this.#take(request, own) : own;
      this.#end(type === sendKind, first, communicator, tag, bytes, posted);
    }
  }

  #take(request: number, own: Posted): Posted {
    const posted = this.#requests.get(request);
    this.#requests.delete(request);
    return posted ?? own;
  }

  #end(
    isSend: boolean,
    rank: number,
    communicator: number,
    tag: number,
    bytes: number,
    posted: Posted,
  ): void {
    const own = this.partners.processOf(this.location);
    const partner = this.partners.find(communicator, rank, own);
    if (partner === undefined || own < 0) {
      this.unknown++;
      return;
    }
    const [sender, receiver] = isSend ? [own, partner.process] : [partner.process, own];
    const { row } = this;
    const time = this.#now;
    this.add({
      isSend,
      sender,
      receiver,
      communicator: partner.communicator,
      tag,
      row,
      time,
      bytes,
      ...posted,
    });
  }
}

function fieldsOf({ first, values }: EventChunk, index: number): Float64Array {
  return values.subarray(first[index] ?? 0, first[index + 1] ?? 0);
}
