// Runs the scenarios and writes what came of them to a file. `run.mjs` starts it, where possible in a namespace of its own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Report } from './lib/report.mjs';
import * as cube from './scenarios/cube.mjs';
import * as dynamics from './scenarios/dynamics.mjs';
import * as experiments from './scenarios/experiments.mjs';
import * as inSource from './scenarios/inSource.mjs';
import * as integration from './scenarios/integration.mjs';
import * as filterLanguage from './scenarios/filterLanguage.mjs';
import * as hotSpots from './scenarios/hotSpots.mjs';
import * as largeTree from './scenarios/largeTree.mjs';
import * as languages from './scenarios/languages.mjs';
import * as mistakes from './scenarios/mistakes.mjs';
import * as multiRoot from './scenarios/multiRoot.mjs';
import * as packaged from './scenarios/package.mjs';
import * as profileInSource from './scenarios/profileInSource.mjs';
import * as refine from './scenarios/refine.mjs';
import * as refinementPanel from './scenarios/refinementPanel.mjs';
import * as scorepFlags from './scenarios/scorepFlags.mjs';
import * as running from './scenarios/running.mjs';
import * as views from './scenarios/views.mjs';
import * as windows from './scenarios/windows.mjs';

const scenarios = [
  packaged,
  integration,
  languages,
  refine,
  refinementPanel,
  inSource,
  mistakes,
  running,
  windows,
  views,
  experiments,
  multiRoot,
  largeTree,
  hotSpots,
  profileInSource,
  cube,
  scorepFlags,
  dynamics,
  filterLanguage,
];

// The end of run.mjs, however it comes, is the end of everything.
process.on('disconnect', () => process.exit(1));

const { results, only, retries, ...options } = JSON.parse(process.argv[2]);
mkdirSync(options.screenshots, { recursive: true });
const total = { finished: [], passed: 0, failed: 0, flaky: [] };
for (const { name, run } of scenarios) {
  if (only !== undefined && only !== name) continue;
  console.log(name);
  let report = await attempt(name, run);
  if (report.failed > 0 && retries) {
    console.log(`${name}, once more`);
    const first = report.failures;
    report = await attempt(name, run);
    if (report.failed === 0) total.flaky.push(...first);
  }
  total.passed += report.passed;
  total.failed += report.failed;
  total.finished.push(name);
}
for (const check of total.flaky) console.log(`  ~ failed once, then passed: ${check}`);
writeFileSync(results, JSON.stringify(total));
process.exit(total.failed > 0 ? 1 : 0);

/** A scenario from its start, counted on its own. */
async function attempt(name, run) {
  const report = new Report();
  await report.session(name, () => run(report, options));
  return report;
}
