import { signalClasses } from './test/dynamics/classes';
import { gridOf, riseOf } from './src/core/detect/rise';
const seeds = Number(process.argv[2] ?? 20);
const only = process.argv[3];
for (const c of signalClasses) {
  if (only !== undefined && !c.name.includes(only) && c.group !== only) continue;
  const ts: number[] = []; const lrs: number[] = []; const rh: number[] = [];
  for (let s = 1; s <= seeds; s++) {
    const { values } = c.make(s);
    let z = values.filter((v) => !Number.isNaN(v));
    if (z.length > 512) { const b = Math.floor(z.length / 256); z = Float64Array.from({ length: Math.floor(z.length / b) }, (_, i) => { let x = 0; for (let j = 0; j < b; j++) x += z[i * b + j]!; return x / b; }); }
    const { rise, constant } = riseOf(z, gridOf(z.length));
    ts.push(rise.t); lrs.push(2 * (rise.logLikelihood - constant.logLikelihood)); rh.push(rise.rho);
  }
  const q = (a: number[], p: number): string => [...a].sort((x, y) => x - y)[Math.min(a.length - 1, Math.floor(p * a.length))]!.toFixed(1);
  console.log(c.group.padEnd(8), c.name.padEnd(34), 'T', q(ts, 0.05), q(ts, 0.5), q(ts, 0.95), q(ts, 0.99), ' LR', q(lrs, 0.05), q(lrs, 0.5), q(lrs, 0.95), q(lrs, 0.99), ' rho', q(rh, 0.5));
}
