// What a layer of the tests reports, as counts and as the failures that are listed at the end.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './system.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number, failures: readonly string[], flaky: readonly string[] }} Result */

/** Vitest's report of a layer. */
export const reportFile = (name) => path.join(root, 'test-results', `${name}.json`);

/** A tool that passes or fails as a whole. */
export function resultOfCheck({ job, status }) {
  const ok = status === 0;
  return {
    passed: ok ? 1 : 0,
    failed: ok ? 0 : 1,
    skipped: 0,
    failures: ok ? [] : [`  ${job.name}`],
    flaky: [],
  };
}

/** A layer of Vitest tests, counted from its report: no report, or none run, is a failure. */
export function resultOfVitest({ job, status, timedOut }) {
  const file = reportFile(job.name);
  if (!existsSync(file)) {
    const why = timedOut ? 'it was ended at its time limit' : 'no report';
    return { passed: 0, failed: 1, skipped: 0, failures: [`  ${job.name}: ${why}`], flaky: [] };
  }
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const failures = [];
  for (const { name, message, assertionResults } of report.testResults) {
    const test = path.relative(root, name);
    if (message) failures.push(`  ${job.name}: ${test}: ${indented(message)}`);
    for (const { status: outcome, fullName, failureMessages } of assertionResults)
      if (outcome === 'failed')
        failures.push(`  ${job.name}: ${test}: ${fullName}: ${indented(failureMessages.join('\n'))}`);
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTotalTests } = report;
  const endedBadly = numFailedTests === 0 && (status !== 0 || numTotalTests === 0);
  if (endedBadly && failures.length === 0) failures.push(`  ${job.name}: it ended with status ${status}`);
  return {
    passed: numPassedTests,
    failed: numFailedTests + (endedBadly ? 1 : 0),
    skipped: numPendingTests,
    failures,
    flaky: [],
  };
}

/** A layer that prints its own `N passed, N failed` as its last line, and `✗` (failed) or `~` (passed when it was run again) before checks. */
export function resultOfScript({ job, status, output, timedOut }) {
  const last = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(output);
  if (last === null) {
    const why = timedOut ? 'it was ended at its time limit' : 'it did not come to its end';
    return { passed: 0, failed: 1, skipped: 0, failures: [`  ${job.name}: ${why}`], flaky: [] };
  }
  const marked = (sign) =>
    [...output.matchAll(new RegExp(`^ *${sign} (.*)(?:\\n {4}(\\w*Error: .*))?$`, 'gm'))].map(
      ([, what, why]) => `  ${job.name}: ${what}${why === undefined ? '' : `: ${why}`}`,
    );
  const failed = Number(last[2]) + (Number(last[2]) === 0 && status !== 0 ? 1 : 0);
  return {
    passed: Number(last[1]),
    failed,
    skipped: Number(last[3] ?? 0),
    failures: failed > 0 ? marked('✗') : [],
    flaky: marked('~'),
  };
}

/** The first lines of a message, below what it is about. */
function indented(message) {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, 12).join('\n      ');
}
