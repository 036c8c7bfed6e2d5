// node bench/scorep/run.mjs [--json] [--repetitions N]
// What a visit costs with Score-P's options: CPU time of a program that does hardly anything else, less that of one visit, in turns.
// Needs a Score-P in PATH. These are the numbers per visit of the Score-P flags view (src/measurement/backends/scorep/installation/catalogue).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../lib/statistics.mjs';

const { values } = parseArgs({
  options: { json: { type: 'boolean' }, repetitions: { type: 'string', default: '5' } },
});
const repetitions = Number(values.repetitions);
const folder = mkdtempSync(path.join(tmpdir(), 'kymo-bench-scorep-'));

const source = `#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) double visit(double x) { return x * 1.0000001 + 1; }
int main(int argc, char **argv) {
  double sum = 0;
  for (long i = argc > 1 ? atol(argv[1]) : 1; i > 0; --i) sum = visit(sum);
  printf("%g\\n", sum);
}
`;
const filter = 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE *\nSCOREP_REGION_NAMES_END\n';

const many = 3_000_000;
const few = 500_000;
const variants = {
  'not instrumented': { environment: {}, program: './plain' },
  default: { environment: {} },
  'without profile': { environment: { SCOREP_ENABLE_PROFILING: 'false' } },
  'filtered at run time': { environment: { SCOREP_FILTERING_FILE: path.join(folder, 'all.filter') } },
  'with trace': { environment: { SCOREP_ENABLE_TRACING: 'true' } },
  'trace alone': { environment: { SCOREP_ENABLE_TRACING: 'true', SCOREP_ENABLE_PROFILING: 'false' } },
  cube_tuple: { environment: { SCOREP_PROFILING_FORMAT: 'cube_tuple' } },
  gettimeofday: { environment: { SCOREP_TIMER: 'gettimeofday' } },
  clock_gettime: { environment: { SCOREP_TIMER: 'clock_gettime' } },
  unwinding: { environment: { SCOREP_ENABLE_UNWINDING: 'true' } },
  'rusage ru_maxrss': { environment: { SCOREP_METRIC_RUSAGE: 'ru_maxrss' }, visits: few },
  'rusage all': { environment: { SCOREP_METRIC_RUSAGE: 'all' }, visits: few },
  'perf instructions': { environment: { SCOREP_METRIC_PERF: 'instructions' }, visits: few },
};

try {
  if (spawnSync('scorep', ['--version']).status === 0) bench();
  else console.log('left out: there is no scorep in PATH');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function bench() {
  writeFileSync(path.join(folder, 'a.c'), source);
  writeFileSync(path.join(folder, 'all.filter'), filter);
  const build = spawnSync(
    'scorep',
    ['--mpp=none', '--thread=none', '--nomemory', 'gcc', '-O2', 'a.c', '-o', 'a'],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  if (build.status !== 0) throw new Error(build.stderr);
  spawnSync('gcc', ['-O2', 'a.c', '-o', 'plain'], { cwd: folder });
  const found = new Map(Object.keys(variants).map((name) => [name, []]));
  for (let repetition = 0; repetition < repetitions; repetition++)
    for (const [name, { environment, visits = many, program = './a' }] of Object.entries(variants)) {
      const all = cpuSeconds(program, environment, visits);
      const start = cpuSeconds(program, environment, 1);
      if (all !== undefined && start !== undefined)
        found.get(name).push(((all - start) / (visits - 1)) * 1e9);
    }
  const result = [...found].map(([name, all]) => ({
    option: name,
    ...(all.length === 0
      ? { leftOut: 'the program does not run with it here' }
      : {
          nanosecondsPerVisit: Number(median(all).toFixed(1)),
          least: Number(Math.min(...all).toFixed(1)),
          most: Number(Math.max(...all).toFixed(1)),
        }),
  }));
  if (values.json) console.log(JSON.stringify({ repetitions, result }));
  else console.table(result);
}

/** User and system time; undefined when the program fails. */
function cpuSeconds(program, environment, visits) {
  rmSync(path.join(folder, 'results'), { recursive: true, force: true });
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%3U %3S"; time "$0" "$1" >/dev/null 2>/dev/null', program, String(visits)],
    {
      cwd: folder,
      env: {
        ...process.env,
        SCOREP_EXPERIMENT_DIRECTORY: 'results',
        SCOREP_TOTAL_MEMORY: '500M',
        ...environment,
      },
      encoding: 'utf8',
    },
  );
  if (status !== 0) return undefined;
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return user + system;
}
