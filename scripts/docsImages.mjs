// The pictures of the README are screenshots of the editor tests: run those first (`node test/editor/run.mjs`), then `node scripts/docsImages.mjs`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withPalette } from './lib/png.mjs';

const root = path.resolve(import.meta.dirname, '..');
const from = path.resolve(root, process.argv[2] ?? 'test-results/editor');
const to = path.join(root, 'docs/images');
/** Screenshot of the tests → picture of the docs. */
const pictures = {
  'cube-readme': 'cube-editor',
  'dynamics-dark': 'dynamics',
  'hot-spots-readme': 'hot-spots',
  'refinement-panel-readme': 'refinement',
  'running-language-status': 'source',
};

mkdirSync(to, { recursive: true });
for (const [screenshot, picture] of Object.entries(pictures)) {
  const source = path.join(from, `${screenshot}.png`);
  if (!existsSync(source)) throw new Error(`${source} is missing: run node test/editor/run.mjs`);
  const before = readFileSync(source);
  const after = withPalette(before);
  writeFileSync(path.join(to, `${picture}.png`), after);
  console.log(`docs/images/${picture}.png: ${kilobytes(before)} → ${kilobytes(after)} kB`);
}

function kilobytes({ length }) {
  return (length / 1000).toFixed(1);
}
