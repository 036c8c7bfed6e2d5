// node bench/otf2/run.mjs [--json] [--locations N] [--events N] [--turns N]: events per second of CPU time that Kymo reads of a trace of calls and messages, in turns with
// otf2-print where it is installed: printing, and reading only. Then the highest memory for a small and a large trace.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundled } from '../lib/bundled.mjs';
import { installed } from '../lib/installed.mjs';
import { timed } from '../lib/timed.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    locations: { type: 'string', default: '4' },
    events: { type: 'string', default: '24000000' },
    turns: { type: 'string', default: '3' },
  },
});
const { folder, run } = await bundled([
  path.join(import.meta.dirname, '../lib/makeTrace.ts'),
  path.join(import.meta.dirname, 'reader.ts'),
]);
const events = Number(options.events);
const small = written('small', Math.round(events / 20));
const large = written('large', Math.round(events / Number(options.locations)));

const peers =
  installed(['otf2-print']).length > 0 ? { 'otf2-print': [], 'otf2-print --silent': ['--silent'] } : {};
const seconds = { 'Kymo, chunks': [], 'Kymo, merged': [] };
const rows = [];
for (let turn = 0; turn < Number(options.turns); turn++) {
  for (const way of ['chunks', 'merged']) {
    const row = JSON.parse(run('reader.mjs', large.anchor, way));
    if (row.events !== large.events || row.notes > 0) throw new Error(`read ${JSON.stringify(row)}`);
    seconds[`Kymo, ${way}`].push(row.seconds);
    rows[way === 'chunks' ? 0 : 1] = row.megabytes;
  }
  for (const [name, words] of Object.entries(peers)) {
    const command = { words: ['otf2-print', ...words, large.anchor], statuses: [0], input: '/dev/null' };
    const { user, system } = timed({ command, tree: folder });
    (seconds[name] ??= []).push(user + system);
  }
}
const best = (name) => Math.min(...seconds[name]);
const result = Object.fromEntries(
  Object.keys(seconds).map((name) => [
    name,
    {
      millionEventsPerSecond: large.events / best(name) / 1e6,
      ...(seconds['otf2-print'] === undefined ? {} : { timesOtf2Print: best('otf2-print') / best(name) }),
    },
  ]),
);
const memory = ['chunks', 'merged'].map((way, index) => ({
  way,
  small: `${JSON.parse(run('reader.mjs', small.anchor, way)).megabytes.toFixed(0)} MB for ${small.megabytes.toFixed(0)} MB`,
  large: `${rows[index].toFixed(0)} MB for ${large.megabytes.toFixed(0)} MB`,
}));
if (options.json) console.log(JSON.stringify({ events: large.events, rates: result, memory }));
else {
  console.log(
    `${large.events} events, ${large.megabytes.toFixed(0)} MB, best of ${options.turns} turns, per second of CPU time:`,
  );
  console.table(result);
  console.log('highest memory of the process:');
  console.table(memory);
}

function written(name, each) {
  const where = path.join(folder, name);
  run('makeTrace.mjs', where, options.locations, String(each));
  const files = readdirSync(where, { recursive: true }).map((file) => statSync(path.join(where, file)).size);
  return {
    anchor: path.join(where, 'traces.otf2'),
    events: each * Number(options.locations),
    megabytes: files.reduce((sum, size) => sum + size, 0) / 1e6,
  };
}
