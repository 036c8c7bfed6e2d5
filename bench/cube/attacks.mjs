// node bench/cube/attacks.mjs [--json] [--megabytes N] [--only ATTACK]
// Small files that ask for much, each made and read in a process of its own: bytes of memory per byte of the file and CPU seconds
// per 10 MB, against the bars of docs/benchmarks.md (64 bytes, 5 s), or why the file is refused.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    megabytes: { type: 'string', default: '4' },
    only: { type: 'string' },
    use: { type: 'string' },
  },
});
const folder = mkdtempSync(path.join(tmpdir(), 'kymo-bench-attacks-'));
const program = path.join(folder, 'attacker.mjs');
const rows = [];
try {
  await build({
    entryPoints: [path.join(import.meta.dirname, 'attacker.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
    logLevel: 'warning',
  });
  for (const attack of JSON.parse(run('names'))) {
    if (options.only !== undefined && attack !== options.only) continue;
    const file = path.join(folder, 'attack.cubex');
    run('write', attack, String(Number(options.megabytes) * 1e6), file);
    for (const use of options.use === undefined ? ['read', 'view', 'json'] : [options.use])
      measure(attack, use, file);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const worst = (key) => Math.max(...rows.map((row) => row[key]));
if (options.json) console.log(JSON.stringify(rows, undefined, 2));
else
  console.log(
    `\nat most ${worst('bytesPerByte').toFixed(0)} bytes of memory per byte (bar 64), ${worst('secondsPer10Megabytes').toFixed(1)} s of CPU per 10 MB (bar 5)`,
  );

function measure(attack, use, file) {
  const { size } = statSync(file);
  const result = run(use, file);
  const { outcome, seconds, megabytes } = result.startsWith('{')
    ? JSON.parse(result)
    : { outcome: `DIED ${result}`, seconds: Infinity, megabytes: Infinity };
  const row = {
    attack,
    use,
    size,
    bytesPerByte: (megabytes * 1e6) / size,
    secondsPer10Megabytes: seconds / (size / 1e7),
    outcome,
  };
  rows.push(row);
  if (!options.json)
    console.log(
      `${attack.padEnd(38)} ${use.padEnd(5)} ${(size / 1e6).toFixed(1).padStart(6)} MB ${row.bytesPerByte.toFixed(0).padStart(5)} B/B ${row.secondsPer10Megabytes.toFixed(1).padStart(6)} s/10MB  ${outcome.slice(0, 150)}`,
    );
}

function run(...words) {
  const made = spawnSync(process.execPath, [program, ...words], {
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 2 ** 26,
  });
  return made.status === 0 ? made.stdout : `${made.signal ?? made.status}: ${made.stderr.slice(0, 300)}`;
}
