import { getOrMake } from '../../core/getOrMake';
import type { Location } from '../../formats/otf2/definitions/model';
import type { EventChunk } from '../../formats/otf2/events/chunk';
import { messageEnd, type Partners } from '../../formats/otf2/messages';
import type { Otf2Archive } from '../../formats/otf2/open';
import type { ExportedMessage } from '../../formats/trace-exports/csv';
import { eventsBetweenTurns } from './events';

/** An end of a message that waits for the other one. */
interface Waiting {
  readonly time: number;
  readonly bytes: number;
}

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
  for (const message of matching.unmatched()) {
    if (!isWanted(message)) continue;
    counts.messages++;
    yield [message];
  }
}

interface Queue {
  readonly sender: number | undefined;
  readonly receiver: number | undefined;
  readonly communicator: number;
  readonly tag: number;
  /** Which ends wait. */
  isSend: boolean;
  ends: Waiting[];
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
      ends: [],
      matched: 0,
    }));
    const time = chunk.time[index] ?? 0;
    const other = queue.isSend === isSend ? undefined : queue.ends[queue.matched];
    if (other === undefined) {
      queue.isSend = isSend;
      queue.ends.push({ time, bytes });
      return;
    }
    queue.matched++;
    // Queues that are empty take no memory.
    if (queue.matched === queue.ends.length) this.#queues.delete(key);
    const [sent, received] = isSend ? [time, other.time] : [other.time, time];
    this.#done.push({
      ...this.#described(queue, isSend ? bytes : other.bytes),
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
      for (const { time, bytes } of queue.ends.slice(queue.matched))
        yield {
          ...this.#described(queue, bytes),
          ...(queue.isSend ? { sent: this.#seconds(time) } : { received: this.#seconds(time) }),
        };
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
