// The licences of what is bundled, as they ask to be handed on with it.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './system.mjs';

/**
 * One text with name, version and licence of every package that the product is made of.
 * @param {readonly string[]} files what the bundles were made from, relative to the root (esbuild's metafile)
 */
export function thirdPartyNotices(files) {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const folders = new Set(files.map(packageFolder).filter((folder) => folder !== undefined));
  const texts = [...folders].sort().map((folder) => {
    const { version, license } = packages[folder];
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const file = readdirSync(path.join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file === undefined ? `Licence: ${license}` : readFileSync(path.join(root, folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}`;
  });
  return `Kymo contains the following packages.\n\n${[...new Set(texts)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** The package that a file belongs to, as the lock file names it: `node_modules/a`, `node_modules/a/node_modules/@b/c`. */
function packageFolder(file) {
  // The folder of all packages may be a link to one elsewhere.
  const inside = file.slice(Math.max(0, file.indexOf('node_modules/')));
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(inside)?.[0];
}
