// node bench/diagnosis/run.mjs [load|deepStart] [processes … | first word of a strategy …]
// The search in virtual time (specification §8.3–8.5). `load`: what the code of the front end, of the processes between and of the agents takes of a real processor per
// second of the program, by strategy and number of processes, and how many nodes the folded result has. `deepStart`: Deep Start beside the call-graph search on four shapes
// of applications. Times of the program are virtual, those of processors are real.
import { load } from '../lib/bundle.mjs';

const modules = await load(
  'test/unit/core/diagnosis/virtual/virtualRun.ts',
  'test/unit/core/diagnosis/virtual/shapes.ts',
  'test/unit/core/diagnosis/virtual/truth.ts',
  'src/core/diagnosis/folding/foldedTree.ts',
  'src/core/diagnosis/folding/sourceGraph.ts',
  'src/core/diagnosis/comparison/compareSearches.ts',
  'src/core/diagnosis/comparison/comparisonTables.ts',
);
const { VirtualRun, su3Like, alaraLike, dracoLike, om3Like, truthOf } = modules;
const { foldedTree, sizeOf, compareSearches, comparisonTables } = modules;

const [what, ...words] = process.argv.slice(2);
const sizes = words.map(Number).filter((size) => size > 0);
const chosen = words.filter((word) => !(Number(word) > 0));
const strategies = ['centralised', 'partially distributed', 'truly distributed'].filter(
  (strategy) => chosen.length === 0 || chosen.includes(strategy.split(' ')[0]),
);
if (what !== 'deepStart') loads(sizes.length > 0 ? sizes : [16, 32, 64, 256, 1024]);
if (what !== 'load') deepStart();

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Front-end load by strategy; centralised searches of more than 64 processes are left out: they do not end. */
function loads(counts) {
  console.log(
    'su3_rmd-like program, two processes per agent, fan-out 8, a sample per second. Share of a core, in %, of the front end, of one process between and of one agent (bar 5 %)',
  );
  console.log(
    'processes | strategy | complete | virtual s | front end | inner | agent | messages to agents | bytes | received | nodes unfolded | folded | cost of measuring, most, %',
  );
  for (const processes of counts)
    for (const strategy of strategies)
      if (strategy !== 'centralised' || processes <= 64) console.log(loadOf(processes, strategy).join(' | '));
}

function loadOf(processes, strategy) {
  const seconds = { 'front end': 0, inner: 0, agent: 0 };
  const timed = (who, work) => {
    const before = cpuSeconds();
    const result = work();
    seconds[who] += cpuSeconds() - before;
    return result;
  };
  const longest = 900;
  const run = new VirtualRun({ spec: su3Like(processes), strategy, timed, samplingInterval: 1, longest });
  const isComplete = run.run();
  const { frontEnd, agents, hosts, innerCount, sent, sentBytes, received, time } = run;
  const records = [frontEnd.record, ...agents.map(({ record }) => record)].filter((one) => one !== undefined);
  const percent = (total, count) => ((100 * total) / time / Math.max(1, count)).toFixed(3);
  const sum = (counts) => Object.values(counts).reduce((all, one) => all + one, 0);
  return [
    processes,
    strategy,
    isComplete ? 'yes' : `not in ${longest} s`,
    time.toFixed(0),
    percent(seconds['front end'], 1),
    percent(seconds.inner, innerCount),
    percent(seconds.agent, hosts.length),
    sum(sent),
    sentBytes,
    sum(received),
    records.reduce((all, { nodes }) => all + nodes.length, 0),
    sizeOf(foldedTree(frontEnd.folded)) - 1,
    (100 * run.largestCost).toFixed(1),
  ];
}

/** Five runs each, which differ in the delays of instrumentation, the noise of samples and the stacks that are seen. */
function deepStart() {
  const shapes = {
    'A: ALARA-like, 720 functions, deep': alaraLike(),
    'B: DRACO-like, 398 functions': dracoLike(),
    'C: om3-like, 36 functions, 8 processes': om3Like(),
    'D: su3_rmd-like, 189 functions, 8 processes': su3Like(8),
  };
  for (const [name, spec] of Object.entries(shapes)) {
    const trial = (label, threshold) => ({
      label,
      runs: [1, 2, 3, 4, 5].map((seed) => {
        const options = {
          spec,
          strategy: 'centralised',
          seed,
          noise: 0.02,
          samplingInterval: 1,
          longest: 3000,
        };
        const run = new VirtualRun({ ...options, ...(threshold !== undefined && { deepStart: threshold }) });
        run.run();
        return run.frontEnd.record;
      }),
    });
    const thresholds = [0.2, 0.4, 0.6, 0.8].map((threshold) => trial(`Deep Start, ${threshold}`, threshold));
    const comparison = compareSearches([trial('call graph'), ...thresholds], truthOf(spec));
    console.log(`\n${name}`);
    for (const table of comparisonTables(comparison)) {
      console.log(table.title);
      for (const row of [table.heads, ...table.rows]) console.log(`  ${row.join(' | ')}`);
    }
  }
}
