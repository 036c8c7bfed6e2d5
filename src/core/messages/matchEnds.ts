import { compare, SortedRecords, type Scratch, type SortedRecord } from './sortedRecords';

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

/** One end of a message in the trace. */
export interface PlacedEnd {
  readonly row: number;
  /** Ticks. */
  readonly time: number;
}

/** A message with both ends, or with the only one that is in the trace. */
export interface MatchedMessage extends Pick<
  MessageEnd,
  'sender' | 'receiver' | 'communicator' | 'tag' | 'bytes'
> {
  readonly send?: PlacedEnd;
  readonly receive?: PlacedEnd;
}

/** Processes of a channel are one number, communicator and tag another one. */
const mostProcesses = 2 ** 26;
const tags = 2 ** 32;
/** Sender and receiver, communicator and tag, posted, sequence, row, time, bytes. */
const endWidth = 7;
const channelKeys = 2;
const endKeys = 5;

/**
 * Puts the ends of messages together: MPI keeps the order of messages between two processes in a communicator with a tag, and matches receives in the
 * order in which they were posted (MPI 4.1, section 3.5). Memory is bounded.
 */
export class MessageMatcher {
  readonly #sends: SortedRecords;
  readonly #receives: SortedRecords;

  /** @param most numbers in memory, for the sends and for the receives */
  constructor(scratch: Scratch, most?: number) {
    this.#sends = new SortedRecords(scratch, endWidth, endKeys, most);
    this.#receives = new SortedRecords(scratch, endWidth, endKeys, most);
  }

  get ends(): number {
    return this.#sends.count + this.#receives.count;
  }

  /** In any order. */
  add(end: MessageEnd): void {
    const { isSend, sender, receiver, communicator, tag, posted, sequence, row, time, bytes } = end;
    const pair = (sender % mostProcesses) * mostProcesses + (receiver % mostProcesses);
    const own = isSend ? this.#sends : this.#receives;
    own.add([pair, communicator * tags + tag, posted, sequence, row, time, bytes]);
  }

  /** All messages, once, and the ends that are alone; those between two processes in the order in which they were sent. */
  *messages(): Generator<MatchedMessage> {
    const sends = this.#sends.sorted();
    const receives = this.#receives.sorted();
    let send = next(sends);
    let receive = next(receives);
    while (send !== undefined || receive !== undefined) {
      const order = sideOf(send, receive);
      yield messageOf(order <= 0 ? send : undefined, order >= 0 ? receive : undefined);
      if (order <= 0) send = next(sends);
      if (order >= 0) receive = next(receives);
    }
  }
}

function next(records: Generator<SortedRecord>): SortedRecord | undefined {
  const record = records.next();
  return record.done === true ? undefined : record.value;
}

/** @returns 0: they are a message; less: nothing receives the send; more: the other way round */
function sideOf(send: SortedRecord | undefined, receive: SortedRecord | undefined): number {
  if (send === undefined) return 1;
  if (receive === undefined) return -1;
  return compare(send.numbers, send.at, receive.numbers, receive.at, channelKeys);
}

function messageOf(send: SortedRecord | undefined, receive: SortedRecord | undefined): MatchedMessage {
  const { numbers, at } = send ?? receive ?? { numbers: new Float64Array(endWidth), at: 0 };
  const [pair = 0, channel = 0, , , , , bytes = 0] = numbers.subarray(at, at + endWidth);
  return {
    sender: Math.floor(pair / mostProcesses),
    receiver: pair % mostProcesses,
    communicator: Math.floor(channel / tags),
    tag: channel % tags,
    bytes,
    ...(send === undefined ? {} : { send: placed(send) }),
    ...(receive === undefined ? {} : { receive: placed(receive) }),
  };
}

function placed({ numbers, at }: SortedRecord): PlacedEnd {
  return { row: numbers[at + 4] ?? 0, time: numbers[at + 5] ?? 0 };
}
