// `npm run mutants -- [FILE|FOLDER…] [--count 20] [--seed 1] [--list]`: changes one operator, literal or statement of a source file at a time and runs
// the unit tests that import the file. A change that no test notices (a survivor) shows what the tests do not state. Without a file: the source files that
// differ from the main branch. Works on a copy: the tree is not touched.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { root } from './lib/system.mjs';

/** A test run that takes longer hangs: the change made a loop endless, and the test runner's limit would notice. */
const limitMilliseconds = 120_000;

/** What an operator becomes. */
const otherOperators = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
  },
});
const files = positionals.length > 0 ? positionals.flatMap(sourceFiles) : changedFiles();
const all = files.flatMap(mutantsOf);
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
const survivors = [];
process.on('SIGINT', () => process.exit(130));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const [index, mutant] of chosen.entries()) {
  const outcome = tryMutant(mutant);
  if (outcome === 'survived') survivors.push(mutant);
  console.log(`${String(index + 1).padStart(3)}/${chosen.length} ${outcome.padEnd(8)} ${describe(mutant)}`);
}
const killed = chosen.length - survivors.length;
console.log(
  `\n${killed} of ${chosen.length} changes were noticed (${((100 * killed) / chosen.length).toFixed(0)} %).`,
);
process.exit(survivors.length > 0 ? 1 : 0);

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

/** Every change of a file: where, what stands there, and what is put there. */
function mutantsOf(file) {
  const text = readFileSync(path.join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants = [];
  const put = (node, replacement) =>
    mutants.push({ file, begin: node.getStart(source), end: node.getEnd(), replacement, text });
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const other = otherOperators[node.operatorToken.getText(source)];
      if (other !== undefined) put(node.operatorToken, other);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      put(node, node.operand.getText(source));
    } else if (node.kind === ts.SyntaxKind.TrueKeyword) put(node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) put(node, 'true');
    else if (ts.isNumericLiteral(node)) put(node, `(${node.getText(source)} + 1)`);
    else if (ts.isIfStatement(node)) put(node.expression, `!(${node.expression.getText(source)})`);
    else if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) put(node, ';');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
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

function describe({ file, begin, end, replacement, text }) {
  const line = text.slice(0, begin).split('\n').length;
  const short = (code) => code.replace(/\s+/g, ' ').slice(0, 60);
  return `${file}:${line}  ${short(text.slice(begin, end))}  →  ${short(replacement)}`;
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

function tryMutant({ file, begin, end, replacement, text }) {
  const place = path.join(copy, file);
  writeFileSync(place, text.slice(0, begin) + replacement + text.slice(end));
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { status, error } = spawnSync(
    process.execPath,
    [
      vitest,
      'related',
      '--run',
      '--project',
      'unit',
      '--bail',
      '1',
      '--passWithNoTests',
      '--reporter',
      'dot',
      file,
    ],
    {
      cwd: copy,
      stdio: 'ignore',
      timeout: limitMilliseconds,
      killSignal: 'SIGKILL',
      env: { KYMO_SHARED: path.resolve(root, '../shared'), ...process.env },
    },
  );
  writeFileSync(place, text);
  if (error !== undefined) return 'hung';
  return status === 0 ? 'survived' : 'noticed';
}
