// node bench/cube/run.mjs [--json] [--repetitions N] [--large MEGABYTES] [--pycubexr DIR] [file.cubex …]
// Reading Cube profiles: against pycubexr and cube_dump where they are installed, in turns; and what a viewer of a large file
// waits for and takes. Figures of peers are ratios; those of the large file stand against the bars of docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { median } from '../lib/statistics.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    repetitions: { type: 'string', default: '5' },
    large: { type: 'string', default: '1000' },
    pycubexr: { type: 'string' },
  },
});
const repetitions = Number(options.repetitions);
const say = (text) => {
  if (!options.json) console.log(text);
};

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-bench-cube-'));
try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main() {
  await bundle();
  const wide = path.join(folder, 'wide.cubex');
  generate(wide, 5000, 64);
  const deep = path.join(folder, 'deep.cubex');
  generate(deep, 100_000, 4);
  const fixtures = path.resolve(import.meta.dirname, '../../test/fixtures/cube4');
  const files = [
    ...(positionals.length > 0 ? positionals : [path.join(fixtures, 'lulesh-mpi.cubex')]),
    wide,
    deep,
  ];
  const peers = files.map((file) => againstPeers(file));
  const megabytes = Number(options.large);
  const large = megabytes > 0 ? ofLargeFile(megabytes) : undefined;
  if (options.json) console.log(JSON.stringify({ peers, large }, undefined, 2));
}

async function bundle() {
  await build({
    entryPoints: ['generate.ts', 'reader.ts'].map((name) => path.join(import.meta.dirname, name)),
    bundle: true,
    platform: 'node',
    format: 'esm',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  });
}

/** Each once per repetition, in turns, a new process each time: first uses, as after a double click. */
function againstPeers(file) {
  const reader = path.join(folder, 'reader.mjs');
  const python = [path.join(import.meta.dirname, 'peer.py'), file];
  const dump = ['-m', 'all', '-c', 'all', '-t', 'aggr', '-z', 'incl', '-s', 'csv2', file];
  const runs = {
    values: () => kymo(reader, 'values', file),
    pycubexr: () => ({ milliseconds: JSON.parse(timed('python3', python).output).milliseconds }),
    dump: () => timed(process.execPath, [reader, 'dump', file]),
    cube_dump: () => timed('cube_dump', dump),
  };
  const has = {
    pycubexr: canRun('python3', ['-c', 'import pycubexr']),
    cube_dump: canRun('cube_dump', ['-h']),
  };
  const names = Object.keys(runs).filter((name) => has[name] !== false);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let i = 0; i < repetitions; i++) for (const name of names) samples[name].push(runs[name]());
  const of = (name, key) =>
    samples[name] === undefined ? undefined : median(samples[name].map((one) => one[key]));
  const result = {
    file: path.basename(file),
    megabytes: statSync(file).size / 1e6,
    kymoMilliseconds: of('values', 'milliseconds'),
    kymoAgainMilliseconds: of('values', 'again'),
    pycubexrMilliseconds: of('pycubexr', 'milliseconds'),
    kymoDump: { wall: of('dump', 'wall'), cpu: of('dump', 'cpu') },
    cubeDump: has.cube_dump ? { wall: of('cube_dump', 'wall'), cpu: of('cube_dump', 'cpu') } : undefined,
  };
  say(`\n${result.file}, ${result.megabytes.toFixed(1)} MB, median of ${repetitions} runs in turns`);
  const { kymoMilliseconds: first, kymoAgainMilliseconds: again, pycubexrMilliseconds: other } = result;
  say(
    `  inclusive and exclusive values of all metrics: ${first.toFixed(1)} ms in a new process, ${again.toFixed(1)} ms in one that runs`,
  );
  say(
    other === undefined
      ? '  pycubexr: not installed, left out'
      : `  pycubexr: ${other.toFixed(1)} ms, ${(other / first).toFixed(1)} and ${(other / again).toFixed(1)} times as long (bar: 20)`,
  );
  say(
    `  inclusive values of all metrics as text, whole process: ${result.kymoDump.wall.toFixed(3)} s, CPU ${result.kymoDump.cpu.toFixed(3)} s`,
  );
  say(
    result.cubeDump === undefined
      ? '  cube_dump: not on PATH, left out'
      : `  cube_dump: ${result.cubeDump.wall.toFixed(3)} s, CPU ${result.cubeDump.cpu.toFixed(3)} s; Kymo takes ${(result.kymoDump.wall / result.cubeDump.wall).toFixed(2)} times as long, CPU ${(result.kymoDump.cpu / result.cubeDump.cpu).toFixed(2)} (bar: 3)`,
  );
  return result;
}

