import { chosen, durationOf, MessageList, type Messages } from './messageList';

/** Messages of a block; blocks are in the order of the sends. */
export const blockMessages = 4096;
/** Nodes that one of the level above joins. */
export const messageFanOut = 16;
/** Of each node, that many of the longest messages are at hand. */
const longestOfNode = 64;

/** A block of messages (level 0), or several nodes of the level below. */
export interface MessageNode {
  /** Earliest and latest end. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly bytes: number;
}

export interface MessageIndex {
  /** 0: there are no messages. */
  readonly levels: number;
  count(level: number): number;
  node(level: number, node: number): MessageNode;
  /** The longest messages of a node. */
  longest(level: number, node: number): Messages;
  block(node: number): Messages;
}

export interface MessageSink {
  block(messages: Messages): void;
  messageNode(level: number, node: MessageNode, longest: Messages): void;
}

interface Level {
  nodes: MessageNode[];
  longest: MessageList;
  finished: number;
}

/** Makes the index of messages, which come in the order of their sends. */
export class MessageIndexer {
  count = 0;
  #block = new MessageList(blockMessages);
  readonly #levels: Level[] = [];

  constructor(private readonly sink: MessageSink) {}

  add(sender: number, receiver: number, sent: number, received: number, bytes: number, tag: number): void {
    this.#block.add(sender, receiver, sent, received, bytes, tag);
    this.count++;
    if (this.#block.count === blockMessages) this.#finishBlock();
  }

  end(): void {
    if (this.#block.count > 0) this.#finishBlock();
    // Joining adds a level where there are several nodes still.
    for (let above = 1; above < this.#levels.length; above++)
      if (this.#level(above).nodes.length > 0 && this.#level(above - 1).finished > 1) this.#join(above);
  }

  #finishBlock(): void {
    const block = this.#block;
    this.sink.block(block);
    this.#emit(0, nodeOf(block), longestOf(block));
    block.count = 0;
  }

  #level(level: number): Level {
    return (this.#levels[level] ??= { nodes: [], longest: new MessageList(), finished: 0 });
  }

  #emit(level: number, node: MessageNode, longest: Messages): void {
    this.sink.messageNode(level, node, longest);
    this.#level(level).finished++;
    const above = this.#level(level + 1);
    above.nodes.push(node);
    for (let at = 0; at < longest.count; at++) above.longest.addFrom(longest, at);
    if (above.nodes.length === messageFanOut) this.#join(level + 1);
  }

  #join(level: number): void {
    const own = this.#level(level);
    const node = {
      from: own.nodes.reduce((least, { from }) => Math.min(least, from), Infinity),
      to: own.nodes.reduce((most, { to }) => Math.max(most, to), -Infinity),
      count: own.nodes.reduce((sum, { count }) => sum + count, 0),
      bytes: own.nodes.reduce((sum, { bytes }) => sum + bytes, 0),
    };
    const longest = longestOf(own.longest);
    own.nodes = [];
    own.longest = new MessageList();
    this.#emit(level, node, longest);
  }
}

function nodeOf({ count, sent, received, bytes }: Messages): MessageNode {
  let from = Infinity;
  let to = -Infinity;
  let sum = 0;
  for (let at = 0; at < count; at++) {
    const [send = 0, receive = 0] = [sent[at], received[at]];
    from = Math.min(from, send, receive);
    to = Math.max(to, send, receive);
    sum += bytes[at] ?? 0;
  }
  return { from, to, count, bytes: sum };
}

function longestOf(messages: Messages): MessageList {
  const order = Array.from({ length: messages.count }, (_, at) => at).sort(
    (one, other) => durationOf(messages, other) - durationOf(messages, one) || one - other,
  );
  return chosen(messages, order.slice(0, longestOfNode));
}
