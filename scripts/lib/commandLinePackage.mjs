// The npm package of the command line: what it runs, its manual pages, and a package.json without what npm would have to install.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Of the build and the repository; the bundles have all libraries inside. */
const files = [
  'dist/cli.js',
  'dist/wrapper.js',
  'dist/grammars',
  'dist/runtime',
  'dist/man',
  'dist/completions',
  'dist/THIRD-PARTY-NOTICES.txt',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
];

/** Fields of the repository's package.json that are also those of the command line. */
const fields = ['name', 'version', 'license', 'keywords', 'bin'];

/**
 * Packs the build below `root` by `npm pack`, and returns the path of the archive in `destination`.
 * @param {string} root
 * @param {string} destination
 * @throws Error when a file is missing or npm fails
 */
export function packCommandLine(root, destination) {
  const staging = mkdtempSync(path.join(tmpdir(), 'kymo-npm-'));
  try {
    for (const file of files) cpSync(path.join(root, file), path.join(staging, file), { recursive: true });
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const { description } = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8'));
    const own = {
      ...Object.fromEntries(fields.map((field) => [field, manifest[field]])),
      // package.json has a key for it, which VS Code replaces.
      description,
      engines: { node: manifest.engines.node },
      os: ['linux'],
      files: ['dist', 'CHANGELOG.md'],
      man: readdirSync(path.join(staging, 'dist/man')).map((name) => `dist/man/${name}`),
    };
    writeFileSync(path.join(staging, 'package.json'), `${JSON.stringify(own, undefined, 2)}\n`);
    const { status, stdout, stderr } = spawnSync(
      'npm',
      ['pack', '--ignore-scripts', '--json', '--pack-destination', destination],
      { cwd: staging, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
    return path.join(destination, JSON.parse(stdout)[0].filename);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
