import { createHash } from 'node:crypto';
import path from 'node:path';
import { isKymoError, KymoError } from '../../core/errors';
import type { TimelineIndex } from '../../core/timeline/answers/trace';
import type { CallColumns } from '../../core/timeline/index/callStack';
import { blockEvents, type BlockPosition } from '../../core/timeline/index/node';
import type { RowIndex } from '../../core/timeline/index/rowIndex';
import type { MessageIndex } from '../../core/timeline/messages/messageIndex';
import type { Scale } from '../../core/timeline/paint/spanList';
import type { TimelineFunction, TimelineHeader } from '../../core/timeline/pieces';
import type { Location } from '../../formats/otf2/definitions/model';
import type { EventReader } from '../../formats/otf2/events/eventReader';
import { TraceFunctions } from '../../formats/otf2/functions';
import { openOtf2, type Otf2Archive } from '../../formats/otf2/open';
import { TraceIndex } from '../../formats/trace-index/read';
import { folderFiles, type FolderFiles } from '../../measurement/files/archiveFiles';
import { requireOwn } from '../../measurement/files/ownFiles';
import { turn, type Cancellable } from '../running/turn';
import { CallBlock } from './callBlock';
import {
  indexPath,
  isFileSystemError,
  openIndexFile,
  removeIndexFile,
  writeIndexFile,
  type IndexFile,
} from './indexFile';
import { makeIndex, type MakingContext } from './makeIndex';
import { shownFunctions } from './shownFunctions';
import { rowLocations, timelineRow } from './traceRows';
import { fileState, isSameFile, TraceFiles } from './traceFiles';

/** Readers that are kept: what is looked at is looked at again. */
const mostReaders = 128;
const windowBytes = 1 << 15;
/** Files that are compared with the index until other work has its turn. */
const filesOfTurn = 512;

/** Changes with the files of a trace that all others are read by. @throws KymoError `file-missing`, `results-linked` */
export function traceId(anchor: string): string {
  requireOwn(anchor);
  return createHash('sha256')
    .update(`${anchor}\n${new TraceFiles(anchor).identity()}`)
    .digest('hex')
    .slice(0, 16);
}

/**
 * Opens a trace with its index, which is made where there is none, or an old one.
 * @throws KymoError of `openOtf2`; `file-unusable`, `disk-full`, `write-failed`
 */
export async function openTrace(anchor: string, context: MakingContext): Promise<OpenedTrace> {
  const id = traceId(anchor);
  const files = new TraceFiles(anchor);
  const source = folderFiles(files.folder);
  try {
    const archive = openOtf2(source, path.basename(anchor));
    const parts = { id, files, source, archive, locations: rowLocations(archive.definitions) };
    const kept = await keptIndex(parts, context);
    if (kept !== undefined) return kept;
    const { file, note } = await writeIndexFile(anchor, (append) =>
      makeIndex(archive, files, parts.locations, append, context),
    );
    return new OpenedTrace(parts, file, note === undefined ? [] : [note]);
  } catch (error) {
    source.close();
    throw error;
  }
}

interface Parts {
  readonly id: string;
  readonly files: TraceFiles;
  readonly source: FolderFiles;
  readonly archive: Otf2Archive;
  readonly locations: readonly Location[];
}

/** The index beside the trace, where it is one of these files. */
async function keptIndex(parts: Parts, context: Cancellable): Promise<OpenedTrace | undefined> {
  let file: IndexFile | undefined;
  try {
    file = openIndexFile(indexPath(parts.files.anchor));
    const opened = new OpenedTrace(parts, file, []);
    if (await opened.isOfTheseFiles(context)) return opened;
  } catch (error) {
    if (!isKymoError(error) && !isFileSystemError(error)) {
      file?.close();
      throw error;
    }
  }
  file?.close();
  return undefined;
}

/** A trace that questions are asked about. */
export class OpenedTrace implements TimelineIndex {
  readonly slots: number;
  readonly scale: Scale;
  readonly end: number;
  readonly rowCount: number;
  readonly functions: readonly TimelineFunction[];
  readonly #index: TraceIndex;
  /** What was decoded last. */
  readonly #block: CallBlock;
  /** The one that was used least recently first. */
  readonly #readers = new Map<number, EventReader>();