function ofLargeFile(megabytes) {
  const file = path.join(folder, 'large.cubex');
  const locations = 1024;
  const callPaths = Math.ceil((megabytes * 1e6) / (locations * 8 * 6));
  generate(file, callPaths, locations);
  const runs = Array.from({ length: Math.min(3, repetitions) }, () =>
    kymo(path.join(folder, 'reader.mjs'), 'open', file),
  );
  const of = (get) => median(runs.map(get));
  const result = {
    megabytes: statSync(file).size / 1e6,
    callPaths,
    locations,
    shownMilliseconds: of((run) => run.shown.milliseconds),
    shownMegabytes: of((run) => run.shown.highestMegabytes),
    metrics: runs[0].steps.map(({ metric }, i) => ({
      metric,
      milliseconds: of((run) => run.steps[i].milliseconds),
    })),
    callPathMilliseconds: of((run) => run.row),
    highestMegabytes: of((run) => run.highestMegabytes),
  };
  say(`\n${result.megabytes.toFixed(0)} MB: ${callPaths} call paths, ${locations} locations, 6 metrics`);
  say(
    `  metrics, call tree and system tree after ${result.shownMilliseconds.toFixed(0)} ms (bar 1000), ${result.shownMegabytes.toFixed(0)} MB of memory (bar 300)`,
  );
  for (const { metric, milliseconds } of result.metrics)
    say(`  ${metric} of all call paths, over all locations: ${milliseconds.toFixed(0)} ms`);
  say(`  exclusive time of one call path at each location: ${result.callPathMilliseconds.toFixed(1)} ms`);
  say(`  at most ${result.highestMegabytes.toFixed(0)} MB of memory`);
  return result;
}

function generate(file, callPaths, locations) {
  const words = [path.join(folder, 'generate.mjs'), file, String(callPaths), String(locations)];
  const run = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (run.status !== 0) throw new Error(`${file} could not be written`);
}

function kymo(reader, mode, file) {
  const run = spawnSync(process.execPath, [reader, mode, file], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (run.status !== 0) throw new Error(`reading ${file} ended with ${run.status}: ${run.stderr}`);
  return JSON.parse(run.stderr);
}

/** Wall and CPU seconds of a process, as bash's `time` prints them, and what it printed. */
function timed(command, words) {
  const run = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%3R %3U %3S"; { time "$0" "$@" 2>/dev/null; }', command, ...words],
    { encoding: 'utf8', maxBuffer: 2 ** 30, env: peerEnvironment() },
  );
  if (run.status !== 0) throw new Error(`${command} ended with ${run.status}`);
  const [wall, user, system] = run.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall, cpu: user + system, output: run.stdout };
}

function canRun(command, words) {
  const run = spawnSync(command, words, { stdio: 'ignore', env: peerEnvironment() });
  return run.error === undefined && run.status === 0;
}

function peerEnvironment() {
  if (options.pycubexr === undefined) return process.env;
  return { ...process.env, PYTHONPATH: path.resolve(options.pycubexr), PYTHONDONTWRITEBYTECODE: '1' };
}
