// node bench/merge/run.mjs [--json] [--ranks N] [--paths N]: merging the results of a large job on the host, from the one file that MPI writes and from a file for each
// rank: seconds and memory until the profile is there, and until profile.cubex is on the disk.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundled } from '../lib/bundled.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    ranks: { type: 'string', default: '4096' },
    paths: { type: 'string', default: '2000' },
  },
});
const { folder, run } = await bundled([
  path.join(import.meta.dirname, 'generate.ts'),
  path.join(import.meta.dirname, 'merger.ts'),
]);
const rows = ['job', 'files'].map((kind) => {
  const results = path.join(folder, kind);
  mkdirSync(results);
  run('generate.mjs', kind, results, options.ranks, options.paths);
  const row = { results: kind, ...JSON.parse(run('merger.mjs', results, options.paths)) };
  rmSync(results, { recursive: true });
  return row;
});
if (options.json) console.log(JSON.stringify(rows));
else console.table(rows);
