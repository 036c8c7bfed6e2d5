import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Integer } from '../../../../src/formats/otf2/bytes/values';
import type { Attribute } from '../../../../src/formats/otf2/events/chunk';
import { eventLayouts, type EventLayout } from '../../../../src/formats/otf2/layouts/events';
import { valueFields, type Encoding } from '../../../../src/formats/otf2/layouts/fields';
import { ArchiveWriter } from '../../../../src/formats/otf2/write/archiveWriter';
import { faults, MemoryArchive, openMemory, plainEvent, plainEvents, type PlainEvent } from './memoryArchive';

const layouts = eventLayouts.filter((layout) => layout !== undefined);

/** Numbers where they are exact, as the reader gives them. */
const normal = (value: bigint): Integer => (Number.isSafeInteger(Number(value)) ? Number(value) : value);
const unsigned = (bits: number): fc.Arbitrary<Integer> => {
  const most = 2n ** BigInt(bits) - 1n;
  const sized = fc
    .tuple(fc.integer({ min: 1, max: bits }), fc.bigInt({ min: 0n, max: most }))
    .map(([used, value]) => value & (2n ** BigInt(used) - 1n));
  return fc.oneof(sized, fc.constantFrom(0n, 1n, 255n, 256n & most, most)).map(normal);
};
const signed = (bits: number): fc.Arbitrary<Integer> =>
  unsigned(bits).map((value) => normal(BigInt.asIntN(bits, BigInt(value))));

function valueOf(encoding: Encoding): fc.Arbitrary<Integer> {
  switch (encoding) {
    case 'u8':
      return unsigned(8);
    case 'u16':
      return unsigned(16);
    case 'u32':
      return unsigned(32);
    case 'u64':
    case 'fixed64':
      return unsigned(64);
    case 'i8':
      return signed(8);
    case 'i16':
      return signed(16);
    case 'i32':
      return signed(32);
    case 'i64':
      return signed(64);
    case 'float':
      return fc.float({ noNaN: true });
    case 'double':
      return fc.double({ noNaN: true });
    case 'time':
      return fc.nat();
  }
}

const metricValue: fc.Arbitrary<readonly Integer[]> = fc.oneof(
  unsigned(64).map((value) => [4, value] as const),
  signed(64).map((value) => [8, value] as const),
  fc.double({ noNaN: true }).map((value) => [10, value] as const),
);

function valuesOf(layout: EventLayout): fc.Arbitrary<readonly Integer[]> {
  const fields = fc.tuple(...layout.fields.map(({ encoding }) => valueOf(encoding)));
  if (layout.repeated === undefined) return fields;
  const elements: fc.Arbitrary<readonly (readonly Integer[])[]> =
    layout.repeated.as === 'typed'
      ? fc.array(metricValue, { maxLength: 20 })
      : fc.array(
          unsigned(32).map((value) => [value]),
          { maxLength: 70 },
        );
  return fc
    .tuple(fields, elements)
    .map(([values, list]) => [...values.slice(0, -1), list.length, ...list.flat()]);
}

const attribute: fc.Arbitrary<Attribute> = fc.integer({ min: 1, max: valueFields.length - 1 }).chain((type) =>
  fc.record({
    attribute: unsigned(32).map(Number),
    type: fc.constant(type),
    value: valueOf(valueFields[type]!.encoding),
  }),
);

interface Step {
  readonly layout: EventLayout;
  readonly values: readonly Integer[];
  readonly attributes: readonly Attribute[];
  readonly ticks: number;
}

const call = fc.constantFrom(...layouts.filter(({ name }) => name === 'ENTER' || name === 'LEAVE'));
const step: fc.Arbitrary<Step> = fc.oneof(call, fc.constantFrom(...layouts)).chain((layout) =>
  fc.record({
    layout: fc.constant(layout),
    values: valuesOf(layout),
    attributes: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.array(attribute, { maxLength: 20 })),
    ticks: fc.oneof(
      fc.constant(0),
      fc.nat(1000),
      fc.nat({ max: 2 ** 31 - 1 }).map((ticks) => ticks * 1000),
    ),
  }),
);

