// node bench/sites/run.mjs [--json] [--callgrind] [--repetitions N] [--sources DIR] [--tool DIST] [program …]
// What sites cost while nothing is recorded: the program built with sites and no selection as a ratio to the vanilla build. User CPU
// time and wall time of runs in turns; where the processor counts instructions for us, or with --callgrind (one run of each, some
// thirty times as long), their ratio too, which has no noise.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openPrograms, plainEnvironment, runCommand, shell, wrappedEnvironment } from '../lib/programs.mjs';
import { median, medianInterval } from '../lib/statistics.mjs';
import { timed } from '../lib/timed.mjs';

const bar = 1.03;
const { programs, folder, options, remove } = await openPrograms(process.argv.slice(2));
const repetitions = options.repetitions ?? 7;
const counter = instructionCounter();

function bench(program) {
  const variants = [
    { tree: program.tree('plain'), environment: plainEnvironment() },
    { tree: program.tree('sites'), environment: wrappedEnvironment(options.tool, path.join(folder, 'own')) },
  ];
  const runs = variants.map(({ tree, environment }) => {
    if (program.configure !== undefined) shell(program.configure, tree, environment);
    shell(program.make, tree, environment);
    return { command: runCommand(program, tree), tree, wall: [], user: [] };
  });
  // The first run of each fills the caches and does not count.
  for (let repetition = -1; repetition < repetitions; repetition++) {
    for (const run of repetition % 2 === 0 ? runs : [...runs].reverse()) {
      const { wall, user } = timed(run);
      if (repetition < 0) continue;
      run.wall.push(wall);
      run.user.push(user);
    }
  }
  const [plain, sites] = runs;
  const result = {
    program: program.name,
    repetitions,
    plainSeconds: median(plain.wall),
    wall: ratio(plain.wall, sites.wall),
    user: ratio(plain.user, sites.user),
    ...(counter === undefined ? {} : { instructions: instructions(sites) / instructions(plain) }),
  };
  return { ...result, bar, within: result.user.median <= bar || result.user.interval[0] <= 1 };
}

/** The median of the ratios of neighbouring runs: a drift of the machine meets both. */
function ratio(plain, sites) {
  const ratios = plain.map((seconds, i) => sites[i] / seconds);
  return { median: median(ratios), interval: medianInterval(ratios) };
}

/** Words before a program that count its instructions into a file, and how the file has the number; undefined where nothing counts. */
function instructionCounter() {
  if (options.callgrind) {
    const words = (file) => ['valgrind', '--tool=callgrind', `--callgrind-out-file=${file}`];
    return { words, number: /^(?:summary|totals): (\d+)/m };
  }
  const run = spawnSync('perf', ['stat', '-x,', '-e', 'instructions:u', 'true'], { encoding: 'utf8' });
  if (run.status !== 0 || !/^\d/.test(run.stderr)) return undefined;
  return { words: (file) => ['perf', 'stat', '-x,', '-o', file, '-e', 'instructions:u'], number: /^(\d+),/m };
}

function instructions({ command, tree }) {
  const scratch = mkdtempSync(path.join(folder, 'perf-'));
  const output = path.join(scratch, 'counts');
  try {
    const [program, ...words] = [...counter.words(output), ...command.words];
    spawnSync(program, words, {
      cwd: tree,
      env: { ...process.env, ...command.environment },
      input: readFileSync(command.input),
    });
    return Number(counter.number.exec(readFileSync(output, 'utf8'))?.[1]);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

try {
  const all = [];
  if (counter === undefined && !options.json)
    console.log('(instructions are not counted: perf stat cannot on this machine; --callgrind can)');
  for (const program of programs) {
    const b = bench(program);
    all.push(b);
    const shown = ({ median: middle, interval }) =>
      `${middle.toFixed(3)} (${interval.map((r) => r.toFixed(3)).join(' … ')})`;
    if (!options.json)
      console.log(
        `${b.program}: sites and no selection ÷ vanilla, ${b.repetitions} runs each of ${b.plainSeconds.toFixed(2)} s: user CPU time ${shown(b.user)}, ` +
          `wall ${shown(b.wall)}${b.instructions === undefined ? '' : `, instructions ${b.instructions.toFixed(4)}`}${b.within ? '' : `  EXCEEDS THE BAR of ${bar}`}`,
      );
  }
  if (options.json) console.log(JSON.stringify(all, undefined, 2));
} finally {
  remove();
}
