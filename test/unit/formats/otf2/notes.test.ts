import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { folderFiles } from '../../../../src/measurement/files/archiveFiles';
import { openOtf2 } from '../../../../src/formats/otf2/open';
import { ArchiveWriter, type ArchiveOptions } from '../../../../src/formats/otf2/write/archiveWriter';
import { MemoryArchive, openMemory, plainEvents } from './memoryArchive';
import { volume } from '../../../volume';

const none = 0xffffffff;
const header = 18;

/** Two locations with some calls each. */
function twoLocations(options: ArchiveOptions = {}, names: readonly string[] = ['main', 'f']): MemoryArchive {
  const memory = new MemoryArchive();
  const writer = new ArchiveWriter('t', memory.sink, options);
  writer.define('CLOCK_PROPERTIES', {
    ticksPerSecond: 1000,
    globalOffset: 100,
    length: 50,
    realtimeNanoseconds: 0,
  });
  for (const [id, name] of names.entries()) {
    const text = writer.string(name);
    const place = { file: text, firstLine: 1, lastLine: 2 };
    writer.define('REGION', {
      id,
      name: text,
      canonicalName: text,
      description: text,
      role: 1,
      paradigm: 2,
      flags: 0,
      ...place,
    });
  }
  for (const id of [0, 1]) {
    const events = writer.location(id);
    events.enter(100, 0);
    events.enter(110, 1);
    events.leave(120, 1);
    events.leave(150, 0);
    writer.define('LOCATION_GROUP', {
      id,
      name: writer.string(`rank ${id}`),
      type: 1,
      parent: none,
      creator: none,
    });
    writer.define('LOCATION', { id, name: writer.string('thread'), type: 1, events: 4, group: id });
  }
  writer.finish();
  return memory;
}

const reasons = (memory: MemoryArchive): string[] => {
  const archive = openMemory(memory, 't');
  archive.merged(() => undefined);
  return archive.notes().map(({ reason }) => reason);
};

function change(
  memory: MemoryArchive,
  file: string,
  edit: (bytes: Uint8Array) => Uint8Array | undefined,
): MemoryArchive {
  const bytes = Uint8Array.from(memory.contents.get(file)!);
  return memory.with(file, edit(bytes) ?? bytes);
}

function refusal(memory: MemoryArchive): Pick<KymoError, 'reason' | 'message'> {
  try {
    openMemory(memory, 't');
  } catch (error) {
    return error as KymoError;
  }
  throw new Error('was not refused');
}

