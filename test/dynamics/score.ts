import { detect, type Detection } from '../../src/core/detect/detect';
import { signalClasses, type GeneratedSignal } from './classes';
const seeds = Number(process.argv[2] ?? 20);
const only = process.argv[3];
const minExcess = 0.02;
const offset = Number(process.env.OFFSET ?? 0);
function judge({ truth, values, excess }: GeneratedSignal, d: Detection): { falseRow: boolean; found: boolean; right: boolean; err: number } {
  const total = values.reduce((a, b) => a + (b > 0 ? b : 0), 0);
  const level = d.level;
  const change = level === undefined ? 0 : d.model.reduce((sum, x, i) => sum + (values[i]! > 0 && x > level ? x - level : 0), 0);
  const spikes = d.spikes.reduce((sum, { height }) => sum + height, 0);
  let wave = 0;
  if (d.period !== undefined && d.spikes.length === 0) wave = 1;
  const isShown = level !== undefined && (d.shape === 'trend' || d.shape === 'steps' || d.shape === 'box') && change > minExcess * total;
  const peaks = d.spikes.length;
  const trueSum = excess.reduce((a, b) => a + b, 0);
  const ownSum = truth.kind === 'peaks' ? spikes + change : change;
  const err = trueSum > 0 ? Math.abs(ownSum - trueSum) / trueSum : 0;
  const n = values.length;
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(2, n * 0.002);
  const s = d.changes.filter((c) => c.height > 0);
  switch (truth.kind) {
    case 'none':
      return { falseRow: isShown || (truth.allowsPeaks !== true && peaks > 0), found: false, right: false, err: 0 };
    case 'trend':
      return { falseRow: false, found: isShown || (peaks > 0 && spikes > 0.1 * trueSum), right: (isShown && d.shape === 'trend') || d.spikesGrow === true, err };
    case 'steps': {
      const single = truth.after.length === 1;
      const right = d.shape === 'steps' && s.length === truth.after.length && truth.after.every((p, i) => single ? Math.abs(s[i]!.from - p) <= Math.max(2, 0.05 * n) : near(s[i]!.from, p));
      return { falseRow: false, found: isShown, right: isShown && right, err };
    }
    case 'box': {
      const right = (d.shape === 'box' && near(s[0]!.from, truth.from - 1) && near(s[0]!.to, truth.to)) || (d.shape === 'steps' && s.length === 1 && near(s[0]!.from, truth.from - 1));
      return { falseRow: false, found: isShown, right: isShown && right, err };
    }
    case 'peaks': {
      if (Number.isNaN(truth.count)) return { falseRow: isShown, found: d.period !== undefined, right: d.period !== undefined && !isShown, err: wave };
      return { falseRow: isShown, found: peaks > 0, right: Math.abs(peaks - truth.count) <= 0.05 * truth.count + 1e-9, err };
    }
  }
}
const q = (a: number[], p: number): number => [...a].sort((x, y) => x - y)[Math.min(a.length - 1, Math.floor(p * a.length))]!;
const sums: Record<string, number[]> = {};
const begin = performance.now();
for (const c of signalClasses) {
  if (only !== undefined && !c.name.includes(only) && c.group !== only) continue;
  const js = [] as ReturnType<typeof judge>[]; const ratios: number[] = []; const kinds: Record<string, number> = {}; let ms = 0;
  for (let s = 1 + offset; s <= seeds + offset; s++) {
    const g = c.make(s);
    const b = performance.now();
    const d = detect(g.values);
    ms += performance.now() - b;
    js.push(judge(g, d)); ratios.push(d.ratio);
    const name = d.shape + (d.spikes.length ? '+' + (d.period ? `p${d.period}` : 'sp') : d.period ? `~p${d.period}` : '');
    kinds[name] = (kinds[name] ?? 0) + 1;
    if (process.argv[4] === 'v') console.log(s, JSON.stringify({ shape: d.shape, ch: d.changes, sp: d.spikes.length, p: d.period, ratio: d.ratio }), JSON.stringify(js.at(-1)));
  }
  const pc = (f: (j: (typeof js)[0]) => boolean): number => Math.round((100 * js.filter(f).length) / js.length);
  const row = [pc((j) => j.falseRow), pc((j) => j.found), pc((j) => j.right), Math.round(100 * q(js.map((j) => j.err), 0.9))];
  (sums[c.group] ??= []).push(c.group === 'null' ? row[0]! : row[2]!);
  console.log(c.group.padEnd(8), c.name.padEnd(32), c.group === 'null' ? `false ${row[0]}`.padEnd(30) : `found ${row[1]} right ${row[2]} err ${row[3]} %`.padEnd(30), 'ratio', q(ratios, 0.05).toFixed(2), q(ratios, 0.5).toFixed(2), q(ratios, 0.95).toFixed(2), (ms / seeds).toFixed(1), 'ms', Object.entries(kinds).sort((a, b) => b[1] - a[1]).slice(0, 5).map(([k, v]) => `${k} ${v}`).join(', '));
}
for (const [g, v] of Object.entries(sums)) console.log(g, (v.reduce((a, b) => a + b, 0) / v.length).toFixed(1));
console.log(((performance.now() - begin) / 1000).toFixed(1), 's');
