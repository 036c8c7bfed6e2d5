// node bench/dynamics/detection.mjs [seeds]
// How often what is in the generated signals is found, against the specification's bars (its prototype's rates where these are higher).
import { load } from '../lib/bundle.mjs';

const { analyseSeries, detectionClasses } = await load(
  'src/core/signal/analyseSeries.ts',
  'test/unit/core/signal/detection.ts',
);
const seeds = Number(process.argv[2] ?? 100);
let failed = false;
console.log(`found   bar  (${seeds} seeds)`);
for (const { name, signal, isRight, bar } of detectionClasses) {
  let right = 0;
  for (let seed = 1; seed <= seeds; seed++) if (isRight(analyseSeries(signal(seed)))) right++;
  const rate = right / seeds;
  if (rate < bar) failed = true;
  console.log(`${percent(rate)} ${percent(bar)}  ${name}${rate < bar ? '  BELOW' : ''}`);
}
process.exit(failed ? 1 : 0);

function percent(share) {
  return `${Math.round(share * 100)} %`.padStart(5);
}
