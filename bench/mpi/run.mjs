// node bench/mpi/run.mjs [--json]: what a recorded MPI call costs beyond the plain one, in nanoseconds: the quickest batches of runs in turns.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { installed } from '../lib/installed.mjs';

const here = import.meta.dirname;
const root = path.resolve(here, '../..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const compilers = installed(['mpicc.openmpi', 'mpicc.mpich']);

const helpers = path.join(folder, 'helpers.cjs');
await build({
  stdin: {
    contents: `export * from './test/runtime/build'; export * from './test/runtime/selection'; export * from './src/measurement/layers/mpiLayer';`,
    resolveDir: root,
    loader: 'ts',
  },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  outfile: helpers,
  define: {
    'import.meta.dirname': JSON.stringify(path.join(root, 'test/runtime')),
    __dirname: JSON.stringify(path.join(root, 'dist')),
  },
});
const { default: tools } = await import(helpers);
const runtime = tools.buildRuntime('gcc', path.join(folder, 'runtime'));
const rows = [];
for (const compiler of compilers) {
  const program = path.join(folder, compiler);
  const flags = ['-O2', '-fpatchable-function-entry=64,58', '-fno-ipa-ra'];
  execFileSync(compiler, [...flags, path.join(here, 'calls.c'), '-o', program, ...runtime.executable]);
  const layer = await tools.mpiLayer(program, process.env);
  if (layer.kind !== 'layer') throw new Error(JSON.stringify(layer));
  const selection = path.join(folder, `${compiler}.selection`);
  tools.writeSelection(selection, [tools.everything(tools.readSites(program), 'entry', new Map())]);
  const results = path.join(folder, `${compiler}.results`);
  mkdirSync(results);
  const recording = { KYMO_SELECTION: selection, KYMO_RESULTS: results, LD_PRELOAD: layer.library };
  const rounds = Array.from({ length: 5 }, () => [times(program, {}), times(program, recording)]);
  for (const name of rounds[0][0].keys()) {
    const least = (side) => Math.min(...rounds.map((round) => round[side].get(name)));
    const [plain, recorded] = [least(0), least(1)];
    rows.push({ compiler, name, plainNs: plain, costNs: Number((recorded - plain).toFixed(1)) });
  }
}
if (process.argv.includes('--json')) console.log(JSON.stringify(rows));
else console.table(rows);

function times(program, variables) {
  const env = {
    ...process.env,
    OMPI_ALLOW_RUN_AS_ROOT: '1',
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1',
    ...variables,
  };
  const text = execFileSync(program, { encoding: 'utf8', env });
  return new Map(
    [...text.matchAll(/^(MPI_\w+) ([\d.]+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  );
}
