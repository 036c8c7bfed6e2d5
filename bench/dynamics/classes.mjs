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
const known = [];

const percent = (all, is) => Math.round((100 * all.filter(is).length) / all.length);

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
const deviation = (values) => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
};

/** Of curves only the cost is known. What starts late has no noise before. */
function hasCost(name, group) {
  return (group === 'trend' || group === 'step') && !/^(spikes|late)/.test(name);
}
const hasOneRise = (name, { truth }) =>
  !/growth|sigmoid/.test(name) &&
  (truth.kind === 'trend' || (truth.kind === 'steps' && truth.after.length === 1));

const executedOf = ({ values }) => [...values.keys()].filter((i) => values[i] > 0);

/** The last value before the rise, and the first one of the new level; what is below a spike has no place. */
function placesOf({ excess }, executed, spikes) {
  const calm = executed.filter((i) => spikes.every(({ at }) => at !== i));
  const first = calm.findIndex((i) => excess[i] > 0);
  const most = Math.max(...calm.map((i) => excess[i])) * (1 - 1e-9);
  return { onset: calm[Math.max(0, first - 1)], end: calm.find((i) => excess[i] >= most) };
}

/** Least squares of the constant and the height where the shape is known: what is left to noise. */
function errorOfKnownShape({ values, excess }, executed) {
  const [x, y] = [executed.map((i) => excess[i]), executed.map((i) => values[i])];
  const [mx, my] = [mean(x), mean(y)];
  const slope = mean(x.map((one, i) => (one - mx) * (y[i] - my))) / mean(x.map((one) => (one - mx) ** 2));
  return Math.abs(slope - 1);
}

function knownRow(name, all) {
  const rows = all.map(({ signal, said, error }) => {
    const executed = executedOf(signal);
    const whole = mean(executed.map((i) => signal.excess[i]));
    return {
      ...{ ...placesOf(signal, executed, said.spikes), whole, error, said, cost: whole * executed.length },
      rest: mean(executed.map((i) => signal.values[i] - signal.excess[i])),
      least: errorOfKnownShape(signal, executed),
    };
  });
  const told = rows.filter(({ said }) => said.onset !== undefined);
  const costs = rows.filter(({ said }) => said.excess !== undefined);
  const containsCost = (all) =>
    all.length === 0
      ? NaN
      : percent(all, ({ said, cost }) => Math.abs(said.excess.value - cost) <= 1.96 * said.excess.deviation);
  const within = ([first, last], place) => first <= place && place <= last;
  const share = (is) => (told.length === 0 ? NaN : percent(told, is));
  const places = !hasOneRise(name, all[0].signal)
    ? ''
    : `onset ${share(({ said, onset }) => within(said.onset, onset))} %, off by ${
        told.length === 0
          ? NaN
          : quantile(
              told.map(({ said, onset }) => Math.abs(said.changes[0].from - onset)),
              0.5,
            )
      }, end ${share(({ said, end }) => within(said.end, end))} %`;
  const clear = mean(rows.map(({ whole }) => whole)) / deviation(rows.map(({ rest }) => rest));
  const error = (of) => Math.round(100 * quantile(rows.map(of), 0.9));
  return [
    name.padEnd(32),
    `one rise ${percent(rows, (row) => told.includes(row))} %`.padEnd(15),
    `cost ${containsCost(told)} % (of all ${containsCost(costs)} %)`.padEnd(26),
    `error ${error((row) => row.error)} % (${error((row) => row.least)} % by the true shape; rise / noise of the mean ${clear.toFixed(0)})`.padEnd(
      68,
    ),
    places,
  ];
}

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
      return { ...judge(signal, said), signal, said };
    });
    if (method === 'kymo' && hasCost(name, group)) known.push(knownRow(name, all));
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
for (const [name, values] of groups) console.log(name.padEnd(20), mean(values).toFixed(1), '%');
if (known.length > 0)
  console.log(
    'one rise: how often ranges of 95 % contain the true cost, onset and end, and what nine of ten errors of the cost are below',
  );
for (const row of known) console.log(...row);
