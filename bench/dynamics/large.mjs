// node bench/dynamics/large.mjs [iterations ranks]
// `kymo dynamics` of a very long run (two series in a CSV file, a spike every 50 iterations), and of one iteration on very many ranks
// (two regions each, NDJSON): CPU time and memory of the process. Needs `npm run build`.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const [iterations = 10_000_000, ranks = 100_000] = process.argv.slice(2).map(Number);
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
/** Makes the process print what it has used, at its end. */
const atEnd = `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stderr.write('\\nused ' + JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 })); });`;
const folder = mkdtempSync(path.join(tmpdir(), 'kymo-large-'));

try {
  analyse(`${iterations} iterations, 2 series`, write('long.csv', longRun()));
  analyse(`${ranks} ranks × 1 iteration, ${2 * ranks} series`, write('wide.ndjson', wideRun()));
} finally {
  rmSync(folder, { recursive: true });
}

function* longRun() {
  yield 'iteration,phase,solve\n';
  for (let i = 1; i <= iterations; i++) {
    const solve = i % 50 === 0 ? 0.05 : 0.01 + (i % 7) * 1e-5;
    yield `${i},${(solve + 0.01).toFixed(5)},${solve.toFixed(5)}\n`;
  }
}

function* wideRun() {
  yield '{"kymoSeries":1,"unit":"s","phase":"step"}\n';
  for (let rank = 0; rank < ranks; rank++) {
    const solve = 0.01 + (rank % 11) * 1e-4;
    yield `{"region":"<phase>","rank":${rank},"values":[${solve + 0.005}]}\n{"region":"solve","rank":${rank},"values":[${solve}]}\n`;
  }
}

function write(name, lines) {
  const file = path.join(folder, name);
  const descriptor = openSync(file, 'w');
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < 1 << 20) continue;
    writeSync(descriptor, piece);
    piece = '';
  }
  writeSync(descriptor, piece);
  closeSync(descriptor);
  return file;
}

function analyse(what, file) {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(atEnd)}`, cli, 'dynamics', file],
    { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] },
  );
  if (status !== 0) throw new Error(`kymo dynamics ended with status ${status}.\n${stderr}`);
  const { seconds, megabytes } = JSON.parse(stderr.slice(stderr.lastIndexOf('used ') + 5));
  console.log(
    `${what} (${Math.round(statSync(file).size / 1e6)} MB): ${seconds.toFixed(0)} s of CPU time, ${Math.round(megabytes)} MB of memory`,
  );
}
