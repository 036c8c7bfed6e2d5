// node bench/refine/run.mjs [--json] [--sources DIR] [--tool DIST] [program …]
// What a whole refinement takes: builds, iterations, final overhead, and the time beyond the build against its bar.
import { openPrograms } from '../lib/programs.mjs';
import { refine } from '../lib/refine.mjs';

const { programs, options, remove } = await openPrograms(process.argv.slice(2));

function bench(program) {
  const begin = performance.now();
  const { result } = refine(program, options.tool);
  const processSeconds = (performance.now() - begin) / 1000;
  const last = result.iterations.at(-1);
  const { repetitions } = program.target;
  const barSeconds = (result.iterations.length + 1) * repetitions * last.baselineSeconds * 1.3 + 10;
  const beyondBuildSeconds = processSeconds - result.buildSeconds;
  return {
    program: program.name,
    builds: result.builds,
    iterations: result.iterations.map((i) => ({
      instrumented: i.instrumented,
      overheadPercent: i.overheadPercent,
    })),
    stopReason: result.stopReason,
    overheadPercent: last.overheadPercent,
    noisePercent: last.noisePercent,
    baselineSeconds: last.baselineSeconds,
    buildSeconds: result.buildSeconds,
    beyondBuildSeconds,
    barSeconds,
    hotUnselected: result.hotFunctions
      .filter((f) => f.exclusiveShare >= 0.05 && f.hasSite && !f.selected)
      .map((f) => f.name),
    within: {
      builds: result.builds === 1,
      overhead: last.overheadPercent <= 5 || last.overheadPercent <= last.noisePercent,
      time: beyondBuildSeconds <= barSeconds,
    },
  };
}

try {
  const all = [];
  for (const program of programs) {
    const b = bench(program);
    all.push(b);
    if (options.json) continue;
    const exceeded = Object.entries(b.within).flatMap(([bar, within]) => (within ? [] : [bar]));
    const steps = b.iterations
      .map((i) => `${i.instrumented} functions ${i.overheadPercent.toFixed(1)} %`)
      .join(' → ');
    console.log(
      `${b.program}: ${b.builds} build, ${b.iterations.length} iterations (${steps}), stopped by ${b.stopReason}; ` +
        `final overhead ${b.overheadPercent.toFixed(1)} % (noise ${b.noisePercent.toFixed(1)} %); ` +
        `${b.beyondBuildSeconds.toFixed(1)} s beyond the build (bar ${b.barSeconds.toFixed(1)} s; baseline ${b.baselineSeconds.toFixed(2)} s, build ${b.buildSeconds.toFixed(1)} s)` +
        `${b.hotUnselected.length > 0 ? `; hot and not selected: ${b.hotUnselected.join(', ')}` : ''}${exceeded.length > 0 ? `  EXCEEDS THE BAR: ${exceeded.join(', ')}` : ''}`,
    );
  }
  if (options.json) console.log(JSON.stringify(all, undefined, 2));
} finally {
  remove();
}
