// node bench/groups/planted.mjs [seeds]: how well groups of made programs are found again, beside k-means with the true number of clusters: adjusted Rand index (1: the same
// partition, 0: by chance), by the share of each process's attributes that was not seen.
import { load } from '../lib/bundle.mjs';

const { planted, adjustedRandIndex, clusterProcesses, kMeans } = await load(
  'test/unit/core/groups/planted.ts',
  'src/core/groups/clusters/clusterProcesses.ts',
  'src/core/groups/clusters/kMeans.ts',
);
const seeds = Number(process.argv[2] ?? 200);
console.log(
  'largest group, missing   mean index   least   without warning: mean   least   exact   warned   0.95 complete linkage   k-means   clusters found (planted), mean',
);
for (const [largest, isUneven] of [
  [128, false],
  [128, true],
  [12, false],
])
  for (const missing of [0, 0.01, 0.02, 0.05, 0.1]) print(missing, largest, isUneven);

function print(missing, largest, isUneven) {
  const rows = Array.from({ length: seeds }, (_, seed) => judged(seed, missing, largest, isUneven));
  const mean = (key) => rows.reduce((sum, row) => sum + row[key], 0) / rows.length;
  const quiet = rows.filter((row) => !row.irregular);
  const quietMean = quiet.reduce((sum, row) => sum + row.index, 0) / quiet.length;
  const quietLeast = Math.min(...quiet.map((row) => row.index));
  const least = rows.reduce((a, b) => (b.index < a.index ? b : a));
  const share = (test) => `${((100 * rows.filter(test).length) / rows.length).toFixed(0)} %`;
  console.log(
    `${String(largest).padStart(4)} ${isUneven ? 'uneven' : 'even  '} ${(100 * missing).toFixed(0).padStart(5)} %   ${mean('index').toFixed(4).padStart(10)}   ${least.index.toFixed(2).padStart(5)}   ${quietMean.toFixed(4).padStart(21)}   ${quietLeast.toFixed(2).padStart(5)}   ${share((row) => row.index === 1).padStart(5)}` +
      `   ${share((row) => row.irregular).padStart(9)}   ${mean('linkage').toFixed(3).padStart(21)}   ${mean('means').toFixed(3).padStart(7)}   ${mean('found').toFixed(2)} (${mean('planted').toFixed(2)})   worst: seed ${least.seed}`,
  );
}

function judged(seed, missing, largest, isUneven) {
  const { context, truth, times } = planted(seed, missing, largest, isUneven);
  const own = clusterProcesses(context);
  const count = new Set(truth).size;
  const linked = clusterProcesses(context, { threshold: 0.95 });
  return {
    seed,
    index: adjustedRandIndex(own.clusterOf, truth),
    linkage: adjustedRandIndex(linked.clusterOf, truth),
    means: adjustedRandIndex(kMeans(times, count, seed), truth),
    irregular: own.verdict === 'irregular',
    found: own.clusters.length,
    planted: count,
  };
}
