// node bench/hotspots/run.mjs [--json] [--sources DIR] [--tool DIST] [program …]
// Do the hot functions of an independent profile stand in the final selection? `perf` samples the vanilla build, addr2line says
// which function each sample lies in, inlined ones included; beside it, what `kymo refine` reports about the same function.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { openPrograms, plainEnvironment, runCommand, shell } from '../lib/programs.mjs';
import { refine } from '../lib/refine.mjs';

const hot = 0.05;
const { programs, folder, options, remove } = await openPrograms(process.argv.slice(2));

function bench(program) {
  const { tree, result } = refine(program, options.tool);
  const decisions = finalDecisions(result);
  const samples = independentProfile(program, decisions);
  const measured = measuredShares(result, tree);
  const rows = [...new Set([...samples.functions.keys(), ...measured.keys()])]
    .map((name) => ({
      function: samples.shown.get(name) ?? name,
      share: samples.functions.get(name) ?? 0,
      kymo: measured.get(name),
      ...(decisions.get(name) ?? { hasSite: false, selected: false }),
    }))
    .filter((row) => row.share >= hot || (row.kymo ?? 0) >= hot)
    .sort((a, b) => b.share - a.share);
  const last = result.iterations.at(-1);
  return {
    program: program.name,
    samples: samples.count,
    libraries: samples.libraries,
    functions: rows,
    missed: rows.filter((row) => row.share >= hot && row.hasSite && !row.selected).map((row) => row.function),
    stopReason: result.stopReason,
    overheadPercent: last.overheadPercent,
    noisePercent: last.noisePercent,
  };
}

/** The decision of the last selection about each function, by mangled name. */
function finalDecisions(result) {
  const file = path.join(result.directory, `i${result.iterations.length - 1}`, 'selection.json');
  const decisions = new Map();
  for (const { key, selected, reason } of JSON.parse(readFileSync(file, 'utf8')).decisions) {
    const name = plainName(key);
    const before = decisions.get(name);
    decisions.set(name, {
      hasSite: reason.rule !== 'no-site' || before?.hasSite === true,
      selected: selected || before?.selected === true,
      rule: reason.rule,
    });
  }
  return decisions;
}

/** Exclusive shares of the run time in the last profile, by mangled name. */
function measuredShares(result, tree) {
  const iteration = path.join(result.directory, `i${result.iterations.length - 1}`);
  const experiment = readdirSync(iteration).find((name) => name.endsWith('.r1'));
  const profile = path.join(iteration, experiment, 'profile.cubex');
  const shown = JSON.parse(
    call(process.execPath, [path.join(options.tool, 'cli.js'), 'profile', 'show', profile, '--json'], tree),
  );
  const { exclusive } = shown.values.time;
  const total = exclusive.reduce((sum, seconds) => sum + seconds, 0);
  const shares = new Map();
  shown.callTree.forEach(({ region }, i) => {
    const { name, mangled } = shown.regions[region];
    const key = plainName(mangled ?? name);
    shares.set(key, (shares.get(key) ?? 0) + exclusive[i] / total);
  });
  return shares;
}

/**
 * Self shares of the vanilla build's functions, of the time outside libraries (threads that wait there spin). Time of an inlined
 * function without a site belongs to the function that it was inlined into. Debug information changes nothing in the code. */
function independentProfile(program, decisions) {
  const tree = program.tree('plain');
  const environment = { ...plainEnvironment(), CC: 'cc -g', CXX: 'c++ -g', FC: 'gfortran -g' };
  if (program.configure !== undefined) shell(program.configure, tree, environment);
  shell(program.make, tree, environment);
  const command = runCommand(program, tree);
  const data = path.join(folder, `${program.name}.perf`);
  const words = command.words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  shell(
    `perf record -q -e cpu-clock:u -F 2999 -o '${data}' ${words} <'${command.input}' >/dev/null 2>&1 || true`,
    tree,
    { ...process.env, ...command.environment },
  );
  const script = call('perf', ['script', '-i', data, '-F', 'ip,dso', '--show-mmap-events'], tree);
  // The program's own libraries lie in its tree, too.
  const addresses = new Map();
  let count = 0;
  for (const line of script.split('\n')) {
    const sample = /^\s*([0-9a-f]+)\s.*\((.*)\)\s*$/.exec(line);
    if (sample === null || line.includes('PERF_RECORD')) continue;
    count++;
    if (!sample[2].startsWith(`${tree}/`)) continue;
    const own = addresses.get(sample[2]) ?? [];
    own.push(Number.parseInt(sample[1], 16));
    addresses.set(sample[2], own);
  }
  const ownCount = [...addresses.values()].reduce((sum, own) => sum + own.length, 0);
  const libraries = count - ownCount;
  const functions = new Map();
  const shown = new Map();
  for (const [object, own] of addresses) {
    const base = loadAddress(script, object);
    const chains = inlineChains(
      object,
      [...new Set(own)].map((address) => address - base),
    );
    for (const address of own) {
      const chain = chains.get(address - base) ?? [];
      const owner = chain.find(({ name }) => decisions.get(name)?.hasSite === true) ?? chain[0];
      if (owner === undefined) continue;
      functions.set(owner.name, (functions.get(owner.name) ?? 0) + 1 / ownCount);
      shown.set(owner.name, `${owner.name} (${path.basename(owner.file)})`);
    }
  }
  return { count, libraries: libraries / count, functions, shown };
}

