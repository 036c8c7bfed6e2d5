// node bench/dynamics/published.mjs [seeds] [tera|pepc]: how often the published rows come out of the published studies, whose series are rebuilt from printed intervals
// and severities, for several falls after a rise, noises and seeds. Of the runs that differ, the first difference and how often it comes.
import { load } from '../lib/bundle.mjs';

const { DynamicsAnalysis, burstsOf, differences, pepc, pepcTable, teraTable, teraTf } = await load(
  'src/core/degradations/analysis.ts',
  'test/fixtures/dynamics/published.ts',
  'test/fixtures/dynamics/publishedRows.ts',
);
const seeds = Number(process.argv[2] ?? 10);
const studies = [
  { name: 'tera', make: teraTf, table: teraTable, burst: 64, reportThreshold: 0.1 },
  { name: 'pepc', make: pepc, table: pepcTable, burst: 1024, reportThreshold: 0.05 },
].filter(({ name }) => process.argv[3] === undefined || process.argv[3] === name);
const falls = (process.argv[4] ?? '5,10,20,40,60').split(',').map(Number);
const noises = (process.argv[5] ?? '0.1,0.15,0.2').split(',').map(Number);
const methods = (process.argv[6] ?? 'likelihood,periscope').split(',');

for (const { name, make, table, burst, reportThreshold } of studies)
  for (const method of methods) {
    console.log(`${name}, ${method}: the published rows and no others, of ${seeds} seeds`);
    console.log(`  noise ${falls.map((fall) => `fall ${fall}`.padStart(8)).join('')}`);
    const reasons = new Map();
    for (const noise of noises) {
      const row = falls.map((fall) => {
        let right = 0;
        for (let seed = 1; seed <= seeds; seed++) {
          const analysis = new DynamicsAnalysis({ method, reportThreshold });
          for (const one of burstsOf(make({ seed, fall, noise }), burst)) analysis.addBurst(one);
          const found = differences(analysis.finish(), table, { fall, noise });
          if (found.length === 0) right++;
          for (const reason of found) {
            if (process.env.ALL) console.log(`${noise} ${fall} ${seed}: ${reason}`);
            reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
          }
        }
        return String(right).padStart(8);
      });
      console.log(`  ${String(100 * noise).padStart(3)} % ${row.join('')}`);
    }
    for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 12))
      console.log(`    ${count} × ${reason}`);
  }
