// node bench/runtime/run.mjs [--json] [compiler …]: cost of a recording pair per kind of site as a ratio to two timer reads in the same run, memory per node, and what an iteration costs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { load } from '../lib/bundle.mjs';
import { installed } from '../lib/installed.mjs';

const here = import.meta.dirname;
const root = path.resolve(here, '../..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-bench-'));
const words = process.argv.slice(2);
const compilers = words.filter((word) => !word.startsWith('--'));

const { buildRuntime, readSites, writeSelection, readResult } = await load(
  'test/runtime/build.ts',
  'test/runtime/selection.ts',
  'test/runtime/result.ts',
);

function measured(program, chosen, args, intervals, phases, environment) {
  const results = mkdtempSync(path.join(folder, 'results-'));
  const selection = path.join(results, '..', `${path.basename(results)}.selection`);
  writeSelection(selection, [chosen], intervals, phases);
  const output = execFileSync(program, args, {
    encoding: 'utf8',
    env: {
      ...process.env,
      KYMO_SELECTION: selection,
      KYMO_RESULTS: results,
      KYMO_DEPTH_LIMIT: '1000000',
      ...environment,
    },
  });
  const file = readdirSync(results).find((name) => name.endsWith('.kymo'));
  const iterations = readdirSync(results).find((name) => name.endsWith('.iterations'));
  const bytes = iterations === undefined ? 0 : statSync(path.join(results, iterations)).size;
  const result = file === undefined ? undefined : readResult(path.join(results, file));
  rmSync(results, { recursive: true });
  return { output, result, bytes };
}

/** What an iteration costs beside its visits, in turns without and with the phase; nanoseconds by number of call paths that it touches. */
function phases(program) {
  const sites = readSites(program);
  const chosen = { sites, regions: new Map([...sites.entries.keys()].map((name) => [name, name])) };
  const count = 200_000;
  const rounds = 7;
  const cost = (touched, untouched) => {
    const differences = [];
    let bytes = 0;
    let mapped = 0;
    for (let round = 0; round < rounds; round++) {
      const args = [String(touched), String(count), String(untouched)];
      const plain = measured(program, chosen, args, new Map());
      const phased = measured(program, chosen, args, new Map(), ['step']);
      differences.push(Number(phased.output) - Number(plain.output));
      bytes = phased.bytes / phased.result.iterations;
      mapped = phased.result.mapped;
    }
    return { touched, untouched, ns: differences.sort((a, b) => a - b)[rounds >> 1], bytes, mapped };
  };
  const points = [cost(1, 0), cost(8, 0), cost(32, 0), cost(63, 0)];
  const [first, last] = [points[0], points.at(-1)];
  const perPath = (last.ns - first.ns) / (last.touched - first.touched);
  return {
    points,
    perPathNs: perPath,
    baseNs: first.ns - perPath * first.touched,
    besideUntouched: cost(1, 60),
  };
}

/** What a visit costs with a trace, as a ratio to one without, in turns; the buffer holds all events of `whole`, and loses the oldest of `last`. */
function traced(pair, chosen) {
  const rounds = 7;
  const ratios = { whole: [], last: [] };
  const environments = {
    whole: { KYMO_TRACE: '512' },
    last: { KYMO_TRACE: '1', KYMO_TRACE_FULL: 'last' },
  };
  for (let round = 0; round < rounds; round++)
    for (const [name, environment] of Object.entries(environments)) {
      const plain = JSON.parse(measured(pair, chosen, ['51']).output);
      const events = JSON.parse(measured(pair, chosen, ['51'], undefined, undefined, environment).output);
      ratios[name].push({ sled: events.sled / plain.sled, entry: events.entry / plain.entry });
    }
  const median = (values) => values.sort((a, b) => a - b)[rounds >> 1];
  return Object.fromEntries(
    Object.entries(ratios).map(([name, all]) => [
      name,
      { sled: median(all.map(({ sled }) => sled)), entry: median(all.map(({ entry }) => entry)) },
    ]),
  );
}

