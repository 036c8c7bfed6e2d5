// npm run bench groups: milliseconds of processor time to group processes and to compare the groups, for made contexts with the sizes of known programs (the
// programs' traces are not available): median, least and most of five repetitions. Then planted.mjs.
import os from 'node:os';
import { cpuMilliseconds, load } from '../lib/bundle.mjs';
import { median } from '../lib/statistics.mjs';

const groups = await load(
  'test/unit/core/groups/planted.ts',
  'src/core/groups/attributes/profileContext.ts',
  'src/core/groups/clusters/clusterProcesses.ts',
  'src/core/groups/closure.ts',
  'src/core/groups/graph/conceptGraph.ts',
  'src/core/groups/measures.ts',
  'src/core/groups/sets/bitSet.ts',
  'src/core/groups/sets/distinctSets.ts',
  'src/core/randomNumbers.ts',
);
const { DistinctSets, measureMatrix, clusterProcesses, contextOfAttributes, profileContext } = groups;
console.log(`${os.cpus()[0].model}, ${os.cpus().length} processors, Node ${process.version}`);
console.log(
  'milliseconds                                                            median    least     most',
);

const programs = [
  ['HPL', 2360, 8, 2],
  ['GROMACS', 36, 1381, 11],
  ['CCLM', 180, 180, 3],
  ['COSMO-SPECS', 100, 50, 1],
  ['WRF', 64, 774, 2],
  ['FD4', 65536, 55, 14],
  ['HOMME', 1024, 179, 3],
  ['AMG2006', 1024, 440, 7],
  ['IRS', 64, 989, 7],
  ['LULESH', 432, 406, 35],
  ['ParaDiS', 128, 649, 74],
  ['PIConGPU', 39, 474, 17],
  ['BT-MZ', 16, 126, 3],
  ['HPCC MPI-FFTE', 128, 109, 4],
  ['PEPC', 16384, 113, 2],
];
for (const [name, ...sizes] of programs) compare(`G1 ${name}`, made(...sizes));
compare('G2 FD4, goal 30', made(65536, 55, 14));
compare('G3 AMG2006, goal 20', made(4096, 483, 10));
compare('G4 ParaDiS, pairs, goal 250', made(4096, 655, 216));
repeat('G5 the same, groups only, goal 50', groupsOnly(made(4096, 655, 216)));
compare('G6 ParaDiS, functions, goal 250', made(4096, 325, 200));
repeat('G6 the same, groups only, goal 50', groupsOnly(made(4096, 325, 200)));
million();
profile();
for (const [processes, attributes, missing] of [
  [4096, 655, 0.02],
  [65536, 200, 0.02],
]) {
  const random = groups.randomSets(1, processes, attributes, 1 - missing);
  const context = groups.contextOf(random, attributes);
  repeat(
    `clusters of ${context.sets.length} different sets of ${attributes}, ${100 * missing} % missing`,
    () => clusterProcesses(context),
  );
}
const irregular = groups.contextOf(groups.randomSets(2, 65536, 100, 0.5), 100);
repeat('clusters of 65536 random sets of 100 (irregular)', () => clusterProcesses(irregular));
graph();
await import('./planted.mjs');
await import('./panel.mjs');

/** G7: the graph of what groups share, without its lattice. */
function graph() {
  const context = groups.contextOf(made(4096, 655, 216).sets, 655);
  repeat('G7 graph of ParaDiS, pairs, goal 1000', () => groups.conceptGraph(context));
}

/** The sets of processes, each on its own as a reader delivers them. */
function made(processes, attributes, count) {
  const random = groups.randomNumbers(attributes);
  const kinds = groups.randomSets(attributes, count, attributes, 0.6);
  const sets = Array.from({ length: processes }, (_, process) =>
    kinds[process < count ? process : Math.floor(random() * count)].slice(),
  );
  return { sets, attributes };
}

function grouped({ sets, attributes }) {
  const distinct = new DistinctSets();
  const groupOf = Int32Array.from(sets, (set) => distinct.intern(set));
  return { sets: distinct.sets(attributes), groupOf };
}

function compare(name, context) {
  repeat(`${name}: ${context.sets.length} × ${context.attributes}`, () =>
    measureMatrix(grouped(context).sets),
  );
}

function repeat(name, work) {
  const times = Array.from({ length: 5 }, () => cpuMilliseconds(work));
  print(name, times);
}

function print(name, times, note = '') {
  const cells = [median(times), Math.min(...times), Math.max(...times)];
  console.log(`${name.padEnd(68)} ${cells.map((value) => value.toFixed(1).padStart(8)).join(' ')}  ${note}`);
}

/** G8: 1,000,000 processes with up to 1,000 attributes, in up to 1,000 groups, attribute by attribute. */
function million() {
  const count = 1_000_000;
  const names = Array.from({ length: 1000 }, (_, number) => ({ callee: `f${number}` }));
  const kinds = groups.randomSets(3, 1000, 1000, 0.5);
  // Blocks of processes of one kind: what is measured is grouping, not making the data.
  const columns = names.map((_, attribute) => kinds.map((set) => (groups.hasMember(set, attribute) ? 1 : 0)));
  const mark = (attribute, has) =>
    columns[attribute].forEach((value, kind) => has.fill(value, kind * 1000, kind * 1000 + 1000));
  const processes = { length: count };
  let context;
  const times = Array.from({ length: 5 }, () =>
    cpuMilliseconds(() => {
      context = contextOfAttributes('pairs', names, processes, mark);
    }),
  );
  const bytes =
    context.groupOf.byteLength + context.sets.reduce((sum, set) => sum + set.byteLength, 0) + count;
  print(
    'G8 1000000 × 1000, goal 2000',
    times,
    `${context.sets.length} groups, ${(bytes / 2 ** 20).toFixed(1)} MiB of sets and assignment, goal 16`,
  );
}

/** A profile of 4,096 locations and 2,000 call paths. */
function profile() {
  const [width, count] = [4096, 2000];
  const visits = Float64Array.from({ length: width * count }, (_, cell) =>
    (cell % width) % 7 <= Math.floor(cell / width) % 9 ? 3 : 0,
  );
  const visitsMetric = { name: 'visits', dtype: 'DOUBLE', stored: 'exclusive', combine: 'sum' };
  const made = {
    metrics: [visitsMetric],
    stored: new Map([['visits', visits]]),
    regions: Array.from({ length: count }, (_, number) => ({ name: `f${number}` })),
    locations: Array.from({ length: width }, (_, rank) => ({ name: `Rank ${rank}`, rank, thread: 0 })),
    callPaths: {
      count,
      parent: Int32Array.from({ length: count }, (_, path) => (path - 1) >> 1),
      region: Uint32Array.from({ length: count }, (_, path) => path),
    },
  };
  repeat('context of a profile, 4096 locations × 2000 call paths, goal 500', () => profileContext(made));
}

function groupsOnly(context) {
  return () => grouped(context);
}
