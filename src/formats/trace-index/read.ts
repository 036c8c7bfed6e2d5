import type { CallColumns } from '../../core/timeline/index/callStack';
import type { BlockPosition, Sums } from '../../core/timeline/index/node';
import type { Bins, RowIndex, StackSummary } from '../../core/timeline/index/rowIndex';
import type { MessageIndex, MessageNode } from '../../core/timeline/messages/messageIndex';
import type { Messages } from '../../core/timeline/messages/messageList';
import type { NamedSource } from '../byteSource';
import { ByteCursor } from './bytes';
import { readDirectory } from './directory';
import {
  checksum,
  headerBytes,
  invalidIndex,
  magic,
  trailerBytes,
  version,
  type Directory,
  type Place,
  type RowFacts,
} from './layout';
import { readMessages, readMessageTable, type MessageNodes } from './messageBytes';
import { readBins, readStack, readSums } from './nodeBytes';
import { readLevels, tableBytes, type LevelTable } from './nodeTable';

/** Decodes the events of a block that begins at a position and ends before another one. */
export type ReadBlock = (row: number, from: BlockPosition, until: BlockPosition | undefined) => CallColumns;

/** Tables of nodes that are kept in memory. */
const mostTableBytes = 64 << 20;

/** An index that was read: its directory is in memory, the rest is read when it is asked for. Everything is checked when it is read. */
export class TraceIndex {
  readonly directory: Directory;
  /** Functions + 1. */
  readonly slots: number;
  readonly #rows = new Map<number, StoredRow>();
  #tableBytes = 0;
  #messages: MessageIndex | undefined;

  /**
   * @param functions number of those that the trace defines
   * @throws KymoError `invalid-trace-index`
   */
  constructor(
    private readonly source: NamedSource,
    functions: number,
    private readonly readBlock: ReadBlock,
  ) {
    this.directory = readDirectory(this.#cursor(this.#trailer()));
    this.slots = functions + this.directory.unknown.length + 1;
  }

  /** @returns the place of the directory */
  #trailer(): Place {
    const { size } = this.source;
    if (size < headerBytes + trailerBytes) throw this.#invalid(0, 'this is no index');
    const bytes = this.source.read(size - trailerBytes, trailerBytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isOurs =
      bytes.length === trailerBytes &&
      new TextDecoder().decode(bytes.subarray(trailerBytes - magic.length)) === magic &&
      view.getUint32(20, true) === version;
    if (!isOurs) throw this.#invalid(size, `an index of version ${version} was expected`);
    const place = { offset: view.getFloat64(0, true), length: view.getFloat64(8, true) };
    if (checksum(this.#bytes(place)) !== view.getUint32(16, true))
      throw this.#invalid(place.offset, 'the directory is damaged');
    return place;
  }

  #invalid(offset: number, message: string): Error {
    return invalidIndex(this.source.file, offset, message);
  }

  #bytes({ offset, length }: Place): Uint8Array {
    const { size } = this.source;
    const isInside =
      Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
    if (!isInside || offset + length > size) throw this.#invalid(offset, `${length} bytes were expected`);
    const bytes = this.source.read(offset, length);
    if (bytes.length !== length) throw this.#invalid(offset, 'cut off');
    return bytes;
  }

  #cursor(place: Place): ByteCursor {
    return new ByteCursor(this.#bytes(place), (position, message) => {
      throw this.#invalid(place.offset + position, message);
    });
  }

  /** @returns undefined for a row without events */
  row(row: number): RowIndex | undefined {
    const known = this.#rows.get(row);
    if (known !== undefined) return known;
    const facts = this.directory.rows[row];
    if (facts === undefined || facts.blocks === 0) return undefined;
    const length = tableBytes(facts.blocks);
    const { offset } = facts.table;
    // Compared first: the number of blocks may be anything.
    const levels =
      length === facts.table.length
        ? readLevels(this.#bytes({ offset, length }), facts.blocks, facts.end)
        : undefined;
    if (levels === undefined) throw this.#invalid(offset, `the table of row ${row} is damaged`);
    const made = new StoredRow(
      facts,
      levels,
      this.slots,
      (place) => this.#cursor(place),
      (from, until) => this.readBlock(row, from, until),
    );
    if (this.#tableBytes + length > mostTableBytes) {
      this.#rows.clear();
      this.#tableBytes = 0;
    }
    this.#rows.set(row, made);
    this.#tableBytes += length;
    return made;
  }

  get messages(): MessageIndex {
    return (this.#messages ??= this.#readMessages());
  }

  #readMessages(): MessageIndex {
    const { messages, messageTable } = this.directory;
    const rows = this.directory.rows.length;
    const nodes = readMessageTable(this.#bytes(messageTable), messages);
    if (nodes === undefined) throw this.#invalid(messageTable.offset, 'the table of messages is damaged');
    return new StoredMessages(nodes, (place) => {
      const read = readMessages(this.#bytes(place), rows);
      if (read === undefined) throw this.#invalid(place.offset, 'messages are damaged');
      return read;
    });
  }
}

class StoredRow implements RowIndex {
  readonly levels: number;

  constructor(
    private readonly facts: RowFacts,
    private readonly tables: readonly LevelTable[],
    private readonly slots: number,
    private readonly cursor: (place: Place) => ByteCursor,
    private readonly block: (from: BlockPosition, until: BlockPosition | undefined) => CallColumns,
  ) {
    this.levels = tables.length;
  }

  count(level: number): number {
    return this.tables[level]?.count ?? 0;
  }

  begin(level: number, node: number): number {
    return this.tables[level]?.begin[node] ?? this.facts.end;
  }

  end(level: number, node: number): number {
    return this.begin(level, node + 1);
  }

  bins(level: number, node: number): Bins {
    const table = this.tables[level];
    const place = { offset: table?.binsOffset[node] ?? -1, length: table?.binsLength[node] ?? 0 };
    return readBins(this.cursor(place), this.begin(level, node), this.slots);
  }

  stack(level: number, node: number): StackSummary {
    const table = this.tables[level];
    const place = { offset: table?.stackOffset[node] ?? -1, length: table?.stackLength[node] ?? 0 };
    return readStack(this.cursor(place), this.begin(level, node), this.slots);
  }

  sums(level: number, node: number): Sums {
    const table = level > 0 ? this.tables[level] : undefined;
    const place = { offset: table?.thirdOffset[node] ?? -1, length: table?.third[node] ?? 0 };
    return readSums(this.cursor(place), this.slots);
  }

  events(block: number): CallColumns {
    const from = this.#position(block);
    return this.block(from ?? { offset: 0, now: 0 }, this.#position(block + 1));
  }

  #position(block: number): BlockPosition | undefined {
    const table = this.tables[0];
    const offset = table?.thirdOffset[block];
    return offset === undefined ? undefined : { offset, now: table?.third[block] ?? 0 };
  }
}

class StoredMessages implements MessageIndex {
  readonly levels: number;

  constructor(
    private readonly nodes: MessageNodes,
    private readonly read: (place: Place) => Messages,
  ) {
    this.levels = nodes.counts.length;
  }

  count(level: number): number {
    return this.nodes.counts[level] ?? 0;
  }

  node(level: number, node: number): MessageNode {
    return this.nodes.node(level, node);
  }

  longest(level: number, node: number): Messages {
    return this.read(this.nodes.node(level, node).longest);
  }

  block(node: number): Messages {
    return this.read(this.nodes.node(0, node).block);
  }
}
