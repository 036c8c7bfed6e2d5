import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerGroups } from '../../../../src/cli/commands/groups';
import { ArchiveWriter } from '../../../../src/formats/otf2/write/archiveWriter';
import type { GroupsReport } from '../../../../src/workflows/groups';
import { sharedData } from '../../../shared';
import { MemoryArchive } from '../../formats/otf2/memoryArchive';
import { useCommandFolder } from './commandFolder';

const none = 0xffffffff;
const { inFolder, run } = useCommandFolder('groups');
const report = async (...words: string[]): Promise<GroupsReport> =>
  (await run([registerGroups], ['groups', ...words])).result as GroupsReport;

/** Ranks 0 and 3 write, all compute; a stream of an accelerator has a kernel. */
function trace(): MemoryArchive {
  const memory = new MemoryArchive();
  const writer = new ArchiveWriter('traces', memory.sink);
  const functions = ['main', 'compute', 'write', 'PARALLEL', 'kernel'];
  const empty = writer.string('');
  const place = { file: none, firstLine: 0, lastLine: 0 };
  for (const [id, name] of functions.entries()) {
    const text = writer.string(name);
    writer.define('REGION', {
      id,
      name: text,
      canonicalName: text,
      description: empty,
      role: 1,
      paradigm: 2,
      flags: 0,
      ...place,
    });
  }
  // The order of ranks in MPI_COMM_WORLD is not that of the locations.
  const ranks = [0, 1, 2, 3];
  const location = (rank: number): number => 3 - rank;
  for (const rank of ranks) {
    const events = writer.location(location(rank));
    let time = 0;
    const call = (name: string, inside: () => void = () => undefined): void => {
      events.enter(++time, functions.indexOf(name));
      inside();
      events.leave(++time, functions.indexOf(name));
    };
    call('main', () => {
      call('PARALLEL', () => call('compute'));
      if (rank % 3 === 0) call('write');
    });
    if (rank === 1) events.enter(++time, 0);
    if (rank === 2) events.leave(++time, 2);
  }
  writer.location(9).enter(1, 4);
  writer.location(9).leave(2, 4);
  for (const id of ranks)
    writer.define('LOCATION_GROUP', { id, name: empty, type: 1, parent: none, creator: none });
  writer.define('LOCATION_GROUP', { id: 9, name: writer.string('GPU 0'), type: 2, parent: none, creator: 1 });
  const thread = writer.string('Master thread');
  for (const id of ranks)
    writer.define('LOCATION', { id, name: thread, type: 1, events: id === 0 || id === 3 ? 8 : 7, group: id });
  writer.define('LOCATION', { id: 9, name: writer.string('stream'), type: 2, events: 2, group: 9 });
  writer.define('GROUP', {
    id: 0,
    name: empty,
    members: ranks.map(location),
    type: 4,
    paradigm: 4,
    flags: 0,
  });
  writer.finish();
  return memory;
}

describe('kymo groups of a trace', () => {
  it('groups processes by their calls, with their ranks, and says what does not match', async () => {
    trace().save(inFolder());
    const { groups, processes, attributes, notes, properties, threshold } = await report(
      inFolder('traces.otf2'),
      '--threshold',
      '1',
    );
    expect(threshold).toBe(1);
    expect(processes).toEqual([
      { name: 'Master thread', rank: 3, thread: 0 },
      { name: 'Master thread', rank: 2, thread: 0 },
      { name: 'Master thread', rank: 1, thread: 0 },
      { name: 'Master thread', rank: 0, thread: 0 },
      { name: 'GPU 0 stream', rank: -1, thread: 0 },
    ]);
    expect(attributes.map(({ caller, callee }) => `${caller ?? ''}>${callee}`).sort()).toEqual([
      '>kernel',
      '>main',
      'main>compute',
      'main>write',
    ]);
    expect(groups.map(({ members }) => members)).toEqual([[0, 3], [1, 2], [4]]);
    expect(properties).toEqual([]);
    expect(notes).toEqual([
      'Leaves of functions that were not entered in the trace are ignored: 1.',
      'Calls whose end is not in the trace end with their callers: 1.',
    ]);
    const { text } = await run([registerGroups], ['groups', inFolder('traces.otf2')], false);
    expect(text).toContain('5 processes in ');
    expect(text).toContain('Leaves of functions that were not entered');
  });

  it('says nothing of a trace in which everything matches', async () => {
    const memory = new MemoryArchive();
    const writer = new ArchiveWriter('good', memory.sink);
    for (const id of [0, 1]) {
      writer.location(id).enter(1, 0);
      writer.location(id).leave(2, 0);
      writer.define('LOCATION', { id, name: 0, type: 1, events: 2, group: none });
    }
    writer.finish();
    memory.save(inFolder());
    expect((await report(inFolder('good.otf2'))).notes).toEqual([]);
  });

  it('takes --measure and --artificial', async () => {
    const { attributes } = await report(
      inFolder('traces.otf2'),
      '--measure',
      'functions',
      '--artificial',
      'main',
      'kernel',
    );
    expect(attributes.map(({ callee }) => callee).sort()).toEqual(['PARALLEL', 'compute', 'write']);
  });

  it('compares traces with each other, and with profiles', async () => {
    trace().save(inFolder('other'));
    const { processes, groups } = await report(
      inFolder('traces.otf2'),
      inFolder('other', 'traces.otf2'),
      '--threshold',
      '1',
    );
    expect(processes).toHaveLength(10);
    expect(new Set(processes.map(({ run: of }) => of)).size).toBe(2);
    expect(groups.map(({ members }) => members)).toEqual([
      [0, 3, 5, 8],
      [1, 2, 6, 7],
      [4, 9],
    ]);
    const profile = path.resolve(import.meta.dirname, '../../../fixtures/cube4/tiny.cubex');
    const mixed = await report(inFolder('traces.otf2'), profile);
    expect(mixed.processes.length).toBeGreaterThan(5);
    expect(mixed.properties).toEqual([]);
  });

  it('names the file that is missing', async () => {
    await expect(report(inFolder('none.otf2'))).rejects.toMatchObject({
      reason: 'missing-otf2-file',
      message: expect.stringMatching(/“.*none\.otf2” cannot be read: there is no such file/) as string,
    });
  });

  const folder = sharedData('scorep/lulesh-mpi-trace/lulesh.p8.s4.i20.trace');
  it.skipIf(folder === undefined)('finds the calls that the profile of the same run has', async () => {
    const traced = await report(path.join(folder!, 'traces.otf2'), '--threshold', '1');
    const profiled = await report(path.join(folder!, 'profile.cubex'), '--threshold', '1');
    // The profile has the program as the caller of main.
    const names = ({ attributes }: GroupsReport): string[] =>
      attributes
        .filter(({ callee }) => callee !== 'lulesh_mpi_ic')
        .map(({ caller, callee }) => `${caller === 'lulesh_mpi_ic' ? '' : (caller ?? '')}>${callee}`)
        .sort();
    expect(names(traced)).toEqual(names(profiled));
    expect(traced.groups.map(({ members }) => members)).toEqual(
      profiled.groups.map(({ members }) => members),
    );
    expect(traced.processes).toEqual(profiled.processes);
  });
});
