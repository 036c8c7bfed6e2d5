// The programs that the benches try: the bundled examples, and programs that nobody here wrote, as Debian distributes their sources.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { parse } from 'jsonc-parser';
import { text } from '../programs/workloads.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * `configure` is run once per tree and not timed, `make` is what is timed; both are what a user would type, with the compilers
 * in CC, CXX and FC. `target` is the rest of the target in kymo.json, and `short` has arguments of a run of about a second.
 */
const realPrograms = [
  {
    name: 'minisat2',
    prepare: (tree) => writeFileSync(path.join(tree, 'random.cnf'), randomFormula(270, 4.26, 11)),
    make: 'make -j2 CXX="$CXX" r',
    clean: 'make clean',
    target: {
      name: 'minisat',
      executable: 'build/release/bin/minisat',
      run: { arguments: ['-verb=0', 'random.cnf'], successStatuses: [10, 20] },
      repetitions: 3,
    },
  },
  {
    name: 'metis',
    configure: 'cmake -S . -B b -DCMAKE_BUILD_TYPE=Release -DGKLIB_PATH="$PWD/GKlib"',
    make: 'make -j2 -C b gpmetis',
    clean: 'make -C b clean',
    cleanAll: 'rm -rf b',
    short: ['-ncuts=1', 'graphs/mdual.graph', '64'],
    target: {
      name: 'gpmetis',
      executable: 'b/programs/gpmetis',
      run: { arguments: ['-ncuts=4', 'graphs/mdual.graph', '500'] },
      repetitions: 3,
    },
  },
  {
    name: 'lapack',
    prepare: (tree) => cpSync(path.join(tree, 'INSTALL/make.inc.gfortran'), path.join(tree, 'make.inc')),
    make: ['BLAS/SRC', 'SRC', 'TESTING/MATGEN', 'TESTING/LIN']
      .map((folder) => `make -s -j2 -C ${folder} FC="$FC" double`)
      .join(' && '),
    // Some hundred of its thousands of units, for timing the compilers.
    subset: ['BLAS/SRC', 'TESTING/MATGEN']
      .map((folder) => `make -s -j2 -C ${folder} FC="$FC" double`)
      .join(' && '),
    clean: 'make -s clean',
    target: {
      name: 'xlintstd',
      executable: 'TESTING/LIN/xlintstd',
      run: { arguments: [], input: 'TESTING/dtest.in' },
      repetitions: 3,
    },
  },
];

/** These are tried only where they are named. */
const others = [
  {
    name: 'bzip2',
    prepare: (tree) => {
      writeFileSync(path.join(tree, 'words'), text(24e6));
      writeFileSync(path.join(tree, 'fewer'), text(8e6));
    },
    short: ['-9', '-c', 'fewer'],
    make: 'make CC="$CC" bzip2',
    clean: 'make clean',
    target: {
      name: 'bzip2',
      executable: 'bzip2',
      // The build links to the library in its own folder by a name that the system's library has, too.
      run: { arguments: ['-9', '-c', 'words'], environment: { LD_LIBRARY_PATH: '.' } },
      repetitions: 3,
    },
  },
  ...['channel', 'degrading', 'growth', 'heat', 'roles'].map(example),
];

const examples = ['nbody', 'stencil', 'solver', 'treecode'].map(example);

function example(name) {
  const folder = path.join(root, 'examples', name);
  const [target] = parse(readFileSync(path.join(folder, 'kymo.json'), 'utf8')).targets;
  return {
    name,
    folder,
    make: target.build.command.replace(/\$\{(cc|cxx|fc)\}/g, (_, compiler) => `"$${compiler.toUpperCase()}"`),
    clean: target.build.clean,
    target,
  };
}

/**
 * Working copies of the programs in a temporary folder.
 * Words of the command line: names of programs (default: all), `--sources DIR` (unpacked Debian sources that are at hand).
 */
