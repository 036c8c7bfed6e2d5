// [OFFSET=n] node bench/dynamics/ranks.mjs [seeds] [ranks]: how often exactly one event with the right ranks is told of runs in which some ranks change (bar 19 of 20).
import { load } from '../lib/bundle.mjs';

const { DynamicsAnalysis, changedRanks, manyRanks, rankChanges, rankPatterns, rankSet } = await load(
  'src/core/degradations/analysis.ts',
  'src/core/properties/rankSet.ts',
  'test/fixtures/dynamics/ranks.ts',
);
const seeds = Number(process.argv[2] ?? 5);
const count = Number(process.argv[3] ?? 64);
const offset = Number(process.env.OFFSET ?? 0);

console.log(`${count} ranks: exactly one event, with the right ranks, of ${seeds}`);
for (const pattern of rankPatterns) {
  const row = rankChanges.map((change) => {
    let right = 0;
    for (let seed = offset + 1; seed <= offset + seeds; seed++) {
      const analysis = new DynamicsAnalysis();
      const series = manyRanks(pattern, change, count, seed);
      analysis.addBurst({ first: 0, length: series[0].values.length, series });
      const events = eventsOf(analysis.finish());
      const ranks = rankSet(changedRanks(pattern, count, seed));
      if (pattern === 'none' ? events.length === 0 : events.length === 1 && events[0].ranks === ranks)
        right++;
    }
    return `${change} ${right}`.padEnd(10);
  });
  console.log(' ', pattern.padEnd(12), ...row);
}

/** What changes, without its parts: the static rows are of the whole run, but for an imbalance that moves. */
function eventsOf({ rows }) {
  return rows.filter(
    ({ rule, title, partOf }) =>
      partOf === undefined && rule !== 'hot-spot' && (rule !== 'imbalance' || title.includes('moves')),
  );
}
