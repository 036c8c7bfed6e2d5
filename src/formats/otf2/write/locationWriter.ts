import { at } from '../../../core/at';
import type { Integer, TypedValue } from '../bytes/values';
import type { Attribute } from '../events/chunk';
import { enterKind, eventKind, eventLayouts, leaveKind, type EventLayout } from '../layouts/events';
import { valueFields } from '../layouts/fields';
import type { ChunkWriter } from './chunkWriter';
import { RecordBytes } from './recordBytes';

const timestampBytes = 9;
/** Type, length, and a compressed integer. */
const callBytes = 10;
const double = 10;

/** Writes the events of one location, in their order. Times are ticks of its clock, not relative to anything. */
export class LocationWriter {
  /** Events so far. */
  events = 0;
  readonly #scratch: RecordBytes;
  #high = -1;
  #low = -1;

  constructor(private readonly chunks: ChunkWriter) {
    this.#scratch = new RecordBytes(chunks.little);
  }

  enter(time: Integer, region: number): void {
    this.#call(enterKind, time, region);
  }

  leave(time: Integer, region: number): void {
    this.#call(leaveKind, time, region);
  }

  #call(kind: number, time: Integer, region: number): void {
    const { chunks } = this;
    if (region >= 0x10000) {
      this.#scratch.clear();
      this.#scratch.u8(kind);
      this.#scratch.compressed(region, 32);
      this.#write(time);
      return;
    }
    this.#begin(time, callBytes);
    const { view, little } = chunks;
    const size = region === 0 ? 0 : region < 0x100 ? 1 : 2;
    view.setUint8(chunks.position, kind);
    view.setUint8(chunks.position + 1, size);
    if (size === 1) view.setUint8(chunks.position + 2, region);
    else if (size === 2) view.setUint16(chunks.position + 2, region, little);
    chunks.position += 2 + size;
    this.#finish();
  }

  /**
   * @param name of its layout: `MPI_SEND`
   * @param values in the order of the layout; those of a metric with the type before each value
   * @throws RangeError for values that do not fit the layout
   */
  event(
    name: string,
    time: Integer,
    values: readonly Integer[],
    attributes: readonly Attribute[] = [],
  ): void {
    const layout = at(eventLayouts, eventKind(name));
    if (layout === undefined) return;
    this.#scratch.clear();
    if (attributes.length > 0) this.#attributes(attributes);
    this.#scratch.u8(layout.kind);
    if (layout.bare) this.#fields(this.#scratch, layout, values);
    else withLength(this.#scratch, (body) => this.#fields(body, layout, values));
    this.#write(time);
  }

  #fields(body: RecordBytes, { name, fields, repeated }: EventLayout, values: readonly Integer[]): void {
    const count = repeated === undefined ? 0 : Number(at(values, fields.length - 1));
    if (values.length !== fields.length + count * (repeated?.as === 'typed' ? 2 : 1))
      throw new RangeError(`${name} has other fields than ${values.length} values.`);
    for (const [index, { encoding }] of fields.entries()) body.field(encoding, at(values, index));
    for (let index = fields.length; index < values.length; index++) {
      const value = at(values, index);
      if (repeated?.as === 'refs') body.field(repeated.field.encoding, value);
      else {
        body.u8(Number(value));
        const given = at(values, ++index);
        if (Number(value) === double) body.compressedDouble(Number(given));
        else body.compressed(given, 64);
      }
    }
  }

  #attributes(attributes: readonly Attribute[]): void {
    this.#scratch.u8(6);
    withLength(this.#scratch, (body) => {
      body.compressed(attributes.length, 32);
      for (const { attribute, ...value } of attributes) {
        body.compressed(attribute, 32);
        writeTyped(body, value);
      }
    });
  }

  /** What is in `#scratch`. */
  #write(time: Integer): void {
    const bytes = this.#scratch.content();
    this.#begin(time, bytes.length);
    this.chunks.raw(bytes);
    this.#finish();
  }

  /** Writes the time where it changed, and at the begin of a chunk. */
  #begin(time: Integer, length: number): void {
    const { chunks } = this;
    const isNew = chunks.reserve(timestampBytes + length);
    const high = typeof time === 'number' ? Math.floor(time / 0x1_0000_0000) : Number(time >> 32n);
    const low = typeof time === 'number' ? time - high * 0x1_0000_0000 : Number(time & 0xffffffffn);
    if (!isNew && high === this.#high && low === this.#low) return;
    this.#high = high;
    this.#low = low;
    const { view, little, position } = chunks;
    view.setUint8(position, 5);
    view.setUint32(position + (little ? 1 : 5), low, little);
    view.setUint32(position + (little ? 5 : 1), high, little);
    chunks.position += timestampBytes;
  }

  #finish(): void {
    this.events++;
    this.chunks.countEvent();
  }
}

/** Writes a length, and what `write` adds behind it. */
export function withLength(target: RecordBytes, write: (body: RecordBytes) => void): void {
  const body = new RecordBytes(target.little);
  write(body);
  if (body.length < 0xff) target.u8(body.length);
  else {
    target.u8(0xff);
    target.fixed64(body.length);
  }
  target.raw(body.content());
}

/** @throws RangeError for an unknown type */
export function writeTyped(body: RecordBytes, { type, value }: TypedValue): void {
  const field = valueFields[type];
  if (field === undefined) throw new RangeError(`There is no type ${type} of a value.`);
  body.u8(type);
  body.field(field.encoding, value);
}
