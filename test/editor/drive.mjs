// Runs the scenarios that `run.mjs` gives it, one after the other, and appends each result to a file as it comes. `run.mjs` starts it,
// where possible in a namespace of its own.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { adjustPatience } from './lib/patience.mjs';
import { Report } from './lib/report.mjs';
import { installExtension } from './lib/session.mjs';

// The end of run.mjs, however it comes, is the end of everything.
process.on('disconnect', () => process.exit(1));

const { results, retries, host, vsix, screenshots } = JSON.parse(process.argv[2]);
const write = (event) => appendFileSync(results, `${JSON.stringify(event)}\n`);
mkdirSync(screenshots, { recursive: true });
const scratch = mkdtempSync(path.join(tmpdir(), 'kymo-editor-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
adjustPatience();
const options = { host, vsix, screenshots, ...installExtension({ host, vsix, folder: scratch }) };
let failed = 0;
for (let name = await nextScenario(); name !== undefined; name = await nextScenario()) {
  const { run } = await import(`./scenarios/${name}.mjs`);
  console.log(name);
  adjustPatience();
  let report = await attempt(name, run);
  if (report.failed > 0 && retries) {
    console.log(`${name}, once more`);
    report = await attempt(name, run);
  }
  write({ event: 'finished', scenario: name });
  failed += report.failed;
}
process.exit(failed > 0 ? 1 : 0);

/** @returns {Promise<string | undefined>} undefined: all have been given out */
function nextScenario() {
  const answer = new Promise((resolve) => process.once('message', ({ scenario }) => resolve(scenario)));
  process.send('next');
  return answer;
}

/** A scenario from its start, counted by itself. */
async function attempt(name, run) {
  write({ event: 'begun', scenario: name });
  const report = new Report((isPassed, check) =>
    write({ event: isPassed ? 'passed' : 'failed', scenario: name, check }),
  );
  await report.session(name, () => run(report, options));
  return report;
}
