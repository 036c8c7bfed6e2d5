import { describe, expect, it } from 'vitest';
import { eventContext } from '../../../../src/core/groups/attributes/eventContext';
import { callEvents } from '../../../../src/formats/otf2/callEvents';
import { ArchiveWriter } from '../../../../src/formats/otf2/write/archiveWriter';
import { MemoryArchive, openMemory } from './memoryArchive';

const none = 0xffffffff;

function archiveOf(record: (writer: ArchiveWriter) => void): MemoryArchive {
  const memory = new MemoryArchive();
  const writer = new ArchiveWriter('t', memory.sink);
  record(writer);
  for (const [id, name, file] of [
    [0, 'main', 'a.c'],
    [1, 'init', 'a.c'],
    [2, 'init', 'b.c'],
  ] as const) {
    const text = writer.string(name);
    const place = { file: writer.string(file), firstLine: 0, lastLine: 0 };
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
  writer.define('CALLING_CONTEXT', { id: 9, region: 2, sourceCodeLocation: none, parent: none });
  for (const id of [0, 2 ** 60])
    writer.define('LOCATION', { id: BigInt(id), name: 0, type: 1, events: 0, group: none });
  writer.finish();
  return memory;
}

describe('calls of a trace', () => {
  const memory = archiveOf((writer) => {
    const events = writer.location(0);
    events.enter(1, 0);
    events.event('MPI_COLLECTIVE_BEGIN', 1, []);
    events.enter(2, 1);
    events.leave(3, 1);
    events.event('CALLING_CONTEXT_ENTER', 4, [9, 1]);
    events.event('CALLING_CONTEXT_SAMPLE', 4, [9, 1, 0]);
    events.event('CALLING_CONTEXT_LEAVE', 5, [9]);
    events.enter(6, 77);
    events.leave(7, 77);
    events.leave(8, 0);
    writer.location(2n ** 60n).event('CALLING_CONTEXT_ENTER', 1, [8, 1]);
    writer.location(2n ** 60n).enter(1, 0);
  });

  it('are enters and leaves with the names of functions, and the file where names are not enough', () => {
    expect([...callEvents(openMemory(memory, 't'))]).toEqual([
      { location: 0, kind: 'enter', function: 'main' },
      { location: 0, kind: 'enter', function: 'init (a.c)' },
      { location: 0, kind: 'leave', function: 'init (a.c)' },
      { location: 0, kind: 'enter', function: 'init (b.c)' },
      { location: 0, kind: 'leave', function: 'init (b.c)' },
      { location: 0, kind: 'enter', function: 'region 77' },
      { location: 0, kind: 'leave', function: 'region 77' },
      { location: 0, kind: 'leave', function: 'main' },
      { location: 2n ** 60n, kind: 'enter', function: 'calling context 8' },
      { location: 2n ** 60n, kind: 'enter', function: 'main' },
    ]);
  });

  it('of chosen locations are those', () => {
    const archive = openMemory(memory, 't');
    expect([...callEvents(archive, archive.definitions.locations.slice(1))]).toHaveLength(2);
  });

  it('make a context of processes', () => {
    const { context, problems } = eventContext(callEvents(openMemory(memory, 't')));
    expect(context.attributes).toEqual([
      { callee: 'main' },
      { caller: 'main', callee: 'init (a.c)' },
      { caller: 'main', callee: 'init (b.c)' },
      { caller: 'main', callee: 'region 77' },
      { callee: 'calling context 8' },
      { caller: 'calling context 8', callee: 'main' },
    ]);
    expect(context.processes.map(({ name }) => name)).toEqual(['0', String(2n ** 60n)]);
    expect(problems).toEqual({ unmatchedLeaves: 0, namelessEnters: 0, missingLeaves: 2 });
  });
});
