// node bench/dynamics/ranges.mjs [seeds] [part of a name]: how often ranges of 95 % contain the true cost, onset and end of a rise at any place of a long series; other seeds by OFFSET.
import { load } from '../lib/bundle.mjs';

const { detect, randomNumbers } = await load('src/core/detect/detect.ts', 'src/core/randomNumbers.ts');
const seeds = Number(process.argv[2] ?? 40);
const only = process.argv[3] ?? '';
const offset = Number(process.env.OFFSET ?? 0);

function random(seed) {
  const uniform = randomNumbers(seed * 7919 + 17);
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}
/** First-order autoregressive, of standard deviation 0.3. */
const autoregressive =
  (rho) =>
  (values, { normal }) => {
    let state = 0.3 * normal();
    return values.map((value) => {
      const own = value + state;
      state = rho * state + 0.3 * Math.sqrt(1 - rho * rho) * normal();
      return own;
    });
  };
const noises = {
  independent: autoregressive(0),
  'AR(0.7)': autoregressive(0.7),
  'AR(0.9)': autoregressive(0.9),
  multiplied: (values, { normal }) => values.map((value) => value * (1 + 0.2 * normal())),
  'Pareto(1.5) 3 %': (values, { normal, uniform }) =>
    values.map(
      (value) => value + 0.1 * normal() + (uniform() < 0.03 ? 0.5 * (1 - uniform()) ** (-1 / 1.5) : 0),
    ),
  exponential: (values, { uniform }) => values.map((value) => value - 0.3 * Math.log(1 - uniform())),
};
/** Places of the last value before the rise and the first one of the new level. */
const shapes = {
  step: (at) => (length) => [
    Math.floor((0.2 + 0.6 * at) * length),
    Math.floor((0.2 + 0.6 * at) * length) + 1,
  ],
  hinge: (at) => (length) => [Math.floor((0.2 + 0.5 * at) * length), length - 1],
  ramp: (at) => (length) => [Math.floor((0.2 + 0.3 * at) * length), Math.floor((0.6 + 0.3 * at) * length)],
};

const percent = (all, is) => `${Math.round((100 * all.filter(is).length) / all.length)} %`;
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

for (const length of [600, 2048, 20000])
  for (const [noise, noisy] of Object.entries(noises))
    for (const [kind, place] of Object.entries(shapes)) {
      const name = `${kind} 1->2, ${noise}, N=${length}`;
      if (!name.includes(only)) continue;
      let milliseconds = 0;
      const all = Array.from({ length: seeds }, (_, seed) => {
        const numbers = random(seed + 1 + offset);
        const [from, to] = place(numbers.uniform())(length);
        const clean = Float64Array.from(
          { length },
          (_, i) => 1 + Math.min(1, Math.max(0, (i - from) / (to - from))),
        );
        const values = noisy(clean, numbers).map((value) => Math.max(0, value));
        const begin = performance.now();
        const found = detect(values);
        milliseconds += performance.now() - begin;
        return { found, from, to, cost: clean.reduce((sum, value) => sum + value - 1, 0) };
      });
      const known = all.filter(({ found }) => found.onset !== undefined);
      const within = (range, at) => range[0] <= at && at <= range[1];
      const width = (range) => range[1] - range[0];
      console.log(
        name.padEnd(38),
        `one rise ${percent(all, (one) => known.includes(one))}`.padEnd(15),
        `cost ${percent(known, ({ found, cost }) => Math.abs(found.excess.value - cost) <= 1.96 * found.excess.deviation)}`.padEnd(
          11,
        ),
        `onset ${percent(known, ({ found, from }) => within(found.onset, from))}, width ${median(known.map(({ found }) => width(found.onset)))}, off by ${median(known.map(({ found, from }) => Math.abs(found.changes[0].from - from)))}`.padEnd(
          40,
        ),
        `end ${percent(known, ({ found, to }) => within(found.end, to))}, width ${median(known.map(({ found }) => width(found.end)))}`.padEnd(
          24,
        ),
        `${(milliseconds / seeds).toFixed(1)} ms`,
      );
    }
