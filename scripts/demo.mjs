// `npm run demo`: refines the bundled C++ example with the embedded runtime, from nothing but a clone.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureNodeModules, ensureSystem, installAdvice, root } from './lib/system.mjs';

const missing = ensureSystem(['cc', 'c++', 'make']);
if (missing.length > 0) {
  console.error(installAdvice(missing));
  process.exit(1);
}
ensureNodeModules();
const node = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
if (node('scripts/build.mjs').status !== 0) process.exit(1);
const workspace = path.join(root, 'examples/nbody');
const refined = node('dist/cli.js', 'refine', '--workspace', workspace);
if (refined.status !== 0) process.exit(refined.status ?? 1);
console.log(`
To see this in VS Code:
  npm run package && code --install-extension dist/kymo.vsix
  code ${path.relative(process.cwd(), workspace) || workspace}
The view container Kymo lists this refinement, and the functions of laws.h carry what it found.`);
