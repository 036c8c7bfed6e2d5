// node bench/diagnosis/real.mjs [steps] [bottleneck …]
// The search in real runs: each planted bottleneck of examples/bottlenecks is searched while it runs, and what is found is compared with its truth. For each: whether the
// planted function was found on its ranks, what else was, the first refined conclusion (seconds since the program began), the largest cost of recording, and the time of the program
// under diagnosis beside plain runs of the same executable, in turns. Needs MPI; run `node scripts/build.mjs` before.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const [steps = '600', ...chosen] = process.argv.slice(2);
const place = mkdtempSync(path.join(tmpdir(), 'kymo-real-'));
cpSync(path.join(root, 'examples/bottlenecks'), place, { recursive: true });
const { ranks, threads, bottlenecks } = JSON.parse(readFileSync(path.join(place, 'truth.json'), 'utf8'));
const names = chosen.length > 0 ? chosen : [...Object.keys(bottlenecks), 'none'];
const environment = { ...process.env, OMP_NUM_THREADS: String(threads), OMP_WAIT_POLICY: 'passive' };

const run = (command, words) =>
  execFileSync(command, words, { cwd: place, env: environment, encoding: 'utf8', maxBuffer: 1 << 28 });
const kymo = (...words) =>
  JSON.parse(run(process.execPath, [path.join(root, 'dist/cli.js'), ...words, '--json']));

console.log('bottleneck | planted found | first refined, s | largest cost, % | diagnosed ÷ plain, s | found');
for (const name of names) {
  const words = ['--parameter', `bottleneck=${name}`, '--parameter', `steps=${steps}`];
  const found = kymo('diagnose', ...words);
  const { result = found } = found;
  const before = plain(name);
  const { findings, properties, folder, measurement } = result;
  const search = JSON.parse(readFileSync(path.join(folder, 'search.json'), 'utf8'));
  const [seconds] = measurement.seconds;
  const after = seconds - search.end;
  const first = Math.min(
    ...search.nodes
      .filter(({ parents }) => parents.every(({ by }) => by !== 'root'))
      .flatMap(({ conclusions }) =>
        conclusions.filter(({ truth }) => truth === 'true').map(({ time }) => time),
      ),
  );
  const said = findings.map(({ hypothesis }, index) => {
    const { title, ranks: on } = properties[index];
    return { hypothesis, title, on };
  });
  const planted = name === 'none' ? undefined : bottlenecks[name];
  const hit =
    planted === undefined
      ? said.every(({ hypothesis }) => hypothesis === 'CPUBound')
      : said.some(
          ({ hypothesis, title }) =>
            planted.hypotheses.includes(hypothesis) && title.includes(planted.function),
        );
  console.log(
    [
      name,
      hit ? 'yes' : 'NO',
      (first + after).toFixed(1),
      (100 * largestCost(folder)).toFixed(2),
      `${seconds.toFixed(1)} ÷ ${before.toFixed(1)} = ${(seconds / before).toFixed(3)}`,
      said.map(({ hypothesis, title }) => `${hypothesis}: ${title}`).join('; '),
    ].join(' | '),
  );
}
rmSync(place, { recursive: true, force: true });

function plain(name) {
  const begin = performance.now();
  run('mpirun', ['-n', String(ranks), '--oversubscribe', './bottlenecks', name, steps]);
  return (performance.now() - begin) / 1000;
}

/** Share of the processor time that recording took in the whole run. */
function largestCost(folder) {
  const { calibration, cpuSeconds } = JSON.parse(readFileSync(path.join(folder, 'experiment.json'), 'utf8'));
  const profile = JSON.parse(
    run(process.execPath, [
      path.join(root, 'dist/cli.js'),
      'profile',
      'show',
      folder,
      '--json',
      '--top',
      '1000',
    ]),
  );
  const regions = (profile.result ?? profile).regions ?? [];
  const visits = regions.reduce((sum, { visits: own = 0 }) => sum + own, 0);
  return (visits * calibration.probe.pairSeconds) / cpuSeconds;
}
