// node bench/merge/run.mjs [--json] [--ranks N] [--paths N]: merging the results of a large job on the host, from the one file that MPI writes and from a file for each
// rank: seconds and memory until the profile is there, and until profile.cubex is on the disk.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    ranks: { type: 'string', default: '4096' },
    paths: { type: 'string', default: '2000' },
  },
});
const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-bench-merge-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
await build({
  entryPoints: ['generate.ts', 'merger.ts'].map((name) => path.join(import.meta.dirname, name)),
  bundle: true,
  platform: 'node',
  format: 'esm',
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
});
const run = (...words) => execFileSync(process.execPath, words, { encoding: 'utf8', cwd: folder });
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
