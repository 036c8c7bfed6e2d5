// What the services cost the process that runs them: processor time for each sample of a child in the aggregation, by number of children and mode; for each daemon in
// the equivalence classes; and the start-up of 512 virtual back ends in virtual time, with and without a tree.
import { cpuMilliseconds, load } from '../lib/bundle.mjs';
import { median } from '../lib/statistics.mjs';

const { mergeClasses, Ordinal, TimeAligned, generateShape, simulateStartUp, startUpCost } = await load(
  'src/overlay/services/equivalenceClasses.ts',
  'src/overlay/services/ordinal.ts',
  'src/overlay/services/timeAligned.ts',
  'src/overlay/layout/generate.ts',
  'src/overlay/services/startUp/simulateStartUp.ts',
  'test/unit/overlay/services/startUpCost.ts',
);

const samples = 200_000;
const aligned = (children, intervals) =>
  new TimeAligned({ children, intervals, operation: 'sum', quantity: 'delta', start: 0 });
const modes = {
  'fixed intervals': (children) => aligned(children, { kind: 'fixed', width: 0.2 }),
  'earliest end': (children) => aligned(children, { kind: 'earliest-end' }),
  ordinal: (children) => new Ordinal(children, 'sum'),
};

console.log('aggregation, µs of processor time per sample          4 children    16 children    64 children');
for (const [name, make] of Object.entries(modes)) {
  const cells = [4, 16, 64].map((width) => {
    const children = Array.from({ length: width }, (_, rank) => rank);
    const rounds = Math.round(samples / width / (name === 'earliest end' ? width / 4 : 1));
    const times = Array.from({ length: 5 }, () => cpuMilliseconds(() => push(make(children), width, rounds)));
    return (median(times) * 1000) / (rounds * width);
  });
  console.log(name.padEnd(52), cells.map((value) => value.toFixed(2).padStart(12)).join('   '));
}

const ranks = Array.from({ length: 4096 }, (_, rank) => rank);
const classes = cpuMilliseconds(() =>
  mergeClasses(ranks.map((rank) => [{ value: BigInt(rank % 3), members: [rank] }])),
);
console.log(
  `equivalence classes, µs per daemon (4096 daemons, 3 classes)  ${((classes * 1000) / ranks.length).toFixed(2)}`,
);

console.log('\nstart-up of 512 virtual back ends, seconds               flat          8×8×8');
const [flat, tree] = ['b:512', 'b:8^3'].map((spec) =>
  simulateStartUp({ root: 0, nodes: generateShape(spec) }, startUpCost),
);
flat.forEach(({ name, start, end }, i) => {
  const cells = [end - start, tree[i].end - tree[i].start].map((value) => value.toFixed(4).padStart(12));
  console.log(`  ${name.padEnd(46)} ${cells.join('   ')}`);
});
const ends = [flat, tree].map((times) => times.at(-1).end);
console.log(
  `  ${'all'.padEnd(46)} ${ends.map((value) => value.toFixed(4).padStart(12)).join('   ')}   ${(ends[0] / ends[1]).toFixed(1)}×`,
);

/** Samples of 0.2 s each, with a different offset for each child. */
function push(aggregation, width, rounds) {
  for (let round = 0; round < rounds; round++)
    for (let child = 0; child < width; child++) {
      const offset = (0.2 * child) / width;
      const start = round === 0 ? 0 : offset + 0.2 * round;
      aggregation.push(child, { value: 1, start, end: offset + 0.2 * (round + 1) });
    }
}
