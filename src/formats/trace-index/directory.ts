import { ByteBuilder, type ByteCursor } from './bytes';
import type { Directory, FileState, Place, RowFacts } from './layout';

/** Bytes of a row at least. */
const leastRow = 8 * 6 + 4;

export function putDirectory(directory: Directory): Uint8Array {
  const into = new ByteBuilder();
  for (const file of [directory.anchorFile, directory.definitionFile]) putFile(into, file);
  into.integer(directory.depth);
  for (const texts of [directory.unknown, directory.notes]) {
    into.integer(texts.length);
    for (const text of texts) into.text(text);
  }
  into.integer(directory.messages);
  putPlace(into, directory.messageTable);
  into.integer(directory.rows.length);
  for (const row of directory.rows) putRow(into, row);
  return into.content();
}

export function readDirectory(from: ByteCursor): Directory {
  const anchorFile = readFile(from);
  const definitionFile = readFile(from);
  const depth = from.integer();
  const texts = (): readonly string[] => Array.from({ length: from.count(1) }, () => from.text());
  const unknown = texts();
  const notes = texts();
  const messages = from.integer();
  const messageTable = readPlace(from);
  const rows = Array.from({ length: from.count(leastRow) }, () => readRow(from));
  const events = rows.reduce((sum, row) => sum + row.events, 0);
  from.require(depth <= events, `a depth of ${depth} with ${events} events`);
  return { anchorFile, definitionFile, depth, unknown, notes, messages, messageTable, rows };
}

function putRow(into: ByteBuilder, row: RowFacts): void {
  into.integer(row.events);
  into.double(row.begin);
  into.double(row.end);
  putFile(into, row.eventFile);
  putFile(into, row.definitionFile);
  putPlace(into, row.table);
  into.integer(row.blocks);
}

function readRow(from: ByteCursor): RowFacts {
  const row = {
    events: from.integer(),
    begin: from.double(),
    end: from.double(),
    eventFile: readFile(from),
    definitionFile: readFile(from),
    table: readPlace(from),
    blocks: from.integer(),
  };
  const { events, begin, end, eventFile } = row;
  from.require(begin <= end && Number.isFinite(end - begin), `events from ${begin} to ${end}`);
  // An event has a byte at least.
  from.require(events <= Math.max(0, eventFile.size), `${events} events in ${eventFile.size} bytes`);
  return row;
}

function putFile(into: ByteBuilder, { size, modified }: FileState): void {
  into.double(size);
  into.double(modified);
}

function readFile(from: ByteCursor): FileState {
  return { size: from.double(), modified: from.double() };
}

function putPlace(into: ByteBuilder, { offset, length }: Place): void {
  into.integer(offset);
  into.integer(length);
}

function readPlace(from: ByteCursor): Place {
  return { offset: from.integer(), length: from.integer() };
}