describe('an archive that is not as it should be', () => {
  const good = twoLocations();

  it('has no notes when it is', () => {
    expect(reasons(good)).toEqual([]);
  });

  it('without the events of one rank has those of the others', () => {
    const archive = openMemory(good.without('t/1.evt'), 't');
    const [first, second] = archive.definitions.locations;
    expect(plainEvents(archive, first!)).toHaveLength(4);
    expect(plainEvents(archive, second!)).toEqual([]);
    expect(archive.notes()).toEqual([
      {
        reason: 'missing-events',
        message: 't/1.evt is missing: the 4 events of rank 1 (“thread”) are not there.',
      },
    ]);
    // However often they are asked for.
    archive.merged(() => undefined);
    expect(archive.notes()).toHaveLength(1);
  });

  it('with a file that cannot be read has those of the others', () => {
    const refusing = {
      open(file: string) {
        if (file.startsWith('t/1.'))
          throw new KymoError('file-unusable', `“${file}” cannot be read: EACCES.`);
        return good.open(file);
      },
    };
    const archive = openOtf2(refusing, 't.otf2');
    expect(archive.definitions.locations.map((location) => plainEvents(archive, location).length)).toEqual([
      4, 0,
    ]);
    expect(archive.notes().map(({ message }) => message)).toEqual([
      '“t/1.evt” cannot be read: EACCES.',
      't/1.evt is missing: the 4 events of rank 1 (“thread”) are not there.',
    ]);
    const withoutTables = {
      open(file: string) {
        if (file === 't/1.def') throw new KymoError('file-unusable', `“${file}” cannot be read: EACCES.`);
        return good.open(file);
      },
    };
    const other = openOtf2(withoutTables, 't.otf2');
    expect(plainEvents(other, other.definitions.locations[1]!)).toHaveLength(4);
    expect(other.notes().map(({ reason }) => reason)).toEqual(['local-definitions']);
  });

  it('of which only the anchor file is there says what belongs to it', () => {
    expect(refusal(good.without('t.def'))).toMatchObject({
      reason: 'missing-otf2-file',
      message: expect.stringMatching(
        /^t\.def is missing\. An OTF2 archive is .* copy all of them\.$/,
      ) as string,
    });
    expect(refusal(good.without('t.otf2'))).toMatchObject({ reason: 'missing-otf2-file' });
  });

  it('is read without files of local definitions', () => {
    expect([...good.contents.keys()].filter((file) => /t\/\d/.test(file))).toEqual(['t/0.evt', 't/1.evt']);
    expect(
      plainEvents(openMemory(good, 't'), openMemory(good, 't').definitions.locations[1]!).map(
        ({ time }) => time,
      ),
    ).toEqual([0, 10, 20, 50]);
  });

  it.each([
    ['of another program', (bytes: Uint8Array) => bytes.fill(65), 'not-otf2', 'not the anchor file'],
    ['empty', () => new Uint8Array(0), 'not-otf2', 'byte 0'],
    ['with another mark', (bytes: Uint8Array) => void (bytes[0] = 4), 'not-otf2', 'not the anchor file'],
    [
      'with another byte order',
      (bytes: Uint8Array) => void (bytes[1] = 1),
      'not-otf2',
      'not the anchor file',
    ],
    ['with another name', (bytes: Uint8Array) => void (bytes[3] = 65), 'not-otf2', 'not the anchor file'],
    ['of a later format', (bytes: Uint8Array) => void (bytes[8] = 3), 'unsupported-otf2', 'trace format 3'],
    [
      'in SION containers',
      (bytes: Uint8Array) => void (bytes[28] = 2),
      'unsupported-otf2',
      'SCOREP_TRACING_USE_SION=false',
    ],
    ['in another container', (bytes: Uint8Array) => void (bytes[28] = 7), 'unsupported-otf2', 'kind 7'],
    ['compressed', (bytes: Uint8Array) => void (bytes[29] = 2), 'unsupported-otf2', 'without compression'],
    [
      'without a size of chunks',
      (bytes: Uint8Array) => bytes.fill(0, 12, 20),
      'invalid-otf2',
      'size of a chunk',
    ],
  ])('is refused: %s', (_, edit, reason, message) => {
    expect(refusal(change(good, 't.otf2', (bytes) => edit(bytes) ?? undefined))).toMatchObject({
      reason,
      message: expect.stringContaining(message) as string,
    });
  });

  it('is read with the anchor file of an older or a later version', () => {
    const options = { properties: new Map([['A::B', 'c']]), traceId: 5n, description: 'text' };
    const memory = twoLocations(options);
    const anchor = memory.contents.get('t.otf2')!;
    // Behind the description: 4 bytes for the number of properties, 7 for the property, 8, twice 4, and 3 marks.
    const ends = [anchor.length - 30, anchor.length - 11, anchor.length, anchor.length];
    const read = ends.map((end, format) => {
      const bytes = Uint8Array.from(anchor.subarray(0, end));
      bytes[7] = format + 1;
      const archive = openMemory(memory.with('t.otf2', bytes), 't');
      expect(archive.definitions.locations).toHaveLength(2);
      return archive.anchor;
    });
    expect(
      read.map(({ properties, traceId, description }) => [properties.get('A::B'), traceId, description]),
    ).toEqual([
      [undefined, 0n, 'text'],
      ['c', 5n, 'text'],
      ['c', 5n, 'text'],
      ['c', 5n, 'text'],
    ]);
  });

  it('with snapshots has a note', () => {
    const anchor = Uint8Array.from(good.contents.get('t.otf2')!);
    anchor[anchor.length - 11] = 2;
    expect(reasons(good.with('t.otf2', anchor))).toEqual(['ignored']);
  });

  it('that grows while it is read has what was there, and later more', () => {
    const whole = good.contents.get('t/0.evt')!;
    let size = 50;
    const growing = {
      open: (file: string) =>
        file === 't/0.evt'
          ? {
              file,
              size,
              read: (offset: number, length: number) =>
                whole.subarray(offset, Math.min(size, offset + length)),
            }
          : good.open(file),
    };
    const archive = openOtf2(growing, 't.otf2');
    const [location] = archive.definitions.locations;
    const some = plainEvents(archive, location!).length;
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(4);
    expect(archive.notes().map(({ reason }) => reason)).toContain('truncated');
    size = whole.length;
    expect(plainEvents(archive, location!)).toHaveLength(4);
  });

  it('that becomes shorter while it is read ends with a note', () => {
    const whole = good.contents.get('t/0.evt')!;
    const shrinking = {
      open: (file: string) =>
        file === 't/0.evt'
          ? {
              file,
              size: whole.length,
              read: (offset: number, length: number) => whole.subarray(offset, Math.min(40, offset + length)),
            }
          : good.open(file),
    };
    const archive = openOtf2(shrinking, 't.otf2');
    expect(plainEvents(archive, archive.definitions.locations[0]!).length).toBeLessThan(4);
    expect(archive.notes().map(({ reason }) => reason)).toContain('truncated');
  });

  it('whose times go backwards has them as they are', () => {
    const backwards = change(good, 't/0.evt', (bytes) => {
      // The second time: 110.
      expect(bytes[header + 9 + 2 + 1]).toBe(110);
      bytes[header + 9 + 2 + 1] = 90;
      return undefined;
    });
    const archive = openMemory(backwards, 't');
    expect(plainEvents(archive, archive.definitions.locations[0]!).map(({ time }) => time)).toEqual([
      0, -10, 20, 50,
    ]);
    expect(archive.notes()).toEqual([
      { reason: 'times-backwards', message: 't/0.evt: events that are earlier than the one before: 1.' },
    ]);
  });

  it('of a newer version loses only the records that are new', () => {
    const unknown = change(good, 't/0.evt', (bytes) =>
      Buffer.concat([
        bytes.subarray(0, header + 9),
        Uint8Array.of(200, 3, 9, 9, 9, 201, 0),
        bytes.subarray(header + 9),
      ]),
    );
    const archive = openMemory(unknown, 't');
    expect(plainEvents(archive, archive.definitions.locations[0]!)).toHaveLength(4);
    expect(archive.notes().map(({ message }) => message)).toEqual([
      't/0.evt: 2 events of an unknown kind were skipped.',
      't/0.evt has 6 events; the definitions announce 4.',
    ]);
    const definitions = change(good, 't.def', (bytes) =>
      Buffer.concat([bytes.subarray(0, header), Uint8Array.of(200, 2, 1, 1), bytes.subarray(header)]),
    );
    expect(openMemory(definitions, 't').definitions.locations).toHaveLength(2);
    expect(reasons(definitions)).toEqual(['unknown-records']);
    const local = good.with(
      't/0.def',
      Buffer.concat([good.contents.get('t.def')!.subarray(0, header), Uint8Array.of(200, 2, 1, 1, 2, 1)]),
    );
    expect(reasons(local)).toEqual(['unknown-records']);
  });

  it('without a time in front of its first event has the time 0 of the clock there', () => {
    const untimed = change(good, 't/0.evt', (bytes) =>
      Buffer.concat([bytes.subarray(0, header), bytes.subarray(header + 9)]),
    );
    const archive = openMemory(untimed, 't');
    expect(plainEvents(archive, archive.definitions.locations[0]!).map(({ time }) => time)).toEqual([
      -100, 10, 20, 50,
    ]);
  });

  it('with times far away says that they are rounded', () => {
    const far = change(good, 't/0.evt', (bytes) => {
      bytes[header + 9 + 2 + 7] = 0x7f;
      return undefined;
    });
    expect(reasons(far)).toContain('inexact-times');
  });

  it('may have any text as a name', () => {
    const names = [
      'main\n\u001b[31m‮',
      '../../etc/passwd',
      '\ud83d\ude00 <b> "quoted"',
      '{"a":1}',
      'x'.repeat(5000),
    ];
    const archive = openMemory(twoLocations({}, names), 't');
    expect([...archive.definitions.regions.values()].map(({ name }) => name)).toEqual(names);
    expect(archive.definitions.regions.get(0)).toMatchObject({
      canonicalName: names[0],
      role: 'FUNCTION',
      paradigm: 'COMPILER',
      flags: [],
      file: names[0],
      firstLine: 1,
      lastLine: 2,
    });
  });

  it('has notes of the same kind once, and their number', () => {
    const memory = new MemoryArchive();
    const writer = new ArchiveWriter('t', memory.sink);
    for (let id = 0; id < 100; id++) writer.define('LOCATION', { id, name: 0, type: 1, events: 1, group: 0 });
    writer.finish();
    const archive = openMemory(memory, 't');
    // However often it is read.
    for (let times = 1; times <= 2; times++) {
      archive.merged(() => undefined);
      expect(archive.notes()).toHaveLength(21);
      expect(archive.notes().at(-1)).toEqual({
        reason: 'missing-events',
        message: '80 more notes of this kind.',
      });
    }
  });
});

