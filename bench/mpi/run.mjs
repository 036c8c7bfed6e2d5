// node bench/mpi/run.mjs [--json]: what a recorded MPI call costs beyond the plain one, in nanoseconds, in the quickest batches of runs in turns;
// and how much longer MPI_Finalize takes for 64 ranks (many on each processor) with 2,000 call paths each, in seconds.
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
const finalize = [];
for (const compiler of compilers) {
  const launcher = compiler.replace('mpicc', 'mpirun');
  const calls = await prepared(compiler, 'calls.c');
  const rounds = Array.from({ length: 5 }, () => [
    nanoseconds(launched(launcher, 2, calls.program, {})),
    nanoseconds(launched(launcher, 2, calls.program, calls.recording)),
  ]);
  for (const name of rounds[0][0].keys()) {
    const least = (side) => Math.min(...rounds.map((round) => round[side].get(name)));
    const [plain, recorded] = [least(0), least(1)];
    rows.push({ compiler, name, plainNs: plain, costNs: Number((recorded - plain).toFixed(1)) });
  }
  const paths = await prepared(compiler, 'paths.c');
  const seconds = (variables) =>
    Number(/MPI_Finalize ([\d.]+)/.exec(launched(launcher, 64, paths.program, variables))?.[1]);
  const pairs = Array.from({ length: 3 }, () => [seconds({}), seconds(paths.recording)]);
  const least = (side) => Math.min(...pairs.map((pair) => pair[side]));
  finalize.push({
    compiler,
    ranks: 64,
    plain: least(0),
    measured: least(1),
    more: Number((least(1) - least(0)).toFixed(3)),
  });
}
if (process.argv.includes('--json')) console.log(JSON.stringify({ calls: rows, finalize }));
else {
  console.table(rows);
  console.table(finalize);
}

/** A program with a selection of all its functions, and the variables that record it. */
async function prepared(compiler, source) {
  const program = path.join(folder, `${compiler}.${source}.out`);
  const flags = [
    '-O2',
    '-fpatchable-function-entry=64,58',
    '-fno-ipa-ra',
    `-I${path.join(root, 'runtime/include')}`,
  ];
  execFileSync(compiler, [...flags, path.join(here, source), '-o', program, ...runtime.executable]);
  const layer = await tools.mpiLayer(program, process.env);
  if (layer.kind !== 'layer') throw new Error(JSON.stringify(layer));
  const [selection, results] = [`${program}.selection`, `${program}.results`];
  tools.writeSelection(selection, [tools.everything(tools.readSites(program), 'entry', new Map())]);
  mkdirSync(results);
  const recording = {
    KYMO_SELECTION: selection,
    KYMO_RESULTS: results,
    KYMO_JOB: '1',
    LD_PRELOAD: layer.library,
  };
  return { program, recording };
}

function launched(launcher, ranks, program, variables) {
  const env = {
    ...process.env,
    OMPI_ALLOW_RUN_AS_ROOT: '1',
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1',
    // More ranks than processors must not spin.
    ...(ranks > 2 ? { OMPI_MCA_mpi_yield_when_idle: '1', OMPI_MCA_rmaps_base_oversubscribe: '1' } : {}),
    ...variables,
  };
  return execFileSync(launcher, ['-n', String(ranks), program], { encoding: 'utf8', env });
}

function nanoseconds(text) {
  return new Map(
    [...text.matchAll(/^(MPI_[\w+]+) ([\d.]+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  );
}
