import { KymoError } from '../../core/errors';

/** At the begin and at the end of the file. */
export const magic = 'kymotrix';
/** Changes with the layout, and with what the numbers in it mean. */
export const version = 2;
/** Magic, version, 0. */
export const headerBytes = 16;
/** Offset and length of the directory, its checksum, version, magic. */
export const trailerBytes = 32;

/** Size and modification time (milliseconds since 1970) of a file; a size of −1: there is none. */
export interface FileState {
  readonly size: number;
  readonly modified: number;
}

/** Where something is in the file. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** One location. */
export interface RowFacts {
  readonly events: number;
  /** Ticks. */
  readonly begin: number;
  readonly end: number;
  /** Of its files with events and with definitions, when it was indexed. */
  readonly eventFile: FileState;
  readonly definitionFile: FileState;
  /** Of the table of its nodes. */
  readonly table: Place;
  /** Blocks, from which the numbers of nodes of all levels follow. */
  readonly blocks: number;
}

/** What was made of the whole trace. */
export interface TraceFacts {
  readonly anchorFile: FileState;
  readonly definitionFile: FileState;
  /** Names of functions that the trace does not define: they follow those that it does. */
  readonly unknown: readonly string[];
  readonly depth: number;
  readonly notes: readonly string[];
}

export interface Directory extends TraceFacts {
  readonly rows: readonly RowFacts[];
  readonly messages: number;
  readonly messageTable: Place;
}

/** Numbers of nodes from the blocks up to the level that has one. */
export function levelCounts(blocks: number, fanOut: number, least: number): readonly number[] {
  if (blocks === 0) return [];
  const counts = [blocks];
  while (counts.length < least || (counts.at(-1) ?? 1) > 1)
    counts.push(Math.ceil((counts.at(-1) ?? 1) / fanOut));
  return counts;
}

/** FNV-1a: for damage, not for attacks, which the checks of each number are there for. */
export function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** The file is no index, or damaged: it is made anew. */
export function invalidIndex(
  file: string,
  offset: number,
  message: string,
): KymoError<'invalid-trace-index'> {
  return new KymoError(
    'invalid-trace-index',
    `${file}, byte ${offset}: ${message}. Open the trace again: its index is made anew.`,
    { file, offset },
  );
}
