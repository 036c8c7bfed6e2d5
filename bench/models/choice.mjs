// node bench/models/choice.mjs [seeds]: how often the chosen formula has the true exponents, the median error of its prediction at ten times the largest values, and how
// often the 95 % range contains the truth; beside what Kymo makes as Extra-P, of made series, and of the reference rows where they are (KYMO_SHARED).
import { load } from '../lib/bundle.mjs';

const { GrowthModeler, ExtrapModeler, modelValue, oracleRows, pointsOf, madeSet, growth, trueGrowth } =
  await load(
    'src/core/modeling/choice/index.ts',
    'src/core/modeling/extrap/index.ts',
    'src/core/modeling/model.ts',
    'test/unit/core/modeling/oracle.ts',
    'test/unit/core/modeling/made.ts',
  );
const seeds = Number(process.argv[2] ?? 800);
const levels = [0, 0.01, 0.05, 0.1];
console.log('series                noise      right (as Extra-P)     error at 10 × (as Extra-P)   in range');
for (const noise of levels)
  print(
    'made',
    noise,
    Array.from({ length: seeds }, (_, seed) => made(madeSet(seed, noise))),
  );
const rows = oracleRows() ?? [];
for (const [name, group] of [
  ['reference, 1 parameter', /^1p\/in-space/],
  ['reference, 2', /^2p/],
  ['reference, 3', /^3p/],
])
  for (const noise of levels) {
    const chosen = rows.filter(
      (row) => group.test(row.group) && row.noise === noise && row.truth !== undefined,
    );
    if (chosen.length > 0) print(name, noise, chosen.map(reference));
  }

function made({ points, truth, largest, growth: isTrue }) {
  return { points, isTrue, at: [10 * largest], truth: truth(10 * largest) };
}

function reference(row) {
  const far = row.runs[0].extrapolation[1];
  return { points: pointsOf(row), isTrue: trueGrowth(row), at: far.point, truth: far.truth };
}

function print(name, noise, series) {
  const [own, same] = [new GrowthModeler(), new ExtrapModeler()];
  const judged = series.map(({ points, isTrue, at, truth }) => {
    const [chosen, other] = [own.model(points), same.model(points)];
    const { value, low, high } = chosen.predict(at);
    const slack = 1e-9 * Math.abs(truth);
    return {
      right: growth(chosen.formula) === isTrue,
      otherRight: growth(other.formula) === isTrue,
      miss: Math.abs(value / truth - 1),
      otherMiss: Math.abs(modelValue(other, at) / truth - 1),
      inside: low - slack <= truth && truth <= high + slack,
    };
  });
  const count = (key) => judged.filter((one) => one[key]).length;
  const middle = (key) => judged.map((one) => one[key]).sort((a, b) => a - b)[judged.length >> 1];
  const percent = (share) => `${(100 * share).toFixed(2)} %`;
  console.log(
    `${name.padEnd(22)} ${percent(noise).padStart(8)}  ${`${count('right')} of ${judged.length} (${count('otherRight')})`.padStart(20)}  ` +
      `${`${percent(middle('miss'))} (${percent(middle('otherMiss'))})`.padStart(26)}  ${percent(count('inside') / judged.length).padStart(10)}`,
  );
}
