import { messageFanOut, type MessageIndex, type MessageNode } from '../messages/messageIndex';
import { chosen, durationOf, inOrder, MessageList, type Messages } from '../messages/messageList';
import { secondsOf, type Scale } from '../paint/spanList';
import type { TimelineMessages } from '../pieces';
import type { TickWindow, TimelineIndex, Turn } from './trace';

/** Parts of the time that have their own longest messages. */
const parts = 64;

type Range = Omit<TickWindow, 'pixels'>;

interface Counted {
  readonly count: number;
  readonly bytes: number;
}

/** Number and bytes of the messages with an end in a range. */
export async function countMessages(
  index: TimelineIndex,
  messages: MessageIndex,
  range: Range,
  turn: Turn,
): Promise<Counted> {
  const walk = new MessageWalk(index, messages, range, () => undefined);
  await walk.count(turn);
  return { count: walk.total, bytes: walk.bytes };
}

/** Messages with an end in the window: all, or at most `most`, the longest ones of each part of the time. */
export async function messagesOf(
  index: TimelineIndex,
  messages: MessageIndex,
  range: Range & { readonly most: number },
  turn: Turn,
): Promise<TimelineMessages> {
  const selection = new Selection(range);
  const walk = new MessageWalk(index, messages, range, (list, at) => selection.offer(list, at));
  await walk.count(turn);
  await walk.whole(walk.total > range.most, turn);
  return asShown(selection.take(), walk.total, index.scale);
}

function asShown(list: MessageList, total: number, scale: Scale): TimelineMessages {
  const { count, sender, receiver, sent, received, bytes, tag } = chosen(list, inOrder(list));
  return {
    sender: sender.slice(0, count),
    receiver: receiver.slice(0, count),
    sent: Float64Array.from(sent.subarray(0, count), (ticks) => secondsOf(ticks, scale)),
    received: Float64Array.from(received.subarray(0, count), (ticks) => secondsOf(ticks, scale)),
    bytes: bytes.slice(0, count),
    tag: tag.slice(0, count),
    total,
  };
}

/** Counts whole nodes by what the index has of them, and looks through the blocks at the ends of the range. */
class MessageWalk {
  total = 0;
  bytes = 0;
  readonly #whole: (readonly [level: number, node: number])[] = [];
  readonly #to: number;
  readonly #isAllRows: boolean;

  constructor(
    { rowCount, end }: TimelineIndex,
    private readonly index: MessageIndex,
    private readonly range: Range,
    private readonly visit: (messages: Messages, at: number) => void,
  ) {
    // The last moment of the trace belongs to the range that ends there.
    this.#to = range.to >= end ? Infinity : range.to;
    this.#isAllRows = range.firstRow === 0 && range.rowCount >= rowCount;
  }

  async count(turn: Turn): Promise<void> {
    const { index } = this;
    if (index.levels === 0) return;
    const waiting: (readonly [level: number, node: number])[] = [[index.levels - 1, 0]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [level, at] = next;
      const node = index.node(level, at);
      if (node.to < this.range.from || node.from >= this.#to) continue;
      if (this.#isAllRows && node.from >= this.range.from && node.to < this.#to) {
        this.total += node.count;
        this.bytes += node.bytes;
        this.#whole.push(next);
      } else if (level > 0) waiting.push(...childrenOf(index, level, at));
      else {
        this.#scan(index.block(at));
        await turn();
      }
    }
  }

  #scan(messages: Messages): void {
    const { sender, receiver, sent, received, bytes, count } = messages;
    for (let at = 0; at < count; at++)
      if (this.#has(sender[at] ?? 0, sent[at] ?? 0) || this.#has(receiver[at] ?? 0, received[at] ?? 0)) {
        this.total++;
        this.bytes += bytes[at] ?? 0;
        this.visit(messages, at);
      }
  }

  #has(row: number, time: number): boolean {
    const { firstRow, rowCount, from } = this.range;
    return row >= firstRow && row < firstRow + rowCount && time >= from && time < this.#to;
  }

  /** Visits the messages of the nodes that were counted as a whole, or the longest ones of each part of the time. */
  async whole(isSelection: boolean, turn: Turn): Promise<void> {
    const { index } = this;
    const part = (Math.min(this.range.to, Number.MAX_VALUE) - this.range.from) / parts;
    const waiting = [...this.#whole];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [level, at] = next;
      const isFine = isSelection && (level === 0 || isShort(index.node(level, at), part));
      if (!isFine && level > 0) waiting.push(...childrenOf(index, level, at));
      else {
        const messages = isFine ? index.longest(level, at) : index.block(at);
        for (let message = 0; message < messages.count; message++) this.visit(messages, message);
        await turn();
      }
    }
  }
}

function isShort({ from, to }: MessageNode, ticks: number): boolean {
  return to - from <= ticks;
}

function* childrenOf(
  index: MessageIndex,
  level: number,
  node: number,
): Generator<readonly [level: number, node: number]> {
  const last = Math.min(index.count(level - 1), (node + 1) * messageFanOut);
  for (let child = node * messageFanOut; child < last; child++) yield [level - 1, child];
}

/** At most so many messages, the longest of each part of the time first. */
class Selection {
  #list = new MessageList();

  constructor(private readonly range: Range & { readonly most: number }) {}

  offer(messages: Messages, at: number): void {
    this.#list.addFrom(messages, at);
    if (this.#list.count > Math.max(1024, 4 * this.range.most)) this.#list = this.take();
  }

  take(): MessageList {
    const list = this.#list;
    const { from, to, most } = this.range;
    if (list.count <= most) return list;
    const byPart = new Map<number, number[]>();
    for (let at = 0; at < list.count; at++) {
      const part = Math.floor((((list.sent[at] ?? 0) - from) / (to - from)) * parts);
      const inside = Math.max(0, Math.min(parts - 1, part));
      const known = byPart.get(inside);
      if (known === undefined) byPart.set(inside, [at]);
      else known.push(at);
    }
    const lists = [...byPart.values()];
    for (const each of lists)
      each.sort((one, other) => durationOf(list, other) - durationOf(list, one) || one - other);
    const kept: number[] = [];
    for (let rank = 0; kept.length < most; rank++)
      for (const each of lists) {
        const at = each[rank];
        if (at !== undefined && kept.length < most) kept.push(at);
      }
    return chosen(list, kept);
  }
}
