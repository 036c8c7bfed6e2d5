import { isKymoError } from '../../../core/errors';
import { at } from '../../../core/at';
import type { NamedSource } from '../../byteSource';
import { ChunkedReader } from '../bytes/chunkedReader';
import { readNumber, readTyped } from '../bytes/values';
import { clockIntervals } from '../definitions/clock';
import type { LocationTables } from '../definitions/localDefinitions';
import { undefinedRef } from '../definitions/globalDefinitions';
import { enterKind, eventKind, eventLayouts, leaveKind, type EventLayout } from '../layouts/events';
import { mappings, type Field } from '../layouts/fields';
import type { Notes } from '../problems/notes';
import { ChunkColumns, type Attribute, type EventChunk } from './chunk';
import { EventClock } from './eventClock';

const timestampKind = 5;
const attributeListKind = 6;
const onOffKind = eventKind('MEASUREMENT_ON_OFF');
const measurementOff = 2;
const double = 10;
const int64 = 8;
/** A timestamp, or a record with a region, whichever is longer. */
const fastBytes = 16;

export interface EventReaderOptions {
  readonly chunkSize: number;
  readonly windowBytes: number;
  /** Events of a chunk. */
  readonly capacity: number;
  readonly globalOffset: bigint;
  readonly tables: LocationTables;
  readonly notes: Notes;
}

/** Where reading goes on. */
export interface EventPosition {
  /** In the file, of a record or of the end of a chunk. */
  readonly offset: number;
  /** Ticks since the global offset: the time that counts until the next timestamp. */
  readonly now: number;
}

/** Reads the events of one location, a chunk at a time. Damage ends the reading and becomes a note; what was read before is delivered. */
export class EventReader {
  /** Events delivered so far, and records that were skipped. */
  events = 0;
  unknown = 0;

  readonly #reader: ChunkedReader;
  readonly #chunk: ChunkColumns;
  #clock: EventClock;
  readonly #options: EventReaderOptions;
  /** Attributes of the next event. */
  #pending: readonly Attribute[] | undefined;
  #ended = false;

  constructor(source: NamedSource, options: EventReaderOptions) {
    const { chunkSize, windowBytes, capacity, tables, globalOffset } = options;
    this.#options = options;
    this.#reader = new ChunkedReader(source, chunkSize, Math.min(windowBytes, source.size));
    this.#chunk = new ChunkColumns(capacity);
    this.#clock = new EventClock(clockIntervals(tables.offsets, globalOffset));
  }

  /** Of the events that `next` gives next. */
  get position(): EventPosition {
    return { offset: this.#reader.offset, now: this.#clock.now };
  }

  /** Goes on from a position that the reader, or another one of the same file, had. */
  seek({ offset, now }: EventPosition): void {
    const { tables, globalOffset } = this.#options;
    // Clocks only go forward to later intervals.
    this.#clock = new EventClock(clockIntervals(tables.offsets, globalOffset));
    this.#clock.now = now;
    this.#pending = undefined;
    this.#ended = false;
    this.#guarded(() => this.#reader.seek(offset));
  }

  /** @returns the next events, in columns that the next call overwrites; undefined at the end */
  next(): EventChunk | undefined {
    const chunk = this.#chunk;
    chunk.clear();
    if (!this.#ended) this.#guarded(() => this.#fill());
    if (chunk.count === 0) return undefined;
    this.events += chunk.count;
    return chunk;
  }

  #guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!isKymoError(error)) throw error;
      this.#ended = true;
      const reason = error.reason === 'truncated-otf2' ? 'truncated' : 'damaged';
      this.#options.notes.add(reason, `${error.message} The events before it are there.`);
      this.#summarize();
    }
  }

  #fill(): void {
    const chunk = this.#chunk;
    while (chunk.count < chunk.capacity) {
      if (this.#pending === undefined) this.#readCalls();
      if (chunk.count === chunk.capacity) return;
      const type = this.#reader.nextType();
      if (type < 0) {
        this.#end();
        return;
      }
      this.#readRecord(type);
    }
  }

