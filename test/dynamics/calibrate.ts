import { detect } from '../../src/core/detect/detect';
import { randomNumbers } from '../../src/core/randomNumbers';
const sims = Number(process.argv[2] ?? 200);
const q = (a: number[], p: number): string => [...a].sort((x, y) => x - y)[Math.min(a.length - 1, Math.floor(p * a.length))]!.toFixed(1);
for (const n of [8, 12, 20, 40, 80, 200, 500])
  for (const rho of n < 40 ? [0] : [0, 0.5, 0.7, 0.9]) {
    const u = randomNumbers(n * 1000 + rho * 100 + 5);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - u())) * Math.cos(2 * Math.PI * u());
    const line: number[] = [], ramp: number[] = [], box: number[] = [], rhos: number[] = [];
    for (let s = 0; s < sims; s++) {
      let state = normal();
      const v = Float64Array.from({ length: n }, () => { const x = 10 + state; state = rho * state + Math.sqrt(1 - rho * rho) * normal(); return x; });
      const d = detect(v).debug as { lineLr: number; lrs: number[]; constantRho: number };
      if (d?.lrs === undefined) continue;
      line.push(d.lineLr); ramp.push(d.lrs[0]!); box.push(d.lrs[1]!); rhos.push(d.constantRho);
    }
    console.log(n, rho, 'rho', q(rhos, 0.5), 'line', q(line, 0.95), q(line, 0.99), 'ramp', q(ramp, 0.95), q(ramp, 0.99), 'box', q(box, 0.95), q(box, 0.99));
  }
