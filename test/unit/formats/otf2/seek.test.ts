import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EventReader } from '../../../../src/formats/otf2/events/eventReader';
import { ArchiveWriter } from '../../../../src/formats/otf2/write/archiveWriter';
import { MemoryArchive, openMemory, plainEvent, type PlainEvent } from './memoryArchive';

const capacity = 32;

/** Chunks of events with the position in front of each. */
function chunksOf(reader: EventReader): { position: EventReader['position']; events: PlainEvent[] }[] {
  const chunks = [];
  for (;;) {
    const { position } = reader;
    const chunk = reader.next();
    if (chunk === undefined) return chunks;
    chunks.push({ position, events: Array.from({ length: chunk.count }, (_, at) => plainEvent(chunk, at)) });
  }
}

function requireSeeks(memory: MemoryArchive, name: string): number {
  const archive = openMemory(memory, name);
  let most = 0;
  for (const location of archive.definitions.locations) {
    const options = { capacity, windowBytes: 200 };
    const reader = archive.reader(location, options);
    if (reader === undefined) continue;
    const chunks = chunksOf(reader);
    most = Math.max(most, chunks.length);
    // From the last to the first: with the reader that was at the end, and with a new one.
    for (const { position, events } of [...chunks].reverse())
      for (const from of [reader, archive.reader(location, options)]) {
        from?.seek(position);
        const chunk = from?.next();
        const found = chunk && Array.from({ length: chunk.count }, (_, at) => plainEvent(chunk, at));
        expect(found).toEqual(events);
      }
  }
  return most;
}

describe('reading that goes on at a position', () => {
  it('gives the records of every kind', () => {
    const folder = path.resolve(import.meta.dirname, '../../../fixtures/otf2/every');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => statSync(path.join(folder, file)).isFile())
      .map((file) => [file, new Uint8Array(readFileSync(path.join(folder, file)))] as const);
    expect(requireSeeks(new MemoryArchive(new Map(files)), 'every')).toBeGreaterThan(1);
  });

  it.each([false, true])(
    'corrects times by the clock as from the beginning (other byte order: %s)',
    (bigEndian) => {
      const memory = new MemoryArchive();
      // Chunks of 128 bytes: some positions are at their ends.
      const writer = new ArchiveWriter('traces', memory.sink, { chunkBytes: 128, bigEndian });
      const events = writer.location(0);
      for (let at = 0; at < 1000; at++) events.enter(1000 + Math.floor(at / 3) * 10, at % 300);
      writer.close(0);
      const offsets = [0, 1, 2, 3].map((at) => ({
        time: BigInt(1000 + at * 900),
        offset: BigInt(at * at * 500),
        deviation: 0,
      }));
      writer.localDefinitions(0, { region: [[1, 7]] }, offsets);
      writer.define('CLOCK_PROPERTIES', {
        ticksPerSecond: 1,
        globalOffset: 500,
        length: 1,
        realtimeNanoseconds: 0,
      });
      writer.define('LOCATION', { id: 0, name: writer.string(''), type: 1, events: 1000, group: 0 });
      writer.finish();
      expect(requireSeeks(memory, 'traces')).toBe(Math.ceil(1000 / capacity));
    },
  );

  it('at no position of the file is an error or goes on', () => {
    const memory = new MemoryArchive();
    const writer = new ArchiveWriter('traces', memory.sink, { chunkBytes: 256 });
    const events = writer.location(0);
    for (let at = 0; at < 200; at++) events.enter(at, at);
    writer.close(0);
    writer.define('CLOCK_PROPERTIES', {
      ticksPerSecond: 1,
      globalOffset: 0,
      length: 1,
      realtimeNanoseconds: 0,
    });
    writer.define('LOCATION', { id: 0, name: writer.string(''), type: 1, events: 200, group: 0 });
    writer.finish();
    const archive = openMemory(memory, 'traces');
    const reader = archive.reader(archive.definitions.locations[0]!);
    const size = memory.contents.get('traces/0.evt')?.length ?? 0;
    for (let offset = 0; offset < size + 600; offset++) {
      reader?.seek({ offset, now: 0 });
      while (reader?.next() !== undefined);
    }
    expect(archive.notes().length).toBeGreaterThan(0);
  });
});
