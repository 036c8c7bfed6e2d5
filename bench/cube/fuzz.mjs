// npm run fuzz:cube [-- --count N] [--first N] [--json] [file.cubex …]
// Reads 100,000 changed real files: each must be read or refused with a reason, within a second, in 4 times the file's size
// and 200 MB (what Node itself takes is in that). Equal seeds and files, equal changes: `--first SEED --count 1` repeats one.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '100000' },
    first: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
});
const fixtures = path.resolve(import.meta.dirname, '../../test/fixtures/cube4');
const files =
  positionals.length > 0
    ? positionals
    : readdirSync(fixtures)
        .filter((name) => name.endsWith('.cubex'))
        .map((name) => path.join(fixtures, name));
/** A process without output for this long hangs. */
const patience = 20_000;
/** Changed files per process: what one leaves behind must not count for thousands of others. */
const perProcess = 2000;

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-fuzz-cube-'));
let failed = false;
try {
  await build({
    entryPoints: [path.join(import.meta.dirname, 'fuzzer.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: path.join(folder, 'fuzzer.mjs'),
    logLevel: 'warning',
  });
  const total = { counts: {}, slowest: { seed: -1, milliseconds: 0 }, highestMegabytes: 0, crashes: [] };
  const first = Number(options.first);
  const end = first + Number(options.count);
  for (let from = first; from < end; from += perProcess)
    add(total, await part(from, Math.min(end, from + perProcess)));
  report(total, end - first);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

/** One process; an unexpected end counts as a crash at the last seed that it printed. */
function part(first, end) {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [path.join(folder, 'fuzzer.mjs'), String(first), String(end), ...files],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const crashes = [];
    let at = first;
    let result;
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        crashes.push({ seed: at, crash: `no answer for ${patience / 1000} s, from this seed on` });
        child.kill('SIGKILL');
      }, patience);
    };
    wait();
    createInterface({ input: child.stdout }).on('line', (line) => {
      wait();
      const message = JSON.parse(line);
      if (message.at !== undefined) at = message.at;
      else if (message.crash !== undefined) crashes.push(message);
      else result = message;
    });
    child.on('close', (status) => {
      clearTimeout(timer);
      if (result === undefined && crashes.length === 0)
        crashes.push({ seed: at, crash: `the process ended with ${status}, from this seed on` });
      resolve({
        ...(result ?? { counts: {}, slowest: { seed: at, milliseconds: 0 }, highestMegabytes: 0 }),
        crashes,
      });
    });
  });
}

function add(total, { counts, slowest, highestMegabytes, crashes }) {
  for (const [outcome, count] of Object.entries(counts))
    total.counts[outcome] = (total.counts[outcome] ?? 0) + count;
  if (slowest.milliseconds > total.slowest.milliseconds) total.slowest = slowest;
  total.highestMegabytes = Math.max(total.highestMegabytes, highestMegabytes);
  total.crashes.push(...crashes);
}

function report(total, count) {
  const mostMegabytes = 200 + (4 * Math.max(...files.map((file) => statSync(file).size))) / 1e6;
  failed =
    total.crashes.length > 0 || total.slowest.milliseconds > 1000 || total.highestMegabytes > mostMegabytes;
  if (options.json) {
    console.log(JSON.stringify({ count, files: files.length, ...total, mostMegabytes }, undefined, 2));
    return;
  }
  console.log(`${count} changed files, made from ${files.length}:`);
  for (const [outcome, number] of Object.entries(total.counts)) console.log(`  ${outcome}: ${number}`);
  console.log(
    `  slowest: ${total.slowest.milliseconds.toFixed(0)} ms of CPU time (seed ${total.slowest.seed}; bar 1000)\n` +
      `  most memory of a process: ${total.highestMegabytes.toFixed(0)} MB (bar ${mostMegabytes.toFixed(0)})`,
  );
  for (const { seed, kind = '', crash } of total.crashes.slice(0, 10))
    console.log(`  seed ${seed} ${kind}: ${crash}`);
}
