// Modules of the repository as one, made anew by each benchmark.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../..');

/** What the listed files of the repository export. */
export async function load(...files) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kymo-bench-'));
  try {
    const outfile = path.join(folder, 'dynamics.mjs');
    const contents = files
      .map((file) => `export * from ${JSON.stringify(path.join(root, file))};`)
      .join('\n');
    await build({
      stdin: { contents, resolveDir: root },
      bundle: true,
      platform: 'node',
      format: 'esm',
      mainFields: ['module', 'main'],
      outfile,
      // The helpers of the runtime's tests find its sources from their own place.
      define: { 'import.meta.dirname': JSON.stringify(path.join(root, 'test/runtime')) },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** CPU milliseconds of a call, user and system: what others do on the machine matters less than with the clock. */
export function cpuMilliseconds(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
