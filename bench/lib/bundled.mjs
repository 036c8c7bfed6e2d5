import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles programs in a folder that is there until the process ends.
 * @param programs paths of `name.ts`
 * @returns the folder, and what runs `name.mjs` there with further words and gives what it prints
 */
export async function bundled(programs) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const program of programs)
    await build({
      entryPoints: [program],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      logLevel: 'warning',
    });
  const run = (...words) => execFileSync(process.execPath, words, { encoding: 'utf8', cwd: folder });
  return { folder, run };
}
