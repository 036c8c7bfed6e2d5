import { messageFanOut, blockMessages, type MessageNode } from '../../core/timeline/messages/messageIndex';
import { MessageList, type Messages } from '../../core/timeline/messages/messageList';
import { ByteBuilder } from './bytes';
import { levelCounts, type Place } from './layout';

/** Three doubles and three integers of 32 bits. */
const messageBytes = 36;
const nodeDoubles = 8;

/** Columns, one after the other: the doubles first. */
export function putMessages(messages: Messages): Uint8Array {
  const { count, sender, receiver, sent, received, bytes, tag } = messages;
  const into = new Uint8Array(count * messageBytes);
  let at = 0;
  for (const column of [sent, received, bytes, sender, receiver, tag]) {
    const part = column.subarray(0, count);
    into.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return into;
}

/** @returns undefined where the length is none of a block, rows do not exist, or times and sizes are no numbers */
export function readMessages(bytes: Uint8Array, rows: number): Messages | undefined {
  const count = bytes.length / messageBytes;
  if (!Number.isInteger(count) || count > blockMessages) return undefined;
  const { buffer } = bytes.slice();
  const list = new MessageList(0);
  list.count = count;
  list.sent = new Float64Array(buffer, 0, count);
  list.received = new Float64Array(buffer, count * 8, count);
  list.bytes = new Float64Array(buffer, count * 16, count);
  list.sender = new Uint32Array(buffer, count * 24, count);
  list.receiver = new Uint32Array(buffer, count * 28, count);
  list.tag = new Int32Array(buffer, count * 32, count);
  const areSound =
    [list.sender, list.receiver].every((column) => column.every((row) => row < rows)) &&
    [list.sent, list.received, list.bytes].every((column) => column.every(Number.isFinite));
  return areSound ? list : undefined;
}

/** The nodes of messages: of each level one after the other. */
export class MessageTable {
  readonly #levels: number[][] = [];

  add(level: number, { from, to, count, bytes }: MessageNode, block: Place, longest: Place): void {
    (this.#levels[level] ??= []).push(
      ...[from, to, count, bytes, block.offset, block.length, longest.offset, longest.length],
    );
  }

  bytes(): Uint8Array {
    const into = new ByteBuilder();
    for (const value of this.#levels.flat()) into.double(value);
    return into.content();
  }
}

export interface MessageNodes {
  readonly counts: readonly number[];
  node(level: number, node: number): MessageNode & { readonly block: Place; readonly longest: Place };
}

/** @returns undefined where the length is none of a table for so many messages, or something is no number */
export function readMessageTable(bytes: Uint8Array, messages: number): MessageNodes | undefined {
  const counts = levelCounts(Math.ceil(messages / blockMessages), messageFanOut, 1);
  const nodes = counts.reduce((sum, count) => sum + count, 0);
  if (bytes.length !== nodes * nodeDoubles * 8) return undefined;
  const all = new Float64Array(bytes.slice().buffer);
  if (!all.every(Number.isFinite)) return undefined;
  const firsts = counts.map((_, level) => counts.slice(0, level).reduce((sum, count) => sum + count, 0));
  return {
    counts,
    node(level, node) {
      const at = ((firsts[level] ?? 0) + node) * nodeDoubles;
      const value = (field: number): number => all[at + field] ?? 0;
      return {
        from: value(0),
        to: value(1),
        count: value(2),
        bytes: value(3),
        block: { offset: value(4), length: value(5) },
        longest: { offset: value(6), length: value(7) },
      };
    },
  };
}
