import { getOrMake } from '../../core/getOrMake';
import type { Location } from '../../formats/otf2/definitions/model';
import type { EventChunk } from '../../formats/otf2/events/chunk';
import { messageEnd, type Partners } from '../../formats/otf2/messages';
import type { Otf2Archive } from '../../formats/otf2/open';
import type { ExportedMessage } from '../../formats/trace-exports/csv';
import { eventsBetweenTurns } from './events';

export interface MessageSource {
  readonly archive: Otf2Archive;
  readonly partners: Partners;
  /** Messages that are given; both ends need not be in the range, or of the ranks. */
  readonly isWanted: (message: ExportedMessage) => boolean;
}

/**
 * The messages from point to point, in the order in which both ends are known, then those without their other end. Between two processes, messages of a
 * communicator and a tag do not overtake each other. Memory is for the ends that wait.
 */
export function* messageBatches(
  { archive, partners, isWanted }: MessageSource,
  counts: { events: number; messages: number },
): Generator<readonly ExportedMessage[]> {
  const matching = new Matching(archive, partners);
  let read = 0;
  const next = (): readonly ExportedMessage[] => {
    counts.events += read;
    read = 0;
    const wanted = matching.taken().filter(isWanted);
    counts.messages += wanted.length;
    return wanted;
  };
  for (const { location, chunk, from, to } of archive.mergedRuns()) {
    for (let index = from; index < to; index++) matching.add(location, chunk, index);
    read += to - from;
    if (read >= eventsBetweenTurns) yield next();
  }
  yield next();
  let rest: ExportedMessage[] = [];
  for (const message of matching.unmatched()) {
    if (!isWanted(message)) continue;
    counts.messages++;
    rest.push(message);
    if (rest.length < eventsBetweenTurns) continue;
    yield rest;
    rest = [];
  }
  yield rest;
}

/** Ends at the front of a queue that may have been matched. */
const mostMatched = 1024;

interface Queue {
  readonly sender: number | undefined;
  readonly receiver: number | undefined;
  readonly communicator: number;
  readonly tag: number;
  /** Which ends wait. */
  isSend: boolean;
  readonly times: number[];
  readonly bytes: number[];
  /** Ends at the front that have been matched. */
  matched: number;
}

class Matching {
  readonly #queues = new Map<string, Queue>();
  #done: ExportedMessage[] = [];
  readonly #seconds: (ticks: number) => number;

  constructor(
    private readonly archive: Otf2Archive,
    private readonly partners: Partners,
  ) {
    const { ticksPerSecond } = archive.definitions.clock;
    this.#seconds = (ticks) => ticks / ticksPerSecond;
  }

  add({ rank }: Location, chunk: EventChunk, index: number): void {
    const end = messageEnd(chunk, index);
    if (end === undefined) return;
    const { isSend, communicator, tag, bytes } = end;
    const partner = this.partners.worldRank(end, rank);
    const [sender, receiver] = isSend ? [rank, partner] : [partner, rank];
    const key = `${communicator} ${sender ?? ''} ${receiver ?? ''} ${tag}`;
    const queue = getOrMake(this.#queues, key, (): Queue => ({
      sender,
      receiver,
      communicator,
      tag,
      isSend,
      times: [],
      bytes: [],
      matched: 0,
    }));
    const time = chunk.time[index] ?? 0;
    const isMatch = queue.isSend !== isSend && queue.matched < queue.times.length;
    if (!isMatch) {
      queue.isSend = isSend;
      queue.times.push(time);
      queue.bytes.push(bytes);
      return;
    }
    const other = queue.times[queue.matched] ?? 0;
    const sentBytes = isSend ? bytes : (queue.bytes[queue.matched] ?? 0);
    queue.matched++;
    // What was matched takes no memory.
    if (queue.matched === queue.times.length) this.#queues.delete(key);
    else if (queue.matched >= mostMatched) {
      queue.times.splice(0, queue.matched);
      queue.bytes.splice(0, queue.matched);
      queue.matched = 0;
    }
    const [sent, received] = isSend ? [time, other] : [other, time];
    this.#done.push({
      ...this.#described(queue, sentBytes),
      sent: this.#seconds(sent),
      received: this.#seconds(received),
    });
  }

  taken(): readonly ExportedMessage[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }

  *unmatched(): Generator<ExportedMessage> {
    for (const queue of this.#queues.values())
      for (let end = queue.matched; end < queue.times.length; end++) {
        const seconds = this.#seconds(queue.times[end] ?? 0);
        const message = this.#described(queue, queue.bytes[end] ?? 0);
        yield queue.isSend ? { ...message, sent: seconds } : { ...message, received: seconds };
      }
  }

  #described({ sender, receiver, communicator, tag }: Queue, bytes: number): ExportedMessage {
    const name = this.archive.definitions.communicators.get(communicator)?.name ?? '';
    return {
      sender,
      receiver,
      communicator: name === '' ? `communicator ${communicator}` : name,
      tag,
      bytes,
    };
  }
}
