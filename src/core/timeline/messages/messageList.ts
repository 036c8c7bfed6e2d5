/** Messages from point to point, in columns. Times are ticks. */
export interface Messages {
  readonly count: number;
  /** Rows. */
  readonly sender: Uint32Array;
  readonly receiver: Uint32Array;
  readonly sent: Float64Array;
  readonly received: Float64Array;
  readonly bytes: Float64Array;
  readonly tag: Int32Array;
}

/** Messages that become more. */
export class MessageList implements Messages {
  count = 0;
  sender: Uint32Array;
  receiver: Uint32Array;
  sent: Float64Array;
  received: Float64Array;
  bytes: Float64Array;
  tag: Int32Array;

  constructor(capacity = 64) {
    this.sender = new Uint32Array(capacity);
    this.receiver = new Uint32Array(capacity);
    this.sent = new Float64Array(capacity);
    this.received = new Float64Array(capacity);
    this.bytes = new Float64Array(capacity);
    this.tag = new Int32Array(capacity);
  }

  add(sender: number, receiver: number, sent: number, received: number, bytes: number, tag: number): void {
    if (this.count === this.sent.length) this.#grow();
    const at = this.count++;
    this.sender[at] = sender;
    this.receiver[at] = receiver;
    this.sent[at] = sent;
    this.received[at] = received;
    this.bytes[at] = bytes;
    this.tag[at] = tag;
  }

  addFrom(other: Messages, at: number): void {
    this.add(
      other.sender[at] ?? 0,
      other.receiver[at] ?? 0,
      other.sent[at] ?? 0,
      other.received[at] ?? 0,
      other.bytes[at] ?? 0,
      other.tag[at] ?? 0,
    );
  }

  #grow(): void {
    const larger = new MessageList(this.count * 2);
    larger.sender.set(this.sender);
    larger.receiver.set(this.receiver);
    larger.sent.set(this.sent);
    larger.received.set(this.received);
    larger.bytes.set(this.bytes);
    larger.tag.set(this.tag);
    const { sender, receiver, sent, received, bytes, tag } = larger;
    Object.assign(this, { sender, receiver, sent, received, bytes, tag });
  }
}

export function chosen(messages: Messages, positions: Iterable<number>): MessageList {
  const list = new MessageList();
  for (const at of positions) list.addFrom(messages, at);
  return list;
}

/** Ticks from the send to the receive; less than 0 where clocks disagree. */
export function durationOf({ sent, received }: Messages, at: number): number {
  return (received[at] ?? 0) - (sent[at] ?? 0);
}

/** The positions of all messages, in the order of their sends. */
export function inOrder({ count, sent }: Messages): Uint32Array {
  return Uint32Array.from({ length: count }, (_, at) => at).sort(
    (one, other) => (sent[one] ?? 0) - (sent[other] ?? 0) || one - other,
  );
}
