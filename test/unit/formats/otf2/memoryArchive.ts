import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { namedBytes } from '../../../../src/formats/byteSource';
import type { Integer } from '../../../../src/formats/otf2/bytes/values';
import type { Location } from '../../../../src/formats/otf2/definitions/model';
import type { Attribute, EventChunk } from '../../../../src/formats/otf2/events/chunk';
import { eventLayouts } from '../../../../src/formats/otf2/layouts/events';
import {
  openOtf2,
  type ArchiveFiles,
  type EventOptions,
  type Otf2Archive,
} from '../../../../src/formats/otf2/open';
import type { Note } from '../../../../src/formats/otf2/problems/notes';
import { ArchiveWriter, type ArchiveOptions } from '../../../../src/formats/otf2/write/archiveWriter';

/** The files of an archive in memory, by their path. */
export class MemoryArchive implements ArchiveFiles {
  constructor(readonly contents = new Map<string, Uint8Array>()) {}

  /** For a writer. */
  readonly sink =
    (file: string) =>
    (bytes: Uint8Array): void => {
      this.contents.set(file, Buffer.concat([this.contents.get(file) ?? new Uint8Array(0), bytes]));
    };

  open(file: string): ReturnType<ArchiveFiles['open']> {
    const bytes = this.contents.get(file);
    return bytes === undefined ? undefined : namedBytes(file, bytes);
  }

  /** The same with other bytes of one file. */
  with(file: string, bytes: Uint8Array): MemoryArchive {
    return new MemoryArchive(new Map([...this.contents, [file, bytes]]));
  }

  without(file: string): MemoryArchive {
    return new MemoryArchive(new Map([...this.contents].filter(([name]) => name !== file)));
  }

  save(folder: string): void {
    for (const [file, bytes] of this.contents) {
      mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(folder, file), bytes);
    }
  }
}

/** An event as a plain object. */
export interface PlainEvent {
  readonly name: string;
  /** Ticks since the global offset. */
  readonly time: number;
  readonly values: readonly Integer[];
  readonly attributes: readonly Attribute[];
}

export function plainEvent(chunk: EventChunk, index: number): PlainEvent {
  const values: Integer[] = [];
  for (let at = chunk.first[index]!; at < chunk.first[index + 1]!; at++)
    values.push(chunk.exact.get(at) ?? chunk.values[at]!);
  return {
    name: eventLayouts[chunk.kind[index]!]!.name,
    time: chunk.time[index]!,
    values,
    attributes: chunk.attributes.get(index) ?? [],
  };
}

export function plainEvents(archive: Otf2Archive, location: Location, options?: EventOptions): PlainEvent[] {
  const events: PlainEvent[] = [];
  for (const chunk of archive.events(location, options))
    for (let index = 0; index < chunk.count; index++) events.push(plainEvent(chunk, index));
  return events;
}

/** Writes what was read once more, with corrected times and global ids. */
export function rewritten(archive: Otf2Archive, name: string, options: ArchiveOptions): MemoryArchive {
  const memory = new MemoryArchive();
  const writer = new ArchiveWriter(name, memory.sink, options);
  const { definitions } = archive;
  const { globalOffset } = definitions.clock;
  for (const location of definitions.locations) {
    const events = writer.location(location.id);
    writer.localDefinitions(location.id);
    for (const { name: kind, time, values, attributes } of plainEvents(archive, location)) {
      const absolute = globalOffset + BigInt(time);
      if (kind === 'BUFFER_FLUSH')
        events.event(kind, absolute, [globalOffset + BigInt(values[0]!)], attributes);
      else events.event(kind, absolute, values, attributes);
    }
  }
  for (const record of definitions.records()) writer.define(record.name, record.values);
  writer.finish();
  return memory;
}

export function openMemory(memory: MemoryArchive, name: string): Otf2Archive {
  return openOtf2(memory, `${name}.otf2`);
}

/** What is wrong with an archive: what its recording left out is no fault of it. */
export function faults(archive: Otf2Archive): readonly Note[] {
  return archive.notes().filter(({ reason }) => reason !== 'incomplete');
}
