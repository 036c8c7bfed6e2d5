// node bench/strategies/run.mjs [--json] [--tool DIST]
// The tree code (examples/treecode) with everything recorded, and by TOR, POR and AGOR: overhead, what is removed, and which hot spots
// of the program a profile tells (performance-dynamics 16.2: three of six were found only with adaptation). Overheads are of the user's
// CPU time, medians of runs in turns: other work on the machine hardly changes it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { openPrograms, runCommand } from '../lib/programs.mjs';
import { refine } from '../lib/refine.mjs';
import { median } from '../lib/statistics.mjs';
import { timed } from '../lib/timed.mjs';

/** From this exclusive share on, percent, a function is a hot spot. */
const threshold = 2;
/** What the program spends its time in by construction (examples/treecode); everything else serves these. */
const problems = [
  'walk::force_on',
  'field::smooth',
  'field::deposit',
  'tree::build_tree',
  'tree::summarise',
  'ordering::sort_particles',
];

const { programs, options, remove } = await openPrograms(['treecode', ...process.argv.slice(2)]);
const [program] = programs;

/** Hot spots of an experiment and their shares, percent. */
function hotSpots(experiment) {
  const words = ['properties', '--json', '--threshold', String(threshold), experiment];
  const run = spawnSync(process.execPath, [path.join(options.tool, 'cli.js'), ...words], {
    encoding: 'utf8',
  });
  const found = JSON.parse(run.stdout).properties.filter((p) => p.kind === 'hot-spot');
  const shares = new Map();
  // The most severe first: of a region in all, before those of its call paths.
  for (const { region, severity } of found)
    if (!shares.has(region.name)) shares.set(region.name, 100 * severity);
  return shares;
}

function experimentOf(directory, iteration) {
  const folder = path.join(directory, `i${iteration}`);
  return path.join(
    folder,
    readdirSync(folder).find((name) => name.startsWith('measured')),
  );
}

/** Overhead of a selection file in percent. */
function overheadOf(tree, selection, repetitions) {
  const command = runCommand(program, tree);
  const results = path.join(tree, 'bench-results');
  mkdirSync(results, { recursive: true });
  const seconds = (recording) => {
    const environment = recording ? { KYMO_SELECTION: selection, KYMO_RESULTS: results } : {};
    return timed({ command: { ...command, environment: { ...command.environment, ...environment } }, tree })
      .user;
  };
  const times = { without: [], recording: [] };
  for (let repetition = 0; repetition < repetitions; repetition++) {
    times.without.push(seconds(false));
    times.recording.push(seconds(true));
  }
  return 100 * (median(times.recording) / median(times.without) - 1);
}

function line(name, iteration, overhead, removed, found) {
  const told = problems.map((problem) => found.get(problem)?.toFixed(1) ?? '–');
  const predicted = iteration.predictedPercent?.toFixed(1) ?? '–';
  return [name, String(iteration.instrumented), overhead.toFixed(1), predicted, String(removed), ...told];
}

try {
  const results = ['tor', 'por', 'agor'].map((strategy) => {
    const { tree, result } = refine(program, options.tool, [
      '--strategy',
      strategy,
      '--iterations',
      '8',
      '--repetitions',
      '1',
    ]);
    const last = result.iterations.at(-1);
    const selection = (at) => path.join(result.directory, `i${at}`, 'selection.kymo');
    const repetitions = options.repetitions ?? 7;
    return {
      strategy,
      result,
      // Many times as long, so once will do.
      everything: strategy === 'tor' ? overheadOf(tree, selection(0), 1) : undefined,
      overhead: overheadOf(tree, selection(last.index), repetitions),
      full: hotSpots(experimentOf(result.directory, 0)),
      final: hotSpots(experimentOf(result.directory, last.index)),
    };
  });
  const [first] = results;
  const rows = [
    ['', 'recorded', 'overhead %', 'predicted %', 'removed', ...problems],
    line('everything', first.result.iterations[0], first.everything, 0, first.full),
    ...results.map(({ strategy, result, overhead, final }) =>
      line(strategy.toUpperCase(), result.iterations.at(-1), overhead, result.removed?.length ?? 0, final),
    ),
  ];
  if (options.json) {
    console.log(JSON.stringify(rows, undefined, 1));
  } else {
    const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
    for (const row of rows)
      console.log(
        row
          .map((cell, i) => cell.padEnd(widths[i]))
          .join('  ')
          .trimEnd(),
      );
    console.log(
      `Shares of the run time in percent; –: no hot spot of ${threshold} % or more in that profile.`,
    );
    for (const { strategy, result } of results) {
      const sets = result.iterations.map((i) => `${i.instrumented} (${i.overheadPercent.toFixed(0)} %)`);
      console.log(
        `${strategy}: ${result.builds} build, functions (overhead) per iteration ${sets.join(' → ')}, stopped by ${result.stopReason}`,
      );
    }
    const removed = first.result.removed ?? [];
    console.log(`Removed by TOR: ${removed.map((f) => `${f.name} (${f.visits} visits)`).join(', ')}`);
  }
} finally {
  remove();
}
