// node bench/diagnosis/real.mjs [--pairs N] [steps] [bottleneck …]
// The search in real runs: each planted bottleneck of examples/bottlenecks is searched while it runs, and what is found is compared with its truth. Pairs of a plain run (the
// program built without Kymo) and a diagnosed one follow each other (2 pairs). For each bottleneck: in how many runs the planted function was found on exactly its ranks, and what
// else was found that the truth does not have; the first refined conclusion (seconds since the program began); the largest cost of recording in any second of the search beside its limit,
// and in the whole run (with the survey at its begin); medians over the pairs of diagnosed ÷ plain, of wall time and of the processor time of mpirun and the program; and whether anything contradicts
// anything else in the search, in what is printed of it, and in the off-line search in the same run. Needs MPI; run `node scripts/build.mjs` before.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { load } from '../lib/bundle.mjs';
import { median } from '../lib/statistics.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const { values: flags, positionals } = parseArgs({
  options: { pairs: { type: 'string', default: '2' } },
  allowPositionals: true,
});
const [steps = '600', ...chosen] = positionals;
const { searchContradictions, readSearch, rankSet } = await load(
  'test/consistency/search/searchOutput.ts',
  'src/formats/kymo-search/searchFile.ts',
  'src/core/properties/rankSet.ts',
);
const place = mkdtempSync(path.join(tmpdir(), 'kymo-real-'));
const [searched, plainly] = ['searched', 'plain'].map((name) => path.join(place, name));
for (const folder of [searched, plainly])
  cpSync(path.join(root, 'examples/bottlenecks'), folder, { recursive: true });
const { ranks, threads, bottlenecks } = JSON.parse(readFileSync(path.join(searched, 'truth.json'), 'utf8'));
const names = chosen.length > 0 ? chosen : Object.keys(bottlenecks);
const unknown = names.filter((name) => !(name in bottlenecks));
if (unknown.length > 0) throw new Error(`truth.json has no ${unknown.join(', ')}`);
const environment = { ...process.env, OMP_NUM_THREADS: String(threads), OMP_WAIT_POLICY: 'passive' };

