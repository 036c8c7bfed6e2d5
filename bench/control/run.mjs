// node bench/control/run.mjs [compiler …]: what it costs that a process can be watched, that its idle sites can be switched, what a switch costs, and what being watched at 1 Hz costs, without and with call stacks at 20 Hz.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { load } from '../lib/bundle.mjs';
import { installed } from '../lib/installed.mjs';

const here = import.meta.dirname;
const root = path.resolve(here, '../..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-bench-'));
const { buildRuntime, readSites, writeSelection, Watcher } = await load(
  'test/runtime/build.ts',
  'test/runtime/selection.ts',
  'test/runtime/control/client.ts',
);
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
let serial = 0;

/** Starts a program with a selection; `control`: it can be watched. */
function start(program, regions, words, { idle = [], phases = [], control = true } = {}) {
  const results = path.join(folder, `results-${++serial}`);
  mkdirSync(results);
  const selection = path.join(folder, `selection-${serial}`);
  const slots = writeSelection(selection, [{ sites: readSites(program), regions }], new Map(), phases, idle);
  const child = spawn(program, words, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      KYMO_SELECTION: selection,
      KYMO_RESULTS: results,
      ...(control ? { KYMO_CONTROL: results, KYMO_CONTROL_TOKEN: 'bench' } : {}),
    },
  });
  let output = '';
  child.stdout.on('data', (bytes) => (output += bytes));
  const ended = new Promise((resolve) => child.on('close', () => resolve(output)));
  return { child, ended, slots, watch: () => Watcher.open(results, 'bench', child.pid) };
}

/** Nanoseconds of a call with an idle site, in turns: plain NOPs, and sites that can be switched. */
async function idleCost(pair) {
  const regions = new Map([
    ['entry', 'entry'],
    ['sled', 1],
  ]);
  const rounds = { nops: [], switchable: [] };
  for (let i = 0; i < 9; i++) {
    rounds.nops.push(
      JSON.parse(await start(pair, regions, ['101'], { idle: ['entry', 'sled'], control: false }).ended),
    );
    rounds.switchable.push(
      JSON.parse(await start(pair, regions, ['101'], { idle: ['entry', 'sled'] }).ended),
    );
  }
  const of = (name, kind) => median(rounds[name].map((round) => round[kind]));
  return Object.fromEntries(
    ['sled', 'entry'].map((kind) => [kind, { nops: of('nops', kind), switchable: of('switchable', kind) }]),
  );
}

/** A recording pair, in turns: nobody may watch, somebody may, somebody does. */
async function pairCost(pair) {
  const regions = new Map([
    ['entry', 'entry'],
    ['sled', 1],
  ]);
  const rounds = { alone: [], watchable: [] };
  for (let i = 0; i < 9; i++)
    for (const [name, control] of [
      ['alone', false],
      ['watchable', true],
    ])
      rounds[name].push(JSON.parse(await start(pair, regions, ['101'], { control }).ended));
  const ratio = (kind) =>
    median(rounds.watchable.map((r) => r[kind] / r.twoReads)) /
    median(rounds.alone.map((r) => r[kind] / r.twoReads));
  return { sled: ratio('sled'), entry: ratio('entry') };
}

async function switchCost(watched, regions) {
  const run = start(watched, regions, ['threads', '0', '1']);
  const watcher = await run.watch();
  const all = run.slots.map((_, slot) => slot);
  const times = [];
  for (let i = 0; i < 400; i++) {
    const begin = process.hrtime.bigint();
    const { sites } = await watcher.switch(all, i % 2 === 1);
    times.push(Number(process.hrtime.bigint() - begin) / 1000 / sites);
  }
  const single = [];
  for (let i = 0; i < 400; i++) {
    const begin = process.hrtime.bigint();
    await watcher.switch([0], i % 2 === 0);
    single.push(Number(process.hrtime.bigint() - begin) / 1000);
  }
  run.child.stdin.end();
  await run.ended;
  return { site: median(times), request: median(single), sites: all.length };
}