export async function openPrograms(words) {
  const options = readWords(words);
  const known = [...examples, ...realPrograms, ...others];
  const unknown = options.names.filter((name) => !known.some((program) => program.name === name));
  if (unknown.length > 0)
    throw new Error(
      `unknown program ${unknown.join(', ')}; there are ${known.map((p) => p.name).join(', ')}`,
    );
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-bench-'));
  const wanted = known.filter(
    (program) =>
      options.names.includes(program.name) || (options.names.length === 0 && !others.includes(program)),
  );
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const unpacked = await unpack(
      wanted.filter((program) => program.folder === undefined),
      folder,
      options,
    );
    const programs = wanted
      .map((program) => ({ ...program, folder: program.folder ?? unpacked.get(program.name) }))
      .filter((program) => program.folder !== undefined)
      .map((program) => ({
        ...program,
        tree: (variant) => workingCopy(program, path.join(folder, variant)),
      }));
    return { programs, folder, options, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function readWords(words) {
  const names = words.filter((word, i) => !word.startsWith('--') && !takesValue(words[i - 1]));
  const value = (name) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined);
  const number = (name) => (value(`--${name}`) === undefined ? {} : { [name]: Number(value(`--${name}`)) });
  return {
    names,
    json: words.includes('--json'),
    callgrind: words.includes('--callgrind'),
    sources: value('--sources'),
    tool: path.resolve(value('--tool') ?? path.join(root, 'dist')),
    ...number('repetitions'),
    ...number('layouts'),
    ...number('seconds'),
  };
}

function takesValue(word) {
  return ['--sources', '--repetitions', '--layouts', '--tool', '--seconds'].includes(word);
}

async function unpack(programs, folder, options) {
  const found = new Map();
  if (programs.length === 0) return found;
  if (options.sources !== undefined) {
    for (const { name } of programs) {
      const listed = spawnSync(
        'find',
        [options.sources, '-maxdepth', '1', '-type', 'd', '-name', `${name}-*`],
        {
          encoding: 'utf8',
        },
      ).stdout.trim();
      if (listed !== '') found.set(name, listed.split('\n')[0]);
      else process.stderr.write(`skipped: no source of ${name} in ${options.sources}\n`);
    }
    return found;
  }
  const bundle = path.join(folder, 'debianSource.mjs');
  await build({
    entryPoints: [path.join(root, 'test/real-programs/debianSource.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: bundle,
  });
  const { debianSources } = await import(bundle);
  const sources = debianSources();
  if (sources === undefined) return found;
  try {
    for (const { name } of programs) {
      const tree = sources.unpack(name);
      if (tree === undefined) continue;
      const kept = path.join(folder, 'sources', name);
      cpSync(tree, kept, { recursive: true });
      found.set(name, kept);
    }
  } finally {
    sources.remove();
  }
  return found;
}

/** A tree of its own: the plain build and the one with sites do not meet. Left-overs of earlier builds are cleaned away. */
function workingCopy(program, parent) {
  const tree = path.join(parent, program.name);
  mkdirSync(parent, { recursive: true });
  rmSync(tree, { recursive: true, force: true });
  cpSync(program.folder, tree, { recursive: true, filter: (file) => path.basename(file) !== '.kymo' });
  program.prepare?.(tree);
  if (program.configure === undefined) shell(program.clean, tree, process.env, true);
  if (program.cleanAll !== undefined) shell(program.cleanAll, tree, process.env);
  return tree;
}

/** The target as it stands in kymo.json. */
export function kymoTarget(program) {
  const make = [program.configure, program.make]
    .filter((command) => command !== undefined)
    .join(' && ')
    .replace(/"\$(CC|CXX|FC)"/g, (_, compiler) => `\${${compiler.toLowerCase()}}`);
  return { ...program.target, build: { command: make, clean: program.cleanAll ?? program.clean } };
}

/** Program and arguments of a run, parameters filled in with their first values. */
export function runCommand(program, tree) {
  const { run, executable, parameters = {} } = program.target;
  const filled = (run.arguments ?? []).map((word) =>
    word.replace(/\$\{(\w+)\}/g, (_, name) => String(parameters[name]?.[0] ?? '')),
  );
  return {
    words: [path.join(tree, executable), ...filled],
    input: run.input === undefined ? '/dev/null' : path.join(tree, run.input),
    environment: run.environment ?? {},
    statuses: run.successStatuses ?? [0],
  };
}

export function plainEnvironment() {
  return { ...process.env, CC: 'cc', CXX: 'c++', FC: 'gfortran' };
}

/** The measuring compilers of a built tool (`dist`). */
export function wrappedEnvironment(tool, folder) {
  const wrapper = (name) => path.join(tool, 'runtime/wrappers', name);
  return {
    ...process.env,
    CC: wrapper('kymo-cc'),
    CXX: wrapper('kymo-cxx'),
    FC: wrapper('kymo-fc'),
    KYMO_CC: 'cc',
    KYMO_CXX: 'c++',
    KYMO_FC: 'gfortran',
    KYMO_NODE: process.execPath,
    KYMO_STORE: path.join(folder, 'store'),
    KYMO_BUILD_LOG: path.join(folder, 'units'),
  };
}

/** Runs a command as a user's shell would; seconds. */
export function shell(command, cwd, environment, mayFail = false) {
  const begin = performance.now();
  const run = spawnSync('/bin/sh', ['-c', command], {
    cwd,
    env: environment,
    encoding: 'utf8',
    maxBuffer: 256 << 20,
  });
  if (run.status !== 0 && !mayFail)
    throw new Error(
      `${command} in ${cwd} ended with ${run.status ?? run.signal}\n${run.stdout.slice(-2000)}\n${run.stderr.slice(-4000)}`,
    );
  return (performance.now() - begin) / 1000;
}

/** The same with bash's `time`: wall seconds, and CPU seconds of everything it started, which other users of the machine hardly change. */
export function timedShell(command, cwd, environment) {
  const script = 'TIMEFORMAT="%3R %3U %3S"; time /bin/sh -c "$0" >/dev/null';
  const run = spawnSync('bash', ['-c', script, command], {
    cwd,
    env: environment,
    encoding: 'utf8',
    maxBuffer: 256 << 20,
  });
  if (run.status !== 0)
    throw new Error(
      `${command} in ${cwd} ended with ${run.status ?? run.signal}\n${run.stderr.slice(-4000)}`,
    );
  const [wall, user, system] = run.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall, cpu: user + system };
}

/** A random 3-SAT formula in DIMACS form, near the ratio where they are hard; the same for the same seed. */
function randomFormula(variables, ratio, seed) {
  let state = seed >>> 0;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const clauses = Math.floor(variables * ratio);
  const lines = [`p cnf ${variables} ${clauses}`];
  for (let i = 0; i < clauses; i++) {
    const chosen = new Set();
    while (chosen.size < 3) chosen.add(1 + random(variables));
    lines.push(`${[...chosen].map((v) => (random(2) === 0 ? v : -v)).join(' ')} 0`);
  }
  return `${lines.join('\n')}\n`;
}