/** What is to be subtracted from an address of the running program to get its address as linked; 0 for a fixed one. */
function loadAddress(script, executable) {
  const type = call('readelf', ['-h', executable], '/');
  if (!/Type:\s+DYN/.test(type)) return 0;
  for (const line of script.split('\n')) {
    const map =
      /PERF_RECORD_MMAP2? .*\[0x([0-9a-f]+)\(0x[0-9a-f]+\) @ (0x[0-9a-f]+|0) .*\]: (\S+) (.*)$/.exec(line);
    if (map === null || map[4].trim() !== executable || !map[3].includes('x')) continue;
    // The executable segment's file offset is its address as linked, less what the linker left between pages.
    const segment = /LOAD\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)[\s\S]*?R E/.exec(executableSegment(executable));
    const skew = segment === null ? 0 : Number.parseInt(segment[2], 16) - Number.parseInt(segment[1], 16);
    return Number.parseInt(map[1], 16) - Number(map[2]) - skew;
  }
  throw new Error(`perf saw no mapping of ${executable}`);
}

function executableSegment(executable) {
  return call('readelf', ['-lW', executable], '/')
    .split('\n')
    .filter((line) => /LOAD.*R E/.test(line))
    .join('\n');
}

/** The functions that an address lies in: what was inlined there, from the inside out, and the function itself. */
function inlineChains(executable, addresses) {
  const run = spawnSync('addr2line', ['-a', '-f', '-i', '-e', executable], {
    input: addresses.map((address) => `0x${address.toString(16)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const chains = new Map();
  const lines = run.stdout.split('\n');
  let chain = [];
  for (let i = 0; i + 1 < lines.length; i++) {
    if (/^0x[0-9a-f]{16}$/.test(lines[i])) {
      chain = [];
      chains.set(Number(lines[i]), chain);
      continue;
    }
    const file = lines[i + 1].replace(/:[\d?]+( \(discriminator \d+\))?$/, '');
    chain.push({ name: plainName(lines[i]), file });
    i++;
  }
  return chains;
}

/** Without what compilers append to outlined parts, and without the place that keys of local functions carry. */
function plainName(name) {
  return name.replace(/@.*$/, '').replace(/\.(_omp_fn|constprop|isra|part|cold)\b.*$/, '');
}

function call(program, words, cwd) {
  const run = spawnSync(program, words, { cwd, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (run.status !== 0)
    throw new Error(`${program} ${words.join(' ')} ended with ${run.status}: ${run.stderr.slice(-1000)}`);
  return run.stdout;
}

try {
  if (spawnSync('perf', ['record', '-q', '-e', 'cpu-clock:u', '-o', '/dev/null', 'true']).status !== 0) {
    console.log(
      'skipped: perf cannot sample on this machine (install linux-perf; kernel.perf_event_paranoid ≤ 2)',
    );
  } else {
    const all = [];
    for (const program of programs) {
      const b = bench(program);
      all.push(b);
      if (options.json) continue;
      const percent = (share) => `${(100 * share).toFixed(1).padStart(5)} %`;
      console.log(
        `${b.program}: ${b.samples} samples, ${percent(b.libraries).trim()} of them in libraries; refinement: ${b.stopReason}, overhead ${b.overheadPercent.toFixed(1)} % (noise ${b.noisePercent.toFixed(1)} %)${b.missed.length === 0 ? '' : `  HOT AND NOT SELECTED: ${b.missed.join(', ')}`}`,
      );
      console.log('     perf     kymo  selected  function');
      for (const { function: name, share, kymo, selected, hasSite, rule } of b.functions)
        console.log(
          `  ${percent(share)}  ${kymo === undefined ? '      –' : percent(kymo)}  ${(selected ? 'yes' : hasSite ? `NO (${rule})` : 'no site').padEnd(8)}  ${name}`,
        );
    }
    if (options.json) console.log(JSON.stringify(all, undefined, 2));
  }
} finally {
  remove();
}
