import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * Writes the manual pages and completions of the command line below `folder`, from the definitions of its commands.
 * @param {import('esbuild').BuildOptions} options of a bundle for Node
 * @param {string} folder
 */
export async function writePages(options, folder) {
  const scratch = await mkdtemp(path.join(tmpdir(), 'kymo-pages-'));
  try {
    const outfile = path.join(scratch, 'pages.cjs');
    await build({ ...options, sourcemap: false, entryPoints: ['src/cli/pages.ts'], outfile });
    const { pages } = createRequire(import.meta.url)(outfile);
    for (const [name, text] of Object.entries(pages())) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
