// node bench/timeline/run.mjs [--json] [--locations N] [--events N] [--turns N]: the timeline of a made trace of so many events in all: what making its index takes, and then, with
// the index, until a new process has painted the whole trace first; a zoom of 64 rows and 1600 pixels from the whole to a millionth of it, in steps of two; the other answers. Milliseconds
// that a user waits for 64-row pictures, and the highest memory; best of the turns.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundled } from '../lib/bundled.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    locations: { type: 'string', default: '64' },
    events: { type: 'string', default: '10000000' },
    turns: { type: 'string', default: '3' },
  },
});
const { folder, run } = await bundled([
  path.join(import.meta.dirname, '../lib/makeTrace.ts'),
  path.join(import.meta.dirname, 'view.ts'),
]);
const each = Math.round(Number(options.events) / Number(options.locations));
run('makeTrace.mjs', folder, options.locations, String(each), 'phases');
const anchor = path.join(folder, 'traces.otf2');
const bytesOf = (where) =>
  readdirSync(where, { recursive: true }).reduce(
    (sum, file) => sum + statSync(path.join(where, file)).size,
    0,
  );
const traced = bytesOf(path.join(folder, 'traces'));
const made = JSON.parse(run('view.mjs', anchor));
if (made.events !== each * Number(options.locations)) throw new Error(`read ${made.events} events`);
const views = Array.from({ length: Number(options.turns) }, () => JSON.parse(run('view.mjs', anchor)));
const best = (of) => Math.min(...views.map(of));
const result = {
  events: made.events,
  messages: made.messages,
  traceMegabytes: traced / 1e6,
  indexMegabytes: bytesOf(path.join(folder, '.kymo')) / 1e6,
  making: {
    millionEventsPerSecond: made.events / made.milliseconds.open / 1e3,
    megabytes: made.megabytes,
  },
  withIndex: {
    'first picture': best(({ milliseconds }) => milliseconds.open + milliseconds['first picture']),
    ...Object.fromEntries(
      Object.keys(made.milliseconds)
        .filter((name) => name !== 'open' && name !== 'first picture')
        .map((name) => [name, best(({ milliseconds }) => milliseconds[name])]),
    ),
    megabytes: best(({ megabytes }) => megabytes),
  },
};
if (options.json) console.log(JSON.stringify(result));
else {
  console.log(
    `${result.events} events of ${options.locations} locations, ${result.messages} messages, ${result.traceMegabytes.toFixed(0)} MB; index ${result.indexMegabytes.toFixed(0)} MB`,
  );
  console.log(
    `making the index: ${result.making.millionEventsPerSecond.toFixed(1)} million events per second, ${result.making.megabytes.toFixed(0)} MB of memory at most`,
  );
  console.log(`with the index, milliseconds, best of ${options.turns} processes:`);
  console.table(
    Object.fromEntries(
      Object.entries(result.withIndex).map(([name, value]) => [name, Number(value.toFixed(1))]),
    ),
  );
}
