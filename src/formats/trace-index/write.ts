import type { BinList } from '../../core/timeline/index/binList';
import type { BlockPosition, NodeSink, OpenNode, Sums } from '../../core/timeline/index/node';
import {
  MessageIndexer,
  type MessageNode,
  type MessageSink,
} from '../../core/timeline/messages/messageIndex';
import type { Messages } from '../../core/timeline/messages/messageList';
import { ByteBuilder } from './bytes';
import { putDirectory } from './directory';
import {
  checksum,
  headerBytes,
  magic,
  trailerBytes,
  version,
  type Place,
  type RowFacts,
  type TraceFacts,
} from './layout';
import { MessageTable, putMessages } from './messageBytes';
import { putBins, putStack, putSums } from './nodeBytes';
import { GrowingTable } from './nodeTable';
import { Output, type Append } from './output';

/** Parts of nodes of one level are written together, so that they are read together. */
const partBytes = 1 << 18;

/** Bins, stacks or sums of one level until they are written. */
class PartBuffer {
  readonly bytes = new ByteBuilder();
  readonly #waiting: Place[] = [];
  #first = 0;
  #begin = 0;

  constructor(
    private readonly output: Output,
    private readonly part: number,
  ) {}

  /** Ends what was put into `bytes` for a node. */
  end(node: number, table: GrowingTable): void {
    if (this.#waiting.length === 0) this.#first = node;
    this.#waiting.push({ offset: this.#begin, length: this.bytes.length - this.#begin });
    this.#begin = this.bytes.length;
    if (this.bytes.length >= partBytes) this.flush(table);
  }

  flush(table: GrowingTable): void {
    const base = this.output.position;
    for (const [at, { offset, length }] of this.#waiting.entries())
      table.setPlace(this.#first + at, this.part, { offset: base + offset, length });
    this.output.write(this.bytes.content());
    this.bytes.length = this.#begin = 0;
    this.#waiting.length = 0;
  }
}

class LevelOutput {
  table = new GrowingTable();
  readonly bins: PartBuffer;
  readonly stack: PartBuffer;
  readonly sums: PartBuffer;

  constructor(output: Output) {
    this.bins = new PartBuffer(output, 0);
    this.stack = new PartBuffer(output, 1);
    this.sums = new PartBuffer(output, 2);
  }

  finish(hasSums: boolean): Uint8Array {
    const { table } = this;
    this.bins.flush(table);
    this.stack.flush(table);
    if (hasSums) this.sums.flush(table);
    this.table = new GrowingTable();
    return table.bytes();
  }
}

/**
 * Writes an index: for each location its nodes (a `NodeSink`) and `endRow`; then the messages in the order of their sends, and `finish`.
 */
export class TraceIndexWriter implements NodeSink, MessageSink {
  readonly messages = new MessageIndexer(this);
  readonly #output: Output;
  readonly #levels: LevelOutput[] = [];
  readonly #rows: RowFacts[] = [];
  readonly #messageTable = new MessageTable();
  /** Of the last block of messages. */
  #block: Place = { offset: 0, length: 0 };

  constructor(append: Append) {
    this.#output = new Output(append);
    const header = new ByteBuilder();
    header.raw(new TextEncoder().encode(magic));
    header.reserve(8);
    header.view.setUint32(8, version, true);
    header.length = headerBytes;
    this.#output.write(header.content());
  }

  node(
    level: number,
    node: OpenNode,
    bins: BinList,
    sums: Sums | undefined,
    position: BlockPosition | undefined,
  ): void {
    const to = (this.#levels[level] ??= new LevelOutput(this.#output));
    const at = to.table.count;
    to.table.add(node.begin, position?.offset ?? 0, position?.now ?? 0);
    putBins(to.bins.bytes, bins, node.begin);
    to.bins.end(at, to.table);
    putStack(to.stack.bytes, node);
    to.stack.end(at, to.table);
    if (sums === undefined) return;
    putSums(to.sums.bytes, sums);
    to.sums.end(at, to.table);
  }

  /** Ends a location. */
  endRow(facts: Omit<RowFacts, 'table' | 'blocks'>): void {
    const used = this.#levels.filter(({ table }) => table.count > 0);
    const blocks = used[0]?.table.count ?? 0;
    const tables = used.map((level, at) => level.finish(at > 0));
    const offset = this.#output.position;
    for (const table of tables) this.#output.write(table);
    this.#rows.push({ ...facts, blocks, table: { offset, length: this.#output.position - offset } });
  }

  block(messages: Messages): void {
    this.#block = this.#put(messages);
  }

  #put(messages: Messages): Place {
    const offset = this.#output.position;
    const bytes = putMessages(messages);
    this.#output.write(bytes);
    return { offset, length: bytes.length };
  }

  messageNode(level: number, node: MessageNode, longest: Messages): void {
    this.#messageTable.add(
      level,
      node,
      level === 0 ? this.#block : { offset: 0, length: 0 },
      this.#put(longest),
    );
  }

  /** Ends the file. */
  finish(facts: TraceFacts): void {
    this.messages.end();
    const table = this.#messageTable.bytes();
    const messageTable = { offset: this.#output.position, length: table.length };
    this.#output.write(table);
    const directory = putDirectory({
      ...facts,
      rows: this.#rows,
      messages: this.messages.count,
      messageTable,
    });
    const offset = this.#output.position;
    this.#output.write(directory);
    const trailer = new ByteBuilder();
    trailer.double(offset);
    trailer.double(directory.length);
    trailer.reserve(8);
    trailer.view.setUint32(16, checksum(directory), true);
    trailer.view.setUint32(20, version, true);
    trailer.length = trailerBytes - magic.length;
    trailer.raw(new TextEncoder().encode(magic));
    this.#output.write(trailer.content());
    this.#output.flush();
  }
}
