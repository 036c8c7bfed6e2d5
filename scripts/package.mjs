// `npm run package`: builds for production and makes dist/kymo.vsix of the files that .vscodeignore names, with the page and the
// package.json of scripts/lib/extensionPage.mjs, and dist/kymo-<version>.tgz, the command line for npm.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { packCommandLine } from './lib/commandLinePackage.mjs';
import { extensionPage, publishedManifest } from './lib/extensionPage.mjs';
import { root } from './lib/system.mjs';

const built = spawnSync(process.execPath, ['scripts/build.mjs', '--production'], {
  cwd: root,
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(built.status ?? 1);
const staging = mkdtempSync(path.join(tmpdir(), 'kymo-package-'));
try {
  for (const file of await listFiles({ cwd: root, packageManager: PackageManager.None }))
    cpSync(path.join(root, file), path.join(staging, file));
  const inStaging = (file, change) =>
    writeFileSync(path.join(staging, file), change(readFileSync(path.join(root, file), 'utf8')));
  inStaging('README.md', extensionPage);
  inStaging(
    'package.json',
    (text) => `${JSON.stringify(publishedManifest(JSON.parse(text)), undefined, 2)}\n`,
  );
  await createVSIX({
    cwd: staging,
    packagePath: path.join(root, 'dist/kymo.vsix'),
    dependencies: false,
    rewriteRelativeLinks: false,
    allowMissingRepository: true,
  });
} finally {
  rmSync(staging, { recursive: true, force: true });
}
console.log(`Packaged: ${packCommandLine(root, path.join(root, 'dist'))}`);
