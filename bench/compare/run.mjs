// node bench/compare/run.mjs [--json] [--entries N] [--turns N]: seconds in which two traces in text form of a million calls and messages are read and compared (which aligns them; align.mjs measures that alone),
// and the highest memory of the process: of a program's iterations, and of random calls.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    entries: { type: 'string', default: '1000000' },
    turns: { type: 'string', default: '3' },
  },
});
const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-bench-compare-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
await build({
  entryPoints: ['traces.ts', 'compare.ts'].map((name) => path.join(import.meta.dirname, name)),
  bundle: true,
  platform: 'node',
  format: 'esm',
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
const run = (...words) => execFileSync(process.execPath, words, { encoding: 'utf8', cwd: folder });
const result = {};
for (const way of ['repetitive', 'random']) {
  const files = [2, 3].map((seed) => {
    const file = path.join(folder, `${way}.${seed}.mvtrace`);
    run('traces.mjs', file, way, options.entries, String(seed));
    return file;
  });
  const turns = Array.from({ length: Number(options.turns) }, () => JSON.parse(run('compare.mjs', ...files)));
  result[way] = turns.reduce((best, turn) => (turn.all < best.all ? turn : best));
}
if (options.json) console.log(JSON.stringify(result));
else {
  console.log(
    `two traces of ${options.entries} calls and messages, best of ${options.turns} turns; seconds, and megabytes of memory:`,
  );
  console.table(
    Object.fromEntries(
      Object.entries(result).map(([way, { reading, comparison, all, megabytes, rows }]) => [
        way,
        {
          reading: reading.toFixed(2),
          comparison: comparison.toFixed(2),
          all: all.toFixed(2),
          MB: megabytes.toFixed(0),
          rows: rows.join(' + '),
        },
      ]),
    ),
  );
}
