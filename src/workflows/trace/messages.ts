import { MessagesByTime } from '../../core/messages/byTime';
import { MessageMatcher, type MatchedMessage } from '../../core/messages/matchEnds';
import type { Scratch } from '../../core/messages/sortedRecords';
import type { Location } from '../../formats/otf2/definitions/model';
import { Partners, type MessageEnd } from '../../formats/otf2/messages';
import type { Otf2Archive } from '../../formats/otf2/open';
import type { ExportedMessage } from '../../formats/trace-exports/csv';
import { MessageEvents } from '../messages/messageEvents';
import { eventsBetweenTurns } from './events';

export interface MessageSource {
  readonly archive: Otf2Archive;
  readonly scratch: Scratch;
  /** Messages that are given; both ends need not be in the range, or of the ranks. */
  readonly isWanted: (message: ExportedMessage) => boolean;
}

/**
 * The messages from point to point: first ends whose other one the trace does not define, location by location, then all others and the ends that are
 * alone in the order of their times. A bounded part of them is in memory.
 */
export function* messageBatches(
  { archive, scratch, isWanted }: MessageSource,
  counts: { events: number; messages: number },
): Generator<readonly ExportedMessage[]> {
  const { clock, communicators, locations } = archive.definitions;
  const { ticksPerSecond } = clock;
  const wanted = (messages: readonly ExportedMessage[]): readonly ExportedMessage[] => {
    const batch = messages.filter(isWanted);
    counts.messages += batch.length;
    return batch;
  };
  const nameOf = (id: number): string => {
    const name = communicators.get(id)?.name ?? '';
    return name === '' ? `communicator ${id}` : name;
  };
  const partners = new Partners(archive.definitions);
  const matcher = new MessageMatcher(scratch);
  for (const location of locations) {
    let lost: ExportedMessage[] = [];
    const events = new MessageEvents(location.rank, 0, partners, matcher, (end, time) =>
      lost.push(lostEnd(end, location, time / ticksPerSecond, nameOf(end.communicator))),
    );
    for (const chunk of archive.events(location)) {
      events.visit(chunk);
      counts.events += chunk.count;
      yield wanted(lost);
      lost = [];
    }
  }
  const ids = [...communicators.keys()];
  const exported = (message: MatchedMessage): ExportedMessage => {
    const { sender, receiver, communicator, tag, bytes, send, receive } = message;
    return {
      ...{ sender, receiver, communicator: nameOf(ids[communicator] ?? communicator), tag, bytes },
      ...(send === undefined ? {} : { sent: send.time / ticksPerSecond }),
      ...(receive === undefined ? {} : { received: receive.time / ticksPerSecond }),
    };
  };
  const sorted = new MessagesByTime(scratch);
  for (const some of inBatches(matcher.messages())) {
    for (const message of some) if (isWanted(exported(message))) sorted.add(message);
    yield [];
  }
  for (const some of inBatches(sorted.messages())) yield wanted(some.map(exported));
}

function lostEnd(
  { isSend, tag, bytes }: MessageEnd,
  { rank }: Location,
  seconds: number,
  communicator: string,
): ExportedMessage {
  const [sender, receiver] = isSend ? [rank, undefined] : [undefined, rank];
  return {
    ...{ sender, receiver, communicator, tag, bytes },
    ...(isSend ? { sent: seconds } : { received: seconds }),
  };
}

/** Other work has its turn between two of them. */
export function* inBatches<T>(items: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < eventsBetweenTurns) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