describe('a large archive', () => {
  it('of very many locations is merged', () => {
    const locations = volume({ full: 100_000, usual: 20_000 });
    const memory = new MemoryArchive();
    const writer = new ArchiveWriter('t', memory.sink);
    writer.define('CLOCK_PROPERTIES', {
      ticksPerSecond: 1,
      globalOffset: 0,
      length: 1,
      realtimeNanoseconds: 0,
    });
    const name = writer.string('thread');
    for (let id = 0; id < locations; id++) {
      const location = id * 2 ** 32;
      const events = writer.location(location);
      events.enter(id % 1000, 7);
      events.leave(2000 + id, 7);
      writer.close(location);
      writer.define('LOCATION', { id: location, name, type: 1, events: 2, group: 0 });
    }
    writer.finish();
    const archive = openMemory(memory, 't');
    let last = -1;
    let count = 0;
    let wrong = 0;
    archive.merged((_, { time }, index) => {
      count++;
      if (time[index]! < last) wrong++;
      last = time[index]!;
    });
    expect({ count, wrong, last }).toEqual({ count: 2 * locations, wrong: 0, last: 2000 + locations - 1 });
    expect(archive.notes()).toEqual([]);
  });
});

describe('files of a folder', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kymo-folder-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('that are missing are not there, and folders are refused', () => {
    writeFileSync(path.join(folder, 'a file'), 'import');
    const files = folderFiles(folder);
    expect(() => files.open('.')).toThrow(/is not a file\.$/);
    expect(files.open('none')).toBeUndefined();
    const file = files.open('a file')!;
    expect(file).toMatchObject({ file: path.join(folder, 'a file'), size: 6 });
    const text = (offset: number, length: number): string =>
      new TextDecoder().decode(file.read(offset, length));
    expect([text(0, 6), text(2, 2), text(4, 100), text(6, 1)]).toEqual(['import', 'po', 'rt', '']);
    files.close();
  });

  it('are read in turns, however many there are, with some of them open at once', () => {
    const many = 450;
    for (let name = 0; name < many; name++) writeFileSync(path.join(folder, String(name)), `number ${name}`);
    const opened = (): number => readdirSync('/proc/self/fd').length;
    const before = existsSync('/proc/self/fd') ? opened() : undefined;
    const files = folderFiles(folder);
    const sources = Array.from({ length: many }, (_, name) => files.open(String(name))!);
    for (let round = 0; round < 2; round++)
      for (const [name, source] of sources.entries())
        expect(new TextDecoder().decode(source.read(7, 10))).toBe(String(name));
    if (before !== undefined) expect(opened() - before).toBeLessThan(300);
    files.close();
    if (before !== undefined) expect(opened() - before).toBeLessThan(100);
  });

  it('that are removed while they are read are noted with their reason', () => {
    writeFileSync(path.join(folder, 'gone'), 'text');
    const files = folderFiles(folder);
    const source = files.open('gone')!;
    rmSync(path.join(folder, 'gone'));
    // It is still open.
    expect(new TextDecoder().decode(source.read(0, 4))).toBe('text');
    files.close();
    expect(() => source.read(0, 4)).toThrow('there is no such file');
  });
});