  /** @throws KymoError `invalid-trace-index` */
  constructor(
    private readonly parts: Parts,
    private readonly file: IndexFile,
    private readonly notes: readonly string[],
  ) {
    const { definitions } = parts.archive;
    this.#index = new TraceIndex(file.source, definitions.regions.size, (row, from, until) =>
      this.#readBlock(row, from, until),
    );
    const { unknown, rows } = this.#index.directory;
    this.#block = new CallBlock(new TraceFunctions(definitions, unknown));
    this.slots = this.#index.slots;
    this.functions = shownFunctions(definitions, unknown);
    this.rowCount = rows.length;
    const used = rows.filter(({ blocks }) => blocks > 0);
    const origin = used.reduce((least, { begin }) => Math.min(least, begin), Infinity);
    const ticksPerSecond = definitions.clock.ticksPerSecond;
    this.scale = {
      origin: used.length > 0 ? origin : 0,
      // A damaged trace has any number.
      ticksPerSecond: ticksPerSecond > 0 && ticksPerSecond < Infinity ? ticksPerSecond : 1e9,
    };
    this.end = used.reduce((most, { end }) => Math.max(most, end), this.scale.origin);
  }

  get id(): string {
    return this.parts.id;
  }

  /** Whether the index was made of the files as they are now. */
  async isOfTheseFiles(context: Cancellable): Promise<boolean> {
    const { files, locations } = this.parts;
    const { anchorFile, definitionFile, rows } = this.#index.directory;
    if (rows.length !== locations.length) return false;
    if (!isSameFile(anchorFile, fileState(files.anchor))) return false;
    if (!isSameFile(definitionFile, fileState(files.definitions))) return false;
    for (const [row, location] of locations.entries()) {
      const facts = rows[row];
      if (facts === undefined || !isSameFile(facts.eventFile, fileState(files.eventsOf(location))))
        return false;
      if (!isSameFile(facts.definitionFile, fileState(files.definitionsOf(location)))) return false;
      if (row % filesOfTurn === 0) await turn(context);
    }
    return true;
  }

  row(row: number): RowIndex | undefined {
    return this.#index.row(row);
  }

  get messages(): MessageIndex {
    return this.#index.messages;
  }

  header(): TimelineHeader {
    const { directory } = this.#index;
    const { archive, locations, id } = this.parts;
    const notes = [...this.notes, ...archive.notes().map(({ message }) => message), ...directory.notes];
    return {
      id,
      seconds: (this.end - this.scale.origin) / this.scale.ticksPerSecond,
      events: directory.rows.reduce((sum, { events }) => sum + events, 0),
      rows: locations.map((location, row) => timelineRow(location, directory.rows[row]?.events ?? 0)),
      functions: this.functions,
      depth: directory.depth,
      messages: directory.messages,
      notes: [...new Set(notes)],
    };
  }

  close(): void {
    this.file.close();
    this.parts.source.close();
  }

  /** Removes an index that was found to be damaged. */
  discardIndex(): void {
    removeIndexFile(this.parts.files.anchor);
  }

  #readBlock(row: number, from: BlockPosition, until: BlockPosition | undefined): CallColumns {
    const block = this.#block;
    block.count = 0;
    const reader = this.#reader(row);
    if (reader === undefined) return block;
    if (reader.position.offset !== from.offset || reader.position.now !== from.now) reader.seek(from);
    while (block.count < blockEvents && (until === undefined || reader.position.offset < until.offset)) {
      const chunk = reader.next();
      if (chunk === undefined) break;
      block.add(chunk);
    }
    return block;
  }

  /** @throws KymoError `trace-changed` */
  #reader(row: number): EventReader | undefined {
    const known = this.#readers.get(row);
    if (known !== undefined) {
      this.#readers.delete(row);
      this.#readers.set(row, known);
      return known;
    }
    const location = this.parts.locations[row];
    if (location === undefined) return undefined;
    this.#requireUnchanged(row, location);
    const reader = this.parts.archive.reader(location, { capacity: blockEvents, windowBytes });
    if (reader === undefined) return undefined;
    const [oldest] = this.#readers.keys();
    if (oldest !== undefined && this.#readers.size >= mostReaders) this.#readers.delete(oldest);
    this.#readers.set(row, reader);
    return reader;
  }

  /** More events at the end do not matter. */
  #requireUnchanged(row: number, location: Location): void {
    const file = this.parts.files.eventsOf(location);
    const then = this.#index.directory.rows[row]?.eventFile;
    const now = fileState(file);
    if (then !== undefined && (now.size > then.size || isSameFile(then, now))) return;
    throw changed(file);
  }
}

export function changed(file: string): KymoError<'trace-changed'> {
  return new KymoError('trace-changed', `${file} has changed since the trace was opened. Open it again.`, {
    file,
  });
}
