// The packaged extension in a real VS Code in a real browser: `node test/editor/run.mjs [--vsix FILE] [--only SCENARIO]`.
// Prints `N passed, N failed`; pictures are in test-results/editor. See README.md here.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureVscodeHost } from '../../scripts/vscode-host.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const scenarioNames = [
  'package',
  'integration',
  'languages',
  'refine',
  'refinementPanel',
  'inSource',
  'mistakes',
  'running',
  'windows',
  'views',
  'experiments',
  'multiRoot',
  'largeTree',
  'hotSpots',
  'profileInSource',
  'cube',
  'scorepFlags',
  'dynamics',
  'filterLanguage',
];
/** For everything; far above what a loaded machine needs. */
const limitMilliseconds = 40 * 60_000;

const { values } = parseArgs({ options: { vsix: { type: 'string' }, only: { type: 'string' } } });
const scratch = mkdtempSync(path.join(tmpdir(), 'kymo-editor-run-'));
let outcome;
try {
  const host = ensureVscodeHost();
  const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(chromium))
    throw new Error(
      `There is no ${chromium}: apt-get install chromium fonts-dejavu-core, or name one by CHROMIUM.`,
    );
  const vsix = values.vsix === undefined ? packageExtension() : path.resolve(values.vsix);
  const results = path.join(scratch, 'results.json');
  const screenshots = path.join(root, 'test-results/editor');
  rmSync(screenshots, { recursive: true, force: true });
  // A scenario that fails is run once more where nobody watches; what fails only once is told, and is a fault to look for.
  const retries = process.env.CI === 'true';
  outcome = await drive({ host, vsix, results, screenshots, only: values.only, retries }, results);
} catch (error) {
  console.log(error.message);
  outcome = { passed: 0, failed: 1 };
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`${outcome.passed} passed, ${outcome.failed} failed`);
process.exit(outcome.failed > 0 || outcome.passed === 0 ? 1 : 0);

/** The way that a release is packaged. */
function packageExtension() {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'package'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The extension cannot be packaged.\n${stdout}${stderr}`);
  return path.join(root, 'dist/kymo.vsix');
}

/** An exit status of 0 proves nothing: the results file must be there and name every scenario. */
async function drive(options, results) {
  const status = await run(path.join(import.meta.dirname, 'drive.mjs'), JSON.stringify(options));
  const planned = options.only === undefined ? scenarioNames : [options.only];
  const found = existsSync(results)
    ? JSON.parse(readFileSync(results, 'utf8'))
    : { finished: [], passed: 0, failed: 0 };
  const missing = planned.filter((name) => !found.finished.includes(name));
  if (missing.length > 0) console.log(`did not run to their end: ${missing.join(', ')} (status ${status})`);
  const failed = found.failed + missing.length;
  return { passed: found.passed, failed: status !== 0 && failed === 0 ? 1 : failed };
}

/**
 * As root in namespaces of its own: nothing but loopback exists, and every process dies with it. Otherwise in a process
 * group of its own, which is killed at the end.
 */
function run(file, argument) {
  const unshare = ['unshare', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const isolated = spawnSync(unshare[0], [...unshare.slice(1), 'true'], { stdio: 'ignore' }).status === 0;
  const command = isolated
    ? [...unshare, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, file, argument]
    : [process.execPath, file, argument];
  if (!isolated) console.error('No namespaces for this user: the tests run without them.');
  const child = spawn(command[0], command.slice(1), {
    // The channel tells the tests when this process is gone.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => {
      end();
      process.exit(1);
    });
  const timer = setTimeout(end, limitMilliseconds);
  return new Promise((resolve) => {
    child.once('exit', (status, signal) => {
      clearTimeout(timer);
      end();
      resolve(status ?? signal);
    });
  });
}
