// node bench/openmp/run.mjs [--json] [threads]: what a construct costs with the OpenMP layer, beside the same program without it, in turns.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { load } from '../lib/bundle.mjs';
import { installed } from '../lib/installed.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-bench-'));
const words = process.argv.slice(2);
const threads = words.find((word) => /^\d+$/.test(word)) ?? '1';
const rounds = 9;

const { buildRuntime, readManifest, readSites, runtimeFolder, writeSelection } = await load(
  'test/runtime/build.ts',
  'test/runtime/selection.ts',
  'src/measurement/compilers/manifest.ts',
);

function bench(compiler) {
  const { cflags, files } = readManifest(runtimeFolder).openmp;
  const layer = path.join(folder, `${compiler}-layer.so`);
  execFileSync(compiler, [...cflags, '-o', layer, ...files], { cwd: runtimeFolder });
  const runtime = buildRuntime(compiler, path.join(folder, compiler));
  const program = path.join(folder, `${compiler}-openmp`);
  const flags = ['-O2', '-g', '-fopenmp', '-fpatchable-function-entry=5'];
  execFileSync(compiler, [
    ...flags,
    path.join(import.meta.dirname, 'constructs.c'),
    '-o',
    program,
    ...runtime.executable,
  ]);
  const selection = path.join(folder, `${compiler}.selection`);
  writeSelection(selection, [{ sites: readSites(program), regions: new Map() }]);
  const environment = { ...process.env, KYMO_SELECTION: selection };
  const run = (more) =>
    JSON.parse(execFileSync(program, [threads], { encoding: 'utf8', env: { ...environment, ...more } }));
  const plain = [];
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    plain.push(run({}));
    measured.push(run({ LD_PRELOAD: layer }));
  }
  // Other programs on the machine only add time.
  const least = (runs, name) => Math.min(...runs.map((one) => one[name]));
  const constructs = Object.keys(plain[0]).map((name) => {
    const [without, withLayer] = [least(plain, name), least(measured, name)];
    return { name, withoutNs: without, withNs: withLayer, addedNs: withLayer - without };
  });
  return { compiler, threads: Number(threads), constructs };
}

try {
  const all = installed(['gcc', 'clang-19']).map(bench);
  if (words.includes('--json')) console.log(JSON.stringify(all, undefined, 2));
  else
    for (const { compiler, constructs } of all)
      console.log(
        `${compiler}, ${threads} threads, ns per visit without and with the layer: ` +
          constructs
            .map(
              ({ name, withoutNs, withNs, addedNs }) =>
                `${name} ${withoutNs.toFixed(0)} → ${withNs.toFixed(0)} (+${addedNs.toFixed(0)}, × ${(withNs / withoutNs).toFixed(2)})`,
            )
            .join('; '),
      );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
