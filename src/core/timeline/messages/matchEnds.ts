import { getOrMake } from '../../getOrMake';
import { MessageList } from './messageList';

/** An end of a message as numbers: how ends are kept until both are there. */
export const endFields = 7;

export interface MessageEnd {
  readonly isSend: boolean;
  /** Processes, not rows: any thread of a process may send and receive. */
  readonly sender: number;
  readonly receiver: number;
  /** Below 2^20. */
  readonly communicator: number;
  /** As 32 bits without a sign. */
  readonly tag: number;
  readonly row: number;
  /** Ticks; of a receive that was posted before, when it was complete. */
  readonly time: number;
  readonly bytes: number;
  /** When it was posted, and as which event of its row: ends match in this order. */
  readonly posted: number;
  readonly sequence: number;
}

/** Processes of a channel are one number. */
const mostProcesses = 2 ** 26;

export function putEnd(into: Float64Array, offset: number, end: MessageEnd): void {
  into[offset] = (end.sender % mostProcesses) * mostProcesses + (end.receiver % mostProcesses);
  into[offset + 1] = end.communicator * 2 ** 32 + end.tag;
  into[offset + 2] = end.row * 2 + (end.isSend ? 1 : 0);
  into[offset + 3] = end.time;
  into[offset + 4] = end.bytes;
  into[offset + 5] = end.posted;
  into[offset + 6] = end.sequence;
}

export interface Matched {
  readonly messages: MessageList;
  /** Ends without the other one. */
  readonly sends: number;
  readonly receives: number;
}

interface Channel {
  readonly sends: number[];
  readonly receives: number[];
}

/**
 * Puts the ends of messages together: MPI keeps the order of messages between two processes in a communicator with a tag, and matches receives in the
 * order in which they were posted (MPI 4.1, section 3.5).
 * @param ends as `putEnd` writes them, those of a row in their order
 */
export function matchEnds(ends: Float64Array): Matched {
  const channels = channelsOf(ends);
  const messages = new MessageList(Math.max(1, ends.length / endFields / 2));
  let sends = 0;
  let receives = 0;
  const before = (one: number, other: number): number => compareEnds(ends, one, other);
  for (const ofPair of channels.values())
    for (const [commTag, channel] of ofPair) {
      channel.sends.sort(before);
      channel.receives.sort(before);
      const pairs = Math.min(channel.sends.length, channel.receives.length);
      sends += channel.sends.length - pairs;
      receives += channel.receives.length - pairs;
      for (let pair = 0; pair < pairs; pair++)
        addMessage(
          ends,
          channel.sends[pair] ?? 0,
          channel.receives[pair] ?? 0,
          (commTag % 2 ** 32) | 0,
          messages,
        );
    }
  return { messages, sends, receives };
}

function channelsOf(ends: Float64Array): ReadonlyMap<number, ReadonlyMap<number, Channel>> {
  const channels = new Map<number, Map<number, Channel>>();
  for (let at = 0; at + endFields <= ends.length; at += endFields) {
    const ofPair = getOrMake(channels, ends[at] ?? 0, () => new Map<number, Channel>());
    const channel = getOrMake(ofPair, ends[at + 1] ?? 0, () => ({ sends: [], receives: [] }));
    ((ends[at + 2] ?? 0) % 2 === 1 ? channel.sends : channel.receives).push(at);
  }
  return channels;
}

function addMessage(
  ends: Float64Array,
  send: number,
  receive: number,
  tag: number,
  messages: MessageList,
): void {
  messages.add(
    Math.floor((ends[send + 2] ?? 0) / 2),
    Math.floor((ends[receive + 2] ?? 0) / 2),
    ends[send + 3] ?? 0,
    ends[receive + 3] ?? 0,
    ends[send + 4] ?? 0,
    tag,
  );
}

function compareEnds(ends: Float64Array, one: number, other: number): number {
  const isSameRow = ends[one + 2] === ends[other + 2];
  const posted = (ends[one + 5] ?? 0) - (ends[other + 5] ?? 0);
  const sequence = (ends[one + 6] ?? 0) - (ends[other + 6] ?? 0);
  return isSameRow ? sequence : posted || sequence;
}
