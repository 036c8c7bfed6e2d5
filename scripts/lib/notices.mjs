// The licences of what is bundled, as they ask to be handed on with it.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './system.mjs';

/** Installed for building native modules only; nothing of them is in a bundle. */
const notShipped = /(^|\/)(node-gyp-build|node-addon-api)$/;

/** One text with name, version and licence of every package that the product is made of. */
export function thirdPartyNotices() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const shipped = Object.entries(packages).filter(
    ([folder, entry]) => folder !== '' && !entry.dev && !entry.optional && !notShipped.test(folder),
  );
  const texts = shipped.map(([folder, { version, license }]) => {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const file = readdirSync(path.join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file === undefined ? `Licence: ${license}` : readFileSync(path.join(root, folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}`;
  });
  return `Kymo contains the following packages.\n\n${[...new Set(texts)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
