// `npm run typecheck`: each part with the types of its environment: Node for the program, the browser for the webviews.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './lib/system.mjs';

/** The largest first: the others are checked beside it, one after the other. */
const lanes = [
  ['tsconfig.json'],
  // Tests and benches of the webviews together: each reads most of the webviews and of the test tools again.
  ['webview/tsconfig.json', 'test/tsconfig.browser.json'],
];
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');

function isCorrect(project) {
  return new Promise((resolve) => {
    spawn(process.execPath, [tsc, '--noEmit', '-p', project], { cwd: root, stdio: 'inherit' })
      .once('error', () => resolve(false))
      .once('exit', (status) => resolve(status === 0));
  });
}

const results = await Promise.all(
  lanes.map(async (projects) => {
    let correct = true;
    for (const project of projects) correct = (await isCorrect(project)) && correct;
    return correct;
  }),
);
process.exit(results.every(Boolean) ? 0 : 1);
