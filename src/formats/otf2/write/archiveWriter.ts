import { getOrMake } from '../../../core/getOrMake';
import { bigEndian, littleEndian } from '../bytes/chunkedReader';
import type { Integer, TypedValue } from '../bytes/values';
import type { ClockOffset } from '../definitions/clock';
import type { DefinitionValue, PropertyValue } from '../definitions/records';
import {
  definitionLayout,
  globalDefinitions,
  localDefinitions,
  mappingTableKind,
  type DefinitionLayout,
  type Part,
} from '../layouts/definitions';
import { mappings, type MappedRef } from '../layouts/fields';
import { ChunkWriter, type Append } from './chunkWriter';
import { LocationWriter, withLength, writeTyped } from './locationWriter';
import { RecordBytes } from './recordBytes';

/** Takes the bytes of the archive's files, each file's in their order; files of locations are written in turns. */
export type ArchiveSink = (path: string) => Append;

export interface ArchiveOptions {
  readonly creator?: string;
  readonly machineName?: string;
  readonly description?: string;
  readonly properties?: ReadonlyMap<string, string>;
  readonly traceId?: bigint;
  /** The OTF2 library reads 256 KiB to 16 MiB; default: 1 MiB. */
  readonly chunkBytes?: number;
  /** Default: little endian. */
  readonly bigEndian?: boolean;
}

/** The ids of one kind of definition: local to global. */
export type IdPairs = Partial<Record<MappedRef, readonly (readonly [local: Integer, global: Integer])[]>>;

const usualChunk = 2 ** 20;
const anchorHeader = 3;
/** Formats of the anchor file and of the trace, and the version of OTF2 that has all of these records. */
const versions = [3, 2, 3, 0, 2];
const posix = 1;
const uncompressed = 1;

/**
 * Writes an archive `<name>.otf2`, `<name>.def`, `<name>/`. Definitions are written as they come: first `CLOCK_PROPERTIES` and the strings that others
 * refer to, `LOCATION`s (with the number of their events) after the events.
 */
export class ArchiveWriter {
  readonly #definitions: ChunkWriter;
  readonly #scratch: RecordBytes;
  readonly #little: boolean;
  readonly #chunkBytes: number;
  readonly #strings = new Map<string, number>();
  readonly #open = new Map<Integer, { readonly chunks: ChunkWriter; readonly writer: LocationWriter }>();
  #count = 0;
  #locations = 0;

  constructor(
    private readonly name: string,
    private readonly sink: ArchiveSink,
    private readonly options: ArchiveOptions = {},
  ) {
    this.#little = options.bigEndian !== true;
    this.#chunkBytes = options.chunkBytes ?? usualChunk;
    this.#scratch = new RecordBytes(this.#little);
    this.#definitions = this.#chunks(`${name}.def`);
  }

  #chunks(path: string): ChunkWriter {
    return new ChunkWriter(this.sink(path), this.#chunkBytes, this.#little);
  }