const archives = fc.record({
  locations: fc.array(fc.array(step, { maxLength: 60 }), { maxLength: 4 }),
  begin: fc.bigInt({ min: 0n, max: 2n ** 62n }),
  bigEndian: fc.boolean(),
  // Just enough for the largest record, and more.
  chunkBytes: fc.integer({ min: 1200, max: 5000 }),
  windowBytes: fc.integer({ min: 1, max: 3000 }),
  capacity: fc.integer({ min: 1, max: 40 }),
});

/** What was written, as the reader should give it. */
function written(steps: readonly Step[]): PlainEvent[] {
  let time = 0;
  return steps.map(({ layout, values, attributes, ticks }) => {
    time += ticks;
    return { name: layout.name, time, values, attributes };
  });
}

describe('archives that were written', () => {
  it('are read equal, whatever the sizes of chunks, windows and columns', () => {
    fc.assert(
      fc.property(archives, ({ locations, begin, bigEndian, chunkBytes, windowBytes, capacity }) => {
        const memory = new MemoryArchive();
        const writer = new ArchiveWriter('t', memory.sink, { bigEndian, chunkBytes });
        const events = locations.map(written);
        for (const [id, list] of events.entries()) {
          const target = writer.location(id);
          for (const { name, time, values, attributes } of list) {
            const at = begin + BigInt(time);
            const absolute = name === 'BUFFER_FLUSH' ? [begin + BigInt(values[0]!)] : values;
            // The short way for calls, and the way of all records.
            if (attributes.length === 0 && time % 2 === 0 && name === 'ENTER')
              target.enter(at, Number(values[0]));
            else if (attributes.length === 0 && time % 2 === 0 && name === 'LEAVE')
              target.leave(at, Number(values[0]));
            else target.event(name, at, absolute, attributes);
          }
        }
        writer.define('CLOCK_PROPERTIES', {
          ticksPerSecond: 1,
          globalOffset: begin,
          length: 1,
          realtimeNanoseconds: 0,
        });
        for (const [id, list] of events.entries())
          writer.define('LOCATION', { id, name: writer.string('l'), type: 1, events: list.length, group: 0 });
        writer.finish();
        const archive = openMemory(memory, 't');
        for (const [id, list] of events.entries()) {
          const location = archive.definitions.locations[id]!;
          expect(plainEvents(archive, location, { windowBytes, capacity })).toEqual(list);
        }
        const merged: [number, number][] = [];
        archive.merged(({ id }, chunk, index) => merged.push([plainEvent(chunk, index).time, Number(id)]));
        const all = events.flatMap((list, id) => list.map(({ time }): [number, number] => [time, id]));
        expect(merged).toEqual(all.sort(([a, i], [b, j]) => a - b || i - j));
        expect(faults(archive)).toEqual([]);
      }),
    );
  });

  it('refuses a record that is larger than a chunk, and values that do not fit', () => {
    const writer = new ArchiveWriter('t', new MemoryArchive().sink, { chunkBytes: 256 });
    const target = writer.location(0);
    const many = Array.from({ length: 300 }, () => 1);
    expect(() => target.event('PROGRAM_BEGIN', 1, [0, many.length, ...many])).toThrow(RangeError);
    expect(() => target.event('MPI_SEND', 1, [0, 1])).toThrow('MPI_SEND');
    expect(() => target.event('PROGRAM_BEGIN', 1, [0, 2, 5])).toThrow('PROGRAM_BEGIN');
    expect(() => target.event('SEND', 1, [])).toThrow('SEND');
    expect(() => writer.define('REGION', { id: 1 })).toThrow('REGION needs the field name');
  });
});
