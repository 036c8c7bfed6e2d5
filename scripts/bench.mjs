// `npm run bench [name…]`: runs the benchmarks of bench/*/run.mjs and prints what they print. Figures are ratios within one run.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ensureNodeModules, root } from './lib/system.mjs';

ensureNodeModules();
const wanted = process.argv.slice(2);
const folder = path.join(root, 'bench');
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(path.join(folder, entry.name, 'run.mjs')))
  .map((entry) => entry.name)
  .filter((name) => wanted.length === 0 || wanted.includes(name));
let failed = names.length === 0;
for (const name of names) {
  console.log(`\n== bench/${name}`);
  if (
    spawnSync(process.execPath, [path.join(folder, name, 'run.mjs')], { cwd: root, stdio: 'inherit' })
      .status !== 0
  )
    failed = true;
}
process.exit(failed ? 1 : 0);
