// `npm test`: installs what is missing, then runs every layer and closes with one line `N passed, N failed`.
// `npm run test:fast`: types, lint, unit tests (under three minutes).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureNodeModules, ensureSystem, root } from './lib/system.mjs';

const fast = process.argv.includes('--fast');
const results = path.join(root, 'test-results');
const everything = [
  'cc',
  'c++',
  'gfortran',
  'make',
  'clang-19',
  'gdb',
  'chromium',
  'mpicc',
  'mpirun',
  'dpkg-source',
  'aarch64-linux-gnu-gcc',
  'aarch64-linux-gnu-g++',
  'qemu-aarch64',
  '/usr/aarch64-linux-gnu/lib/libc.so.6',
  '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
  '/usr/lib/llvm-19/lib/libomp.so',
];

/** @type {{name: string, passed: number, failed: number, skipped: number, seconds: number}[]} */
const layers = [];
const count = { passed: 0, failed: 0, skipped: 0 };
/** What failed, said again at the end: a log of half an hour is often cut in the middle. @type {string[]} */
const failures = [];
/** What failed once and passed when it was run again. @type {string[]} */
const flaky = [];

const missing = ensureSystem(fast ? ['cc', 'c++', 'make'] : everything);
if (missing.length > 0)
  console.error(`Not here, the tests that need them skip or fail: ${missing.join(', ')}`);
ensureNodeModules();
mkdirSync(results, { recursive: true });

check('types', 'scripts/typecheck.mjs', []);
check('bundles', 'scripts/build.mjs', []);
check('lint', 'node_modules/eslint/bin/eslint.js', ['.']);
check('format', 'node_modules/prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']);
check('unused', 'node_modules/knip/bin/knip.js', []);
for (const project of ['unit', ...(fast ? [] : ['webview', 'runtime', 'workflows'])]) vitest(project);
if (!fast) {
  script('editor', 'test/editor/run.mjs');
  vitest('real-programs');
}

if (flaky.length > 0) console.log(`\nNot steady:\n${flaky.join('\n')}`);
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
console.log('');
for (const { name, passed, failed, skipped, seconds } of layers)
  console.log(
    `${name.padEnd(14)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${String(skipped).padStart(4)} skipped  ${seconds.toFixed(0).padStart(4)} s`,
  );
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed > 0 || count.passed === 0 ? 1 : 0);

function node(file, args, timeout = 45 * 60_000) {
  return spawnSync(process.execPath, [path.join(root, file), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout,
    killSignal: 'SIGKILL',
  });
}

/** The first lines of a message, below what it is about. */
function indented(message) {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, 12).join('\n      ');
}

function record(name, started, passed, failed, skipped = 0) {
  layers.push({ name, passed, failed, skipped, seconds: (performance.now() - started) / 1000 });
  count.passed += passed;
  count.failed += failed;
  count.skipped += skipped;
}

/** A tool that passes or fails as a whole. */
function check(name, file, args) {
  const started = performance.now();
  console.log(`\n== ${name}`);
  const ok = node(file, args).status === 0;
  if (!ok) failures.push(`  ${name}`);
  record(name, started, ok ? 1 : 0, ok ? 0 : 1);
}

/** A layer of Vitest tests, counted from its report: no report, or none run, is a failure. */
function vitest(project) {
  const started = performance.now();
  console.log(`\n== ${project}`);
  const report = path.join(results, `${project}.json`);
  rmSync(report, { force: true });
  const { status } = node('node_modules/vitest/vitest.mjs', [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  if (!existsSync(report)) {
    failures.push(`  ${project}: no report`);
    return record(project, started, 0, 1);
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTotalTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  for (const { name, message, assertionResults } of testResults) {
    const file = path.relative(root, name);
    if (message) failures.push(`  ${project}: ${file}: ${indented(message)}`);
    for (const { status: outcome, fullName, failureMessages } of assertionResults)
      if (outcome === 'failed')
        failures.push(`  ${project}: ${file}: ${fullName}: ${indented(failureMessages.join('\n'))}`);
  }
  const failed = numFailedTests + (numFailedTests === 0 && (status !== 0 || numTotalTests === 0) ? 1 : 0);
  return record(project, started, numPassedTests, failed, numPendingTests);
}

/** A layer that prints its own `N passed, N failed` as its last line. */
function script(name, file) {
  const started = performance.now();
  console.log(`\n== ${name}`);
  const run = spawnSync(process.execPath, [path.join(root, file)], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 << 20,
    timeout: 45 * 60_000,
    killSignal: 'SIGKILL',
  });
  process.stdout.write(run.stdout ?? '');
  const last = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(run.stdout ?? '');
  if (last === null) {
    failures.push(`  ${name}: it did not come to its end`);
    return record(name, started, 0, 1);
  }
  const told = (/** @type {string} */ sign) =>
    [...run.stdout.matchAll(new RegExp(`^ *${sign} (.*)(?:\\n {4}(\\w*Error: .*))?$`, 'gm'))].map(
      ([, what, why]) => `  ${name}: ${what}${why === undefined ? '' : `: ${why}`}`,
    );
  // What failed at the first attempt of a scenario only is no failure.
  if (Number(last[2]) > 0) failures.push(...told('✗'));
  flaky.push(...told('~'));
  const failed = Number(last[2]) + (Number(last[2]) === 0 && run.status !== 0 ? 1 : 0);
  return record(name, started, Number(last[1]), failed, Number(last[3] ?? 0));
}
