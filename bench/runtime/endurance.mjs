// node bench/runtime/endurance.mjs [--runs n] [--only name] [compiler …]: runs programs with measured signal handlers, pre-empted user threads and refused system calls
// n times each (default 1000) and prints how often one crashed, hung, said anything wrong, or had other visits than it counted itself. The status is 1 if any did.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { load } from '../lib/bundle.mjs';

const here = import.meta.dirname;
const root = path.resolve(here, '../..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-endurance-'));
const words = process.argv.slice(2);
const option = (name) => (words.includes(name) ? words.splice(words.indexOf(name), 2)[1] : undefined);
const runs = Number(option('--runs') ?? 1000);
const only = option('--only');
const compilers = words.length > 0 ? words : ['gcc', 'clang-19'];
const HANG_MILLISECONDS = 60_000;

const { buildRuntime, everything, readSites, readResults, visitsByRegion, writeSelection } = await load(
  'test/runtime/build.ts',
  'test/runtime/selection.ts',
  'test/runtime/result.ts',
);

const signals = ['leaf', 'branch', 'wide', 'handling', 'inner', 'working'];
const plain = ['leaf', 'branch'];
/** What is run, and of whom the visits must be exact. */
const programs = [
  ...['own', 'other', 'nested', 'jump', 'preempt'].map((mode) => ({
    name: `signals ${mode}`,
    source: 'signals.cpp',
    regions: signals,
    words: [mode, '3', '20'],
  })),
  ...['strict', 'filter'].map((mode) => ({
    name: `seccomp ${mode}`,
    source: 'confined.c',
    regions: plain,
    words: [mode],
  })),
  { name: 'deny_execmem', source: 'plain.c', regions: plain, words: [], refuse: ['filter', 'execmem'] },
  { name: 'no /proc/self/mem', source: 'plain.c', regions: plain, words: [], refuse: ['filter', 'pwrite'] },
];

const sources = path.join(root, 'test/runtime/programs');
const refuse = path.join(folder, 'refuse');
execFileSync('gcc', ['-O1', path.join(sources, 'refuse.c'), '-o', refuse]);

function compile(compiler, runtime, kind, source) {
  const file = path.join(folder, `${compiler}-${kind}-${path.parse(source).name}`);
  const driver = source.endsWith('.cpp') ? { gcc: 'g++', 'clang-19': 'clang++-19' }[compiler] : compiler;
  const nops = compiler === 'gcc' && kind === 'entry' ? '64,58' : '5';
  const flags = ['-O2', '-g', '-pthread', '-w', `-fpatchable-function-entry=${nops}`];
  if (compiler === 'gcc') flags.push('-fno-ipa-ra');
  if (kind === 'entry') flags.push('-DPROBES_OFF');
  execFileSync(driver, [...flags, path.join(sources, source), '-o', file, ...runtime.executable]);
  return file;
}

/** `= name visits` lines. */
const truth = (output) =>
  Object.fromEntries(
    [...output.matchAll(/^= (\S+) (\d+)$/gm)].map(([, name, count]) => [name, Number(count)]),
  );

function once(program, file, kind, names) {
  const results = mkdtempSync(path.join(folder, 'results-'));
  const selection = `${results}.selection`;
  const slots = writeSelection(selection, [everything(readSites(file), kind, names)]);
  return () => {
    rmSync(results, { recursive: true });
    mkdirSync(results);
    const command = program.refuse ? [refuse, ...program.refuse, '--', file] : [file];
    const done = spawnSync(command[0], [...command.slice(1), ...program.words], {
      encoding: 'utf8',
      timeout: HANG_MILLISECONDS,
      killSignal: 'SIGKILL',
      env: { ...process.env, KYMO_SELECTION: selection, KYMO_RESULTS: results },
    });
    if (done.error?.code === 'ETIMEDOUT') return 'hung';
    if (done.signal !== null || done.status > 7) return 'crashed';
    if (/kymo:|wrong [1-9]/.test(done.stderr)) return 'said';
    const visits = {};
    for (const [name, count] of Object.entries(visitsByRegion(readResults(results), slots))) {
      const region = program.regions.find(
        (known) => name === known || new RegExp(`^_ZL?\\d+${known}[a-z]$`).test(name),
      );
      if (region !== undefined) visits[region] = (visits[region] ?? 0) + count;
    }
    const known = truth(done.stdout);
    const same = program.regions.every((region) => visits[region] === known[region]);
    if (!same && process.env.VERBOSE) console.log(visits, known);
    return same ? 'exact' : 'differs';
  };
}

console.log('| program | compiler | sites | runs | exact | visits differ | crashed | hung | wrong or said |');
console.log('|---|---|---|--:|--:|--:|--:|--:|--:|');
let bad = 0;
for (const compiler of compilers) {
  const runtime = buildRuntime(compiler, path.join(folder, compiler));
  for (const program of programs.filter(({ name }) => only === undefined || name.includes(only)))
    for (const kind of ['entry', 'sled']) {
      const file = compile(compiler, runtime, kind, program.source);
      const run = once(program, file, kind, new Map(program.regions.map((name, index) => [index + 1, name])));
      const counts = { exact: 0, differs: 0, crashed: 0, hung: 0, said: 0 };
      for (let i = 0; i < runs; i++) counts[run()]++;
      bad += runs - counts.exact;
      const { exact, differs, crashed, hung, said } = counts;
      console.log(
        `| ${program.name} | ${compiler} | ${kind} | ${runs} | ${exact} | ${differs} | ${crashed} | ${hung} | ${said} |`,
      );
    }
}
rmSync(folder, { recursive: true });
process.exitCode = bad > 0 ? 1 : 0;
