// node bench/gate/run.mjs [--loaded] [--json] [--sources DIR] [--tool DIST] [--repetitions N] [program …] [planted]
// How often `kymo gate` calls equal programs a regression, and how often it names a function of 30 % that became 5 % slower. Each program is built twice and
// run by turns N times (default: 110); gates of 3, 5 and 10 of the runs that follow each other are judged, in both directions, about 200 of each. `--loaded`: beside
// as many busy processes as make three for each processor.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { load } from '../lib/bundle.mjs';
import { kymoTarget, openPrograms } from '../lib/programs.mjs';

const given = process.argv.slice(2);
const words = given.filter((word) => word !== 'planted');
const isLoaded = words.includes('--loaded');
const names = words.some((word, i) => !word.startsWith('--') && !words[i - 1]?.startsWith('--'));
const isPlantedOnly = !names && given.length > words.length;
const { programs, folder, options, remove } = await openPrograms(
  names ? words : [...words, 'nbody', ...(isPlantedOnly ? [] : ['metis', 'bzip2'])],
);
const { readSide, judged } = await load('src/workflows/gating/sides.ts', 'src/workflows/gate.ts');
const repetitions = options.repetitions ?? 110;
const sizes = [3, 5, 10];
const bars = { alarms: 0.02, power: 0.95 };
/** In 200 gates, a rate of 2 % has more than this once in a hundred times. */
const mostOf200 = 9;

/** Its functions take about 45, 30 and 25 % of the time; `more`: the second one has so much more work. */
const planted = (more) => `#include <stdio.h>
static double grid[1 << 16];
__attribute__((noinline)) void assemble(int n) { for (int i = 0; i < n; i++) grid[i & 0xffff] = grid[(i * 7) & 0xffff] * 0.999 + i * 1e-9; }
__attribute__((noinline)) void smooth(int n) { for (int i = 1; i < n; i++) { int k = i & 0xfffe; grid[k] = 0.5 * (grid[k] + grid[k ? k - 1 : 0]); } }
__attribute__((noinline)) double norm(int n) { double s = 0; for (int i = 0; i < n; i++) s += grid[i & 0xffff] * grid[i & 0xffff]; return s; }
int main(void) {
  double s = 0;
  for (int t = 0; t < 250; t++) { assemble(450000); smooth(${Math.round(300_000 * (1 + more))}); s += norm(380000); }
  printf("%g\\n", s);
}
`;

/** Each program runs some hundred times. */
function shortTarget(program) {
  const target = kymoTarget(program);
  return { ...target, run: { ...target.run, arguments: program.short ?? target.run.arguments } };
}

function git(tree, ...own) {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...own], { cwd: tree, stdio: 'ignore' });
}

/** Measures the commit and the tree as it is by turns, and returns the folders of both. */
function measured(tree, prepare) {
  writeFileSync(path.join(tree, '.gitignore'), '.kymo/\n*.o\n');
  git(tree, 'init', '-q');
  git(tree, 'add', '-A', '-f');
  git(tree, 'commit', '-qm', 'base');
  prepare?.();
  const cli = [
    path.join(options.tool, 'cli.js'),
    'gate',
    '--json',
    '--baseline',
    'HEAD',
    '--repetitions',
    repetitions,
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, cli.map(String), {
    cwd: tree,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (![0, 3, 4].includes(status)) throw new Error(`${tree}: ${stdout}\n${stderr.slice(-2000)}`);
  return JSON.parse(stdout).sides.map(({ input }) => input);
}

/** The verdicts of all gates of so many runs that follow each other. */
async function verdicts(inputs, size, directions) {
  const sides = await Promise.all(inputs.map((input) => readSide(input, input, {})));
  const cut = (side, from) => {
    const part = (list) => list?.slice(from, from + size);
    return {
      ...side,
      runs: part(side.runs),
      measured: part(side.measured),
      growth: part(side.growth),
      figures: Object.fromEntries(Object.entries(side.figures).map(([name, list]) => [name, part(list)])),
    };
  };
  const settings = { repetitions: size, minimumChange: 0.03, budgets: { figures: {}, functions: {} } };
  const found = [];
  for (let from = 0; from + size <= sides[0].runs.length; from++)
    for (const [a, b] of directions) {
      const how = { settings, allow: [], minimumChange: settings.minimumChange };
      found.push(
        judged(
          'bench',
          { baseline: '', candidate: '', names: ['', ''] },
          cut(sides[a], from),
          cut(sides[b], from),
          how,
        ),
      );
    }
  return found;
}

const busy = isLoaded
  ? Array.from({ length: 2 * os.availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
    )
  : [];
const results = [];
let isMet = true;
try {
  for (const program of isPlantedOnly ? [] : programs) {
    const tree = program.tree('gate');
    writeFileSync(
      path.join(tree, 'kymo.json'),
      JSON.stringify({ version: 1, targets: [shortTarget(program)] }),
    );
    const inputs = measured(tree);
    for (const size of sizes) {
      const gates = await verdicts(inputs, size, [
        [0, 1],
        [1, 0],
      ]);
      const alarms = gates.filter(({ verdict }) => verdict === 'regression').length;
      const open = gates.filter(({ verdict }) => verdict === 'cannot-tell').length;
      isMet &&= alarms <= (mostOf200 * gates.length) / 200;
      results.push({
        name: program.name,
        size,
        gates: gates.length,
        alarms,
        open,
        byTurns: gates.every((one) => one.byTurns),
      });
    }
  }
  if (!names || given.length > words.length) {
    const tree = path.join(folder, 'planted');
    execFileSync('mkdir', [tree]);
    writeFileSync(path.join(tree, 'main.c'), planted(0));
    const target = {
      name: 'planted',
      executable: 'planted',
      build: { command: '${cc} -O2 -g -o planted main.c', clean: 'rm -f planted' },
    };
    writeFileSync(path.join(tree, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
    const inputs = measured(tree, () => writeFileSync(path.join(tree, 'main.c'), planted(0.05)));
    for (const size of sizes) {
      const gates = await verdicts(inputs, size, [[0, 1]]);
      const of = ({ entries }) =>
        entries
          .filter(({ verdict, criterion }) => verdict === 'regression' && criterion === 'time')
          .map(({ name }) => name);
      const named = gates.filter((one) => of(one).includes('smooth')).length;
      const wrong = gates.filter((one) => of(one).some((name) => name !== 'smooth')).length;
      const share = gates[0].entries.find(({ name }) => name === 'smooth')?.share;
      if (size === 10) isMet &&= named >= bars.power * gates.length;
      results.push({ name: 'planted', size, gates: gates.length, named, wrong, share });
    }
  }
} finally {
  for (const process of busy) process.kill('SIGKILL');
  remove();
}
const load1 = readFileSync('/proc/loadavg', 'utf8').split(' ')[0];
if (options.json) console.log(JSON.stringify({ results, load: load1 }));
else
  for (const { name, size, gates, alarms, open, named, wrong, share } of results)
    console.log(
      named === undefined
        ? `${name}, ${size} repetitions: ${alarms} of ${gates} gates of equal programs call a regression (bar: ${bars.alarms * 100} %), ${open} cannot tell`
        : `${name}, ${size} repetitions: a function of ${Math.round(share * 100)} % that has 5 % more work is named in ${named} of ${gates} gates (bar: ${bars.power * 100} % with 10), another one in ${wrong}`,
    );
process.exitCode = isMet ? 0 : 1;
