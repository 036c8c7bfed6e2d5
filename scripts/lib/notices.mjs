// The licences of what is bundled, as they ask to be handed on with it.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './system.mjs';

/** Packages whose archive has no licence file, with the copyright line of their repository's. */
const withoutFile = new Map(
  [
    '@microsoft/fast-element',
    '@microsoft/fast-foundation',
    '@microsoft/fast-web-utilities',
    '@vscode/l10n',
  ].map((name) => [name, 'Copyright (c) Microsoft Corporation. All rights reserved.']),
);

/** https://spdx.org/licenses/MIT.html */
const mit = `MIT License

COPYRIGHT

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * The packages that the product is made of, each version once, ordered by name.
 * @param {readonly string[]} files what the bundles were made from, relative to the root (esbuild's metafile)
 * @returns {readonly { folder: string, name: string, version: string, license: string }[]}
 */
export function bundledPackages(files) {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const folders = new Set(files.map(packageFolder).filter((folder) => folder !== undefined));
  const all = [...folders].sort().map((folder) => {
    const { version, license } = packages[folder];
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return [`${name} ${version}`, { folder, name, version, license }];
  });
  return [...new Map(all).values()];
}

/**
 * One text with name, version and licence of every package.
 * @param {ReturnType<typeof bundledPackages>} packages
 */
export function thirdPartyNotices(packages) {
  const texts = packages.map(
    ({ folder, name, version, license }) =>
      `${name} ${version} (${license})\n\n${licenceText(folder, name, license)}`,
  );
  return `Kymo contains the following packages.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** @throws Error for a package that comes without one: nothing is handed on without its licence */
function licenceText(folder, name, license) {
  const file = readdirSync(path.join(root, folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (file !== undefined) return readFileSync(path.join(root, folder, file), 'utf8').trim();
  const copyright = withoutFile.get(name);
  if (license === 'MIT' && copyright !== undefined) return mit.replace('COPYRIGHT', copyright);
  throw new Error(
    `${name} has no licence file. Add the copyright line of its repository to scripts/lib/notices.mjs.`,
  );
}

/** The package that a file belongs to, as the lock file names it: `node_modules/a`, `node_modules/a/node_modules/@b/c`. */
function packageFolder(file) {
  // The folder of all packages may be a link to one elsewhere.
  const inside = file.slice(Math.max(0, file.indexOf('node_modules/')));
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(inside)?.[0];
}
