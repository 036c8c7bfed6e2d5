import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openOtf2, type Otf2Archive } from '../../../../src/formats/otf2/open';
import { folderFiles } from '../../../../src/measurement/files/archiveFiles';
import { sharedData } from '../../../shared';
import { ArchiveWriter } from '../../../../src/formats/otf2/write/archiveWriter';
import { faults, MemoryArchive, openMemory, rewritten } from './memoryArchive';
import { Printer } from './printed';

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/otf2');
/** Archives that the OTF2 library wrote, and what otf2-print prints of them (make.py). */
const printed = JSON.parse(readFileSync(path.join(fixtures, 'every.json'), 'utf8')) as {
  definitions: string[];
  events: string[];
};

function opened(anchor: string): Otf2Archive {
  return openOtf2(folderFiles(path.dirname(anchor)), path.basename(anchor));
}

function definitionsOf(archive: Otf2Archive): string[] {
  const printer = new Printer(archive.definitions);
  return archive.definitions.records().map((record) => printer.definition(record));
}

/** Events by location, which are in the order of their times; attributes stand behind their event. */
function byLocation(lines: readonly string[]): Record<string, string[]> {
  const result: Record<string, string[]> = {};
  let list: string[] = [];
  for (const line of lines) {
    if (!line.startsWith('ADDITIONAL')) list = result[line.split(' ')[1]!] ??= [];
    list.push(line);
  }
  return result;
}

function eventsOf(archive: Otf2Archive): Record<string, string[]> {
  const printer = new Printer(archive.definitions);
  const lines: string[] = [];
  for (const location of archive.definitions.locations)
    for (const chunk of archive.events(location))
      for (let index = 0; index < chunk.count; index++) lines.push(...printer.event(location, chunk, index));
  return byLocation(lines);
}

function mergedTimes(archive: Otf2Archive): string[] {
  const lines: string[] = [];
  archive.merged((_, chunk, index) =>
    lines.push(String(archive.definitions.clock.globalOffset + BigInt(chunk.time[index]!))),
  );
  return lines;
}

describe('records of every kind, written by the OTF2 library', () => {
  const archive = opened(path.join(fixtures, 'every/every.otf2'));

  it('has the definitions that otf2-print prints', () => {
    expect(definitionsOf(archive)).toEqual(printed.definitions);
  });

  it('has the events that otf2-print prints', () => {
    expect(eventsOf(archive)).toEqual(byLocation(printed.events));
    expect(faults(archive)).toEqual([]);
  });

  it('merges the events of locations by their corrected times', () => {
    const times = printed.events
      .filter((line) => !line.startsWith('ADDITIONAL'))
      .map((line) => line.split(' ')[2]);
    expect(mergedTimes(archive)).toEqual(times);
  });

  it.each([false, true])('is read the same after it was written again, big endian: %s', (bigEndian) => {
    const again = openMemory(rewritten(archive, 'again', { bigEndian, creator: 'make.py' }), 'again');
    expect(again.anchor).toMatchObject({
      creator: 'make.py',
      machineName: '',
      description: '',
      locations: 5,
      globalDefinitions: archive.anchor.globalDefinitions,
    });
    expect(definitionsOf(again)).toEqual(printed.definitions);
    expect(eventsOf(again)).toEqual(byLocation(printed.events));
    expect(faults(again)).toEqual([]);
  });
});

/** What otf2-print prints; undefined where it is not installed. */
function otf2Print(...parameters: string[]): string[] | undefined {
  const { error, status, stdout, stderr } = spawnSync('otf2-print', ['-Werror', ...parameters], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) {
    process.stderr.write('skipped: otf2-print is not here\n');
    return undefined;
  }
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout
    .split('\n')
    .filter((line) => /^([A-Z0-9_]+ | {2})/.test(line))
    .map((line) => line.replaceAll(/\s+/g, ' ').trim());
}

