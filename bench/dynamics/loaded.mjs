// node bench/dynamics/loaded.mjs [runs] [busy processes] [repetitions]: the example of `examples/degrading` by the clock on the wall, beside so many processes that compute all the
// time; what `kymo dynamics` says of each run's repetitions together. Needs a compiler and `npm run build`.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';

const [runs = 10, busy = 16, repetitions = 3] = process.argv.slice(2).map(Number);
const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'kymo-loaded-'));
const others = [];

/** Iterations within which a change has to begin. */
const tolerance = 10;

function begins(rows, region, truth) {
  const own = rows.filter(({ kind, region: name }) => name.includes(region) && /trend|step/.test(kind));
  return own.flatMap(({ iterations }) => iterations).filter(([from]) => Math.abs(from - truth) <= tolerance);
}

try {
  cpSync(path.join(root, 'examples/degrading'), folder, { recursive: true });
  execFileSync('make', ['clean', 'degrading'], { cwd: folder, stdio: 'ignore' });
  const program = path.join(folder, 'degrading');
  const truth = JSON.parse(execFileSync(program, ['--truth'], { encoding: 'utf8' }));
  for (let i = 0; i < busy; i++)
    others.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  const found = { trend: 0, step: 0, others: 0 };
  for (let run = 1; run <= runs; run++) {
    const files = Array.from({ length: repetitions }, (_, i) => path.join(folder, `r${i + 1}.ndjson`));
    for (const file of files)
      execFileSync(program, ['--series', file, '--clock', 'wall'], { cwd: folder, stdio: 'ignore' });
    const text = execFileSync(
      process.execPath,
      [path.join(root, 'dist/cli.js'), 'dynamics', '--json', ...files],
      {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const document = JSON.parse(text);
    const { rows } = document.result ?? document;
    const trend = begins(rows, 'Contacts::search', truth.trend.iterations[0]);
    const step = begins(rows, 'Plate::relax', truth.step.iterations[0]);
    const rest = rows.filter(({ kind, belowThreshold }) => kind === 'degradation-peaks' && !belowThreshold);
    found.trend += Number(trend.length > 0);
    found.step += Number(step.length > 0);
    found.others += Number(rest.length > 0);
    const places = (all) => (all.length === 0 ? 'not found' : all.map((range) => range.join('-')).join(', '));
    console.log(
      `run ${run}, load ${loadavg()[0].toFixed(0)}: trend ${places(trend)} (${truth.trend.iterations.join('-')}), step ${places(step)} (${truth.step.iterations.join('-')})`,
    );
  }
  console.log(
    `of ${runs} runs: trend ${found.trend}, step ${found.step}; peaks of the noise above the report threshold in ${found.others}`,
  );
} finally {
  for (const other of others) other.kill('SIGKILL');
  rmSync(folder, { recursive: true });
}
