// node bench/online/run.mjs [--json] [--sources DIR] [--tool DIST] [--seconds N] [--repetitions N] [program …]
// Refinement inside one run beside the one with many runs: the hot functions that each ends with, and how long the former takes on a program that is built, compared
// with one run of the program as it is. Both take turns (2 times by default) on runs of about `--seconds` (default: 30). Runs of the refinement with many runs
// have a fifth of the length.
import { openPrograms, plainEnvironment, runCommand, shell } from '../lib/programs.mjs';
import { refine } from '../lib/refine.mjs';
import { median } from '../lib/statistics.mjs';
import { timed } from '../lib/timed.mjs';
import { lengths, longer } from './lengths.mjs';

const words = process.argv.slice(2);
const names = words.some((word, i) => !word.startsWith('--') && !words[i - 1]?.startsWith('--'));
const { programs, options, remove } = await openPrograms(names ? words : [...words, ...lengths.keys()]);
const wantedSeconds = options.seconds ?? 30;
/** Functions with this share of the time of their own are hot. */
const hotShare = 0.05;

const hotOf = ({ hotFunctions }) =>
  hotFunctions.filter((f) => f.selected && f.exclusiveShare >= hotShare && f.earlier !== true);

function plainRun(program, tree) {
  const { words, input, environment, statuses } = runCommand(program, tree);
  const launcher = program.target.run.launcher;
  const launched =
    launcher === undefined ? words : ['mpirun', '--oversubscribe', '-n', String(launcher.ranks), ...words];
  return timed({
    command: { words: launched, input, environment: { ...mpiAsRoot, ...environment }, statuses },
    tree,
  });
}

const mpiAsRoot = { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' };

/** The argument that makes a run about as long as wanted. */
function lengthFor(program, tree) {
  const { length, power = 1 } = lengths.get(program.name);
  const { wall } = plainRun(longer(program, length), tree);
  return Math.max(1, Math.round(length * (wantedSeconds / wall) ** (1 / power)));
}

function online(program, built) {
  const begin = performance.now();
  const { result } = refine(program, options.tool, ['--online', '--strategy', 'hotspot'], built);
  return { result, seconds: (performance.now() - begin) / 1000 - result.buildSeconds };
}

function bench(program) {
  const tree = program.tree('plain');
  if (program.configure !== undefined) shell(program.configure, tree, plainEnvironment());
  shell(program.make, tree, plainEnvironment());
  const length = lengthFor(program, tree);
  const short = longer(program, Math.ceil(length / 5));
  const built = program.tree('refined');
  const offline = Array.from(
    { length: 2 },
    () => refine(short, options.tool, ['--strategy', 'hotspot', '--repetitions', '1'], built).result,
  );
  const long = longer(program, length);
  const turns = Array.from({ length: options.repetitions ?? 2 }, () => ({
    plain: plainRun(long, tree).wall,
    ...online(long, built),
  }));
  // Where refinements with many runs differ, either is as good.
  const [first, second] = offline.map(hotOf);
  const hot = first.filter(({ name }) => second.some((f) => f.name === name));
  return {
    program: program.name,
    plainSeconds: turns.map(({ plain }) => plain),
    onlineSeconds: turns.map(({ seconds }) => seconds),
    ratio: median(turns.map(({ plain, seconds }) => seconds / plain)),
    offline: offline.map((result) =>
      hotOf(result).map(({ name, exclusiveShare, contains }) => ({
        name,
        exclusiveShare,
        contains: contains?.functions ?? [],
      })),
    ),
    online: turns.map(({ result }) => ({
      stopReason: result.stopReason,
      rounds: result.iterations.map((i) => ({
        instrumented: i.instrumented,
        overheadPercent: i.overheadPercent,
      })),
      hot: hotOf(result).map(({ name, exclusiveShare }) => ({ name, exclusiveShare })),
      ...notIn(result, hot),
      notes: result.notes,
    })),
  };
}

/**
 * Hot functions that the result lacks. The time of a function is also that of its callees that are not recorded: where the result has one of these in its place, it is more precise.
 */
function notIn(result, hot) {
  const lacking = hot.filter(({ name }) => !isIn(result, name));
  const inPlace = ({ contains }) =>
    hotOf(result).find(({ name }) => contains?.functions.includes(name))?.name;
  return {
    missing: lacking.filter((f) => inPlace(f) === undefined).map(({ name }) => name),
    inPlace: lacking.flatMap((f) =>
      inPlace(f) === undefined ? [] : [`${inPlace(f)} in place of ${f.name}`],
    ),
  };
}

const isIn = ({ hotFunctions }, name) => hotFunctions.some((f) => f.name === name && f.selected);
const list = (functions) =>
  functions.map((f) => `${f.name} ${(100 * f.exclusiveShare).toFixed(1)} %`).join(', ') || 'none';

function print(b) {
  const seconds = (all) => all.map((s) => s.toFixed(1)).join(', ');
  console.log(
    `${b.program}: plain ${seconds(b.plainSeconds)} s, online ${seconds(b.onlineSeconds)} s without builds, ratio ${b.ratio.toFixed(3)}`,
  );
  for (const hot of b.offline) console.log(`  many runs: ${list(hot)}`);
  for (const { stopReason, rounds, hot, missing, inPlace, notes } of b.online) {
    const steps = rounds
      .map((r) => `${r.instrumented} functions ${r.overheadPercent.toFixed(1)} %`)
      .join(' → ');
    console.log(`  one run:   ${list(hot)} (${steps}; ${stopReason})`);
    if (inPlace.length > 0) console.log(`  the callee that has the time: ${inPlace.join(', ')}`);
    if (missing.length > 0) console.log(`  MISSING: ${missing.join(', ')}`);
    for (const note of notes) console.log(`  note: ${note}`);
  }
}

try {
  const all = [];
  for (const program of programs) {
    const b = bench(program);
    all.push(b);
    if (!options.json) print(b);
  }
  if (options.json) console.log(JSON.stringify(all, undefined, 2));
} finally {
  remove();
}
