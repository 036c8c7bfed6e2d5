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

const { results, only, ...options } = JSON.parse(process.argv[2]);
mkdirSync(options.screenshots, { recursive: true });
const report = new Report();
const finished = [];
for (const { name, run } of scenarios) {
  if (only !== undefined && only !== name) continue;
  console.log(name);
  await report.session(name, () => run(report, options));
  finished.push(name);
}
const { passed, failed, figures } = report;
writeFileSync(results, JSON.stringify({ finished, passed, failed, figures }));
process.exit(failed > 0 ? 1 : 0);
