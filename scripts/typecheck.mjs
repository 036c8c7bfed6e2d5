// `npm run typecheck`: every part against what it may know of: Node for the program, the browser for the webviews.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './lib/system.mjs';

const projects = [
  'tsconfig.json',
  'webview/tsconfig.json',
  'bench/webview/tsconfig.json',
  'test/webview/tsconfig.json',
  'test/unit/webview/tsconfig.json',
];
let failed = false;
for (const project of projects) {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', project], {
    cwd: root,
    stdio: 'inherit',
  });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