  /** The fast way for timestamps, enters and leaves; ends at any other record, and where the window has to be filled. */
  #readCalls(): void {
    const reader = this.#reader;
    const chunk = this.#chunk;
    const clock = this.#clock;
    const { view, little } = reader;
    const { capacity, kind, time, first } = chunk;
    const map = this.#options.tables.maps[mappings.region];
    const limit = reader.end - fastBytes;
    let { position } = reader;
    let { count, used } = chunk;
    chunk.reserve(capacity - count);
    const { values } = chunk;
    while (position <= limit && count < capacity) {
      const type = view.getUint8(position);
      if (type === timestampKind) {
        const lower = view.getUint32(position + (little ? 1 : 5), little);
        clock.set(view.getUint32(position + (little ? 5 : 1), little), lower);
        position += 9;
        continue;
      }
      if (type !== enterKind && type !== leaveKind) break;
      const size = view.getUint8(position + 1);
      let region: number;
      if (size === 1) region = view.getUint8(position + 2);
      else if (size === 2) region = view.getUint16(position + 2, little);
      else break;
      position += 2 + size;
      kind[count] = type;
      time[count] = clock.now;
      values[used++] = map === undefined ? region : map.globalOf(region);
      first[++count] = used;
    }
    reader.position = position;
    chunk.count = count;
    chunk.used = used;
  }

  #readRecord(type: number): void {
    const reader = this.#reader;
    if (type === timestampKind) {
      reader.need(8);
      this.#clock.set(...this.#halves());
      return;
    }
    if (type === attributeListKind) {
      this.#readAttributes();
      return;
    }
    const layout = eventLayouts[type];
    if (layout === undefined) {
      reader.position = reader.recordEnd();
      this.unknown++;
    } else this.#readEvent(layout);
    this.#pending = undefined;
  }

  #halves(): [high: number, low: number] {
    const { view, little, position } = this.#reader;
    this.#reader.position += 8;
    const [high, low] = little ? [position + 4, position] : [position, position + 4];
    return [view.getUint32(high, little), view.getUint32(low, little)];
  }

  #readEvent(layout: EventLayout): void {
    const reader = this.#reader;
    const chunk = this.#chunk;
    // A bare record is a byte for the size, and as many bytes.
    const end = layout.bare ? this.#bareEnd() : reader.recordEnd();
    chunk.begin(layout.kind, this.#clock.now);
    try {
      for (const field of layout.fields) this.#readField(field);
      if (layout.repeated !== undefined) this.#readRepeated(layout.repeated, end);
      reader.finish(end);
    } catch (error) {
      chunk.undo();
      throw error;
    }
    if (this.#pending !== undefined) chunk.attributes.set(chunk.count, this.#pending);
    if (layout.kind === onOffKind) this.#notePause(at(chunk.values, chunk.used - 1));
    chunk.finish();
  }

  #notePause(mode: number): void {
    if (mode !== measurementOff) return;
    this.#options.notes.add(
      'incomplete',
      `${this.#reader.file}: the recording was switched off for a part of the run, which is not in the trace.`,
    );
  }

  #bareEnd(): number {
    const reader = this.#reader;
    reader.need(1);
    const size = reader.view.getUint8(reader.position);
    const length = size === 0xff ? 1 : 1 + size;
    if (length > 9) throw reader.tooLong(size, 8);
    reader.need(length);
    return reader.position + length;
  }

  #readField(field: Field): void {
    const reader = this.#reader;
    if (field.encoding === 'time') {
      this.#chunk.push(this.#clock.at(...this.#halves()));
      return;
    }
    const value = readNumber(reader, field.encoding);
    this.#chunk.push(this.#translate(value, field), reader.exact);
  }

  #translate = (value: number, { mapping }: Field): number => {
    if (mapping < 0 || value === undefinedRef) return value;
    return this.#options.tables.maps[mapping]?.globalOf(value) ?? value;
  };

  #readRepeated(repeated: NonNullable<EventLayout['repeated']>, end: number): void {
    const reader = this.#reader;
    const chunk = this.#chunk;
    const count = at(chunk.values, chunk.used - 1);
    for (let left = count; left > 0; left--) {
      if (reader.position >= end)
        throw reader.error('invalid-otf2', `${count} values were expected; the record ends before.`);
      if (repeated.as === 'refs') this.#readField(repeated.field);
      else this.#readMetricValue();
    }
  }

  #readMetricValue(): void {
    const reader = this.#reader;
    const chunk = this.#chunk;
    const type = reader.u8();
    chunk.push(type);
    if (type === double) chunk.push(asDouble(reader.word()));
    else if (type === int64) chunk.push(reader.signed(8), reader.exact);
    else chunk.push(reader.unsigned(8), reader.exact);
  }

  #readAttributes(): void {
    const reader = this.#reader;
    const end = reader.recordEnd();
    const count = reader.unsigned(4);
    const attributes: Attribute[] = [];
    while (attributes.length < count) {
      if (reader.position >= end)
        throw reader.error('invalid-otf2', `${count} attributes were expected; the record ends before.`);
      const id = reader.unsigned(4);
      const attribute = this.#options.tables.maps[mappings.attribute]?.globalOf(id) ?? id;
      attributes.push({ attribute, ...readTyped(reader, this.#translate) });
    }
    reader.finish(end);
    this.#pending = attributes;
  }

  #end(): void {
    this.#ended = true;
    if (!this.#reader.complete)
      this.#options.notes.add(
        'truncated',
        `${this.#reader.file} has no end mark: it was cut off, or is still being written. The events before it are there.`,
      );
    this.#summarize();
  }

  #summarize(): void {
    const { notes } = this.#options;
    const { file } = this.#reader;
    const { backwards, inexact } = this.#clock;
    if (this.unknown > 0)
      notes.add('unknown-records', `${file}: ${this.unknown} events of an unknown kind were skipped.`);
    if (backwards > 0)
      notes.add('times-backwards', `${file}: events that are earlier than the one before: ${backwards}.`);
    if (inexact > 0)
      notes.add(
        'inexact-times',
        `${file}: times that are more than 2^53 ticks away from the beginning are rounded: ${inexact}.`,
      );
  }
}

const bits = new DataView(new ArrayBuffer(8));

function asDouble(word: bigint): number {
  bits.setBigUint64(0, word);
  return bits.getFloat64(0);
}
