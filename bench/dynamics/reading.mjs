// node bench/dynamics/reading.mjs [ranks regions iterations]
// Series files: what reading 1,280 series × 2,048 values costs as NDJSON and CSV, against JSON.parse of whole lines, and in how much memory.
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load } from '../lib/bundle.mjs';

const { csvPieces, ndjsonPieces, openSeries } = await load(
  'src/formats/series/read.ts',
  'test/unit/formats/series/write.ts',
);
const [ranks = 64, regions = 20, iterations = 2048] = process.argv.slice(2).map(Number);
const repetitions = 5;
const folder = mkdtempSync(path.join(tmpdir(), 'kymo-reading-'));

try {
  const series = Array.from({ length: ranks * regions }, (_, at) => ({
    context: {
      region: { name: `MPI_Call${at % regions}`, kind: 'mpi' },
      metric: 'time',
      rank: Math.floor(at / regions),
      thread: 0,
    },
    values: Float64Array.from({ length: iterations }, (_, i) => 0.01 + (((at + 1) * (i + 7)) % 1000) / 98765),
  }));
  const files = {
    NDJSON: write('run.ndjson', ndjsonPieces({ unit: 's' }, series)),
    CSV: write('run.csv', csvPieces(series)),
  };
  const values = ranks * regions * iterations;
  console.log(`${ranks * regions} series × ${iterations} values; CPU time, least of ${repetitions}`);
  for (const [name, file] of Object.entries(files)) {
    const cpu = await least(() => readAll(file));
    report(name, file, cpu, values);
  }
  report('NDJSON by JSON.parse', files.NDJSON, await least(() => parseAll(files.NDJSON)), values);
  console.log(`memory of this process at most: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`);
} finally {
  rmSync(folder, { recursive: true });
}

function write(name, pieces) {
  const file = path.join(folder, name);
  const descriptor = openSync(file, 'w');
  for (const piece of pieces) writeSync(descriptor, piece);
  closeSync(descriptor);
  return file;
}

async function readAll(file) {
  const descriptor = openSync(file, 'r');
  const { size } = statSync(file);
  const source = {
    size,
    read(offset, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, offset));
    },
  };
  let sum = 0;
  for await (const burst of openSeries(source, file).bursts(1024))
    for (const one of burst.series) sum += one.values[0];
  closeSync(descriptor);
  return sum;
}

function parseAll(file) {
  let sum = 0;
  for (const line of readFileSync(file, 'utf8').split('\n').slice(1))
    if (line !== '') sum += Float64Array.from(JSON.parse(line).values)[0];
  return sum;
}

async function least(work) {
  let best = Infinity;
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

function report(name, file, milliseconds, values) {
  const megabytes = statSync(file).size / 1e6;
  console.log(
    `${name.padEnd(22)} ${megabytes.toFixed(0).padStart(4)} MB  ${milliseconds.toFixed(0).padStart(6)} ms  ` +
      `${((1e6 * milliseconds) / values).toFixed(0).padStart(4)} ns per value`,
  );
}
