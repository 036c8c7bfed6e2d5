// `npm test`: installs what is missing, then runs every layer and closes with one line `N passed, N failed`.
// `npm run test:fast`: types, lint, formatting, unused code and unit tests (under three minutes).
// `npm run test:full`: all combinations and examples, of which `npm test` takes some (test/volume.ts).
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { headlessShell } from './lib/chromium.mjs';
import { duration, runJobs } from './lib/jobs.mjs';
import { reportFile, resultOfCheck, resultOfScript, resultOfVitest } from './lib/layers.mjs';
import { measureSlowness } from './lib/machine.mjs';
import { ensureNodeModules, ensureSystem, root } from './lib/system.mjs';

const fast = process.argv.includes('--fast');
const volume = process.argv.includes('--full') ? 'full' : 'usual';
const node = process.execPath;
const everything = [
  'cc',
  'c++',
  'gfortran',
  'make',
  'cmake',
  'clang-19',
  'gdb',
  'git',
  'ip',
  'chromium',
  'mpicc',
  'mpirun',
  'mpicc.mpich',
  'mpirun.mpich',
  'dpkg-source',
  'aarch64-linux-gnu-gcc',
  'aarch64-linux-gnu-g++',
  'qemu-aarch64',
  '/usr/aarch64-linux-gnu/lib/libc.so.6',
  '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
  '/usr/lib/llvm-19/lib/libomp.so',
  '/usr/bin/mpirun.mpich',
  '/usr/bin/mpicc.mpich',
  '/usr/sbin/slurmctld',
  '/usr/sbin/munged',
];

/** @type {(import('./lib/jobs.mjs').Job & { resultOf: Function })[]} */
const checks = [
  check('types', ['npm', 'run', '--silent', 'typecheck'], 2, 20),
  check('lint', ['npm', 'run', '--silent', 'lint'], 2, 70),
  check('format', ['npm', 'run', '--silent', 'format:check'], 1, 5),
  check('unused', [node, 'node_modules/knip/bin/knip.js'], 1, 20),
];
/** The editor layer mostly waits: it begins first, and the others run beside it. What judges measured times comes last, by itself. */
const jobs = fast
  ? [...checks, vitest('unit', 2, 60, 'unit*')]
  : [
      script('editor', [node, 'test/editor/run.mjs', '--vsix', 'dist/kymo.vsix', '--lanes', '2'], 0, 900),
      ...checks,
      vitest('unit', 2, 300, 'unit*'),
      vitest('webview', 2, 180),
      vitest('runtime', 2, 240),
      vitest('workflows', 2, 600),
      vitest('real-programs', 2, 200),
    ];
/** Nothing runs beside these. */
const alone = fast ? [] : [vitest('workflows-alone', 2, 60)];

// Not every release has the lighter browser; the usual one does the same.
const missing = ensureSystem(fast ? ['cc', 'c++', 'make'] : [...everything, headlessShell]).filter(
  (name) => name !== headlessShell,
);
if (missing.length > 0)
  console.error(`Missing, so the tests that need them are skipped or fail: ${missing.join(', ')}`);
ensureNodeModules();
mkdirSync(path.join(root, 'test-results'), { recursive: true });

const started = performance.now();
const slowness = measureSlowness();
const layers = [];
// The extension as it is released: the tests of the layers below start what is in `dist`.
const preparation = fast
  ? check('bundles', [node, 'scripts/build.mjs'], 2, 5)
  : check('package', ['npm', 'run', '--silent', 'package'], 2, 10);
const expected = expectedSeconds();
console.log(
  `Time limits are multiplied by ${slowness.toFixed(1)}, the slowness of this machine now. Expected duration: ${duration(expected * slowness)}.`,
);
for (const group of [[preparation], jobs, alone])
  await runJobs(group, {
    slowness,
    environment: { ...process.env, KYMO_SLOWNESS: slowness.toFixed(2), KYMO_TEST_VOLUME: volume },
    ended: record,
  });
report();

function check(name, command, workers, seconds) {
  return { name, command, workers, expectedSeconds: seconds, resultOf: resultOfCheck };
}

function script(name, command, workers, seconds) {
  return { name, command, workers, expectedSeconds: seconds, resultOf: resultOfScript };
}

function vitest(project, workers, seconds, pattern = project) {
  const report = reportFile(project);
  rmSync(report, { force: true });
  return {
    name: project,
    command: [
      node,
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      pattern,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    workers,
    expectedSeconds: seconds,
    resultOf: resultOfVitest,
  };
}

/** What runs beside each other takes as long as the longer one, and no less than two processors need for all: what mostly waits needs one. */
function expectedSeconds() {
  const sum = (list) =>
    list.reduce((all, { workers, expectedSeconds: own }) => all + (own * Math.max(workers, 1)) / 2, 0);
  const longest = Math.max(...jobs.map((job) => job.expectedSeconds));
  return preparation.expectedSeconds + Math.max(longest, sum(jobs)) + sum(alone);
}

function record(outcome) {
  const { job, output, seconds } = outcome;
  const result = job.resultOf(outcome);
  layers.push({ name: job.name, seconds, ...result });
  console.log(`\n== ${job.name}\n${output.trimEnd()}`);
  const verdict = result.failed > 0 ? `${result.failed} failed` : 'passed';
  console.log(`== ${job.name}: ${verdict} after ${duration(seconds)}\n`);
}

function report() {
  // Listed again at the end: a long log is often cut in the middle.
  const flaky = layers.flatMap((layer) => layer.flaky);
  const failures = layers.flatMap((layer) => layer.failures);
  if (flaky.length > 0) console.log(`\nNot steady:\n${flaky.join('\n')}`);
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
  console.log('');
  for (const { name, passed, failed, skipped, seconds } of layers)
    console.log(
      `${name.padEnd(15)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${String(skipped).padStart(4)} skipped  ${seconds.toFixed(0).padStart(4)} s`,
    );
  const total = (what) => layers.reduce((sum, layer) => sum + layer[what], 0);
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(total);
  console.log(`\nAll layers: ${duration((performance.now() - started) / 1000)}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}