const run = (command, words, folder = searched) =>
  execFileSync(command, words, {
    ...{ cwd: folder, env: environment, encoding: 'utf8', maxBuffer: 1 << 28 },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const cli = (...words) => run(process.execPath, [path.join(root, 'dist/cli.js'), ...words]);
run('make', ['-j2'], plainly);

console.log(
  'bottleneck | planted found on its ranks | others | first refined, s | largest cost, % of its limit, % (whole run, %) | wall ÷ plain | processor ÷ plain | contradictions',
);
const percent = (share) => (100 * share).toFixed(2);
for (const name of names) {
  const pairs = [];
  for (let pair = 0; pair < Number(flags.pairs); pair++)
    pairs.push({ plain: plain(name), ...diagnosed(name) });
  const all = (of) => pairs.map(of);
  const ratios = (of) =>
    `${median(all((pair) => of(pair) / of(pair.plain))).toFixed(3)} (${all((pair) => `${of(pair).toFixed(1)}/${of(pair.plain).toFixed(1)}`).join(' ')})`;
  const contradictions = pairs.flatMap((pair) => pair.contradictions);
  console.log(
    [
      name,
      `${pairs.filter(({ isFound }) => isFound).length} of ${pairs.length}`,
      [...new Set(pairs.flatMap(({ others }) => others))].join('; ') || '–',
      all(({ first }) => first.toFixed(1)).join(' '),
      all(({ cost, limit, ofRun }) => `${percent(cost)} of ${percent(limit)} (${percent(ofRun)})`).join(', '),
      ratios(({ wall }) => wall),
      ratios(({ cpu }) => cpu),
      contradictions.length,
    ].join(' | '),
  );
  for (const pair of pairs) if (!pair.isFound) console.log(`    found: ${pair.said.join('; ')}`);
  for (const sentence of contradictions) console.log(`    ${sentence}`);
}
rmSync(place, { recursive: true, force: true });

/** Wall and processor time (of mpirun and all that it waits for), in seconds. */
function plain(name) {
  const words = ['-n', String(ranks), '--oversubscribe', './bottlenecks', name, steps];
  const { stderr, status } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%R %U %S"; time mpirun "$@" > /dev/null', 'bash', ...words],
    { cwd: plainly, env: environment, encoding: 'utf8' },
  );
  const [wall, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  if (status !== 0 || !(wall > 0)) throw new Error(stderr);
  return { wall, cpu: user + system };
}

function diagnosed(name) {
  const words = ['--parameter', `bottleneck=${name}`, '--parameter', `steps=${steps}`];
  // Without it, a function is not found that none of its callers leads to.
  if (name === 'hidden') words.push('--deep-start');
  const output = JSON.parse(cli('diagnose', ...words, '--json'));
  const { folder, properties, findings } = output;
  const file = path.join(folder, 'search.json');
  const record = readSearch(readFileSync(file, 'utf8'), file);
  const experiment = JSON.parse(readFileSync(path.join(folder, 'experiment.json'), 'utf8'));
  const said = properties.map(({ title, region, ranks: on }, index) => ({
    ...{ title, function: region?.name, ranks: on ?? rankSet(Array(ranks).keys()) },
    hypothesis: findings[index].hypothesis,
  }));
  const refined = record.nodes.filter(({ parents }) => parents.every(({ by }) => by !== 'root'));
  const first = Math.min(
    ...refined.flatMap(({ conclusions }) =>
      conclusions.filter(({ truth }) => truth === 'true').map(({ time }) => time),
    ),
  );
  return {
    ...compared(name, said),
    said: said.map(({ hypothesis, title }) => `${hypothesis}: ${title}`),
    // The search ends with the program.
    first: first + experiment.wallSeconds - record.end,
    cost: record.largestCost?.share ?? 0,
    limit: 1 - 1 / record.costLimit,
    ofRun: wholeCost(folder, experiment),
    wall: experiment.wallSeconds,
    cpu: experiment.cpuSeconds,
    contradictions: [
      ...searchContradictions(record, output, cli('diagnose', file, '--tree')),
      ...offLine(folder).map((sentence) => `off-line: ${sentence}`),
    ],
  };
}

/** What was said beside the truth. Who leads to a place says the same less precisely; that is no other one. */
function compared(name, said) {
  const { also = [], falseParents = [], ...planted } = bottlenecks[name];
  const places = planted.function === undefined ? also : [planted, ...also];
  const isAt = (one, { hypotheses, function: own }) =>
    hypotheses.includes(one.hypothesis) && one.function === own;
  const found = said.filter((one) => isAt(one, planted)).map((one) => one.ranks);
  const ofPlace = (one) =>
    places.some((where) => isAt(one, where) && one.ranks.split(',').every((part) => isIn(part, where.ranks)));
  const isWider = ({ function: own }) =>
    own === undefined || ['main', 'time_step', name.replace('-', '_')].includes(own);
  const others = said.filter(
    (one) => !ofPlace(one) && (!isWider(one) || falseParents.includes(one.function)),
  );
  const isFound =
    planted.function === undefined ? others.length === 0 : found.includes(rankSet(planted.ranks));
  return { isFound, others: others.map(({ hypothesis, title }) => `${hypothesis}: ${title}`) };
}

/** @param part such as `2` or `1-3` */
function isIn(part, all) {
  const [from, to = from] = part.split('-').map(Number);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at).every((rank) => all.includes(rank));
}

/** Contradictions in the search in the finished run. */
function offLine(folder) {
  const file = path.join(place, 'search.json');
  const output = JSON.parse(cli('diagnose', folder, '--json', '--export', file));
  const record = readSearch(readFileSync(file, 'utf8'), file);
  return searchContradictions(record, output, cli('diagnose', folder, '--tree'));
}

/** Share of the processor time that recording took in the whole run. */
function wholeCost(folder, { calibration, cpuSeconds }) {
  const profile = JSON.parse(cli('profile', 'show', folder, '--json', '--top', '1000'));
  const functions = profile.functions ?? [];
  const visits = functions.reduce((sum, { visits: own = 0 }) => sum + own, 0);
  return (visits * calibration.probe.pairSeconds) / cpuSeconds;
}
