// `npm run mutants -- [FILE|FOLDER…] [--count 20] [--seed 1] [--longest SECONDS] [--list]`: changes one operator, literal or statement of a source file at a time and runs
// the unit tests that reach it. A change that no test notices (a survivor) shows what the tests do not state. Without a file: the source files that
// differ from the main branch. `--longest` leaves out test files that take longer, for a quick lower bound. Works on a copy: the tree is not touched.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { mutationsOf } from './lib/mutations.mjs';
import { MutantTests } from './lib/mutantTests.mjs';
import { root } from './lib/system.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    longest: { type: 'string', default: 'Infinity' },
    list: { type: 'boolean', default: false },
  },
});
const files = positionals.length > 0 ? positionals.flatMap(sourceFiles) : changedFiles();
const all = files.flatMap((file) => mutationsOf(file, readFileSync(path.join(root, file), 'utf8')));
if (all.length === 0) {
  console.log('There is nothing to change: name source files or folders (src/core, core/cost …).');
  process.exit(2);
}
const chosen = sample(all, Number(values.count), Number(values.seed));
if (values.list) {
  for (const mutant of chosen) console.log(describe(mutant));
  process.exit(0);
}

const copy = copyTree();
const rooms = new Map();
let noticed = 0;
process.on('SIGINT', () => process.exit(130));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
process.env.KYMO_SHARED ??= path.resolve(root, '../shared');
const tests = new MutantTests(copy, root, Number(values.longest));
for (const test of await tests.begin(files)) console.log(`${test} fails without a change: it is not used.`);
for (const [index, mutant] of chosen.entries()) {
  const outcome = await tests.try(mutant);
  if (outcome === 'noticed') noticed += 1;
  count(mutant.file, outcome);
  console.log(`${String(index + 1).padStart(3)}/${chosen.length} ${outcome.padEnd(9)} ${describe(mutant)}`);
}
await tests.close();
for (const [room, [of, some]] of [...rooms].sort()) console.log(`${room.padEnd(40)} ${some} of ${of}`);
console.log(
  `\n${noticed} of ${chosen.length} changes were noticed (${((100 * noticed) / chosen.length).toFixed(0)} %).`,
);
process.exit(noticed < chosen.length ? 1 : 0);

function count(file, outcome) {
  const room = path.dirname(file);
  const [of, some] = rooms.get(room) ?? [0, 0];
  rooms.set(room, [of + 1, some + (outcome === 'noticed' ? 1 : 0)]);
}

/** `core/cost` stands for `src/core/cost`. */
function sourceFiles(name) {
  const place = [name, path.join('src', name)].find((candidate) => existsSync(path.join(root, candidate)));
  if (place === undefined) throw new Error(`There is no ${name}.`);
  if (statSync(path.join(root, place)).isFile()) return [place];
  return git('ls-files', place).filter(isSource);
}

function changedFiles() {
  return git('diff', '--name-only', '--diff-filter=d', git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD').filter(
    isSource,
  );
}

function isSource(file) {
  return /^(src|webview)\/.*\.ts$/.test(file) && !/\.(d|types)\.ts$/.test(file);
}

function git(...args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 })
    .stdout.split('\n')
    .filter(Boolean);
}

/** The same ones for the same seed (a linear congruential generator). */
function sample(from, count, seed) {
  const rest = [...from];
  let state = seed >>> 0;
  const picked = [];
  while (picked.length < count && rest.length > 0) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    picked.push(...rest.splice(Math.floor((state / 2 ** 32) * rest.length), 1));
  }
  return picked;
}

function describe({ file, begin, end, replacement, text, kind }) {
  const line = text.slice(0, begin).split('\n').length;
  const short = (code) => code.replace(/\s+/g, ' ').slice(0, 60);
  return `${file}:${line}  ${kind}: ${short(text.slice(begin, end))}  →  ${short(replacement)}`;
}

/** What git knows and what is new, without what it ignores. */
function copyTree() {
  const folder = mkdtempSync(path.join(tmpdir(), 'kymo-mutants-'));
  for (const file of new Set(git('ls-files', '--cached', '--others', '--exclude-standard')))
    if (existsSync(path.join(root, file))) cpSync(path.join(root, file), path.join(folder, file));
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  if (existsSync(path.join(root, 'dist'))) symlinkSync(path.join(root, 'dist'), path.join(folder, 'dist'));
  return folder;
}
