// node bench/dynamics/run.mjs
// CPU time and memory of the signal core, and how often it finds what is there. Bars: one series of 2,048 values 10 ms, 1,280 of them 10 s on
// one core, streams of any length with flat memory.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { median } from '../lib/statistics.mjs';
import { cpuMilliseconds, load } from '../lib/bundle.mjs';

const { analyseSeries, detect, EnergyStream, energies, signals, sampled } = await load(
  'src/core/detect/detect.ts',
  'src/core/signal/analyseSeries.ts',
  'src/core/transforms/energyStream.ts',
  'src/core/transforms/haar.ts',
  'test/fixtures/dynamics/signals.ts',
);

const shapes = {
  'white noise, CV 30 %': (seed) => sampled(2048, () => 1, 0.3, seed),
  'drift and 8 spikes': (seed) => signals.pepcDrift(seed),
  'flat, then rising': (seed) => signals.pepcLate(seed),
  'rise, fall, rise': (seed) => signals.pepcTwo(seed),
  'spike every 16': (seed) => sampled(2048, (i) => 1 + (i % 16 === 0 ? 1 : 0), 0.05, seed),
};
for (const make of Object.values(shapes))
  for (let seed = 1; seed <= 20; seed++) [analyseSeries, detect].map((analyse) => analyse(make(seed)));

console.log(
  'one series of 2,048 values, CPU ms (bar 10): median and most of 25, by likelihood and by the published method',
);
for (const [name, make] of Object.entries(shapes)) {
  const figures = [detect, analyseSeries].flatMap((analyse) => {
    const times = Array.from({ length: 25 }, (_, seed) => make(seed + 1)).map((values) =>
      cpuMilliseconds(() => analyse(values)),
    );
    return [median(times), Math.max(...times)];
  });
  console.log(`  ${figures.map(fixed).join(' ')}  ${name}`);
}

const kinds = Object.values(shapes);
const many = Array.from({ length: 1280 }, (_, n) => kinds[n % kinds.length](n + 1));
const [likely, published] = [detect, analyseSeries].map((analyse) =>
  cpuMilliseconds(() => {
    for (const values of many) analyse(values);
  }),
);
console.log(
  `1,280 series of 2,048 values, all five kinds: ${(likely / 1000).toFixed(2)} CPU s (bar 10); published method ${(published / 1000).toFixed(2)}`,
);
const gate = cpuMilliseconds(() => {
  for (const values of many) energies(values);
});
console.log(`1,280 series of 2,048 values, energies only:  ${(gate / 1000).toFixed(2)} CPU s`);

console.log(
  'lengths with and without large prime factors, CPU ms (bar 10): medians of 21, noise and a spike every 16',
);
for (const length of [1021, 1088, 1999, 2000, 2039, 2047, 2048, 2053, 2099]) {
  const medians = [0, 1].map((spike) => {
    const series = Array.from({ length: 25 }, (_, seed) =>
      sampled(length, (i) => 1 + (i % 16 === 0 ? spike : 0), spike === 0 ? 0.3 : 0.05, seed + 1),
    );
    const times = series.map((values) => cpuMilliseconds(() => analyseSeries(values)));
    return fixed(median(times.slice(-21)));
  });
  console.log(`  ${medians.join(' ')}  ${length.toLocaleString('en')} = ${factors(length).join('·')}`);
}

console.log('other lengths, once, CPU ms, by likelihood (10^6: bar 5,000) and by the published method');
for (const length of [100, 1000, 16_384, 65_521, 65_536, 1_000_000, 10_000_000]) {
  const values = sampled(length, (i) => 1 + i / length, 0.1, 3);
  analyseSeries(values.subarray(0, Math.min(length, 4096)));
  const figures = [detect, analyseSeries].map((analyse) => fixed(cpuMilliseconds(() => analyse(values))));
  console.log(`  ${figures.join(' ')}  ${length.toLocaleString('en')}`);
}

console.log('10^6 iterations streamed in bursts of 1,024: heap in use, MB');
const stream = new EnergyStream();
const burst = sampled(1024, () => 1, 0.1, 5);
const heaps = [];
const streaming = cpuMilliseconds(() => {
  for (let n = 1; n <= 977; n++) {
    stream.push(burst);
    if (n % 200 === 0) heaps.push(process.memoryUsage().heapUsed / 1e6);
  }
});
console.log(`  ${heaps.map((heap) => heap.toFixed(1)).join(' ')} in ${(streaming / 1000).toFixed(2)} CPU s`);

const statuses = ['many.mjs', 'detection.mjs', 'classes.mjs', 'ranks.mjs'].map(
  (name) =>
    spawnSync(process.execPath, [path.join(import.meta.dirname, name)], { stdio: 'inherit' }).status ?? 1,
);
process.exit(Math.max(...statuses));

function factors(length) {
  for (let prime = 2; prime * prime <= length; prime++)
    if (length % prime === 0) return [prime, ...factors(length / prime)];
  return [length];
}

function fixed(milliseconds) {
  return milliseconds.toFixed(milliseconds < 100 ? 2 : 0).padStart(8);
}
