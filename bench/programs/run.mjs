// node bench/programs/run.mjs [--loaded] [--shares-only] [--json FILE] [--sources DIR] [--keep DIR] [--tool DIST] [--repetitions N] [name …]
// Programs that nobody tuned Kymo for: does `kymo init` find their builds, what do sites and the final selection cost, do the
// shares agree with `perf`, and does anything in the output contradict itself? `--loaded` refines once more beside 16 busy processes;
// `--shares-only` measures no costs, gives programs about half as much to do and takes a third of the samples, which still places each
// share within two points.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { load } from '../lib/bundle.mjs';
import { compareCosts } from './costs.mjs';
import { besideBusyLoops } from './load.mjs';
import { programs } from './programs.mjs';
import { fetchSources } from './sources.mjs';
import { configure, finalSelection, refineTree, runOf, vanillaBuild } from './trees.mjs';
import { describe, tableOf } from './table.mjs';

const { canSample, compareLoaded, compareShares, contradictions, outputsOf, sampleProgram } = await load(
  'bench/programs/agreement.ts',
  'bench/programs/sampling.ts',
  'test/outputAgreement.ts',
);
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    loaded: { type: 'boolean', default: false },
    'shares-only': { type: 'boolean', default: false },
    json: { type: 'string' },
    sources: { type: 'string' },
    keep: { type: 'string' },
    tool: { type: 'string', default: path.resolve(import.meta.dirname, '../../dist') },
    repetitions: { type: 'string', default: '5' },
  },
});
const busyLoops = 16;

const folder =
  options.keep === undefined
    ? mkdtempSync(path.join(os.tmpdir(), 'kymo-bench-'))
    : path.resolve(options.keep);
mkdirSync(folder, { recursive: true });
try {
  await main();
} finally {
  if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
}

async function main() {
  const unknown = positionals.filter((name) => !programs.some((program) => program.name === name));
  if (unknown.length > 0)
    throw new Error(
      `unknown program ${unknown.join(', ')}; there are ${programs.map((p) => p.name).join(', ')}`,
    );
  if (!canSample()) console.log('perf cannot sample on this machine: shares are not compared');
  const wanted = programs.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const sources = await fetchSources(
    wanted.map((program) => program.package ?? program.name),
    options.sources,
  );
  const results = [];
  for (const program of wanted) {
    const source = sources.get(program.package ?? program.name);
    if (source === undefined) continue;
    const result = await benchOrFailure(options['shares-only'] ? { ...program, part: 0.5 } : program, source);
    results.push(result);
    console.log(describe(result));
    if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(results, undefined, 2));
  }
  console.log(tableOf(results));
}

/** Before it ran, against the program without sites: what recording costs is predicted against sites at rest, what these cost is estimated. */
function predictedOf({ iterations, final, offCost }) {
  const recording = final.iteration === undefined ? final : iterations[final.iteration];
  return recording.predictedPercent + (offCost?.percent ?? 0);
}

async function benchOrFailure(program, source) {
  const about = { name: program.name, kind: program.kind };
  try {
    return { ...about, ...(await bench(program, source)) };
  } catch (error) {
    return { ...about, failure: error.message };
  }
}

async function bench(program, source) {
  const scratch = path.join(folder, program.name);
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  const configured = configure(program, source, path.join(scratch, 'refined'), path.resolve(options.tool));
  const refined = refineTree(configured);
  const vanilla = vanillaBuild(program, source, path.join(scratch, 'vanilla'), configured.target);
  const samplesPerSecond = options['shares-only'] ? 1999 : 2999;
  const sampled = canSample()
    ? sampleProgram(vanilla.command, vanilla.tree, scratch, { ...program, samplesPerSecond })
    : undefined;
  const costs = options['shares-only'] ? {} : await costsOf(program, configured, vanilla, scratch);
  const last = refined.result.iterations.at(-1);
  return {
    edit: program.why,
    notes: refined.result.notes,
    stopReason: refined.result.stopReason,
    iterations: refined.result.iterations,
    instrumented: last.instrumented,
    contradictions: contradictions(outputsOf(refined.result, refined.kymo)),
    predictedPercent: predictedOf(refined.result),
    estimatedOffPercent: refined.result.offCost?.percent,
    ...costs,
    ...(sampled === undefined
      ? {}
      : {
          samples: sampled.samples,
          cutShare: sampled.cutShare,
          functions: compareShares(sampled, refined.functions, refined.result.properties),
        }),
    ...(options.loaded
      ? {
          loaded: compareLoaded(
            refined.functions,
            (await besideBusyLoops(busyLoops, () => refineTree(configured))).functions,
          ),
        }
      : {}),
  };
}

/** CPU time of the three builds; the selection is one for the program as it is built now. */
function costsOf(program, configured, vanilla, scratch) {
  const sites = { ...configured, command: runOf(configured) };
  const final = { ...sites, selection: finalSelection(configured.tree, configured.tool) };
  const processors = program.threads === undefined ? '0' : `0-${program.threads - 1}`;
  return compareCosts({ vanilla, off: sites, final }, scratch, Number(options.repetitions), processors);
}
