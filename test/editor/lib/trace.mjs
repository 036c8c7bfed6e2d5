// A small trace of the fixture's functions, written by the product's own writer.
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { product } from './product.mjs';

const ticksPerSecond = 1_000_000;
const none = 0xffffffff;
const [user, mpi] = [2, 4];
const steps = 20;

/**
 * Writes `traces.otf2` of 4 ranks: `main` calls `sweep` 20 times, and after each sends to the next rank and receives from the one before.
 * Rank 2 computes twice as long, for which rank 3 waits in `MPI_Recv`.
 * @param source file of the functions
 */
export async function writeTrace(folder, source) {
  const { ArchiveWriter } = await product('src/formats/otf2/write/archiveWriter.ts');
  mkdirSync(path.join(folder, 'traces'), { recursive: true });
  const writer = new ArchiveWriter(
    'traces',
    (file) => (bytes) => appendFileSync(path.join(folder, file), bytes),
  );
  const text = (value) => writer.string(value);
  const functions = [
    ['main', user, 34],
    ['sweep', user, 12],
    ['MPI_Send', mpi, 0],
    ['MPI_Recv', mpi, 0],
  ];
  for (let rank = 0; rank < 4; rank++) {
    const events = writer.location(rank);
    const last = (rank + 3) % 4;
    events.enter(0, 0);
    for (let step = 0; step < steps; step++) {
      const begin = 1000 + step * 50_000;
      const computed = begin + (rank === 2 ? 40_000 : 20_000);
      const isLate = last === 2;
      const sent = begin + (isLate ? 40_000 : 20_000) + 200;
      events.enter(begin, 1);
      events.leave(computed, 1);
      events.enter(computed + 100, 2);
      events.event('MPI_SEND', computed + 200, [(rank + 1) % 4, 0, 7, 4096]);
      events.leave(computed + 300, 2);
      events.enter(computed + 400, 3);
      const received = Math.max(sent + 500, computed + 500);
      events.event('MPI_RECV', received, [last, 0, 7, 4096]);
      events.leave(received + 100, 3);
    }
    events.leave(1000 + steps * 50_000, 0);
    writer.close(rank);
    writer.localDefinitions(rank);
  }
  const empty = text('');
  writer.define('CLOCK_PROPERTIES', {
    ticksPerSecond,
    globalOffset: 0,
    length: 2000 + steps * 50_000,
    realtimeNanoseconds: 2n ** 64n - 1n,
  });
  for (const [id, [name, paradigm, line]] of functions.entries())
    writer.define('REGION', {
      id,
      name: text(name),
      canonicalName: text(name),
      description: empty,
      role: 1,
      paradigm,
      flags: 0,
      file: line === 0 ? text('MPI') : text(source),
      firstLine: line,
      lastLine: line,
    });
  writer.define('SYSTEM_TREE_NODE', { id: 0, name: text('node'), className: text('node'), parent: none });
  for (let rank = 0; rank < 4; rank++) {
    const name = text(`MPI Rank ${rank}`);
    writer.define('LOCATION_GROUP', { id: rank, name, type: 1, parent: 0, creator: none });
    writer.define('LOCATION', {
      id: rank,
      name: text('Master thread'),
      type: 1,
      events: 2 + 8 * steps,
      group: rank,
    });
  }
  const members = [0, 1, 2, 3];
  writer.define('GROUP', { id: 0, name: empty, members, type: 4, paradigm: mpi, flags: 0 });
  writer.define('GROUP', { id: 1, name: empty, members, type: 5, paradigm: mpi, flags: 0 });
  writer.define('COMM', { id: 0, name: text('MPI_COMM_WORLD'), group: 1, parent: none, flags: 0 });
  writer.finish();
}