  /** Defines the string where it is new. @returns its id */
  string(text: string): number {
    return getOrMake(this.#strings, text, () => {
      const id = this.#strings.size;
      this.define('STRING', { id, text });
      return id;
    });
  }

  /**
   * @param name of its layout: `REGION`
   * @throws RangeError when a field is missing, or the record is larger than a chunk
   */
  define(name: string, values: Readonly<Record<string, DefinitionValue>>): void {
    writeDefinition(this.#definitions, this.#scratch, definitionLayout(globalDefinitions, name), values);
    this.#count++;
    if (name === 'LOCATION') this.#locations++;
  }

  /** The events of a location. */
  location(id: Integer): LocationWriter {
    return getOrMake(this.#open, id, () => {
      const chunks = this.#chunks(`${this.name}/${id}.evt`);
      return { chunks, writer: new LocationWriter(chunks) };
    }).writer;
  }

  /** Ends the events of a location. */
  close(id: Integer): void {
    this.#open.get(id)?.chunks.close();
    this.#open.delete(id);
  }

  /** The tables of a location, and the differences of its clock. */
  localDefinitions(id: Integer, maps: IdPairs = {}, offsets: readonly ClockOffset[] = []): void {
    const chunks = this.#chunks(`${this.name}/${id}.def`);
    for (const [kind, pairs] of Object.entries(maps)) this.#table(chunks, mappings[kind as MappedRef], pairs);
    for (const { time, offset, deviation } of offsets)
      writeDefinition(chunks, this.#scratch, definitionLayout(localDefinitions, 'CLOCK_OFFSET'), {
        time,
        offset,
        deviation,
      });
    chunks.close();
  }

  #table(chunks: ChunkWriter, kind: number, pairs: readonly (readonly [Integer, Integer])[]): void {
    const sorted = [...pairs].sort(([one], [other]) => Number(one) - Number(other));
    const isDense = sorted.every(([local], index) => Number(local) === index);
    this.#scratch.clear();
    this.#scratch.u8(mappingTableKind);
    withLength(this.#scratch, (body) => {
      body.u8(kind);
      body.compressed(sorted.length, 64);
      body.u8(isDense ? 0 : 1);
      for (const [local, global] of sorted) {
        if (!isDense) body.compressed(local, 64);
        body.compressed(global, 64);
      }
    });
    chunks.reserve(this.#scratch.length);
    chunks.raw(this.#scratch.content());
  }

  /** Ends all files, and writes the anchor file. */
  finish(): void {
    for (const id of [...this.#open.keys()]) this.close(id);
    this.#definitions.close();
    const {
      creator,
      machineName,
      description,
      properties = new Map<string, string>(),
      traceId,
    } = this.options;
    const anchor = new RecordBytes(this.#little);
    anchor.u8(anchorHeader);
    anchor.u8(this.#little ? littleEndian : bigEndian);
    anchor.text('OTF2');
    for (const version of versions) anchor.u8(version);
    anchor.fixed64(this.#chunkBytes);
    anchor.fixed64(this.#chunkBytes);
    anchor.u8(posix);
    anchor.u8(uncompressed);
    anchor.fixed64(this.#locations);
    anchor.fixed64(this.#count);
    for (const text of [machineName, creator ?? 'Kymo', description]) anchor.text(text ?? '');
    anchor.u32(properties.size);
    for (const [key, value] of properties) {
      anchor.text(key);
      anchor.text(value);
    }
    anchor.fixed64(traceId ?? 0);
    // Snapshots and thumbnails.
    anchor.u32(0);
    anchor.u32(0);
    for (const mark of [2, 1, 0]) anchor.u8(mark);
    this.sink(`${this.name}.otf2`)(anchor.content());
  }
}

function writeDefinition(
  chunks: ChunkWriter,
  scratch: RecordBytes,
  { kind, name, parts }: DefinitionLayout,
  values: Readonly<Record<string, DefinitionValue>>,
): void {
  scratch.clear();
  scratch.u8(kind);
  withLength(scratch, (body) => {
    for (const part of parts) writePart(body, part, name, values);
  });
  chunks.reserve(scratch.length);
  chunks.raw(scratch.content());
}

function writePart(
  body: RecordBytes,
  part: Part,
  name: string,
  values: Readonly<Record<string, DefinitionValue>>,
): void {
  if (part.as === 'legacy') {
    body.field(part.field.encoding, part.write);
    return;
  }
  const field = part.as === 'field' ? part.field.name : part.name;
  const value = values[field];
  if (value === undefined) throw new RangeError(`${name} needs the field ${field}.`);
  switch (part.as) {
    case 'field':
      body.field(part.field.encoding, value as Integer);
      break;
    case 'text':
      body.text(value as string);
      break;
    case 'value':
      writeTyped(body, value as TypedValue);
      break;
    case 'list': {
      const list = value as readonly Integer[];
      body.field(part.count.encoding, list.length);
      for (const element of list) body.field(part.element.encoding, element);
      break;
    }
    case 'properties': {
      const list = value as readonly PropertyValue[];
      body.u8(list.length);
      for (const { property, ...typed } of list) {
        body.u8(property);
        writeTyped(body, typed);
      }
    }
  }
}
