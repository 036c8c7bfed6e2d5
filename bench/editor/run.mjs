// node bench/editor/run.mjs [--json]
// What the extension host computes itself, against how long it may be blocked (ARCHITECTURE, "Rules of the house").
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-bench-editor-'));
try {
  const outfile = path.join(folder, 'workloads.mjs');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'workloads.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'warning',
  });
  const { workloads } = await import(pathToFileURL(outfile).href);
  const results = workloads.map(({ name, bar, run }) => ({ name, bar, milliseconds: run() }));
  if (process.argv.includes('--json')) console.log(JSON.stringify(results, undefined, 2));
  else
    for (const { name, bar, milliseconds } of results)
      console.log(
        `${name}: ${milliseconds.toFixed(1)} ms; bar ${bar} ms${milliseconds > bar ? '  EXCEEDS THE BAR' : ''}`,
      );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