describe('archives that Kymo writes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kymo-otf2-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const every = opened(path.join(fixtures, 'every/every.otf2'));

  it.each([false, true])('are read by otf2-print without a complaint, big endian: %s', (bigEndian) => {
    const options = {
      bigEndian,
      machineName: 'a machine',
      description: 'text',
      properties: new Map([['KEY::IT', 'x']]),
    };
    const name = bigEndian ? 'big' : 'little';
    rewritten(every, name, { ...options, chunkBytes: 2 ** 18 }).save(folder);
    const definitions = otf2Print('-G', path.join(folder, `${name}.otf2`));
    const events = otf2Print(path.join(folder, `${name}.otf2`));
    if (definitions === undefined || events === undefined) return;
    expect(definitions).toEqual(printed.definitions);
    expect(byLocation(events)).toEqual(byLocation(printed.events));
  });

  it('of several chunks are read by otf2-print as by Kymo', () => {
    const memory = new MemoryArchive();
    const writer = new ArchiveWriter('chunks', memory.sink, { chunkBytes: 2 ** 18 });
    const none = 0xffffffff;
    const events = writer.location(0);
    const count = 40_000;
    for (let event = 0; event < count; event++)
      if (event % 2 === 0) events.enter(event * 3, event % 7);
      else events.leave(event * 3, (event - 1) % 7);
    writer.localDefinitions(0);
    writer.define('CLOCK_PROPERTIES', {
      ticksPerSecond: 1,
      globalOffset: 0,
      length: 3 * count,
      realtimeNanoseconds: 2n ** 64n - 1n,
    });
    const name = writer.string('x'.repeat(100));
    const place = { file: none, firstLine: 0, lastLine: 0 };
    for (let id = 0; id < 7; id++)
      writer.define('REGION', {
        id,
        name,
        canonicalName: name,
        description: name,
        role: 1,
        paradigm: 2,
        flags: 0,
        ...place,
      });
    for (let text = 0; text < 4000; text++) writer.string(`${'long '.repeat(20)}${text}`);
    writer.define('SYSTEM_TREE_NODE', { id: 0, name, className: name, parent: none });
    writer.define('LOCATION_GROUP', { id: 0, name, type: 1, parent: 0, creator: none });
    writer.define('LOCATION', { id: 0, name, type: 1, events: count, group: 0 });
    writer.finish();
    for (const file of ['chunks/0.evt', 'chunks.def'])
      expect(memory.contents.get(file)!.length).toBeGreaterThan(2 ** 18);
    const archive = openMemory(memory, 'chunks');
    const read = eventsOf(archive);
    expect(read['0']).toHaveLength(count);
    expect(archive.definitions.strings.size).toBe(4001);
    expect(faults(archive)).toEqual([]);
    // A mark for the end of a chunk may stand in place of the zeros.
    const marked = Uint8Array.from(memory.contents.get('chunks/0.evt')!);
    const padding = marked.subarray(0, 2 ** 18).findLastIndex((byte) => byte !== 0) + 1;
    expect(padding).toBeLessThan(2 ** 18);
    marked[padding] = 2;
    expect(eventsOf(openMemory(memory.with('chunks/0.evt', marked), 'chunks'))).toEqual(read);
    memory.save(folder);
    const printedEvents = otf2Print(path.join(folder, 'chunks.otf2'));
    if (printedEvents !== undefined) expect(byLocation(printedEvents)).toEqual(read);
  });
});

describe('a trace of Score-P', () => {
  const anchor = sharedData('scorep/lulesh-mpi-trace/lulesh.p8.s4.i20.trace/traces.otf2');

  it.skipIf(anchor === undefined)('has the definitions and events that otf2-print prints', () => {
    const definitions = otf2Print('-G', anchor!);
    const events = otf2Print(anchor!);
    if (definitions === undefined || events === undefined) return;
    const archive = opened(anchor!);
    expect(definitionsOf(archive)).toEqual(definitions);
    expect(eventsOf(archive)).toEqual(byLocation(events));
    expect(mergedTimes(archive)).toEqual(
      events.filter((line) => !line.startsWith('ADDITIONAL')).map((line) => line.split(' ')[2]),
    );
    expect(faults(archive)).toEqual([]);
  });
});
