// node --expose-gc bench/watch/run.mjs
// What it takes to follow the iterations of a run: CPU time per sample (the values of a call path at one rank in an iteration), from a decoded message of a process to the file that
// everything reads, and memory by the number of iterations. Bars: 5 µs per sample; flat from 10^4 to 10^6 iterations.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load } from '../lib/bundle.mjs';

const { LiveIterations, LiveIterationsFile } = await load(
  'src/measurement/results/live/liveIterations.ts',
  'src/workflows/watch/liveIterationsFile.ts',
);

const paths = 10;
const ranks = 2;
const together = 1000;
const slots = Array.from({ length: paths }, (_, at) => `f${at}`);
const graph = {
  functions: slots.map((key, at) => ({ key, name: key, file: '/src/a.c', line: 10 * at + 1 })),
  edges: slots.map(() => []),
};
const state = { regions: [], ticksPerSecond: 1e9 };

function sample(number) {
  const column = (value) => Float64Array.from({ length: paths }, (_, at) => value(at));
  return {
    ...{ kind: 'iteration', number, lost: 0, cutShort: false, preemptedNanoseconds: 0 },
    node: Uint32Array.from({ length: paths }, (_, at) => at + 1),
    visits: column(() => 1),
    ticks: column((at) => 1e6 * (paths - at) + (number % 97)),
    childEvents: column((at) => paths - at - 1),
  };
}

console.log(`${ranks} ranks, ${paths} call paths each`);
console.log('iterations   CPU µs per sample   MB of memory above the start   MB of iterations.kymo');
for (const iterations of [1e4, 1e5, 1e6]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kymo-bench-watch-'));
  try {
    globalThis.gc?.();
    const [cpu, memory] = [process.cpuUsage(), process.memoryUsage().rss];
    const live = new LiveIterations({ slots, graph, executable: '/bin/program', selectionId: 'ab' });
    const streams = Array.from({ length: ranks }, (_, rank) => live.begin(() => rank, `process ${rank}`));
    for (const stream of streams)
      stream.define(
        1,
        slots.map((_, slot) => ({ thread: 0, parent: slot, slot, ...(slot === 0 ? { above: [] } : {}) })),
      );
    const file = new LiveIterationsFile(folder);
    const samples = Array.from({ length: together }, (_, at) => sample(at + 1));
    for (let done = 0; done < iterations; done += together) {
      for (const stream of streams)
        for (const [at, own] of samples.entries()) stream.add({ ...own, number: done + at + 1 }, state);
      file.add(live.take());
      if (file.isDue) file.write({ ...live.directory, notes: [] });
    }
    const { user, system } = process.cpuUsage(cpu);
    globalThis.gc?.();
    const above = (process.memoryUsage().rss - memory) / 1e6;
    const bytes = statSync(path.join(folder, 'iterations.kymo')).size;
    file.close();
    const each = (user + system) / (iterations * ranks * paths);
    console.log(
      `${String(iterations).padStart(10)}${each.toFixed(2).padStart(20)}${above.toFixed(0).padStart(31)}${(bytes / 1e6).toFixed(1).padStart(24)}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
