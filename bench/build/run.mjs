// node bench/build/run.mjs [--json] [--repetitions N] [--sources DIR] [--tool DIST] [program …]
// Time of the build with the measuring compilers (call graph included) as a ratio to the plain build: `make -j2` from clean, in turns.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { openPrograms, plainEnvironment, shell, timedShell, wrappedEnvironment } from '../lib/programs.mjs';
import { median, medianInterval } from '../lib/statistics.mjs';

const bar = 1.8;
const { programs, folder, options, remove } = await openPrograms(process.argv.slice(2));
const repetitions = options.repetitions ?? 3;

function bench(program) {
  const make = program.subset ?? program.make;
  const own = path.join(folder, `wrapped-${program.name}`);
  mkdirSync(own);
  const variants = [
    { tree: program.tree('plain'), environment: plainEnvironment(), times: [] },
    { tree: program.tree('wrapped'), environment: wrappedEnvironment(options.tool, own), times: [] },
  ];
  for (const { tree, environment } of variants) {
    if (program.configure !== undefined) shell(program.configure, tree, environment);
    // Fills the file cache and the wrappers' cache of the compiler's identity and the runtime library.
    shell(make, tree, environment);
  }
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const { tree, environment, times } of repetition % 2 === 0 ? variants : [...variants].reverse()) {
      shell(program.clean, tree, process.env);
      rmSync(path.join(own, 'store'), { recursive: true, force: true });
      times.push(timedShell(make, tree, environment));
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
          `${b.wrappedSeconds.toFixed(2)} s and ${b.plainSeconds.toFixed(2)} s, medians of ${b.repetitions}; call graph ${(b.fragmentBytes / 1024).toFixed(0)} KiB${b.within ? '' : '  EXCEEDS THE BAR'}`,
      );
  }
  if (options.json) console.log(JSON.stringify(all, undefined, 2));
} finally {
  remove();
}
