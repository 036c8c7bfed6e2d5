import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EventDescriber } from '../../../../src/formats/otf2/describeEvent';
import { eventLayouts } from '../../../../src/formats/otf2/layouts/events';
import { openOtf2 } from '../../../../src/formats/otf2/open';
import { openMemory } from './memoryArchive';
import { smallTrace, undefinedRef } from './smallTrace';
import { folderFiles } from '../../../../src/measurement/files/archiveFiles';

const folder = path.resolve(import.meta.dirname, '../../../fixtures/otf2/every');

/** By kind, the fields of its first event as text. */
const described = new Map<string, string>();
const archive = openOtf2(folderFiles(folder), 'every.otf2');
const describer = new EventDescriber(archive.definitions);
for (const location of archive.definitions.locations)
  for (const chunk of archive.events(location))
    for (let index = 0; index < chunk.count; index++) {
      const kind = eventLayouts[chunk.kind[index]!]!.name;
      const fields = describer.fields(chunk, index).map(({ name, value }) => `${name}=${value}`);
      if (!described.has(kind)) described.set(kind, fields.join(' '));
    }

describe('the fields of events', () => {
  it('are there for each kind', () => {
    const kinds = eventLayouts.flatMap((layout) => layout?.name ?? []);
    expect([...described.keys()].sort()).toEqual([...kinds].sort());
  });

  it.each([
    ['ENTER', 'region=main(int, char**)'],
    ['BUFFER_FLUSH', /^stopTime=[\d.e-]+$/],
    ['MPI_SEND', 'receiver=1 comm=Comm ${id} tag=7 bytes=0'],
    ['MPI_COLLECTIVE_END', /^operation=ALLTOALLW comm=.* root=1 sent=8 received=9223372036854788153$/],
    ['METRIC', 'metric=metric, metric, metric metric=9223372036854788153 metric=-7 metric=0.1'],
    ['PROGRAM_BEGIN', /^name=main argument=-v argument=src/],
    ['RMA_COLLECTIVE_END', /syncLevel=PROCESS MEMORY rmaWin=window root=0/],
    ['RMA_GROUP_SYNC', 'syncLevel=PROCESS rmaWin=window group=group'],
    ['THREAD_FORK', 'model=OPENMP threads=3'],
    ['CALLING_CONTEXT_SAMPLE', /^callingContext=main\(int, char\*\*\) .* interruptGenerator=generator$/],
    ['IO_DELETE_FILE', 'ioParadigm=file file=file'],
    ['IO_CHANGE_FLAGS', 'handle=handle status='],
    ['MPI_COLLECTIVE_BEGIN', ''],
  ])('have names and values that people understand: %s', (kind, fields) => {
    if (typeof fields === 'string') expect(described.get(kind)).toBe(fields);
    else expect(described.get(kind)).toMatch(fields);
  });

  it('keep the numbers of what is not defined, and say what is none', () => {
    const memory = smallTrace({
      ranks: [
        [
          ['enter', 1, 5],
          ['CALLING_CONTEXT_LEAVE', 2, 6],
          ['PARAMETER_STRING', 3, 7, 99],
          ['METRIC', 4, 8, 1, 4, 12],
          ['RMA_SYNC', 5, 9, undefinedRef - 1, 7],
          ['IO_DESTROY_HANDLE', 6, undefinedRef],
          ['BUFFER_FLUSH', 7, 2500],
        ],
      ],
    });
    const own = openMemory(memory, 'traces');
    const [chunk] = own.events(own.definitions.locations[0]!);
    const describeOwn = new EventDescriber(own.definitions);
    const fields = Array.from({ length: chunk!.count }, (_, index) => describeOwn.fields(chunk!, index));
    expect(fields.map((list) => list.map(({ name, value }) => `${name}=${value}`).join(' '))).toEqual([
      'region=5',
      'callingContext=6',
      'parameter=7 string=string 99',
      'metric=metric 8 value 0=12',
      'rmaWin=9 remote=self syncType=7',
      'handle=none',
      // Seconds.
      'stopTime=2.5',
    ]);
  });
});
