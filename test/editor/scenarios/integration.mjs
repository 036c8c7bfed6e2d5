// The suite of test/editor/integration, inside the extension host. Judged by the results that it leaves: an exit code of 0 proves nothing.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { patience } from '../lib/patience.mjs';
import { assert } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

const suite = path.resolve(import.meta.dirname, '../integration/index.cjs');

export async function run(report, options) {
  const scratch = mkdtempSync(path.join(tmpdir(), 'kymo-integration-'));
  const results = path.join(scratch, 'results.json');
  try {
    await withWorkspace((folder) =>
      withSession(
        { ...options, folder, tests: suite, variables: { KYMO_TEST_RESULTS: results } },
        async ({ ended, hostLog }) => {
          const late = new Promise((resolve) =>
            setTimeout(() => resolve('too late'), patience(180_000)).unref(),
          );
          report.figure('the suite ended with', await Promise.race([ended, late]));
          // Only the host's messages about the suite are of interest here.
          if (!existsSync(results))
            console.log(hostLog.filter((text) => text.includes(path.dirname(suite))).join('\n'));
        },
      ),
    );
    await report.check('the suite ran and left its results', () => assert(existsSync(results), 'no results'));
    const { tests, stats } = JSON.parse(readFileSync(results, 'utf8'));
    for (const { fullTitle, err } of tests)
      await report
        .check(fullTitle, () => assert(err.message === undefined, err.stack))
        .catch(() => undefined);
    await report.check('none was left out', () => {
      assert(stats.tests > 0 && stats.pending === 0, JSON.stringify(stats));
      assert(stats.passes + stats.failures === stats.tests, JSON.stringify(stats));
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
