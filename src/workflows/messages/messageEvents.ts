import type { MessageMatcher } from '../../core/messages/matchEnds';
import type { EventChunk } from '../../formats/otf2/events/chunk';
import { messageEnd, messageKind, type MessageEnd, type Partners } from '../../formats/otf2/messages';

/** Receives that were posted and are not complete. More are forgotten: they match in the order in which they were complete. */
const mostRequests = 2 ** 18;

interface Posted {
  readonly posted: number;
  readonly sequence: number;
}

/** Communicators that are told apart in messages. */
const mostCommunicators = 2 ** 20;

/** Finds the ends of messages among the events of one location. */
export class MessageEvents {
  #sequence = 0;
  #now = -Infinity;
  readonly #requests = new Map<number, Posted>();

  /**
   * @param own rank of the location's process
   * @param lost receives ends whose other one the trace does not define
   */
  constructor(
    private readonly own: number,
    private readonly row: number,
    private readonly partners: Partners,
    private readonly matcher: MessageMatcher,
    private readonly lost: (end: MessageEnd, time: number) => void,
  ) {}

  visit(chunk: EventChunk): void {
    const { count, kind, time, values, first } = chunk;
    for (let index = 0; index < count; index++) {
      // As for calls: what is earlier than the event before is simultaneous with it.
      const at = time[index] ?? 0;
      if (at > this.#now) this.#now = at;
      if (messageKind(kind[index] ?? 0) === undefined) continue;
      const own = { posted: this.#now, sequence: this.#sequence++ };
      const end = messageEnd(chunk, index);
      if (end !== undefined) this.#end(end, end.request === undefined ? own : this.#take(end.request, own));
      else if (this.#requests.size < mostRequests) this.#requests.set(values[first[index] ?? 0] ?? 0, own);
    }
  }

  #take(request: number, own: Posted): Posted {
    const posted = this.#requests.get(request);
    this.#requests.delete(request);
    return posted ?? own;
  }

  #end(end: MessageEnd, posted: Posted): void {
    const { own, row } = this;
    const partner = this.partners.worldRank(end, own);
    const communicator = this.partners.numberOf(end.communicator) ?? mostCommunicators;
    if (partner === undefined || communicator >= mostCommunicators || own < 0) {
      this.lost(end, this.#now);
      return;
    }
    const { isSend, tag, bytes } = end;
    const [sender, receiver] = isSend ? [own, partner] : [partner, own];
    this.matcher.add({ isSend, sender, receiver, communicator, tag, row, time: this.#now, bytes, ...posted });
  }
}
