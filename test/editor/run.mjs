// The packaged extension in a real VS Code in a real browser: `node test/editor/run.mjs [--vsix FILE] [--only SCENARIO,…] [--lanes N]`.
// Prints `N passed, N failed`; pictures are in test-results/editor. See README.md here.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { browserPath } from '../../scripts/lib/chromium.mjs';
import { givenSlowness, measureSlowness } from '../../scripts/lib/machine.mjs';
import { ensureVscodeHost } from '../../scripts/vscode-host.mjs';
import { readResults } from './lib/results.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const scenarioNames = [
  'package',
  'firstResult',
  'integration',
  'refine',
  'refinementPanel',
  'inSource',
  'mistakes',
  'running',
  'watching',
  'views',
  'experiments',
  'multiRoot',
  'german',
  'largeTree',
  'hotSpots',
  'oneTruth',
  'profileInSource',
  'cube',
  'scorepFlags',
  'dynamics',
  'models',
  'diagnosis',
  'timeline',
  'comparison',
  'baseline',
  'studies',
  'filterLanguage',
];
/** Long ones, which only `npm run test:full` runs (`KYMO_TEST_VOLUME=full`), or `--only`: run them after a change of what they show. */
const onlyInFull = ['windows', 'languages', 'diagnosisRunning'];
const slowness = Math.max(givenSlowness(), measureSlowness());
/** For everything, on a quiet machine; far above what is needed. */
const limitMilliseconds = 40 * 60_000 * slowness;

const { values } = parseArgs({
  options: { vsix: { type: 'string' }, only: { type: 'string' }, lanes: { type: 'string', default: '1' } },
});
const scratch = mkdtempSync(path.join(tmpdir(), 'kymo-editor-run-'));
let outcome;
try {
  const host = ensureVscodeHost();
  if (!existsSync(browserPath))
    throw new Error(
      `There is no ${browserPath}: apt-get install chromium fonts-dejavu-core, or name one by CHROMIUM.`,
    );
  const vsix = values.vsix === undefined ? packageExtension() : path.resolve(values.vsix);
  const results = path.join(scratch, 'results.ndjson');
  const screenshots = path.join(root, 'test-results/editor');
  rmSync(screenshots, { recursive: true, force: true });
  // A scenario that fails is run once more where nobody watches; checks that fail only once are listed: they have a fault, too.
  const retries = process.env.CI === 'true';
  const usual = process.env.KYMO_TEST_VOLUME === 'full' ? [...scenarioNames, ...onlyInFull] : scenarioNames;
  const scenarios = values.only === undefined ? usual : values.only.split(',');
  console.log(`All limits × ${slowness.toFixed(1)}, the slowness of this machine now.`);
  outcome = await drive(Number(values.lanes), scenarios, { host, vsix, results, screenshots, retries });
} catch (error) {
  console.log(error.message);
  outcome = { passed: 0, failed: 1 };
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
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

/**
 * Runs the scenarios in lanes beside each other: a window mostly waits. An exit status of 0 proves nothing: the results must
 * have every scenario as finished.
 */
async function drive(lanes, scenarios, options) {
  const waiting = [...scenarios];
  const statuses = await Promise.all(Array.from({ length: lanes }, () => runLane(waiting, options)));
  const { passed, failed, flaky, missing } = readResults(options.results, scenarios);
  for (const check of flaky) console.log(`  ~ failed once, then passed: ${check}`);
  for (const name of missing)
    console.log(`  ✗ ${name} did not run to its end (status ${statuses.join(', ')})`);
  const all = failed + missing.length;
  return { passed, failed: statuses.some((status) => status !== 0) && all === 0 ? 1 : all };
}

/**
 * A process that runs one of the `waiting` scenarios after the other. As root in namespaces of its own: nothing but loopback
 * exists, and every process dies with it. Otherwise in a process group of its own, which is killed at the end. The output of a
 * scenario is printed in one piece.
 */
function runLane(waiting, options) {
  const file = path.join(import.meta.dirname, 'drive.mjs');
  const argument = JSON.stringify(options);
  const unshare = ['unshare', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const isolated = spawnSync(unshare[0], [...unshare.slice(1), 'true'], { stdio: 'ignore' }).status === 0;
  const command = isolated
    ? [...unshare, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, file, argument]
    : [process.execPath, file, argument];
  if (!isolated) console.error('No namespaces for this user: the tests run without them.');
  const child = spawn(command[0], command.slice(1), {
    // The tests end when the channel to this process closes.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
    env: { ...process.env, KYMO_SLOWNESS: String(slowness) },
  });
  let output = '';
  const print = () => {
    process.stdout.write(output);
    output = '';
  };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  child.on('message', () => {
    print();
    child.send({ scenario: waiting.shift() });
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
      print();
      end();
      process.exit(1);
    });
  const timer = setTimeout(end, limitMilliseconds);
  return new Promise((resolve) => {
    child.once('exit', end);
    child.once('close', (status, signal) => {
      clearTimeout(timer);
      print();
      resolve(status ?? signal);
    });
  });
}
