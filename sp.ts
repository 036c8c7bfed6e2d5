import { detect } from './src/core/detect/detect';
import { randomNumbers } from './src/core/randomNumbers';
const u = randomNumbers(5);
const normal = (): number => Math.sqrt(-2 * Math.log(1 - u())) * Math.cos(2 * Math.PI * u());
const make = (n: number, f: (x: number) => number) => Float64Array.from({ length: n }, (_, i) => f(i / n) + 0.1 * normal());
const kinds = { constant: () => 1, ramp: (x: number) => 1 + x, step: (x: number) => (x < 0.6 ? 1 : 2), stairs: (x: number) => 1 + Math.floor(x * 5) / 3 };
for (const n of [200, 512, 2048, 20000, 1000000])
  for (const [name, f] of Object.entries(kinds)) {
    const list = Array.from({ length: n > 1e5 ? 1 : 8 }, () => make(n, f));
    const m = n > 1e5 ? 1 : 3;
    let best = Infinity;
    for (let k = 0; k < m; k++) { const b = performance.now(); for (const v of list) detect(v); best = Math.min(best, (performance.now() - b) / list.length); }
    console.log(n, name, best.toFixed(1), 'ms', name === 'step' ? detect(list[0]!).changes.map((c) => c.from) : '');
  }
