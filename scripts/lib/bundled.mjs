import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * What a module of the source exports, bundled for the Node that runs.
 * @param {string} entry such as `src/cli/pages.ts`
 * @param {import('esbuild').BuildOptions} options of a bundle for Node
 */
export async function loadBundled(entry, options) {
  const scratch = await mkdtemp(path.join(tmpdir(), 'kymo-bundled-'));
  try {
    const outfile = path.join(scratch, 'bundle.cjs');
    await build({ ...options, minify: false, sourcemap: false, entryPoints: [entry], outfile });
    return createRequire(import.meta.url)(outfile);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
