// node bench/diagnosis/run.mjs [load|deepStart|bytes] [processes … | first word of a strategy …]
// The search in virtual time (specification §8.3–8.5). `load`: what the code of the front end, of the processes between and of the agents takes of a real processor per
// second of the program, by strategy and number of processes, and how many nodes the folded result has. `deepStart`: Deep Start beside the call-graph search on four shapes
// of applications. `bytes`: folded results as changes beside whole ones. Times of the program are virtual, those of processors are real.
import { load } from '../lib/bundle.mjs';

const modules = await load(
  'test/unit/core/diagnosis/virtual/virtualRun.ts',
  'test/unit/core/diagnosis/virtual/shapes.ts',
  'test/unit/core/diagnosis/virtual/hypotheses.ts',
  'test/unit/core/diagnosis/virtual/trial.ts',
  'test/unit/core/diagnosis/virtual/truth.ts',
  'test/unit/overlay/filters/foldingNetwork.ts',
  'src/core/diagnosis/folding/foldedTree.ts',
  'src/core/diagnosis/folding/sourceGraph.ts',
  'src/core/diagnosis/comparison/compareSearches.ts',
  'src/core/diagnosis/comparison/comparisonTables.ts',
);
const { VirtualRun, su3Like, alaraLike, dracoLike, om3Like, hypotheses, trialOf, truthOf } = modules;
const { foldedTree, unfolded, sizeOf, compareSearches, comparisonTables, batched, bytesOf } = modules;

const [what, ...words] = process.argv.slice(2);
const sizes = words.map(Number).filter((size) => size > 0);
const chosen = words.filter((word) => !(Number(word) > 0));
const strategies = ['centralised', 'partially distributed', 'truly distributed'].filter(
  (strategy) => chosen.length === 0 || chosen.includes(strategy.split(' ')[0]),
);
const isWanted = (name) => what === undefined || what === name;
if (isWanted('load')) loads(sizes.length > 0 ? sizes : [16, 32, 64, 256, 1024]);
if (isWanted('deepStart')) deepStart();
if (isWanted('bytes')) bytes();

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Front-end load by strategy. */
function loads(counts) {
  console.log(
    'su3_rmd-like program, two processes per agent, fan-out 8, a sample per second. Share of a core, in %, of the front end, of one process between and of one agent (bar 5 %)',
  );
  console.log(
    'processes | strategy | complete | virtual s | front end | inner | agent | messages to agents | bytes | received | nodes unfolded | folded | of one process | cost of measuring, most, %',
  );
  for (const processes of counts)
    for (const strategy of strategies) console.log(loadOf(processes, strategy).join(' | '));
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
    sizeOf(unfolded(frontEnd.folded, 0)) - 1,
    (100 * run.largestCost).toFixed(1),
  ];
}

/** Deep Start as published, then what of it is due to the choice of hypotheses; all beside the call-graph search (specification 8.4). */
function deepStart() {
  const shapes = {
    'A: ALARA-like, 720 functions, deep': alaraLike(),
    'B: DRACO-like, 398 functions': dracoLike(),
    'C: om3-like, 36 functions, 8 processes': om3Like(),
    'D: su3_rmd-like, 189 functions, 8 processes': su3Like(8),
  };
  const cpuBound = { deepStart: 0.2, deepStartHypotheses: ['CPUBound'] };
  for (const [name, spec] of Object.entries(shapes)) {
    console.log(`\n${name}, hypotheses and their refinement as published`);
    print(
      compareSearches(
        [
          trialOf('call graph', spec),
          ...[0.2, 0.4, 0.6, 0.8].map((threshold) =>
            trialOf(`Deep Start, ${threshold}`, spec, { deepStart: threshold }),
          ),
          trialOf('Deep Start, 0.2, CPUBound alone', spec, cpuBound),
        ],
        truthOf(spec),
      ),
    );
    if (spec.processesPerHost * spec.hosts === 1) continue;
    console.log(`\n${name}, waiting refined to hosts and processes as well`);
    print(
      compareSearches(
        [
          trialOf('call graph', spec, { hypotheses }),
          trialOf('Deep Start, 0.2', spec, { hypotheses, deepStart: 0.2 }),
          trialOf('Deep Start, 0.2, CPUBound alone', spec, { hypotheses, ...cpuBound }),
        ],
        truthOf(spec, hypotheses),
      ),
    );
  }
}

function print(comparison) {
  for (const table of comparisonTables(comparison)) {
    console.log(table.title);
    for (const row of [table.heads, ...table.rows]) console.log(`  ${row.join(' | ')}`);
  }
}

/** What folded results take on the way to the front end: as changes, and whole as in the published version (specification 6.3). */
function bytes() {
  const changes = bytesOf('delta', batched);
  console.log('1,024 processes in a tree of 8×8×8, a second with 200 conclusions in the middle of a search');
  console.log('what is sent | bytes over all links | to the front end | ÷ changes | ÷ changes');
  for (const [label, sums] of [
    ['changes, batched for 0.2 s', changes],
    ['whole graphs at each step, as published', bytesOf('full', { kind: 'none' })],
    ['whole graphs, batched for 0.2 s', bytesOf('full', batched)],
  ])
    console.log(
      [
        label,
        sums.all,
        sums.top,
        (sums.all / changes.all).toFixed(1),
        (sums.top / changes.top).toFixed(1),
      ].join(' | '),
    );
}
