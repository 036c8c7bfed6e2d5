import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadBundled } from './bundled.mjs';

/**
 * Writes the manual pages and completions of the command line below `folder`, from the definitions of its commands.
 * @param {import('esbuild').BuildOptions} options of a bundle for Node
 * @param {string} folder
 */
export async function writePages(options, folder) {
  const { pages } = await loadBundled('src/cli/pages.ts', options);
  for (const [name, text] of Object.entries(pages())) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
