// node bench/sites/layouts.mjs [--json] [--layouts N] [--repetitions N] [--sources DIR] [--tool DIST] [program …]
// How much of a ratio of two builds is where the linker happened to put the code. The vanilla build and the one with sites are each linked
// N times with 16, 32, 48 … bytes before the program's own code (nothing is executed there), and run in turns. A single comparison says
// nothing about differences below the spread that the vanilla build shows by itself.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openPrograms, plainEnvironment, runCommand, shell, wrappedEnvironment } from '../lib/programs.mjs';
import { median } from '../lib/statistics.mjs';
import { timed } from '../lib/timed.mjs';

const step = 16; // functions begin at multiples of it
const { programs, folder, options, remove } = await openPrograms(process.argv.slice(2));
const layouts = options.layouts ?? 12;
const repetitions = options.repetitions ?? 3;

function bench(program) {
  const builds = [];
  for (let number = 0; number < layouts; number++) {
    const compilers = shiftingCompilers(number * step);
    const wrapped = wrappedEnvironment(options.tool, path.join(folder, 'own'));
    for (const [variant, environment] of [
      ['plain', { ...plainEnvironment(), CC: compilers.cc, CXX: compilers.cxx, FC: compilers.fc }],
      ['sites', { ...wrapped, KYMO_CC: compilers.cc, KYMO_CXX: compilers.cxx, KYMO_FC: compilers.fc }],
    ]) {
      const tree = program.tree(`${variant}${number}`);
      if (program.configure !== undefined) shell(program.configure, tree, environment);
      shell(program.make, tree, environment);
      builds.push({ variant, number, command: runCommand(program, tree), tree, user: [] });
    }
  }
  for (let repetition = -1; repetition < repetitions; repetition++) {
    for (const build of repetition % 2 === 0 ? builds : [...builds].reverse()) {
      const { user } = timed(build);
      if (repetition >= 0) build.user.push(user);
    }
  }
  const seconds = (variant) => builds.filter((b) => b.variant === variant).map((b) => median(b.user));
  const [plain, sites] = [seconds('plain'), seconds('sites')];
  const spread = (values) => [Math.min(...values), Math.max(...values)].map((value) => value / median(plain));
  return {
    program: program.name,
    layouts,
    repetitions,
    plainSeconds: median(plain),
    ratio: median(sites) / median(plain),
    plainSpread: spread(plain),
    sitesSpread: spread(sites),
    pairs: sites.map((value, i) => value / plain[i]),
  };
}

/** Compilers that put an object of `bytes` bytes before everything that they link. */
function shiftingCompilers(bytes) {
  const home = path.join(folder, `shift${bytes}`);
  mkdirSync(home, { recursive: true });
  const source = path.join(home, 'shift.s');
  const object = path.join(home, 'shift.o');
  // A line of the caches at least, so that the section is aligned alike in all of them.
  writeFileSync(
    source,
    `.section .note.GNU-stack,"",%progbits\n.text\n.p2align 6\n.skip ${String(64 + bytes)}\n`,
  );
  shell(`cc -c "${source}" -o "${object}"`, home, process.env);
  const compiler = (name, real) => {
    const file = path.join(home, name);
    const script =
      `#!/bin/sh\nfor word in "$@"; do case $word in -c | -E | -S | -M | -MM | -r | -v | -shared | -print-* | --* | -dump*) exec ${real} "$@" ;; esac; done\n` +
      `case " $* " in *.o\\ * | *.a\\ *) exec ${real} "${object}" "$@" ;; esac\nexec ${real} "$@"\n`;
    writeFileSync(file, script, { mode: 0o755 });
    return file;
  };
  return { cc: compiler('cc', 'cc'), cxx: compiler('c++', 'c++'), fc: compiler('gfortran', 'gfortran') };
}

try {
  const all = programs.map(bench);
  const shown = (range) => range.map((r) => r.toFixed(3)).join(' … ');
  if (options.json) console.log(JSON.stringify(all, undefined, 2));
  else
    for (const b of all)
      console.log(
        `${b.program}: ${b.layouts} layouts of each build, ${b.repetitions} runs of ${b.plainSeconds.toFixed(2)} s: median with sites ÷ vanilla ${b.ratio.toFixed(3)}; ` +
          `vanilla alone ${shown(b.plainSpread)}, with sites ${shown(b.sitesSpread)}; same layout ${shown([Math.min(...b.pairs), Math.max(...b.pairs)])}`,
      );
} finally {
  remove();
}
