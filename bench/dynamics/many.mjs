// node bench/dynamics/many.mjs [ranks iterations]: CPU time and memory of the whole analysis of one region on many ranks, whose time has one of five periods or one of four ramps, burst by burst as
// `kymo dynamics` reads them. Bars: 10 s and 128 MB.
import { load } from '../lib/bundle.mjs';

const { DynamicsAnalysis, defaultDynamicsOptions, gauss } = await load(
  'src/core/degradations/analysis.ts',
  'src/core/degradations/model/options.ts',
  'test/fixtures/dynamics/signals.ts',
);
const [ranks = 1280, iterations = 2048] = process.argv.slice(2).map(Number);
const kinds = [10, 16, 25, 40, 64].map((period) => (i) => (i % period === period - 1 ? 2 : 1));
for (const begin of [0.2, 0.4, 0.6, 0.8])
  kinds.push((i) => 1 + Math.max(0, (2 * i) / iterations - 2 * begin));

const idle = residentMegabytes();
const before = process.cpuUsage();
const analysis = new DynamicsAnalysis();
const noises = Array.from({ length: ranks }, (_, rank) => gauss(rank + 1));
let making = 0;
for (let first = 0; first < iterations; first += defaultDynamicsOptions.burst) {
  analysis.addBurst(madeBurst(first, Math.min(defaultDynamicsOptions.burst, iterations - first)));
}
const { rows } = analysis.finish();
const all = seconds(process.cpuUsage(before)) - making;
const peak = (process.resourceUsage().maxRSS * 1024) / 1e6;
console.log(
  `${ranks.toLocaleString('en')} ranks × ${iterations.toLocaleString('en')} iterations, one region and the phase: ${all.toFixed(1)} CPU s (bar 10), ${peak.toFixed(0)} MB, ${(peak - idle).toFixed(0)} more than before (bar 128), ${rows.length} rows`,
);

/** In a function of its own: variables of a module live as long as it, and no reader of a file holds a burst that was analysed. */
function madeBurst(first, length) {
  const begin = process.cpuUsage();
  const series = noises.flatMap((noise, rank) => burstOf(rank, noise, first, length));
  making += seconds(process.cpuUsage(begin));
  return { first, length, series };
}

function burstOf(rank, noise, first, length) {
  const level = kinds[Math.floor((rank * kinds.length) / ranks)];
  const values = Float64Array.from({ length }, (_, i) => level(first + i) * (1 + 0.05 * noise()));
  const context = { metric: 'time', rank, thread: 0 };
  return [
    {
      context: { ...context, region: { name: 'step', kind: 'phase' } },
      values: values.map((value) => value + 1),
    },
    { context: { ...context, region: { name: 'solve', kind: 'function' } }, values },
  ];
}

function residentMegabytes() {
  return process.memoryUsage().rss / 1e6;
}

function seconds({ user, system }) {
  return (user + system) / 1e6;
}
