import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  bitNames,
  bitSets,
  enumerations,
  enumName,
  metricModeName,
} from '../../../../src/formats/otf2/layouts/enums';
import { mappings } from '../../../../src/formats/otf2/layouts/fields';
import { openOtf2 } from '../../../../src/formats/otf2/open';
import { folderFiles } from '../../../../src/measurement/files/archiveFiles';
import { ArchiveWriter } from '../../../../src/formats/otf2/write/archiveWriter';
import { MemoryArchive, openMemory, plainEvents } from './memoryArchive';

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/otf2');
/** By class and value, as the Python bindings of the OTF2 library name them (make.py). */
const known = JSON.parse(readFileSync(path.join(fixtures, 'enumerations.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>;
const className = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

describe('names of values', () => {
  it.each(Object.entries(enumerations))('are those of the OTF2 library: %s', (name, names) => {
    // The library calls the newer name first, its otf2-print the older one.
    const values = Object.entries(known[className(name)]!).map(
      ([value, text]) =>
        [Number(value), text === 'GPU' && name === 'locationType' ? 'ACCELERATOR_STREAM' : text] as const,
    );
    expect(values.map(([value]) => enumName(name as keyof typeof enumerations, value))).toEqual(
      values.map(([, text]) => text),
    );
    expect(names.length).toBe(Math.max(...values.map(([value]) => value)) + 1);
    expect(enumName(name as keyof typeof enumerations, 200)).toBe('200');
  });

  it.each(Object.keys(bitSets) as (keyof typeof bitSets)[])(
    'are those of the OTF2 library: bits of %s',
    (name) => {
      const values = Object.entries(known[className(name)]!).filter(([value]) => value !== '0');
      for (const [value, text] of values) expect(bitNames(name, Number(value))).toEqual([text]);
      expect(bitNames(name, 0)).toEqual([]);
      expect(bitNames(name, 2 ** 31 + 1)).toEqual([values[0]![1], String(2 ** 31)]);
    },
  );

  it('of modes of metrics and of tables of ids are those of the OTF2 library', () => {
    for (const [value, text] of Object.entries(known.MetricMode!))
      expect(metricModeName(Number(value))).toBe(text);
    expect(metricModeName(255)).toBe('255');
    const snake = (name: string): string => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();
    expect(
      Object.fromEntries(Object.entries(mappings).map(([name, value]) => [String(value), snake(name)])),
    ).toEqual(known.MappingType);
  });
});

describe('definitions of every kind', () => {
  const { definitions, anchor } = openOtf2(folderFiles(path.join(fixtures, 'every')), 'every.otf2');

  it('are announced by the anchor file', () => {
    expect(anchor).toMatchObject({
      version: '3.0.2',
      eventChunkBytes: 2 ** 18,
      definitionChunkBytes: 2 ** 18,
      locations: 5,
      globalDefinitions: definitions.records().length,
      machineName: 'a machine',
      creator: 'make.py',
      description: 'all kinds of records',
      properties: new Map([['EVERY::RECORD', 'true']]),
      snapshots: 0,
      thumbnails: 0,
    });
    expect(anchor.traceId).toBeGreaterThan(0n);
  });

  it('have a clock', () => {
    expect(definitions.clock).toEqual({
      ticksPerSecond: 2_500_000_000,
      globalOffset: 1_000_000n,
      length: 5000,
      realtimeNanoseconds: 1_700_000_000_000_000_000n,
    });
  });

  it('have the names of regions', () => {
    const region = {
      description: 'description',
      paradigm: 'OPENMP',
      name: 'main(int, char**)',
      canonicalName: 'main',
    };
    expect([...definitions.regions.values()]).toEqual([
      { ...region, id: 0, role: 'FUNCTION', flags: [], firstLine: 0, lastLine: 0 },
      {
        ...region,
        id: 1,
        role: 'BARRIER',
        flags: ['PHASE'],
        file: 'src/größe "x".c',
        firstLine: 1,
        lastLine: 70_000,
      },
      {
        ...region,
        id: 2,
        role: 'FILE_IO_METADATA',
        flags: ['PHASE'],
        file: 'src/größe "x".c',
        firstLine: 2,
        lastLine: 140_000,
      },
      {
        id: 3,
        name: 'a\\b\tc',
        canonicalName: 'x'.repeat(300),
        description: 'description',
        role: 'LOOP',
        paradigm: 'KOKKOS',
        flags: ['DYNAMIC', 'PHASE'],
        file: 'file',
        firstLine: 1,
        lastLine: 2,
      },
    ]);
  });

  it('have locations with their process, rank and thread', () => {
    const machine = { id: 0, name: 'machine', className: 'machine' };
    const node = { id: 1, name: 'node', className: 'node', parent: machine };
    expect([...definitions.systemTree.values()]).toEqual([machine, node]);
    const group = { name: 'rank', type: 'PROCESS', parent: node, properties: new Map() };
    const groups = [
      { ...group, id: 0 },
      { ...group, id: 1, properties: new Map([['property', { type: 10, value: 1.25 }]]) },
      { ...group, id: 2, type: 'ACCELERATOR', creator: 1 },
    ];
    expect([...definitions.locationGroups.values()]).toEqual(groups);
    expect(definitions.locations).toEqual([
      { id: 0, name: 'main', type: 'CPU_THREAD', events: 118, group: groups[0], rank: 0, thread: 0 },
      { id: 1, name: 'main', type: 'CPU_THREAD', events: 118, group: groups[1], rank: 1, thread: 0 },
      { id: 2 ** 40, name: 'thread', type: 'CPU_THREAD', events: 0, group: groups[1], rank: 1, thread: 1 },
      { id: 2 ** 40 + 1, name: 'metric', type: 'METRIC', events: 0, group: groups[0], rank: 0, thread: 0 },
      {
        id: 2 ** 40 + 2,
        name: 'unit',
        type: 'ACCELERATOR_STREAM',
        events: 0,
        group: groups[2],
        rank: 1,
        thread: 0,
      },
    ]);
  });

  it('have communicators with their groups', () => {
    const { groups, communicators } = definitions;
    const mpi = { name: 'group', paradigm: 'MPI', flags: [] };
    expect(groups.get(0)).toEqual({ ...mpi, id: 0, type: 'COMM_LOCATIONS', members: [0, 1] });
    expect(groups.get(1)).toEqual({
      ...mpi,
      id: 1,
      type: 'COMM_GROUP',
      flags: ['GLOBAL_MEMBERS'],
      members: [1, 0],
    });
    expect(groups.get(3)).toMatchObject({
      type: 'LOCATIONS',
      paradigm: 'NONE',
      members: [2 ** 40, 2 ** 40 + 1],
    });
    expect([...communicators.values()]).toEqual([
      { id: 0, name: 'Comm ${id}', group: groups.get(1) },
      { id: 1, name: 'group', group: groups.get(1), parent: 0 },
      { id: 2, name: 'group', parent: 0, sides: [groups.get(1), groups.get(4)] },
    ]);
  });

  it('have metrics, parameters and attributes', () => {
    const { metricMembers, metrics, parameters, attributes } = definitions;
    const member = { name: 'metric', description: 'description', unit: 'unit' };
    expect([...metricMembers.values()]).toEqual([
      {
        ...member,
        id: 0,
        type: 'PAPI',
        mode: 'ACCUMULATED_START',
        valueType: 'UINT64',
        base: 10,
        exponent: 0,
      },
      { ...member, id: 1, type: 'USER', mode: 'ABSOLUTE_LAST', valueType: 'INT64', base: 2, exponent: -3 },
      { ...member, id: 2, type: 'OTHER', mode: 'RELATIVE_NEXT', valueType: 'DOUBLE', base: 10, exponent: 9 },
    ]);
    const metric = { members: [...metricMembers.values()], occurrence: 'SYNCHRONOUS_STRICT' };
    expect([...metrics.values()]).toEqual([
      { ...metric, id: 0 },
      { ...metric, id: 1, recorder: 0 },
    ]);
    expect([...parameters.values()].map(({ id, name, type }) => [id, name, type])).toEqual([
      [0, 'parameter', 'STRING'],
      [1, 'parameter', 'INT64'],
      [2, 'parameter', 'UINT64'],
    ]);
    expect(attributes.get(13)).toEqual({ id: 13, name: 'attribute', type: 'REGION' });
    expect(attributes.size).toBe(25);
    expect(definitions.strings.get(15)).toBe('x'.repeat(300));
    expect(definitions.records('NONE')).toEqual([]);
  });
});

const none = 0xffffffff;

describe('definitions that are not as they should be', () => {
  const read = (define: (writer: ArchiveWriter) => void): ReturnType<typeof openMemory> => {
    const memory = new MemoryArchive();
    const writer = new ArchiveWriter('t', memory.sink);
    define(writer);
    writer.finish();
    return openMemory(memory, 't');
  };

  it('have ranks in the order of the processes where there is no MPI', () => {
    const { definitions } = read((writer) => {
      for (const [id, type] of [
        [4, 1],
        [7, 2],
        [2, 1],
      ] as const)
        writer.define('LOCATION_GROUP', { id, name: 0, type, parent: none, creator: type === 2 ? 2 : none });
      for (const [id, group] of [
        [0, 2],
        [1, 4],
        [2, 4],
        [3, 7],
        [4, none],
      ] as const)
        writer.define('LOCATION', { id, name: 0, type: 1, events: 0, group });
    });
    expect(definitions.locations.map(({ rank, thread }) => [rank, thread])).toEqual([
      [1, 0],
      [0, 0],
      [0, 1],
      [1, 0],
      [-1, 0],
    ]);
  });

  it('have no clock, names or parents where these are missing', () => {
    const archive = read((writer) => {
      writer.define('SYSTEM_TREE_NODE', { id: 0, name: 99, className: none, parent: 5 });
      writer.define('COMM', { id: 3, name: none, group: 8, parent: none, flags: 0 });
      writer.define('METRIC_INSTANCE', { id: 1, metricClass: 5, recorder: 0, scopeType: 0, scope: 0 });
    });
    const { definitions } = archive;
    expect(definitions.clock).toEqual({ ticksPerSecond: 1, globalOffset: 0n, length: 0 });
    expect(definitions.systemTree.get(0)).toEqual({ id: 0, name: '', className: '' });
    expect(definitions.communicators.get(3)).toEqual({ id: 3, name: '' });
    expect(definitions.metrics.size).toBe(0);
    expect(archive.notes()).toEqual([]);
  });

  it('of older versions lack the last fields', () => {
    const memory = new MemoryArchive();
    const writer = new ArchiveWriter('t', memory.sink);
    writer.define('LOCATION_GROUP', { id: 1, name: 2, type: 1, parent: 3, creator: 4 });
    writer.finish();
    const bytes = Uint8Array.from(memory.contents.get('t.def')!);
    // Type, length, id, name, type, parent; the creator came with OTF2 3.0.
    expect([...bytes.subarray(18, 29)]).toEqual([13, 9, 1, 1, 1, 2, 1, 1, 3, 1, 4]);
    bytes[19] = 7;
    const older = memory.with('t.def', Buffer.concat([bytes.subarray(0, 27), bytes.subarray(29)]));
    const archive = openMemory(older, 't');
    expect(archive.definitions.records('LOCATION_GROUP')[0]?.values).toEqual({
      id: 1,
      name: 2,
      type: 1,
      parent: 3,
    });
    expect(archive.definitions.locationGroups.get(1)).toEqual({
      id: 1,
      name: '',
      type: 'PROCESS',
      properties: new Map(),
    });
    expect(archive.notes()).toEqual([]);
  });

  it('have the first one of two tables for the same ids', () => {
    const memory = new MemoryArchive();
    const writer = new ArchiveWriter('t', memory.sink);
    writer.location(0).enter(1, 0);
    writer.localDefinitions(0, { region: [[0, 5]] });
    writer.define('LOCATION', { id: 0, name: 0, type: 1, events: 1, group: none });
    writer.finish();
    const table = [5, 6, 3, 1, 1, 0, 1, 9];
    const file = 't/0.def';
    const bytes = memory.contents.get(file)!;
    const twice = Buffer.concat([bytes.subarray(0, -2), Uint8Array.from(table), bytes.subarray(-2)]);
    const archive = openMemory(memory.with(file, twice), 't');
    expect(plainEvents(archive, archive.definitions.locations[0]!)[0]?.values).toEqual([5]);
    expect(archive.notes()).toEqual([
      {
        reason: 'local-definitions',
        message: 't/0.def has two tables for the ids of kind 3; the first one is used.',
      },
    ]);
  });

  it.each([
    ['a table of ids', '.def', [5, 9, 3, 7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0], 'A table of '],
    [
      'a table of pairs',
      '.def',
      [5, 10, 3, 7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 0],
      'A table of ',
    ],
    ['a list of attributes', '.evt', [6, 6, 4, 0xff, 0xff, 0xff, 0xef, 0], 'attributes were expected'],
    ['a list of arguments', '.evt', [83, 6, 0, 4, 0xff, 0xff, 0xff, 0xef], 'values were expected'],
    ['an integer that is too long', '.evt', [12, 5, 1, 1, 1, 1, 1], 'at most 4 bytes was expected; found 5'],
    [
      'an integer of a record',
      '.evt',
      [85, 10, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1],
      'at most 8 bytes was expected; found 9',
    ],
    [
      'a double of a metric',
      '.evt',
      [31, 14, 0, 1, 10, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0],
      'at most 8 bytes was expected; found 9',
    ],
    [
      'an id of a table',
      '.def',
      [5, 14, 3, 1, 1, 0, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1],
      'at most 8 bytes was expected; found 9',
    ],
    ['an integer of a bare record', '.evt', [12, 77], 'at most 8 bytes was expected; found 77'],
    ['fields behind the end of a record', '.evt', [87, 1, 3, 1, 1, 1], '3 bytes longer than the record'],
    ['a type that does not exist', '.evt', [6, 5, 1, 1, 0, 99, 0], 'found 99'],
    ['a mark in place of a record', '.evt', [3], 'found the mark 3'],
    ['a record longer than the file', '.evt', [14, 200], '200 more bytes were expected'],
  ])('end the reading where a number is wrong: %s', (_, ending, bytes, message) => {
    const memory = new MemoryArchive();
    const writer = new ArchiveWriter('t', memory.sink);
    writer.location(0).enter(1, 0);
    writer.localDefinitions(0);
    writer.define('LOCATION', { id: 0, name: 0, type: 1, events: 1, group: none });
    writer.finish();
    const file = `t/0${ending}`;
    const good = memory.contents.get(file)!;
    const damaged = Buffer.concat([good.subarray(0, -2), Uint8Array.from(bytes), good.subarray(-2)]);
    const archive = openMemory(memory.with(file, damaged), 't');
    expect(plainEvents(archive, archive.definitions.locations[0]!)).toHaveLength(1);
    const [note] = archive.notes();
    expect(note?.message).toContain(message);
    expect(note?.message).toMatch(new RegExp(`^${file}, byte \\d+: `));
  });
});
