import { isKymoError, KymoError } from '../../core/errors';
import type { NamedSource } from '../byteSource';
import { readAnchor, type Anchor } from './anchor';
import { completenessNotes } from './completeness';
import { readGlobalDefinitions } from './definitions/globalDefinitions';
import { readLocalDefinitions, type LocationTables } from './definitions/localDefinitions';
import type { Definitions, Location } from './definitions/model';
import type { EventChunk } from './events/chunk';
import { EventReader } from './events/eventReader';
import {
  mergedRuns,
  visitMerged,
  type LocationChunks,
  type MergedRun,
  type MergedVisitor,
} from './events/merged';
import { Notes, type Note, type NoteReason } from './problems/notes';

/** The files of an archive, by their path relative to the folder of the anchor file, with `/`. */
export interface ArchiveFiles {
  /** @returns undefined where there is no such file */
  open(path: string): NamedSource | undefined;
}

export interface EventOptions {
  /** Events of a chunk; default: 8192. */
  readonly capacity?: number;
  /** Bytes that are read at once; default: 1 MiB. */
  readonly windowBytes?: number;
}

export interface Otf2Archive {
  /** Path of the anchor file as it was given. */
  readonly file: string;
  readonly anchor: Anchor;
  readonly definitions: Definitions;
  /** What was found so far: reading events may add notes. */
  notes(): readonly Note[];
  /** The events of a location in their order, in chunks that are overwritten by the next one. */
  events(location: Location, options?: EventOptions): IterableIterator<EventChunk>;
  /** For reading that may begin at any position it had before; undefined without a file of events. */
  reader(location: Location, options?: EventOptions): EventReader | undefined;
  /** Notes another number of events than the archive announces. @param found by a reader that has come to the end, with those of unknown kinds */
  ended(location: Location, found: number): void;
  /** The events of all locations, or of some of them, in the order of their times. */
  merged(visit: MergedVisitor, locations?: readonly Location[]): void;
  /** The same for callers that stop in between: events of one location that follow each other. */
  mergedRuns(locations?: readonly Location[]): Generator<MergedRun>;
}

const usualWindow = 2 ** 20;
const usualCapacity = 8192;
/** Bytes of all windows, and events of all chunks, of a merge: what there is for one location depends on their number. */
const mergedWindows = 2 ** 26;
const mergedEvents = 2 ** 21;
const leastWindow = 1024;
const leastCapacity = 32;

/**
 * Opens an archive: reads its anchor file and its definitions. Events are read when they are asked for.
 * @param anchorFile path of `<name>.otf2`, relative to the files
 * @throws KymoError `not-otf2`, `unsupported-otf2`, `missing-otf2-file`; `truncated-otf2` and `invalid-otf2` for the anchor file
 */
export function openOtf2(files: ArchiveFiles, anchorFile: string): Otf2Archive {
  const name = anchorFile.replace(/\.otf2$/i, '');
  const anchorSource = required(files, anchorFile);
  const anchor = readAnchor(anchorSource);
  const notes = new Notes();
  const definitions = readGlobalDefinitions(
    required(files, `${name}.def`),
    anchor.definitionChunkBytes,
    anchor.globalDefinitions,
    notes,
  );
  if (definitions.locations.length !== anchor.locations)
    notes.add(
      'count',
      `${anchorFile} announces ${anchor.locations} locations; there are ${definitions.locations.length}.`,
    );
  if (anchor.snapshots > 0)
    notes.add('ignored', `${anchorFile} has snapshots, which are not read: they repeat the events.`);
  for (const message of completenessNotes(anchorSource.file, anchor, definitions))
    notes.add('incomplete', message);
  const tablesOf = (location: Location): LocationTables => {
    const source = optional(files, `${name}/${location.id}.def`, 'local-definitions', notes);
    if (source === undefined) return { maps: [], offsets: [] };
    return readLocalDefinitions(source, anchor.definitionChunkBytes, notes);
  };
  const reader = (location: Location, options: EventOptions = {}): EventReader | undefined => {
    const path = `${name}/${location.id}.evt`;
    const source = optional(files, path, 'missing-events', notes);
    if (source === undefined) {
      if (location.events > 0)
        notes.add(
          'missing-events',
          `${path} is missing: the ${location.events} events of rank ${location.rank} (“${location.name}”) are not there.`,
        );
      return undefined;
    }
    return new EventReader(source, {
      chunkSize: anchor.eventChunkBytes,
      windowBytes: options.windowBytes ?? usualWindow,
      // Columns for many locations with few events would be mostly empty.
      capacity: Math.min(options.capacity ?? usualCapacity, Math.max(leastCapacity, location.events)),
      globalOffset: definitions.clock.globalOffset,
      tables: tablesOf(location),
      notes,
    });
  };
  const ended = (location: Location, found: number): void => {
    if (found !== location.events)
      notes.add(
        'count',
        `${name}/${location.id}.evt has ${found} events; the definitions announce ${location.events}.`,
      );
  };
  function* events(location: Location, options?: EventOptions): IterableIterator<EventChunk> {
    const opened = reader(location, options);
    if (opened === undefined) return;
    for (let chunk = opened.next(); chunk !== undefined; chunk = opened.next()) yield chunk;
    ended(location, opened.events + opened.unknown);
  }
  /** With windows and columns that are smaller for many locations. */
  const chunksOf = (locations: readonly Location[]): readonly LocationChunks[] => {
    const share = (total: number, least: number, most: number): number =>
      Math.max(least, Math.min(most, Math.floor(total / locations.length)));
    const options = {
      windowBytes: share(mergedWindows, leastWindow, usualWindow),
      capacity: share(mergedEvents, leastCapacity, usualCapacity),
    };
    return locations.map((location) => ({ location, chunks: events(location, options) }));
  };
  return {
    file: anchorFile,
    anchor,
    definitions,
    notes: () => notes.list(),
    events,
    merged: (visit, locations = definitions.locations) => visitMerged(chunksOf(locations), visit),
    mergedRuns: (locations = definitions.locations) => mergedRuns(chunksOf(locations)),
    reader,
    ended,
  };
}

/** A file that cannot be read is noted: those of other locations may be readable. */
function optional(
  files: ArchiveFiles,
  path: string,
  reason: NoteReason,
  notes: Notes,
): NamedSource | undefined {
  try {
    return files.open(path);
  } catch (error) {
    if (!isKymoError(error)) throw error;
    notes.add(reason, error.message);
    return undefined;
  }
}

function required(files: ArchiveFiles, path: string): NamedSource {
  const source = files.open(path);
  if (source !== undefined) return source;
  throw new KymoError(
    'missing-otf2-file',
    `${path} is missing. An OTF2 archive is a file <name>.otf2, a file <name>.def, and a folder <name>; copy all of them.`,
    { file: path },
  );
}
