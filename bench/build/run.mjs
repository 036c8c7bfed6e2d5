// node bench/build/run.mjs [--json] [--repetitions N] [--sources DIR] [--tool DIST] [program …]
// Time of the build with the measuring compilers (call graph included) as a ratio to the plain build: `make -j2` from clean, in turns.
// The call graph's fragments of C units are made when they are first read. That is a part of what a user waits for, and added here.
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';
import { openPrograms, plainEnvironment, shell, timedShell, wrappedEnvironment } from '../lib/programs.mjs';
import { median, medianInterval } from '../lib/statistics.mjs';

const bar = 1.8;
const { programs, folder, options, remove } = await openPrograms(process.argv.slice(2));
const repetitions = options.repetitions ?? 3;

const root = path.resolve(import.meta.dirname, '../..');
const bundle = await bundleReader();

/** `src/measurement/build/readUnits.ts` as one file, in a folder that looks like the tool's own. */
async function bundleReader() {
  const tool = path.join(folder, 'reader');
  const outfile = path.join(tool, 'readUnits.cjs');
  await build({
    entryPoints: [path.join(root, 'src/measurement/build/readUnits.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    alias: { 'web-tree-sitter': path.join(root, 'node_modules/web-tree-sitter/web-tree-sitter.cjs') },
  });
  cpSync(path.join(options.tool, 'grammars'), path.join(tool, 'grammars'), { recursive: true });
  writeFileSync(path.join(tool, 'wrapper.js'), '');
  return outfile;
}

/** Seconds that it takes the process that reads the graph, which runs anyway, to make all fragments that the build has left to it. */
function makeFragments(store) {
  const script = path.join(import.meta.dirname, 'fragments.mjs');
  const run = spawnSync(process.execPath, [script, bundle, store], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`the fragments cannot be made: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

function bench(program) {
  const make = program.subset ?? program.make;
  const own = path.join(folder, `wrapped-${program.name}`);
  mkdirSync(own);
  const variants = [
    { tree: program.tree('plain'), environment: plainEnvironment(), times: [], after: () => undefined },
    {
      tree: program.tree('wrapped'),
      environment: wrappedEnvironment(options.tool, own),
      times: [],
      after: () => makeFragments(path.join(own, 'store')),
    },
  ];
  for (const { tree, environment } of variants) {
    if (program.configure !== undefined) shell(program.configure, tree, environment);
    // Fills the file cache and the wrappers' cache of the compiler's identity and the runtime library.
    shell(make, tree, environment);
  }
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const { tree, environment, times, after } of repetition % 2 === 0
      ? variants
      : [...variants].reverse()) {
      shell(program.clean, tree, process.env);
      rmSync(path.join(own, 'store'), { recursive: true, force: true });
      const { wall, cpu } = timedShell(make, tree, environment);
      const { seconds: graph = 0, cpuSeconds: graphCpu = 0 } = after() ?? {};
      times.push({ wall: wall + graph, cpu: cpu + graphCpu, graph });
    }
  }
  const [plain, wrapped] = variants.map((variant) => variant.times);
  const ratio = (kind) => {
    const ratios = plain.map((time, i) => wrapped[i][kind] / time[kind]);
    return { median: median(ratios), interval: medianInterval(ratios) };
  };
  const result = {
    program: program.name,
    plainSeconds: median(plain.map((time) => time.wall)),
    wrappedSeconds: median(wrapped.map((time) => time.wall)),
    /** Of these: what the process that reads the graph takes to make the fragments. */
    graphSeconds: median(wrapped.map((time) => time.graph)),
    wall: ratio('wall'),
    cpu: ratio('cpu'),
    repetitions,
    fragmentBytes: bytesBelow(path.join(own, 'store')),
  };
  return { ...result, bar, within: result.wall.median <= bar };
}

const shown = ({ median: middle, interval }) =>
  `${middle.toFixed(2)} (${interval.map((r) => r.toFixed(2)).join(' … ')})`;

function bytesBelow(directory) {
  try {
    return readdirSync(directory, { recursive: true })
      .map((name) => statSync(path.join(directory, name)))
      .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
  } catch {
    return 0;
  }
}

try {
  const all = [];
  for (const program of programs) {
    const b = bench(program);
    all.push(b);
    if (!options.json)
      console.log(
        `${b.program}: wrapped build ÷ plain build: wall ${shown(b.wall)}, CPU time ${shown(b.cpu)}; bar ${bar}; ` +
          `${b.wrappedSeconds.toFixed(2)} s (make ${(b.wrappedSeconds - b.graphSeconds).toFixed(2)} + graph ${b.graphSeconds.toFixed(2)}) and ${b.plainSeconds.toFixed(2)} s, medians of ${b.repetitions}; call graph ${(b.fragmentBytes / 1024).toFixed(0)} KiB${b.within ? '' : '  EXCEEDS THE BAR'}`,
      );
  }
  if (options.json) console.log(JSON.stringify(all, undefined, 2));
} finally {
  remove();
}