async function stops(program) {
  const regions = new Map([['entry', 'entry']]);
  const quiet = JSON.parse(await start(program, regions, ['3'], { control: false }).ended);
  const run = start(program, regions, ['3']);
  const watcher = await run.watch();
  let switches = 0;
  for (const end = Date.now() + 2800; Date.now() < end; switches++) {
    await watcher.switch([0], switches % 2 === 0).catch(() => undefined);
    await pause(10);
  }
  return { quiet, switched: JSON.parse(await run.ended), switches };
}

/** CPU time of the thread that serves, in per cent of one processor: counters at 1 Hz, and call stacks where an interval is given. */
async function watchedCost(watched, regions, stackInterval = 0) {
  const run = start(watched, regions, ['threads', '0', '1']);
  const watcher = await run.watch();
  const cpu = () => {
    const tasks = readdirSync(`/proc/${run.child.pid}/task`);
    const known = new Set(watcher.threads.map(({ tid }) => String(tid)));
    const others = tasks.filter((tid) => !known.has(tid));
    return others.reduce(
      (sum, tid) =>
        sum + Number(readFileSync(`/proc/${run.child.pid}/task/${tid}/schedstat`, 'utf8').split(' ')[0]),
      0,
    );
  };
  await watcher.counters('paths');
  if (stackInterval > 0) await watcher.ask({ kind: 'callStacks', intervalMicroseconds: stackInterval });
  await pause(500);
  const before = cpu();
  const seconds = 5;
  for (let i = 0; i < seconds; i++) {
    await watcher.counters('paths', false, true);
    await pause(1000);
  }
  const percent = ((cpu() - before) / (seconds * 1e9)) * 100;
  const paths = watcher.paths.length;
  run.child.stdin.end();
  await run.ended;
  return { percent, paths };
}

async function bench(compiler) {
  const runtime = buildRuntime(compiler, path.join(folder, compiler));
  const program = (source, ...more) => {
    const file = path.join(folder, `${compiler}-${path.basename(source, '.c')}`);
    const flags = [
      '-O2',
      '-g',
      '-pthread',
      '-fpatchable-function-entry=5',
      `-I${path.join(root, 'runtime/include')}`,
      ...(compiler.includes('clang') ? [] : ['-fno-ipa-ra']),
    ];
    execFileSync(compiler, [...flags, ...more, source, '-o', file, ...runtime.executable]);
    return file;
  };
  const pair = program(path.join(root, 'bench/runtime/pair.c'));
  const watched = program(path.join(root, 'test/runtime/programs/watched.c'), '-DPROBES_OFF', '-w');
  const regions = new Map([...readSites(watched).entries.keys()].map((name) => [name, name]));
  const idle = await idleCost(pair);
  const recording = await pairCost(pair);
  const switching = await switchCost(watched, regions);
  const still = await stops(program(path.join(here, 'stops.c')));
  const cost = await watchedCost(watched, regions);
  const sampled = await watchedCost(watched, regions, 50_000);
  const ns = ({ nops, switchable }) => `${switchable.toFixed(2)} ns (plain NOPs: ${nops.toFixed(2)})`;
  const stood = (s) =>
    `${s.over20us} times for more than 20 µs, ${s.over100us} for 100 µs, ${s.over1ms} for 1 ms (longest ${s.longestMs} ms)`;
  console.log(
    `${compiler}: an idle site that can be switched costs per call: two sleds ${ns(idle.sled)}, an entry ${ns(idle.entry)}\n` +
      `  a recording pair of a process that can be watched, in relation to one that cannot: sleds × ${recording.sled.toFixed(3)}, entry × ${recording.entry.toFixed(3)}\n` +
      `  switching: ${switching.site.toFixed(2)} µs per site with ${switching.sites} sites in a request (limit: 20), ${switching.request.toFixed(0)} µs for a request with one site\n` +
      `  a thread whose site was switched ${still.switches} times in 3 s stood still, without losing its processor, ${stood(still.switched)}; when nobody switches: ${stood(still.quiet)} (limit: 1 ms)\n` +
      `  being watched at 1 Hz with ${cost.paths} call paths takes ${cost.percent.toFixed(3)} % of a processor (limit: 1 %); with call stacks at 20 Hz, ${sampled.percent.toFixed(3)} %`,
  );
}

try {
  const words = process.argv.slice(2);
  for (const compiler of installed(words.length > 0 ? words : ['gcc', 'clang-19'])) await bench(compiler);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
