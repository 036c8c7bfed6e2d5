// node bench/dynamics/classes.mjs [seeds] [group, or part of a name]: what Kymo's detector and a script of textbook parts (`textbook.ts`) say of the 102 classes of series of the
// specification, class by class; other seeds by OFFSET, Kymo alone by ALONE=1.
import { load } from '../lib/bundle.mjs';

const { detect, judge, signalClasses, textbook } = await load(
  'src/core/detect/detect.ts',
  'test/fixtures/dynamics/classes.ts',
  'test/fixtures/dynamics/judge.ts',
  'bench/dynamics/textbook.ts',
);
const seeds = Number(process.argv[2] ?? 10);
const only = process.argv[3] ?? '';
const offset = Number(process.env.OFFSET ?? 0);
const methods = process.env.ALONE === undefined ? { kymo: detect, script: textbook } : { kymo: detect };
const groups = new Map();

const percent = (all, is) => Math.round((100 * all.filter(is).length) / all.length);

console.log('series of which nothing is true, or a trend, steps, periodic work: false, or found and right');
for (const { name, group, make } of signalClasses) {
  if (!name.includes(only) && group !== only) continue;
  const row = Object.entries(methods).map(([method, answer]) => {
    let milliseconds = 0;
    const all = Array.from({ length: seeds }, (_, seed) => {
      const signal = make(seed + 1 + offset);
      const begin = performance.now();
      const said = answer(signal.values);
      milliseconds += performance.now() - begin;
      return judge(signal, said);
    });
    const errors = all.map(({ error }) => error).sort((a, b) => a - b);
    const value =
      group === 'null' ? percent(all, ({ isFalse }) => isFalse) : percent(all, ({ isRight }) => isRight);
    groups.set(`${group} ${method}`, [...(groups.get(`${group} ${method}`) ?? []), value]);
    const text =
      group === 'null'
        ? `false ${value} %`
        : `found ${percent(all, ({ isFound }) => isFound)}, right ${value} %, error ${Math.round(100 * (errors[Math.floor(0.9 * seeds)] ?? 0))} %`;
    return `${method}: ${text}, ${(milliseconds / seeds).toFixed(1)} ms`.padEnd(56);
  });
  console.log(group.padEnd(9), name.padEnd(32), ...row);
}
for (const [name, values] of groups)
  console.log(name.padEnd(20), (values.reduce((a, b) => a + b, 0) / values.length).toFixed(1), '%');
