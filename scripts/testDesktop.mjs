// `npm run test:desktop`: the suite of test/editor/integration in an Electron VS Code, for contributors with a desktop.
// VSCODE names an executable; otherwise @vscode/test-electron downloads one. Prints `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { withWorkspace } from '../test/editor/lib/workspace.mjs';

const root = path.resolve(import.meta.dirname, '..');
const scratch = mkdtempSync(path.join(tmpdir(), 'kymo-desktop-'));
const results = path.join(scratch, 'results.json');
let failure = '';
try {
  const built = spawnSync(process.execPath, [path.join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
  if (built.status !== 0) throw new Error('The extension cannot be built.');
  await withWorkspace((folder) =>
    runTests({
      ...(process.env.VSCODE === undefined ? {} : { vscodeExecutablePath: process.env.VSCODE }),
      extensionDevelopmentPath: root,
      extensionTestsPath: path.join(root, 'test/editor/integration/index.cjs'),
      extensionTestsEnv: { KYMO_TEST_RESULTS: results },
      launchArgs: [folder, '--disable-extensions', '--disable-workspace-trust', '--user-data-dir', scratch],
    }),
  );
} catch (error) {
  failure = error instanceof Error ? error.message : String(error);
}
// An exit code of 0 proves nothing: what counts is the file that the suite leaves.
const { tests } = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : { tests: [] };
rmSync(scratch, { recursive: true, force: true });
const failed = tests.filter(({ err }) => err.message !== undefined);
for (const { fullTitle, err } of failed) console.log(`✗ ${fullTitle}\n  ${err.message}`);
if (failure !== '') console.log(failure);
const failures = failed.length + (tests.length === 0 ? 1 : 0);
console.log(`${tests.length - failed.length} passed, ${failures} failed`);
process.exit(failures > 0 ? 1 : 0);