function bench(compiler) {
  const runtime = buildRuntime(compiler, path.join(folder, compiler));
  const flags = [
    '-O2',
    '-g',
    '-pthread',
    '-fpatchable-function-entry=5',
    ...(compiler.includes('clang') ? [] : ['-fno-ipa-ra']),
  ];
  const program = (source) => {
    const file = path.join(folder, `${compiler}-${path.basename(source, '.c')}`);
    execFileSync(compiler, [...flags, source, '-o', file, ...runtime.executable]);
    return file;
  };
  const pair = program(path.join(here, 'pair.c'));
  const sites = readSites(pair);
  const regions = new Map([
    ['entry', 'entry'],
    ['sled', 1],
  ]);
  const { output, result } = measured(pair, { sites, regions }, ['201']);
  const on = JSON.parse(output);
  const counted = JSON.parse(
    measured(
      pair,
      { sites, regions },
      ['201'],
      new Map([
        ['entry', 1024],
        ['sled', 1024],
      ]),
    ).output,
  );
  const tracedRatio = traced(pair, { sites, regions });
  const off = JSON.parse(execFileSync(pair, ['201'], { encoding: 'utf8' }));
  const tree = program(path.join(root, 'test/runtime/programs/tree.c'));
  const treeSites = readSites(tree);
  const big = measured(
    tree,
    { sites: treeSites, regions: new Map([...treeSites.entries.keys()].map((name) => [name, name])) },
    ['nodes'],
  ).result;
  const nodes = big.threads[0].nodes.length;
  const nanoseconds = (seconds) => seconds.map((value) => Number((value * 1e9).toFixed(2)));
  return {
    compiler,
    twoReadsNs: on.twoReads,
    sledNs: on.sled,
    entryNs: on.entry,
    sledRatio: on.sled / on.twoReads,
    entryRatio: on.entry / on.twoReads,
    tracedRatio,
    unselectedSledNs: off.sled,
    unselectedEntryNs: off.entry,
    countedSledNs: counted.sled,
    countedEntryNs: counted.entry,
    calibrationNs: {
      sled: nanoseconds(result.sled),
      entry: nanoseconds(result.entry),
      sampledSled: nanoseconds(result.sampledSled),
      sampledEntry: nanoseconds(result.sampledEntry),
    },
    nodes,
    bytesPerNode: big.nodeBytes / nodes,
    mappedBytes: big.mapped,
    phases: phases(program(path.join(here, 'phases.c'))),
  };
}

try {
  mkdirSync(folder, { recursive: true });
  const all = installed(compilers.length > 0 ? compilers : ['gcc', 'clang-19']).map(bench);
  if (words.includes('--json')) console.log(JSON.stringify(all, undefined, 2));
  else
    for (const b of all)
      console.log(
        `${b.compiler}: two timer reads ${b.twoReadsNs} ns; recording pair: probe sled ${b.sledNs} ns (× ${b.sledRatio.toFixed(2)}), ` +
          `patchable entry ${b.entryNs} ns (× ${b.entryRatio.toFixed(2)}); with a trace × ${b.tracedRatio.whole.sled.toFixed(2)} and × ${b.tracedRatio.whole.entry.toFixed(2)} (limit: 1.5), when it keeps the last events × ${b.tracedRatio.last.sled.toFixed(2)} and × ${b.tracedRatio.last.entry.toFixed(2)}; 1 in 1024 visits timed: ${b.countedSledNs} and ${b.countedEntryNs} ns; not selected: ${b.unselectedSledNs} and ${b.unselectedEntryNs} ns; ` +
          `${b.nodes} nodes: ${b.bytesPerNode.toFixed(2)} bytes each, ${b.mappedBytes} bytes mapped in all\n` +
          `  an iteration costs ${b.phases.baseNs.toFixed(0)} ns + ${b.phases.perPathNs.toFixed(1)} ns per touched call path (limit: 1000 + 20), ` +
          `with 60 call paths that are not touched ${b.phases.besideUntouched.ns.toFixed(0)} ns; measured: ` +
          b.phases.points
            .map((p) => `${p.touched}: ${p.ns.toFixed(0)} ns, ${p.bytes.toFixed(1)} bytes`)
            .join('; '),
      );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
