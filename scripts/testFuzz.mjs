// `npm run test:fuzz [-- ROUNDS]`: the property tests with new examples, round after round (10 by default), until one fails.
// A failed one prints its seed and path; give both to `fc.assert` to see it again, and keep its counterexample as a test.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './lib/system.mjs';

const rounds = Number(process.argv[2] ?? 10);
if (!(rounds >= 1)) throw new Error(`“${process.argv[2]}” is not a number of rounds.`);
const unit = path.join(root, 'test/unit');
const files = readdirSync(unit, { recursive: true, encoding: 'utf8' })
  .map((file) => path.join(unit, file))
  .filter((file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes(`from 'fast-check'`));

for (let round = 1; round <= rounds; round++) {
  const seed = randomInt(2 ** 31);
  console.log(`\nround ${round} of ${rounds}, seed ${seed}, ${files.length} files`);
  const { status } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--project',
      'unit',
      '--reporter=dot',
      ...files.map((file) => path.relative(root, file)),
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, KYMO_TEST_SEED: String(seed) } },
  );
  if (status !== 0) process.exit(1);
}
