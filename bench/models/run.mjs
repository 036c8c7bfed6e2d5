// node bench/models/run.mjs: performance models per second of processor time, by the number of parameters, for both modes; of the real Extra-P in the same run, where
// Python has its package `extrap` (pip install extrap, or PYTHONPATH); and a whole run of `kymo model` with 10,000 call paths. Needs `npm run build`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { load } from '../lib/bundle.mjs';

const { GrowthModeler, ExtrapModeler, measuredWith, writeText } = await load(
  'src/core/modeling/choice/index.ts',
  'src/core/modeling/extrap/index.ts',
  'src/formats/extrap/write/textAndJson.ts',
  'test/unit/core/modeling/made.ts',
);
const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-bench-models-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const five = [2, 4, 8, 16, 32];
const cases = [
  { name: '1 parameter, 5 points', points: product(five), series: 2000, peers: 200 },
  { name: '2 parameters, 25 points', points: product(five, five), series: 400, peers: 80 },
  { name: '3 parameters, 125 points', points: product(five, five, five), series: 100, peers: 30 },
];

console.log('models per second    Kymo   × Extra-P    Kymo as Extra-P   × Extra-P    Extra-P');
for (const { name, points, series, peers } of cases) {
  const made = Array.from({ length: series }, (_, seed) => measuredWith(0.03, truth(seed), points, seed));
  const own = perSecond(new GrowthModeler(), made);
  const same = perSecond(new ExtrapModeler(), made);
  const peer = extrap(made.slice(0, peers), points[0].length);
  const ratio = (value) => (peer === undefined ? '–' : `${(value / peer).toFixed(0)} ×`).padStart(10);
  console.log(
    `${name.padEnd(26)} ${own.toFixed(0).padStart(6)} ${ratio(own)} ${same.toFixed(0).padStart(16)} ${ratio(same)} ${(peer ?? NaN).toFixed(0).padStart(10)}`,
  );
}
whole(10_000);

function product(...lists) {
  return lists.reduce((all, list) => all.flatMap((point) => list.map((value) => [...point, value])), [[]]);
}

/** A sum of a constant and a product of growths, another one for each seed. */
function truth(seed) {
  return (point) =>
    1 + point.reduce((value, x, i) => value * x ** ((((seed + i) % 5) + 1) / 2), 0.1 + (seed % 7));
}

function perSecond(modeler, made) {
  for (const points of made.slice(0, 50)) modeler.model(points);
  const before = process.cpuUsage();
  for (const points of made) modeler.model(points);
  const { user, system } = process.cpuUsage(before);
  return made.length / ((user + system) / 1e6);
}

/** Models per second of the real Extra-P, without its reading; undefined where it is not installed. */
function extrap(made, parameters) {
  const file = path.join(folder, 'measured.txt');
  writeFileSync(file, written(made, parameters));
  const program = `
import sys, time, warnings
warnings.simplefilter("ignore")
from extrap.fileio.file_reader.text_file_reader import TextFileReader
from extrap.modelers.model_generator import ModelGenerator
experiment = TextFileReader().read_experiment(sys.argv[1])
generator = ModelGenerator(experiment)
before = time.process_time()
generator.model_all()
print(len(experiment.callpaths) / (time.process_time() - before))`;
  const { status, stdout } = spawnSync('python3', ['-c', program, file], {
    encoding: 'utf8',
    env: { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' },
    stdio: ['ignore', 'pipe', process.env.KYMO_BENCH_VERBOSE ? 'inherit' : 'ignore'],
  });
  return status === 0 ? Number(stdout.trim().split('\n').at(-1)) : undefined;
}

function written(made, parameters) {
  const names = ['x', 'y', 'z'].slice(0, parameters);
  const series = made.map((points, i) => ({ callPath: `main->f${i}`, metric: 'time', points }));
  return writeText({ parameters: names, series });
}

function whole(count) {
  const file = path.join(folder, 'large.txt');
  const points = product(five);
  writeFileSync(
    file,
    written(
      Array.from({ length: count }, (_, seed) => measuredWith(0.03, truth(seed), points, seed)),
      1,
    ),
  );
  const before = performance.now();
  const { status } = spawnSync(process.execPath, [cli, '--json', 'model', file], {
    stdio: 'ignore',
    cwd: folder,
  });
  const seconds = (performance.now() - before) / 1000;
  console.log(
    status === 0
      ? `kymo model with ${count} call paths, reading and printing included: ${seconds.toFixed(1)} s`
      : 'kymo model failed: run npm run build before',
  );
}
