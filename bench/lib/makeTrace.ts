// node makeTrace.mjs <folder> <locations> <events per location> [phases]: writes traces.otf2 with calls of 300 functions and a message at every hundredth event. With
// `phases`, these are ends of messages in a ring, and every 5,000 events the length of calls and the functions change, as in programs.
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { ArchiveWriter } from '../../src/formats/otf2/write/archiveWriter';

const [folder = '.', locations = '4', events = '1000000', kind = ''] = process.argv.slice(2);
const ranks = Number(locations);
const each = Number(events);
const hasPhases = kind === 'phases';
const functions = 300;
const undefinedRef = 0xffffffff;
/** Ticks of a clock at the beginning. */
const begin = 10_828_987_586_601;

mkdirSync(path.join(folder, 'traces'), { recursive: true });
const writer = new ArchiveWriter(
  'traces',
  (file) => (bytes) => appendFileSync(path.join(folder, file), bytes),
);
const random = (() => {
  let state = 1;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
})();
let last = begin;
for (let rank = 0; rank < ranks; rank++) {
  const trace = writer.location(rank);
  const stack: number[] = [];
  let time = begin + rank * 1000;
  let pause = 100;
  let most = 0;
  for (let event = 0; event < each; event++) {
    // Small functions are left in the tick of their clock that they were entered in now and then.
    time += random(20) * pause;
    const deep = stack.length;
    if (hasPhases && event % 5000 === 0) {
      pause = [20, 100, 400][random(3)] ?? 100;
      most = random(functions);
    }
    if (hasPhases && event % 200 === 199)
      trace.event('MPI_RECV', time, [(rank + ranks - 1) % ranks, 0, 7, 1024]);
    else if (event % 100 === 99) trace.event('MPI_SEND', time, [(rank + 1) % ranks, 0, 7, 1024]);
    else if (deep > 0 && (deep > 20 || each - event <= deep || random(2) === 0))
      trace.leave(time, stack.pop() ?? 0);
    else {
      stack.push(hasPhases && random(3) === 0 ? most : random(functions));
      trace.enter(time, stack.at(-1) ?? 0);
    }
  }
  last = Math.max(last, time);
  writer.close(rank);
  writer.localDefinitions(rank);
}
writer.define('CLOCK_PROPERTIES', {
  ticksPerSecond: 2_500_000_000,
  globalOffset: begin,
  length: last - begin,
  realtimeNanoseconds: 2n ** 64n - 1n,
});
const name = (text: string): number => writer.string(text);
const empty = name('');
const machine = name('machine');
writer.define('SYSTEM_TREE_NODE', { id: 0, name: machine, className: machine, parent: undefinedRef });
for (let id = 0; id < functions; id++) {
  const text = name(`function ${id}`);
  const place = { file: undefinedRef, firstLine: 0, lastLine: 0 };
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
const process0 = name('MPI Rank');
const thread = name('Master thread');
for (let id = 0; id < ranks; id++) {
  writer.define('LOCATION_GROUP', { id, name: process0, type: 1, parent: 0, creator: undefinedRef });
  writer.define('LOCATION', { id, name: thread, type: 1, events: each, group: id });
}
const members = Array.from({ length: ranks }, (_, rank) => rank);
writer.define('GROUP', { id: 0, name: empty, members, type: 4, paradigm: 4, flags: 0 });
writer.define('GROUP', { id: 1, name: empty, members, type: 5, paradigm: 4, flags: 0 });
writer.define('COMM', { id: 0, name: name('MPI_COMM_WORLD'), group: 1, parent: undefinedRef, flags: 0 });
writer.finish();
