import { describe, expect, it } from 'vitest';
import { messageEnd, Partners, type MessageEnd } from '../../../../src/formats/otf2/messages';
import type { ArchiveWriter } from '../../../../src/formats/otf2/write/archiveWriter';
import { openMemory } from './memoryArchive';
import { smallTrace, undefinedRef } from './smallTrace';

const locations = 4;
const members = 5;
const self = 6;
const mpi = 4;

function group(writer: ArchiveWriter, id: number, type: number, of: readonly number[], flags = 0): void {
  writer.define('GROUP', { id, name: writer.string(''), members: of, type, paradigm: mpi, flags });
  const name = writer.string(`communicator ${id}`);
  writer.define('COMM', { id, name, group: id, parent: undefinedRef, flags: 0 });
}

const open = (define: (writer: ArchiveWriter) => void): Partners =>
  new Partners(openMemory(smallTrace({ ranks: [[], [], [], []], define }), 'traces').definitions);

describe('ranks of the other ends', () => {
  const partners = open((writer) => {
    // The order of the processes in the world is not that of their definitions.
    writer.define('GROUP', {
      id: 0,
      name: writer.string(''),
      members: [3, 1, 0, 77],
      type: locations,
      paradigm: mpi,
      flags: 0,
    });
    group(writer, 10, members, [2, 1, 3, 9]);
    group(writer, 11, members, [2, 1], 1);
    group(writer, 12, self, []);
    group(writer, 13, locations, [3, 1]);
    group(writer, 14, members, [0]);
  });
  const rank = (communicator: number, partner: number): number | undefined =>
    partners.worldRank({ communicator, partner }, 1);

  it('are those of the members of the group', () => {
    expect([0, 1, 4, 2 ** 32].map((partner) => rank(10, partner))).toEqual([2, 1, undefined, undefined]);
  });

  it('are not known of processes that are not defined', () => {
    expect([rank(10, 2), rank(10, 3), rank(11, 3)]).toEqual([undefined, undefined, undefined]);
  });

  it('are positions in the world where the group says so', () => {
    expect([0, 1, 2].map((partner) => rank(11, partner))).toEqual([0, 1, 2]);
  });

  it('are the own one in a communicator of one process', () => {
    expect(rank(12, 0)).toBe(1);
  });

  it('are not known in groups of something else, and in other communicators', () => {
    expect([13, 99].map((communicator) => rank(communicator, 0))).toEqual([undefined, undefined]);
  });

  it('are those of the group that the process is not in, between two groups', () => {
    const between = open((writer) => {
      const name = writer.string('');
      const of = (id: number, members: readonly number[], flags: number, type: number): void =>
        writer.define('GROUP', { id, name, members, type, paradigm: mpi, flags });
      of(0, [0, 1, 2, 3], 0, locations);
      of(1, [3, 0], 0, members);
      of(2, [2, 1], 0, members);
      of(3, [2, 1], 1, members);
      for (const [id, groupB] of [
        [14, 2],
        [15, 3],
        [16, 77],
      ] as const)
        writer.define('INTER_COMM', { id, name, groupA: 1, groupB, common: 0, flags: 0 });
    });
    const partnersOf = (communicator: number, own: number): (number | undefined)[] =>
      [0, 1, 2].map((partner) => between.worldRank({ communicator, partner }, own));
    expect([0, 3].map((own) => partnersOf(14, own))).toEqual(Array(2).fill([2, 1, undefined]));
    expect([1, 2].map((own) => partnersOf(14, own))).toEqual(Array(2).fill([3, 0, undefined]));
    // The one group has ranks of the world, the other one positions.
    expect(partnersOf(15, 0)).toEqual([0, 1, 2]);
    expect(partnersOf(15, 1)).toEqual([3, 0, undefined]);
    // A process of neither group, and one without its other group.
    expect(partnersOf(14, 9)).toEqual([undefined, undefined, undefined]);
    expect(partnersOf(16, 0)).toEqual([undefined, undefined, undefined]);
  });

  it('come with numbers of the communicators', () => {
    expect([0, 10, 11, 14, 99].map((id) => partners.numberOf(id))).toEqual([0, 1, 2, 5, undefined]);
  });

  it('are those of the processes where no locations are listed', () => {
    const unlisted = open((writer) => {
      writer.define('GROUP', {
        id: 0,
        name: writer.string(''),
        members: [],
        type: members,
        paradigm: mpi,
        flags: 0,
      });
      group(writer, 10, members, [2, 9]);
    });
    expect([0, 1].map((partner) => unlisted.worldRank({ communicator: 10, partner }, 0))).toEqual([
      2,
      undefined,
    ]);
  });

  it('are there for locations of no process', () => {
    const loose = smallTrace({
      ranks: [[]],
      define: (writer) => {
        const name = writer.string('loose');
        writer.define('LOCATION', { id: 9, name, type: 1, events: 0, group: undefinedRef });
        const empty = writer.string('');
        writer.define('GROUP', {
          id: 0,
          name: empty,
          members: [0, 9],
          type: locations,
          paradigm: mpi,
          flags: 0,
        });
        group(writer, 10, members, [1]);
      },
    });
    const { definitions } = openMemory(loose, 'traces');
    expect(definitions.locations.map((location) => location.rank)).toEqual([0, 1]);
    expect(new Partners(definitions).worldRank({ communicator: 10, partner: 0 }, 0)).toBe(1);
  });
});

describe('ends of messages', () => {
  it('are sends and receives; those posted before have a request', () => {
    const archive = openMemory(
      smallTrace({
        ranks: [
          [
            ['send', 1, 2, 3, 4],
            ['MPI_ISEND', 2, 5, 0, 6, 7, 8],
            ['MPI_IRECV_REQUEST', 3, 9],
            ['receive', 4, 10, 11, 12],
            ['MPI_IRECV', 5, 13, 0, 14, 15, 9],
          ],
        ],
      }),
      'traces',
    );
    const ends: (MessageEnd | undefined)[] = [];
    for (const chunk of archive.events(archive.definitions.locations[0]!))
      for (let index = 0; index < chunk.count; index++) ends.push(messageEnd(chunk, index));
    expect(ends).toEqual([
      { isSend: true, partner: 2, communicator: 0, tag: 3, bytes: 4 },
      { isSend: true, partner: 5, communicator: 0, tag: 6, bytes: 7 },
      undefined,
      { isSend: false, partner: 10, communicator: 0, tag: 11, bytes: 12 },
      { isSend: false, partner: 13, communicator: 0, tag: 14, bytes: 15, request: 9 },
    ]);
  });
});
