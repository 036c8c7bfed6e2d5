// node bench/watch/examples.mjs [--tool DIST] [--seconds N] [example …]
// What is found in each example while it runs beside what is found in its result: the iterations as they were known when the program ended, copied before the result replaced them, and those of
// the result, analysed by the same command. Rows that only one of them has are printed. Bar: none but those on what calls of MPI waited, which is known
// when the run is over.
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { kymoTarget, openPrograms } from '../lib/programs.mjs';
import { lengths, longer } from '../online/lengths.mjs';

const words = process.argv.slice(2);
const examples = [...lengths.keys()].filter((name) => !['metis', 'bzip2'].includes(name));
const names = words.some((word, i) => !word.startsWith('--') && !words[i - 1]?.startsWith('--'));
const { programs, options, remove } = await openPrograms(names ? words : [...words, ...examples]);
const cli = path.join(options.tool, 'cli.js');

/** The only folder in which a run is under way. */
function experimentIn(folder) {
  if (!existsSync(folder)) return undefined;
  for (const name of readdirSync(folder, { recursive: true }))
    if (path.basename(name) === 'live.json') return path.join(folder, path.dirname(name));
  return undefined;
}

const stateOf = (folder) => {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'live.json'), 'utf8')).state;
  } catch {
    return undefined;
  }
};

async function run(program, tree) {
  writeFileSync(
    path.join(tree, 'kymo.json'),
    JSON.stringify({ version: 1, targets: [kymoTarget(program)] }, undefined, 2),
  );
  const child = spawn(process.execPath, [cli, 'run', '--json', '--workspace', tree], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (piece) => (output += piece));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const copy = path.join(tree, 'live', 'iterations.kymo');
  mkdirSync(path.dirname(copy));
  let folder;
  const look = setInterval(() => {
    folder ??= experimentIn(path.join(tree, '.kymo'));
    if (folder === undefined || existsSync(copy) || stateOf(folder) !== 'ending') return;
    const iterations = path.join(folder, 'iterations.kymo');
    if (existsSync(iterations)) copyFileSync(iterations, copy);
  }, 5);
  const status = await ended;
  clearInterval(look);
  await pause(0);
  if (status !== 0) throw new Error(`${program.name}: kymo run ended with ${status}\n${output}`);
  return { result: path.join(folder, 'iterations.kymo'), copy };
}

function findings(tree, file) {
  const done = spawnSync(process.execPath, [cli, 'dynamics', file, '--json', '--workspace', tree], {
    encoding: 'utf8',
    maxBuffer: 256 << 20,
  });
  if (done.status !== 0) throw new Error(done.stderr);
  return JSON.parse(done.stdout);
}

const rowOf = ({ title, ranks, iterations }) =>
  `${title}, ranks ${ranks ?? 'all'}, iterations ${JSON.stringify(iterations)}`.slice(0, 240);

try {
  for (const program of programs) {
    const { length, power = 1 } = lengths.get(program.name);
    const factor = ((options.seconds ?? 12) / 4) ** (1 / power);
    const long = longer(program, Math.round(length * factor));
    const tree = long.tree('watched');
    const files = await run(long, tree);
    const { copy } = files;
    if (!existsSync(copy)) {
      console.log(`${program.name}: no iterations`);
      continue;
    }
    // Neither has anything of the run beside it.
    copyFileSync(files.result, path.join(tree, 'iterations.kymo'));
    const [live, result] = [copy, path.join(tree, 'iterations.kymo')].map((file) => findings(tree, file));
    const isLive = live.notes.some((note) => note.includes('still running'));
    const [a, b] = [live, result].map(({ properties }) => new Set(properties.map(rowOf)));
    const same = [...a].filter((row) => b.has(row)).length;
    console.log(
      `${program.name}: ${live.iterations} iterations while it ran${isLive ? '' : ' (THE RESULT HAD REPLACED THEM)'}, ${result.iterations} in the result; ${same} rows alike, ${a.size - same} only while it ran, ${b.size - same} only in the result`,
    );
    for (const row of a) if (!b.has(row)) console.log(`  only while it ran:  ${row}`);
    for (const row of b) if (!a.has(row)) console.log(`  only in the result: ${row}`);
  }
} finally {
  remove();
}
